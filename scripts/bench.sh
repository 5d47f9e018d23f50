#!/usr/bin/env bash
# bench.sh PROGRAM...: run every benchmark, show what it prints, and write it into docs/BENCHMARKS.md
#     between its two marks; the words around them are people's.
#
# What a benchmark prints: a line without indent says what is measured; an indented one is a figure, with
# "(aim: ..., holds)" or "MISSED" where something was promised; a Markdown table is growth.
set -euo pipefail
page=docs/BENCHMARKS.md
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
load=$(cut -d ' ' -f 1-3 /proc/loadavg) failed=0

for b in "$@"; do
    name=$(basename "$b" .sh)
    "$b" 2>"$out/$name.err" | tee "$out/$name.txt" || { failed=1 && echo "  $name FAILED" | tee -a "$out/$name.txt"; }
    cat "$out/$name.err" >&2
done

cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
memory=$(awk '/^MemTotal/ { printf "%.0f GB", $2 / 1e6 }' /proc/meminfo)
system=$(. /etc/os-release && echo "$PRETTY_NAME")
postgres=$(psql --version 2>/dev/null | awk '{ print $3 }')
{
    echo "$(date -u +%Y-%m-%d), commit $(git rev-parse --short=12 HEAD). ${cpu:-$(uname -m)}, $(nproc) cores, $memory, $system, Linux $(uname -r),"
    echo "SQLite $(sqlite3 --version 2>/dev/null | cut -d ' ' -f 1), PostgreSQL ${postgres:-not there}. Load before it began (1, 5, 15 minutes): $load."
    printf '\n### Promises\n\n| measured | aim | |\n|---|---|---|\n'
    for f in "$out"/*.txt; do
        awk '/^[^ |]/ { about = $0 }
            /\(aim: / { line = $0; sub(/^ +/, "", line); what = line; sub(/ *\(aim: .*/, "", what)
                aim = line; sub(/.*\(aim: /, "", aim); holds = aim; sub(/, (holds|MISSED|FAILED)\).*/, "", aim)
                sub(/\).*/, "", holds); sub(/.*, /, "", holds); gsub(/  +/, ", ", what)
                printf "| %s: %s | %s | %s |\n", about, what, aim, holds }' "$f"
    done
    printf '\n### Growth\n'
    for f in "$out"/*.txt; do
        awk '/^[^ |]/ { about = $0 } /^\|/ { if (!shown[about]++) printf "\n%s:\n\n", about; print }' "$f"
    done
    printf '\n### Everything else that was printed\n\n'
    for f in "$out"/*.txt; do
        awk '!/^\|/ && !/\(aim: / && NF { print "    " $0 }' "$f"
    done
} >"$out/measured"
awk -v new="$out/measured" '/^<!-- measured/ { print; print ""; while ((getline line <new) > 0) print line; print ""; skip = 1 }
    /^<!-- end of it/ { skip = 0 } !skip && !/^<!-- measured/' "$page" >"$out/page"
cp "$out/page" "$page"
echo "wrote $page"
exit $failed
