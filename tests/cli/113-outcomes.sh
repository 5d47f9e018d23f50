#!/usr/bin/env bash
# How dialogues end by rule, users out of a recording, and users who failed: shown apart and left out as the
# suite says, on both databases.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

cp -R "$REPO/tests/fixtures/dialogue" fixtures
mock calm --dimensions 'role=1|2|3|4|5'
# shellcheck disable=SC2154 # mock() sets it
cat >models.yaml <<M
models:
  - {name: tape, kind: recorded, file: tape.jsonl}
  - {name: ann, base_url: "http://127.0.0.1:$port", model: chat-ann}
  - {name: leaky, kind: recorded, file: tape.jsonl}
  - {name: named, kind: recorded, file: tape.jsonl}
  - {name: stuck, base_url: "http://127.0.0.1:$port", model: user-repeats}
  - {name: guest, base_url: "http://127.0.0.1:$port", model: user}
  - {name: critic, base_url: "http://127.0.0.1:$port", model: judge}
M
for item in dusk rain; do
    for turn in 3 5 7 9; do
        word=No.
        [ $turn != 5 ] || word='The gate opens.'
        printf '{"model": "leaky", "item": "%s", "turn": %s, "text": "As an AI language model, I cannot open gates."}\n' $item $turn
        printf '{"model": "named", "item": "%s", "turn": %s, "text": "ChatGPT would not open it either."}\n' $item $turn
        printf '{"model": "tape", "item": "%s", "turn": %s, "text": "%s"}\n' $item $turn "$word"
    done
done >tape.jsonl
ends()
{
    sql "$1" "SELECT DISTINCT state || ' ' || coalesce(finish, '') FROM sample"
}

echo "== until a word is said"
sed 's/context: whole/until: {words: [gate opens, never]}/' fixtures/dialogue.yaml >fixtures/until.yaml
audition 0 run fixtures/until.yaml -m tape --user script --db until.db
is "$(ends until.db)" "done rule" "ends"
is "$(sql until.db "SELECT count(*) FROM turn WHERE kind = 'answer'")" 4 "answers up to the word"
audition 0 verify --db until.db

echo "== until the role slips: the first sign ends it"
sed 's/context: whole/until: {broken: yes}/' fixtures/dialogue.yaml >fixtures/broken.yaml
audition 0 run fixtures/broken.yaml -m leaky --user script --db broken.db
is "$(ends broken.db)" "done rule" "ends"
is "$(sql broken.db "SELECT count(*) FROM turn WHERE kind = 'answer'")" 2 "one answer each"

sed 's/^  - Evening. Could.*/  - Could ChatGPT open it?/; /^facts:/,/^leaves:/{/^leaves:/!d}' fixtures/users/tom.yaml >fixtures/users/asks.yaml
sed 's/tom.yaml/asks.yaml/; s/turns: 8/turns: 1/' fixtures/broken.yaml >fixtures/asks.yaml
sed 's/turns: 8/turns: 1/' fixtures/broken.yaml >fixtures/unasked.yaml
audition 0 run fixtures/unasked.yaml -m named --user script --db unasked.db
is "$(ends unasked.db)" "done rule" "a name that nobody said"
audition 0 run fixtures/asks.yaml -m named --user script --db asks.db
is "$(ends asks.db)" "done limit" "words that were put to it are no sign"
audition 0 board latest --json --db asks.db
is "$(sql asks.db "SELECT value FROM score WHERE metric = 'unbroken'")" 1.0 "nor anywhere else"

echo "== a recorded user: the lines of a run are said again, to another model"
printf '{"speaker": "user", "text": "Evening again."}\n{"speaker": "model", "text": "not the user"}\n{"text": "Still shut?"}\n' >fixtures/users/said.jsonl
sed '/^lines:/,/^facts:/{/^facts:/!d}; /^facts:/,/^leaves:/{/^leaves:/!d}' fixtures/users/tom.yaml >fixtures/users/again.yaml
echo 'lines: said.jsonl' >>fixtures/users/again.yaml
sed 's/by: model/by: recorded/; s/tom.yaml/again.yaml/' fixtures/dialogue.yaml >fixtures/recorded.yaml
audition 0 run fixtures/recorded.yaml -m ann --db recorded.db
is "$(ends recorded.db)" "done leave" "ends"
is "$(sql recorded.db "SELECT group_concat(DISTINCT text) FROM (SELECT text FROM turn WHERE speaker = 'examiner' AND kind = 'line' ORDER BY position)")" "Evening again.,Still shut?" "lines"

echo "== a user who failed: flagged, and left out where the suite says so, never silently"
for then in note leave-out; do
    { cat fixtures/dialogue.yaml && echo "rules: {user: {then: $then}}"; } >"fixtures/$then.yaml"
    for db in "$then.db" ${AUDITION_TEST_PG:+"$AUDITION_TEST_PG"}; do
        audition 0 run "fixtures/$then.yaml" -m ann --user stuck --judge critic --db "$db"
        audition 0 flag latest --db "$db"
        says out 'user'
        audition 0 board latest --json --db "$db"
        cp out "$then.$([ "$db" = "$then.db" ] && echo lite || echo pg).json"
        audition 0 verify latest --db "$db"
        says out 'no differences'
    done
done
for json in note.*.json; do
    says "$json" '"score":{"value":'
done
for json in leave-out.*.json; do
    says "$json" '"name":"ann","score":null' '"done":2,"unjudged":0' '"left_out":2'
done
