#!/usr/bin/env bash
# What a turn costs late in a dialogue, held against an early one, and what is stored. 200 dialogues side by side of one and of six
# turns, from the beginning and taken over after 45 turns: the differences are the turns 2 to 6 and 47 to 51, each out of an empty
# database; what 100 more of one turn take is turn 1. They take turns, and the least of each counts. Longer conversations are longer requests, which somebody has to
# send: a bare libcurl loop with bodies of the same sizes is the yardstick. Nothing is asserted. What a turn takes in
# instructions is in docs/internals/run.md.
set -euo pipefail

: "${AUDITION:?}" "${MOCKLLM:?}" "${MEASURE:?}" "${CURLLOOP:?}"
REPO=$(cd "$(dirname "$0")/../.." && pwd)
export REPO
dir=$(mktemp -d)
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
trap 'end_all; rm -rf "$dir"' EXIT
cd "$dir"
n=200 rounds=15
mock talk
models models.yaml "$port" chat judge chat-user

dialogues half1.yaml $((n / 2)) 1
for turns in 1 6 50; do
    dialogues "early$turns.yaml" $n $turns
    dialogues "late$turns.yaml" $n $turns
done
# every turn is two requests: nothing is said by the plan
sed -i '/^facts:/,/^brings:/d; /^  - {at:/d' users/tom.yaml

# talk NAME: hold its dialogues, and add what they took to NAME.used
talk()
{
    rm -f "$1.db"*
    "$MEASURE" used "$AUDITION" run "$1.yaml" -m player --user examiner -j $n --quiet --db "$1.db" >out 2>&1 || cat out
    cat used >>"$1.used"
}

talk early50
# the first 45 turns of each, as the beginning of another
sqlite3 early50.db "SELECT json_object('id', printf('i%05d', s.id), 'prompt', 'An evening at the lock.', 'turns',
    (SELECT json_group_array(json_object('role', CASE speaker WHEN 'model' THEN 'assistant' ELSE 'user' END, 'text', text))
        FROM (SELECT speaker, text FROM turn WHERE sample = s.id AND part <= 45 ORDER BY position))) FROM sample s" >late1.jsonl
cp late1.jsonl late6.jsonl
for ((round = 0; round < rounds; round++)); do
    for one in half1 early1 early6 late1 late6; do
        talk $one
    done
done

# NAME: bytes that are said in one of its dialogues
said()
{
    sqlite3 "$1.db" "SELECT CAST(sum(length(CAST(text AS BLOB)) + 30) / $n AS INTEGER) FROM turn"
}
# BYTES: the least CPU in ms of two requests with such a body
bare()
{
    for ((round = 0; round < rounds; round++)); do
        "$CURLLOOP" "http://127.0.0.1:$port/v1/chat/completions" 1000 $n "$1" | jq '.cpu_us_per_request / 500'
    done | sort -g | head -1
}

half=$(($(said early6) / 2))
{
    for one in half1 early1 early6 late1 late6 early50; do
        awk -v name=$one '{ c = ($2 + $3) * 1000; if (!s || c < s) { s = c; u = $2 * 1000 } m = $4 } END { print name, s, u, m / 1024 }' "$one.used"
    done
    echo "bare_early $(bare $half)"
    echo "bare_late $(bare $(($(said late6) - half)))"
} | awk -v n=$n '
    { cpu[$1] = $2; user[$1] = $3; memory[$1] = $4 }
    END {
        first = (cpu["early1"] - cpu["half1"]) / (n / 2)
        early = (cpu["early6"] - cpu["early1"]) / 5 / n
        late = (cpu["late6"] - cpu["late1"]) / 5 / n
        ours = early - cpu["bare_early"]
        then = late - cpu["bare_late"]
        printf "%d dialogues side by side\n  %.3f ms CPU at turn 1, %.3f ms a turn at 2 to 6, %.3f ms at 47 to 51, which is %.2f times the latter\n",
            n, first, early, late, late / early
        printf "  and of turn 1, times %.2f   (aim: 1.5, %s)\n", late / first, (late <= 1.5 * first ? "holds" : "MISSED")
        printf "  of it in the program %.3f and %.3f ms, in the kernel the rest; a bare libcurl loop sends such bodies in %.3f and %.3f ms: %.2f times\n",
            (user["early6"] - user["early1"]) / 5 / n, (user["late6"] - user["late1"]) / 5 / n, cpu["bare_early"], cpu["bare_late"],
            cpu["bare_late"] / cpu["bare_early"]
        printf "  beyond that loop %.3f and %.3f ms: %.2f times\n", ours, then, then / ours
        printf "  memory %.0f MB with 6 turns, %.0f MB with 50\n", memory["early6"], memory["early50"]
    }'
sqlite3 early50.db "SELECT printf('  50 turns store %.1f times the bytes of the transcript',
    (SELECT sum(length(CAST(request AS BLOB)) + length(CAST(response AS BLOB))) FROM call) * 1.0 / sum(length(CAST(t.text AS BLOB)))
    + 1 + (SELECT sum(length(CAST(answer AS BLOB))) FROM sample) * 1.0 / sum(length(CAST(t.text AS BLOB)))) FROM turn t"
