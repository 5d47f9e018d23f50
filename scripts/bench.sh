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
load=$(cut -d ' ' -f 1-3 /proc/loadavg) commit=$(git rev-parse --short=12 HEAD) failed=0

for b in "$@"; do
    { "$b" 2>"$out/err" || echo "  $(basename "$b" .sh) FAILED"; } | tee -a "$out/all"
    cat "$out/err" >&2
done
! grep -q ' FAILED$' "$out/all" || failed=1

cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
memory=$(awk '/^MemTotal/ { printf "%.0f GB", $2 / 1e6 }' /proc/meminfo)
system=$(. /etc/os-release && echo "$PRETTY_NAME")
postgres=$(psql --version 2>/dev/null | awk '{ print $3 }')
{
    echo "$(date -u +%Y-%m-%d), commit $commit. ${cpu:-$(uname -m)}, $(nproc) cores, $memory, $system, Linux $(uname -r),"
    echo "SQLite $(sqlite3 --version 2>/dev/null | cut -d ' ' -f 1), PostgreSQL ${postgres:-not there}. Load before it began (1, 5, 15 minutes): $load."
    printf '\n### Promises\n'
    awk '/^[^ |]/ { about = $0 }
        /\(aim: / {
            if (!told[about]++) printf "\n%s:\n\n| measured | aim | |\n|---|--:|---|\n", about
            what = aim = holds = $0
            sub(/ *\(aim: .*/, "", what)
            sub(/.*\(aim: /, "", aim)
            sub(/, [A-Za-z]+\).*/, "", aim)
            sub(/\)[^)]*$/, "", holds)
            sub(/.*, /, "", holds)
            gsub(/ +/, " ", what)
            printf "|%s | %s | %s |\n", what, aim, holds
        }' "$out/all"
    printf '\n### Growth\n'
    awk '/^[^ |]/ { about = $0 } /^\|/ { if (!told[about]++) printf "\n%s:\n\n", about; print }' "$out/all"
    printf '\n### Everything else that was printed\n\n'
    awk '!/^\|/ && !/\(aim: / && NF { print "    " $0 }' "$out/all"
} >"$out/measured"
awk -v new="$out/measured" '/^<!-- measured/ { print; print ""; while ((getline line <new) > 0) print line; print ""; skip = 1 }
    /^<!-- end of it/ { skip = 0 } !skip && !/^<!-- measured/' "$page" >"$out/page"
cp "$out/page" "$page"
echo "wrote $page"
exit $failed
