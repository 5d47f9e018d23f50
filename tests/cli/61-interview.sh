#!/usr/bin/env bash
# Interviews from bank to transcript: papers, examiners of every temper, models that answer oddly or
# not at all, what goes on after an interruption, recorded sittings, banks and printed papers.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

cp -R "$REPO/tests/fixtures/interview" fixtures
mock calm --dimensions 'role=1|2|3|4|5'
# shellcheck disable=SC2154 # mock() sets it
cat >models.yaml <<END
models:
  - {name: ann, base_url: "http://127.0.0.1:$port", model: chat-ann}
  - {name: bob, base_url: "http://127.0.0.1:$port", model: think-bob}
  - {name: parrot, base_url: "http://127.0.0.1:$port", model: echo}
  - {name: chatter, base_url: "http://127.0.0.1:$port", model: both-speakers}
  - {name: mute, base_url: "http://127.0.0.1:$port", model: empty}
  - {name: good, base_url: "http://127.0.0.1:$port", model: examiner}
  - {name: once, base_url: "http://127.0.0.1:$port", model: examiner-once-bad}
  - {name: never, base_url: "http://127.0.0.1:$port", model: examiner-never}
  - {name: critic, base_url: "http://127.0.0.1:$port", model: judge}
END

# turns DATABASE WHAT [WHERE]: of all sittings
turns()
{
    sql "$1" "SELECT $2 FROM turn t JOIN sample s ON s.id = t.sample JOIN model m ON m.id = s.model
        JOIN item i ON i.id = s.item WHERE ${3:-1}"
}

echo "== an examiner is needed, and only here"
audition 2 run fixtures/en.yaml -m ann
says err '--examiner script'
audition 2 run fixtures/en.yaml -m ann --examiner nobody
says err 'no examiner "nobody"'
suite plain.yaml 2
audition 2 run plain.yaml -m ann --examiner good
says err '--examiner is for interviews'
audition 0 run fixtures/en.yaml -m ann -m bob --examiner good --judge critic --dry-run
says out '4 samples, 4 verdicts' 'examiner good' '8 requests' 'no price for ann, bob, good, critic'
audition 0 run fixtures/en.yaml -m ann --examiner good --judge good --dry-run
says out 'no price for ann, good'
lacks out 'good, good'

echo "== the same papers for every model, in one continuous conversation"
for language in en ja zh; do
    audition 0 check "fixtures/$language.yaml"
    says out 'ok (2 items, 1 repeat, 1 dimension)'
    audition 0 run "fixtures/$language.yaml" -m ann -m bob --examiner good --db "$language.db"
    says err 'examiner good:'
    is "$(turns "$language.db" 'count(*), count(DISTINCT t.sample), max(t.position)')" "132|4|33" "turns"
    is "$(turns "$language.db" 'count(*)' "speaker = 'examiner' AND source = 'bank'")" 64 "from the paper"
    # what is not a follow-up is the same for both models
    is "$(turns "$language.db" "count(DISTINCT i.name || t.position || t.text)" \
        "speaker = 'examiner' AND kind <> 'follow-up'")" 32 "different words of the paper"
    is "$(turns "$language.db" "group_concat(DISTINCT kind || part)" "m.name = 'ann' AND speaker = 'examiner'" |
        tr , '\n' | LC_ALL=C sort | tr '\n' ' ')" \
        "argue3 compare3 fact1 fact3 follow-up2 habits1 identity1 instruction1 instruction2 instruction3 predict3 recent1 surroundings1 task2 value3 " "kinds"
    # every follow-up takes up words that stand in an answer before it
    is "$(sql "$language.db" "SELECT count(*) FROM turn t WHERE kind = 'follow-up' AND source = 'examiner'
        AND quote <> '' AND EXISTS (SELECT 1 FROM turn a WHERE a.sample = t.sample AND a.part = 2
            AND a.speaker = 'model' AND a.position < t.position AND instr(a.text, t.quote) > 0)")" 8 "true quotes"
    # each fact that part 1 asks for is asked for again in part 3
    is "$(sql "$language.db" "SELECT count(*) FROM turn a JOIN turn b ON a.sample = b.sample AND a.fact = b.fact
        WHERE a.part = 1 AND b.part = 3 AND a.fact <> ''")" 8 "facts asked for twice"
    # the transcript is the answer, and holds every turn
    is "$(turns "$language.db" 'count(*)' "instr(s.answer, '[' || t.position || '] ') > 0")" 132 "turns in transcripts"
