#!/usr/bin/env bash
# What a turn costs late in a dialogue, held against an early one, and what is stored: 100 dialogues side by side of 1, 5, 10, 45 and
# 50 turns, whose differences are the turns 2 to 5, 6 to 10 and 46 to 50. They take turns, and the least of five counts. Nothing is asserted.
# On a machine that does much else the differences are noise; what a turn takes in instructions is in docs/internals/run.md.
set -euo pipefail

: "${AUDITION:?}" "${MOCKLLM:?}" "${MEASURE:?}"
REPO=$(cd "$(dirname "$0")/../.." && pwd)
export REPO
dir=$(mktemp -d)
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
trap 'end_all; rm -rf "$dir"' EXIT
cd "$dir"
n=100
mock talk
models models.yaml "$port" chat judge chat-user

for turns in 1 5 10 45 50; do
    dialogues "$turns.yaml" $n $turns
done
# every turn is two requests: nothing is said by the plan
sed -i '/^facts:/,/^brings:/d; /^  - {at:/d' users/tom.yaml
for _ in 1 2 3 4 5; do
    for turns in 1 5 10 45 50; do
        rm -f "$turns.db"*
        "$MEASURE" used "$AUDITION" run "$turns.yaml" -m player --user examiner -j $n --quiet --db "$turns.db" >out 2>&1 || cat out
        cat used >>"$turns.used"
    done
done

# FILE: the least user and system seconds of its lines, in milliseconds; the least memory in MB
least() { awk '{ c = ($2 + $3) * 1000; if (!s || c < s) s = c; if (!m || $4 < m) m = $4 } END { print s, m / 1024 }' "$1"; }

for turns in 1 5 10 45 50; do
    read -r cpu memory < <(least "$turns.used")
    echo "$turns $cpu $memory"
done | awk -v n=$n '
    { cpu[$1] = $2; memory[$1] = $3 }
    END {
        first = (cpu[5] - cpu[1]) / 4 / n
        early = (cpu[10] - cpu[5]) / 5 / n
        late = (cpu[50] - cpu[45]) / 5 / n
        printf "talk: %d dialogues side by side: %.3f ms CPU a turn at 2 to 5, %.3f ms at 6 to 10, %.3f ms at 46 to 50: %.2f and %.2f times\n",
            n, first, early, late, late / first, late / early
        printf "talk: memory %.0f MB with 5 turns, %.0f MB with 50\n", memory[5], memory[50]
    }'
sqlite3 50.db "SELECT printf('talk: 50 turns store %.1f times the bytes of the transcript',
    (SELECT sum(length(CAST(request AS BLOB)) + length(CAST(response AS BLOB))) FROM call) * 1.0 / sum(length(CAST(t.text AS BLOB)))
    + 1 + (SELECT sum(length(CAST(answer AS BLOB))) FROM sample) * 1.0 / sum(length(CAST(t.text AS BLOB)))) FROM turn t"
