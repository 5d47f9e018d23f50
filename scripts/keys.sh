#!/usr/bin/env bash
# keys.sh [--check]: write what the program says of the keys of its files into the documentation and share/schema.
#
# A table in docs/ stands between "<!-- keys FILE SECTION -->" and "<!-- end -->". AUDITION names the program
# (default build/audition). With --check nothing is written: what is not current is named, and that is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${AUDITION:-build/audition}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stale=0

# place NEW OLD: put NEW in place of OLD, or say that they differ
place()
{
    cmp -s "$1" "$2" && return
    if [ "${check:-}" ]; then
        echo "$2 is not what the program says: run scripts/keys.sh" >&2
        diff -u "$2" "$1" | head -n 20 >&2 || true
        stale=1
    else
        cat "$1" >"$2"
    fi
}

[ "${1:-}" != --check ] || check=1
for file in suite models campaign collection interviewee sso; do
    "$program" help "$file" --markdown --language en >"$work/$file"
    "$program" help "$file" --schema >"$work/schema"
    place "$work/schema" "share/schema/$file.schema.json"
done
for doc in docs/SUITES.md docs/CAMPAIGNS.md; do
    awk -v dir="$work" '
        function table(file, section,    line, found, n)
        {
            while ((getline line <(dir "/" file)) > 0) {
                if (line ~ /^### /)
                    found = line == "### " section
                else if (found && line ~ /^\|/ && ++n)
                    print line
            }
            close(dir "/" file)
            if (!n) {
                print "no section " section " in " file >"/dev/stderr"
                exit 1
            }
        }
        /^<!-- end -->$/ { inside = 0 }
        !inside { print }
        /^<!-- keys [a-z]+ [a-z_]+ -->$/ { table($3, $4); inside = 1 }
    ' "$doc" >"$work/doc"
    place "$work/doc" "$doc"
done
exit "$stale"