done
is "$(turns en.db 'count(*)' "m.name = 'bob' AND speaker = 'model' AND t.thinking <> ''")" 30 "thoughts"
is "$(turns en.db 'count(*)' "speaker = 'model' AND (t.tokens_in <= 0 OR t.call IS NULL OR t.finish <> 'stop')")" 0 "answers without trace"
is "$(sql en.db "SELECT count(*) FROM sample s WHERE tokens_out <> (SELECT sum(tokens_out) FROM turn WHERE sample = s.id)")" 0 "sums that differ"
is "$(sql en.db "SELECT count(*) FROM sample s WHERE elapsed_ms <> (SELECT sum(elapsed_ms) FROM turn WHERE sample = s.id)")" 0 "times that differ"
# a whole conversation is sent every time, and the examiner hears nothing of whom it faces
is "$(sql en.db "SELECT count(*) FROM call WHERE json_array_length(request, '$.messages') = 30")" 4 "last requests"
is "$(sql en.db "SELECT count(*), sum(request LIKE '%chat-ann%' OR request LIKE '%think-bob%') FROM call
    WHERE json_extract(request, '$.model') = 'examiner'")" "8|0" "examiners who know"

echo "== another model comes later and sits the same papers"
audition 0 run --resume latest -m parrot --db en.db
is "$(turns en.db "count(DISTINCT i.name || t.position || t.text)" "speaker = 'examiner' AND kind <> 'follow-up'")" 32 "papers"
audition 2 run --resume latest --examiner once --db en.db
says err '--dry-run, --examiner or --user'

echo "== judged as any answer is"
audition 0 judge latest --judge critic --db zh.db
is "$(sql zh.db "SELECT count(*) FROM verdict WHERE state IN ('done', 'unscored')")" 4 "verdicts"
audition 0 verify --db zh.db

echo "== an examiner who first invents a quote is told so and mends it"
audition 0 run fixtures/en.yaml -m ann --examiner once --db once.db
is "$(turns once.db 'count(*)' "kind = 'follow-up' AND source = 'examiner' AND t.why = ''")" 4 "mended"
is "$(sql once.db "SELECT count(*) FROM call WHERE request LIKE '%does not stand in what was said%'")" 4 "sent back"
is "$(sql once.db "SELECT count(*) FROM turn t WHERE kind = 'follow-up' AND NOT EXISTS (SELECT 1 FROM turn a
    WHERE a.sample = t.sample AND a.speaker = 'model' AND instr(a.text, t.quote) > 0)")" 0 "false quotes"

