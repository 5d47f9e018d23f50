#!/usr/bin/env bash
# The demo, as `make demo` shows it: it says what it does, and what it says is so.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

mkdir scripts
cp "$REPO/scripts/demo.sh" scripts/
cp -r "$REPO/demo" .
status 0 scripts/demo.sh
lacks out 'demo: '

echo "== the rubric test: what is unscored, zeroed and capped"
says out "An evening at Hob's Lock"
says out '2 unscored'
is "$(grep -c '^no difference$' out)" 1 "verified runs"
[ -s build/demo/report.html ] || fail "no report"

echo "== the battles: both tables, and why the first"
sed -n "/Hob's Lock in battles/,\$p" out >battles
grep -qE '^ +steady +1[0-9]{3} ' battles || fail "no ratings"
says battles 'Bradley-Terry, sandwich by item (5)'
says battles 'Glicko-2'
says battles 'other orders'
says battles 'trust the first: Bradley-Terry gives the same ratings in whatever order'
# One is unreadable even when asked again, one turns with the order; every other verdict counts.
says battles '59 verdicts · 1 unscored'
is "$(sql build/demo/battles.db "SELECT value, n FROM score WHERE metric = 'inconsistent'")" "1.0|29" "ties by order"
is "$(sql build/demo/battles.db "SELECT max(repairs), sum(repairs) FROM verdict")" "1|2" "asked again"
audition 0 verify latest --db build/demo/battles.db
says out '60 judge replies read again'
