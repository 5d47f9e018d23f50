#!/usr/bin/env bash
# Dialogues: users by script and by model, what ends them, users and models that misbehave, what goes on after an
# interruption, how much is stored.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

cp -R "$REPO/tests/fixtures/dialogue" fixtures
suite=fixtures/dialogue.yaml
mock calm --dimensions 'role=1|2|3|4|5'
# shellcheck disable=SC2154 # mock() sets it
cat >models.yaml <<M
models:
  - {name: ann, base_url: "http://127.0.0.1:$port", model: chat-ann}
  - {name: bob, base_url: "http://127.0.0.1:$port", model: think-bob}
  - {name: ghost, base_url: "http://127.0.0.1:$port", model: writes-user}
  - {name: mute, base_url: "http://127.0.0.1:$port", model: empty}
  - {name: guest, base_url: "http://127.0.0.1:$port", model: user}
  - {name: endless, base_url: "http://127.0.0.1:$port", model: user-never}
  - {name: double, base_url: "http://127.0.0.1:$port", model: user-both}
  - {name: stuck, base_url: "http://127.0.0.1:$port", model: user-repeats}
  - {name: silent, base_url: "http://127.0.0.1:$port", model: user-mute}
  - {name: critic, base_url: "http://127.0.0.1:$port", model: judge}
M

# turns DATABASE WHAT [WHERE]: of all dialogues
turns()
{
    sql "$1" "SELECT $2 FROM turn t JOIN sample s ON s.id = t.sample JOIN model m ON m.id = s.model
        JOIN item i ON i.id = s.item WHERE ${3:-1}"
}
ends()
{
    sql "$1" "SELECT DISTINCT state || ' ' || coalesce(finish, '') FROM sample"
}

echo "== a user is needed, and only here"
audition 0 check $suite
says out 'ok (2 items, 1 repeat, 1 dimension)'
lacks err warning
sed 's/turns: 8/turns: 5/' $suite >fixtures/short.yaml
audition 0 check fixtures/short.yaml
says err "users/tom.yaml:14:5: warning: the dialogue ends after turn 5: not everything about the fact 'dog' is told and asked"
lacks err "'sister'"
lacks err "brought up"
sed 's/turns: 8/turns: 2/' $suite >fixtures/short.yaml
audition 0 check fixtures/short.yaml
says err "users/tom.yaml:16:5: warning: the dialogue ends after turn 2: this may never be brought up"
# The one of 'user' counts too: more are not read again from the store.
users=$(for i in $(seq 1000); do printf '{id: u%s, name: U, wants: talk}, ' "$i"; done)
sed "s|^elicit:.*|&\n  users: [${users%, }]|" $suite >fixtures/many.yaml
audition 1 check fixtures/many.yaml
says err "expected a list of 1 to 999 users"

echo "== facts go by id, of which there is one; a recording has words in every line"
sed 's/id: dog/id: sister/' fixtures/users/tom.yaml >fixtures/users/twins.yaml
sed 's/tom.yaml/twins.yaml/' $suite >fixtures/twins.yaml
audition 1 check fixtures/twins.yaml
says err "users/twins.yaml:14:10: error: 'sister' is also the id of another fact"
sed '/^lines:/,/^facts:/{/^facts:/!d};s/^facts:/lines: tape.jsonl\nfacts:/' fixtures/users/tom.yaml >fixtures/users/taped.yaml
printf '%s\n' '{"text": "Evening."}' '{"speaker": "model", "text": "Shut."}' '' 'Evening' '{"txt": "Please."}' \
    >fixtures/users/tape.jsonl
sed 's/tom.yaml, by: model/taped.yaml, by: recorded/' $suite >fixtures/taped.yaml
audition 1 check fixtures/taped.yaml
says err 'users/tape.jsonl:4:1: error: not JSON' 'users/tape.jsonl:5: error: expected an object with a "text"'
sed -i 4,5d fixtures/users/tape.jsonl
audition 0 check fixtures/taped.yaml
audition 2 run $suite -m ann
says err '--user script'
audition 2 run $suite -m ann --user nobody
says err '"nobody"'
suite plain.yaml 2
audition 2 run plain.yaml -m ann --user guest
says err '--user is for dialogues'
audition 0 run $suite -m ann -m bob --user guest --judge critic --dry-run
says out '4 samples, 4 verdicts' 'user guest' '32 requests'

echo "== by script: the same words for every model, and what was planned at its turn"
audition 0 run $suite -m ann -m bob --user script --judge critic --db script.db
is "$(ends script.db)" "done limit" "ends"
is "$(turns script.db "count(DISTINCT i.name || t.position || t.text)" "speaker = 'examiner' AND i.name = 'dusk'")" 8 "words of the user"
is "$(turns script.db "group_concat(DISTINCT part || kind || fact)" "speaker = 'examiner' AND kind <> 'line' AND m.name = 'ann' AND i.name = 'dusk'")" \
    "2tellsister,3topic,4probesister,5probesister,6probedog" "the plan"