echo "== for one who never quotes, the prepared follow-ups are used, and it is said why"
audition 0 run fixtures/en.yaml -m ann --examiner never --db never.db
is "$(turns never.db 'count(*)' "kind = 'follow-up' AND source = 'prepared' AND quote = ''
    AND t.why LIKE '''words that nobody said'' does not stand%'")" 4 "prepared"

echo "== a frozen script asks nobody, and the same of everybody"
audition 0 run fixtures/en.yaml -m ann -m bob --examiner script --db script.db
is "$(turns script.db 'count(*)' "kind = 'follow-up' AND source = 'prepared' AND t.why = ''")" 8 "prepared"
is "$(turns script.db "count(DISTINCT i.name || t.position || t.text)" "speaker = 'examiner'")" 36 "different words"
is "$(sql script.db 'SELECT count(*) FROM examiner')" 0 "examiners"

echo "== answers that are none, that are the question, that are everybody's, that never end"
audition 3 run fixtures/en.yaml -m mute -m parrot -m chatter --examiner script --max-retries 1 --db odd.db
is "$(sql odd.db "SELECT state || ' ' || fault || ' ' || why FROM sample s JOIN model m ON m.id = s.model WHERE m.name = 'mute'" | sort -u)" \
    "failed empty turn 3: the reply contains no text (finish: stop)" "a mute model"
is "$(turns odd.db 'count(*)' "m.name = 'parrot' AND t.why = 'is a question of the examiner''s instead of an answer'")" 24 "parroted"
is "$(turns odd.db 'count(*)' "m.name = 'chatter' AND t.why = 'speaks for the examiner too'")" 30 "both speakers"
is "$(sql odd.db "SELECT count(*) FROM sample s JOIN model m ON m.id = s.model WHERE m.name = 'chatter'
    AND (answer LIKE '%' || char(10) || '[99] Examiner%')")" 0 "forged turns"
mock long --reply-bytes 200000
sed "s/127.0.0.1:[0-9]*/127.0.0.1:$port/" models.yaml >long.yaml
audition 0 run fixtures/en.yaml -m ann --examiner good --limit 1 -c long.yaml --db long.db
is "$(turns long.db 'count(*)' "speaker = 'model' AND length(t.text) <= 10000 AND t.why LIKE 'cut: of ______ characters the first 10000 count'")" 15 "cut"
stop "$mock_pid"

echo "== a failed sitting goes on at the turn that failed"
mock cut --faults 0.3 --fault-kinds empty
sed "s/127.0.0.1:[0-9]*/127.0.0.1:$port/" models.yaml >cut.yaml
set -- run fixtures/zh.yaml -m ann --examiner script --max-retries 0 -c cut.yaml --db cut.db
audition 3 "$@"
says err '2 samples have failed'
tries=1
until timeout -k 5 60 "$AUDITION" "$@" --retry-failed -q >out 2>err; do
    tries=$((tries + 1))
    [ "$tries" -lt 60 ] || fail "the sittings come to no end"
done
is "$(turns cut.db 'count(*), count(DISTINCT t.sample)' "s.state = 'done'")" "66|2" "turns in the end"
is "$(twice cut.log)" 0 "answers asked for again"
stop "$mock_pid"

echo "== a budget ends a run in the middle of a sitting; the same command goes on"
audition 3 run fixtures/en.yaml -m ann --examiner good --budget 9000tok -j 1 --db budget.db
some=$(turns budget.db 'count(*)')
{ [ "$some" -gt 0 ] && [ "$some" -lt 66 ]; } || fail "$some turns within the budget"
spent=$(sql budget.db 'SELECT sum(tokens_in + tokens_out) FROM sample')
{ [ "$spent" -gt 0 ] && [ "$spent" -le 9000 ]; } || fail "$spent tokens of a budget of 9000"
audition 0 run fixtures/en.yaml -m ann --examiner good --db budget.db
is "$(turns budget.db 'count(*)')" 66 "turns"
is "$(sql budget.db 'SELECT count(*) FROM call')" 34 "requests"

echo "== an examiner without a key: sittings wait for another day"
mock locked --require-key sesame
{ cat models.yaml && echo "  - {name: locked, base_url: \"http://127.0.0.1:$port\", model: examiner}"; } >locked.yaml
audition 1 run fixtures/en.yaml -m ann --examiner locked -c locked.yaml --db locked.db
is "$(sql locked.db "SELECT DISTINCT state FROM sample")" planned "sittings"
is "$(turns locked.db 'count(*), count(DISTINCT t.sample)')" "32|2" "turns up to the first follow-up"
stop "$mock_pid"

echo "== recorded sittings"
sql en.db "SELECT json_object('model', 'tape', 'item', i.name, 'turn', t.position, 'text', t.text)
    FROM turn t JOIN sample s ON s.id = t.sample JOIN model m ON m.id = s.model JOIN item i ON i.id = s.item
    WHERE m.name = 'ann' AND speaker = 'model'" >tape.jsonl
sql en.db "SELECT json_object('model', 'tape', 'item', i.name, 'turn', t.position, 'text',
        '' || json_object('quote', t.quote, 'question', t.text))
    FROM turn t JOIN sample s ON s.id = t.sample JOIN model m ON m.id = s.model JOIN item i ON i.id = s.item
    WHERE m.name = 'ann' AND kind = 'follow-up'" >voice.jsonl
printf 'models:\n  - {name: tape, kind: recorded, file: tape.jsonl}\n  - {name: voice, kind: recorded, file: voice.jsonl}\n' >tape.yaml
audition 0 run fixtures/en.yaml -m tape --examiner voice -c tape.yaml --db tape.db
is "$(sql tape.db 'SELECT answer FROM sample ORDER BY item')" \
    "$(sql en.db "SELECT answer FROM sample s JOIN model m ON m.id = s.model WHERE m.name = 'ann' ORDER BY item")" "the same transcripts"

echo "== what is shipped: a bank and a suite in each language"
audition 0 bank check "$REPO/suites/interview/bank"
says out 'zh: 16 characters' 'ja: 16 characters' 'en: 16 characters'
for language in zh ja en; do
    audition 0 check "$REPO/suites/interview/interview.$language.yaml"
    says out 'ok (3 items'
done

echo "== banks are looked through"
audition 0 bank check fixtures/bank
says out 'en: 1 character, 8 questions of part 1, 3 task cards, 8 questions of part 3, 2 facts' 'ja: 1' 'zh: 1'
audition 0 bank check fixtures/en.yaml --json
says out '"en":{"characters":1,"part1":8,"tasks":3,"part3":8,"facts":2}'
mkdir -p twice
sed 's/^id: .*/id: twin/' fixtures/bank/en/tolliver.yaml >twice/twin.yaml
sed '/^    points: \[when it was/s/, what you took from it//' fixtures/bank/en/tolliver.yaml >twice/tolliver.yaml
audition 1 bank check twice
says err "a list of exactly 4 texts" 'much like twice/' '100%'
printf 'name: Nobody\n' >twice/tongueless.yaml
audition 1 bank check twice
says err "has no 'language'"
grep -q '^:' out && fail "characters of no language"
audition 1 bank check no-such-place
audition 2 bank chekc twice
audition 1 bank check plain.yaml
says err 'is not an interview'

echo "== papers to print"
audition 0 paper fixtures/zh.yaml -o paper.html
says paper.html '<html lang="zh">' '角色卡' '沈秋' '第二部分' '追问' '第 2 场'
audition 0 paper latest --sitting 1 --db en.db
says out 'Role card' 'Abel Tolliver' 'Sitting 1'
lacks out 'Sitting 2'
audition 1 paper latest --sitting 9 --db en.db
says err 'no sitting 9'
audition 2 paper plain.yaml
says err 'is not an interview'
sed 's/Abel Tolliver/<script>alert(1)<\/script>/' fixtures/bank/en/tolliver.yaml >hostile.yaml
mkdir -p hostile && mv hostile.yaml hostile/tolliver.yaml
sed 's|bank/en|hostile|' fixtures/en.yaml >hostile-suite.yaml
audition 0 paper hostile-suite.yaml
lacks out '<script>'

echo "== an imported card sits with generic questions; its lorebook speaks up when its words fall"
mkdir -p cards/bank
printf '%s' '{"spec": "chara_card_v2", "data": {"name": "Ferry Ann", "description": "You row the last ferry.",
    "character_book": {"entries": [{"keys": ["place", "people", "decision"], "content": "THE RIVER TOOK HER BROTHER.",
    "enabled": true, "insertion_order": 1, "extensions": {}}]}}}' >ann.json
audition 0 card ann.json -o cards/bank/ann.yaml --language en
sed -e 's/^suite: .*/suite: imported/' -e 's/{kind: interview[^}]*}/{kind: interview, bank: bank, sittings: 1, examiner: script}/' \
    fixtures/en.yaml >cards/suite.yaml
audition 0 check cards/suite.yaml
audition 0 run cards/suite.yaml -m ann --db cards.db
is "$(turns cards.db "count(*) > 0" "source = 'generic'")" 1 "generic questions"
is "$(sql cards.db "SELECT instr(request, 'RIVER TOOK') > 0 FROM call ORDER BY id DESC LIMIT 1")" 1 "lorebook at the end"
