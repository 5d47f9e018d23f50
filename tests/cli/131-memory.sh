#!/usr/bin/env bash
# Ninety turns: facts that were told are asked for 2, 10, 30 and 80 turns later, and the tables say at which distance they are
# still known; on both databases. The long nights that are shipped ask so, too.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

cp -R "$REPO/tests/fixtures/dialogue" fixtures
sed -e 's/turns: 8/turns: 90/' -e 's/^items:/items: items.jsonl/; /^  - {id: dusk/d; /^  - {id: rain/d' fixtures/dialogue.yaml >fixtures/long.yaml
for i in 1 2 3; do
    echo "{\"id\": \"d$i\", \"prompt\": \"Night $i at the lock.\"}"
done >fixtures/items.jsonl
# told in turn 3, so asked for in turns 5, 13, 33 and 83
{
    sed '/^lines:/,$d' "$REPO/tests/fixtures/dialogue/users/tom.yaml"
    echo "lines:"
    for i in $(seq 90); do
        echo "  - Number $i of what there is to be said about the river tonight."
    done
    echo 'facts: [{id: sister, at: 3, tell: "My sister Ana is to be married.", ask: "Who is to be married?", expect: [Ana], again: [2, 10, 30, 80]}]'
} >fixtures/users/tom.yaml
# `keen` forgets in one of three nights after 80 turns, `dim` knows nothing after 10
for i in 1 2 3; do
    for turn in $(seq 90); do
        keen="The water is slow tonight, turn $turn." dim=$keen
        case $turn in 5 | 13 | 33 | 83) keen="Your sister Ana." dim="I could not say." ;; esac
        [ "$turn" != 5 ] || dim="Ana is."
        [ "$i $turn" != "2 83" ] || keen="Somebody is."
        echo "{\"model\": \"keen\", \"item\": \"d$i\", \"turn\": $((2 * turn + 1)), \"text\": \"$keen\"}"
        echo "{\"model\": \"dim\", \"item\": \"d$i\", \"turn\": $((2 * turn + 1)), \"text\": \"$dim\"}"
    done
done >tape.jsonl
cat >models.yaml <<M
models:
  - {name: keen, kind: recorded, file: tape.jsonl}
  - {name: dim, kind: recorded, file: tape.jsonl}
M

echo "== what is known at each distance"
for db in run.db ${AUDITION_TEST_PG:+"$AUDITION_TEST_PG"}; do
    audition 0 run fixtures/long.yaml -m keen -m dim --user script --db "$db"
    audition 0 report latest --db "$db" -o page.html
    says page.html 'id="memory"'
    audition 0 chart memory latest --json --db "$db"
    cp out memory.json
    audition 0 verify latest --db "$db"
    [ "$db" = run.db ] || audition 0 db copy other.db --db "$db"
    [ "$db" = run.db ] || cmp memory.json here.json || fail "the databases differ"
    cp memory.json here.json
done
known() { sql "$1" "SELECT group_concat(metric || ' ' || round(value, 2) || ' ' || n) FROM (SELECT * FROM score WHERE subject = 'model/$2' AND metric LIKE 'recall:%' ORDER BY CAST(substr(metric, 8) AS INTEGER))"; }
for db in run.db other.db; do
    [ -e $db ] || continue
    is "$(known $db keen)" "recall:2 1.0 3,recall:10 1.0 3,recall:30 1.0 3,recall:80 0.67 3" "who remembers"
    is "$(known $db dim)" "recall:2 1.0 3,recall:10 0.0 3,recall:30 0.0 3,recall:80 0.0 3" "who does not"
done
sql run.db "UPDATE score SET value = 1 WHERE metric = 'recall:80'"
audition 1 verify latest --db run.db
says err 'recall:80'

echo "== the long nights that are shipped"
mock night
# shellcheck disable=SC2154 # mock() sets it
models models.yaml "$port" chat judge chat-user
for language in en zh ja; do
    audition 0 check "$REPO/suites/dialogue/memory.$language.yaml"
    audition 0 run "$REPO/suites/dialogue/memory.$language.yaml" -m player --user examiner --db $language.db
    audition 0 report latest --db $language.db -o $language.html
    is "$(sql $language.db "SELECT group_concat(metric) FROM (SELECT metric FROM score WHERE subject = 'model/player' AND metric LIKE 'recall:%' ORDER BY CAST(substr(metric, 8) AS INTEGER))")" \
        "recall:0,recall:2,recall:10,recall:30,recall:80" "$language: distances"
    is "$(sql $language.db "SELECT max(part) || ' ' || max(kind = 'leave') FROM turn")" "89 1" "$language: turns"
done