is "$(turns script.db 'count(*)' "kind = 'greeting' AND t.position = 1 AND part = 0")" 4 "greetings"
is "$(turns script.db "count(*)" "speaker = 'model' AND kind = 'answer' AND t.call IS NOT NULL")" 32 "answers"
is "$(sql script.db "SELECT count(*) FROM verdict WHERE state IN ('done', 'unscored')")" 4 "verdicts"
audition 0 verify --db script.db
audition 0 show latest --model ann --item dusk --db script.db
says out '[2] Tom: Evening. Could you let me through?'
audition 0 report latest --db script.db -o page.html
says page.html 'Tom' 'Wenna' "Gate&#39;s shut" 
audition 0 run $suite -m ann -m bob --user script --judge critic --db script.db
is "$(sql script.db 'SELECT count(*) FROM run')" 1 "runs"

echo "== more stored turns than there is room for are no beginning of anything"
audition 0 run $suite -m ann --user script --db room.db
columns=$(sql room.db "SELECT group_concat(name) FROM pragma_table_info('turn') WHERE name <> 'position'")
sql room.db "UPDATE sample SET state = 'planned', answer = NULL, finish = NULL, call = NULL;
    DELETE FROM turn WHERE position > 2;
    INSERT INTO turn (position, $columns)
        WITH RECURSIVE further(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM further WHERE n < 3000)
        SELECT 2 + n, $columns FROM turn, further WHERE position = 2"
audition 1 run $suite -m ann --user script --db room.db
says err 'the stored turns are not the beginning of it'

echo "== by model: until the user leaves"
audition 0 run $suite -m ann -m bob --user guest --judge critic --db guest.db
says err 'user guest: http'
is "$(ends guest.db)" "done leave" "ends"
is "$(turns guest.db 'count(*)' "source = 'player' AND text LIKE '%[leaves]%'")" 0 "marks in the words"
is "$(turns guest.db 'count(*)' "kind = 'leave'")" 4 "farewells"
is "$(sql guest.db "SELECT count(*) FROM sample s WHERE tokens_out <> (SELECT sum(tokens_out) FROM turn WHERE sample = s.id AND tokens_out > 0)")" 0 "sums that differ"
audition 0 verify --db guest.db

echo "== users of every temper: each a named outcome"
audition 0 run $suite -m ann --user endless --db endless.db
is "$(ends endless.db)" "done limit" "one who never stops"
audition 0 run $suite -m ann --user double --db double.db
is "$(ends double.db)" "done user-both" "one who answers as both"
is "$(turns double.db 'count(*)' "source = 'player' AND t.why = 'speaks for the character too' AND text NOT LIKE '%Wenna:%'")" 2 "cut off"
audition 0 run $suite -m ann --user stuck --db stuck.db
is "$(ends stuck.db)" "done user-repeats" "one who repeats themselves"
audition 0 run $suite -m ann --user silent --max-retries 1 --db silent.db
is "$(ends silent.db)" "done user-silent" "one who falls silent"
for user in double stuck silent; do # a line of theirs, or the turn after which there was none
    sql "$user.db" "SELECT DISTINCT (evidence ->> '$.why') || ' ' || replace(evidence ->> '$.where', '[' || last || ']', 'last')
        FROM flag f JOIN (SELECT sample, max(position) AS last FROM turn GROUP BY sample) t ON t.sample = f.sample WHERE f.kind = 'user'"
    audition 0 verify --db "$user.db"
done >flagged
is "$(tr '\n' , <flagged)" "both last,repeats last Tom,silent last," "turns that flags are about"
for end in double:both stuck:repeats silent:silent; do # before version 14 evidence named no turn, and was else no less exact
    user=${end%:*}
    sql "$user.db" "UPDATE flag SET evidence = '{\"why\":\"${end#*:}\",\"shared\":\"\",\"this\":\"\"}' WHERE kind = 'user';
        UPDATE score SET version = 13"
    audition 0 verify --db "$user.db"
    sql "$user.db" "UPDATE score SET version = 14"
    audition 1 verify --db "$user.db"
    says err 'its evidence does not match the answer'
    sql "$user.db" "UPDATE flag SET evidence = replace(evidence, 'shared', 'shred') WHERE kind = 'user'; UPDATE score SET version = 13"
    audition 1 verify --db "$user.db"
done
says err 'its evidence does not match the answer'
audition 0 run $suite -m ghost --user script --db ghost.db
is "$(turns ghost.db 'count(*)' "t.why = 'speaks for the user too'")" 16 "answers with the user's lines"
audition 0 report latest --db ghost.db -o ghost.html
audition 3 run $suite -m mute --user script --max-retries 1 --db mute.db
is "$(sql mute.db "SELECT DISTINCT state || ' ' || fault FROM sample")" "failed empty" "a mute model"
audition 0 publish mute --db mute.db
says mute/runs/*/samples/1.html 'class="why"' 'The scene' 'after dark'

echo "== context: the last turns, a summary"
sed 's/context: whole/context: {last: 2}/' $suite >fixtures/last.yaml
sed 's/context: whole/context: {summary: 2}/' $suite >fixtures/summary.yaml
audition 0 run fixtures/last.yaml -m ann --user script --db last.db
audition 0 run fixtures/summary.yaml -m ann --user script --judge critic --db summary.db
is "$(turns summary.db "group_concat(part)" "kind = 'summary' AND i.name = 'dusk'")" "5,7" "summaries"
is "$(sql summary.db "SELECT count(*) FROM sample s JOIN turn t ON t.sample = s.id AND kind = 'summary' WHERE instr(s.answer, t.text) > 0")" 0 "summaries in transcripts"
audition 0 verify --db summary.db
