#!/usr/bin/env bash
# Conversations that people have, as answers to be judged and as beginnings: one small file of each shape.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

cat >tavern.jsonl <<'J'
{"user_name": "Tom", "character_name": "Wenna", "create_date": "2026-1-1", "chat_metadata": {"note_prompt": "keep it wet"}}
{"name": "Wenna", "is_user": false, "is_system": false, "mes": "Gate's shut."}
{"name": "Tom", "is_user": true, "is_system": false, "mes": "Evening."}
{"name": "Note", "is_user": false, "is_system": true, "mes": "said to nobody"}
{"name": "Wenna", "is_user": false, "is_system": false, "mes": "Sit.", "swipe_id": 0, "swipes": ["Sit.", "Wait on the bench.", "No."]}
{"name": "Tom", "is_user": true, "is_system": false, "mes": "For how long?"}
{"name": "Wenna", "is_user": false, "is_system": false, "mes": "Till it's even."}
J
cat >group.jsonl <<'J'
{"user_name": "Tom", "chat_metadata": {}}
{"name": "Tom", "is_user": true, "mes": "Who is there?"}
{"name": "Wenna", "is_user": false, "mes": "I am."}
{"name": "Pike", "is_user": false, "mes": "Woof."}
J
cat >sharegpt.json <<'J'
[{"id": "a", "conversations": [{"from": "system", "value": "Be Wenna."}, {"from": "human", "value": "Evening."}, {"from": "gpt", "value": "Sit."}]},
 {"id": "b", "conversations": [{"from": "human", "value": "Hello?"}, {"from": "gpt", "value": "Who asks?"}, {"from": "human", "value": "Tom."}, {"from": "gpt", "value": "Sit, Tom."}]}]
J
cat >openai.jsonl <<'J'
{"messages": [{"role": "system", "content": "Be Wenna."}, {"role": "user", "content": [{"type": "text", "text": "Evening."}]}, {"role": "assistant", "content": "Sit."}]}
{"messages": [{"role": "user", "content": "Hello?"}, {"role": "assistant", "content": "Who asks?"}]}
J
cat >character.json <<'J'
{"info": {"name": "Wenna"}, "histories": {"histories": [{"msgs": [
  {"text": "Gate's shut.", "src": {"is_human": false, "name": "Wenna"}}, {"text": "Evening.", "src": {"is_human": true, "name": "Tom"}},
  {"text": "Sit.", "src": {"is_human": false, "name": "Wenna"}}]}]}}
J
cat >turns.json <<'J'
{"turns": [{"author": {"name": "Tom", "is_human": true}, "candidates": [{"raw_content": "Evening."}]},
  {"author": {"name": "Wenna"}, "candidates": [{"raw_content": "Lost."}]}, {"author": {"name": "Wenna", "is_human": false}, "candidates": [{"raw_content": "Sit."}]}]}
J
echo '[{"role": "system", "content": "Be Wenna."}, {"role": "user", "content": "Evening."}, {"role": "assistant", "content": "Sit."}]' >bare.json
printf '{"role": "user", "content": "Evening."}\n{"role": "assistant", "content": "Sit."}\n' >lines.jsonl
echo '{"items": [{"from": "human", "value": "Evening."}, {"from": "gpt", "value": "Sit."}]}' >items.jsonl
{ printf '\xEF\xBB\xBF' && sed 's/$/\r/' group.jsonl; } >windows.jsonl
printf 'Tom: Evening.\nIt is late.\nWenna: Sit.\n\n汤姆：多久？\nWenna: Till it is even.\n' >plain.txt

# shape FILE TOOL ITEMS ANSWERS
shape()
{
    audition 0 import "$1" -o "as-$1" --model mine --db "$1.db"
    says out "$2 log: $3 item" ", $4 answer"
    audition 0 check "as-$1/suite.yaml"
    is "$(sql "$1.db" "SELECT count(*) FROM sample WHERE state = 'done'")" "$4" "answers of $1"
    audition 0 verify latest --db "$1.db"
}

echo "== every shape becomes items, answers and a run"
shape tavern.jsonl SillyTavern 2 4
shape group.jsonl SillyTavern 1 1
shape sharegpt.json ShareGPT 3 3
shape openai.jsonl OpenAI 2 2
shape bare.json OpenAI 1 1
shape lines.jsonl OpenAI 1 1
shape items.jsonl ShareGPT 1 1
shape windows.jsonl SillyTavern 1 1
shape character.json Character.AI 1 1
shape turns.json Character.AI 1 1
shape plain.txt 'plain text' 1 1

echo "== swipes are repeats, notes are nobody's, speakers of a group are named"
is "$(sql tavern.jsonl.db "SELECT s.repeat || s.answer FROM sample s JOIN item i ON i.id = s.item WHERE i.name = 'c1-t3' AND s.state = 'done' ORDER BY 1" | tr '\n' ' ')" \
    "0Sit. 1Wait on the bench. 2No. " "swipes"
lacks as-tavern.jsonl/items.jsonl 'said to nobody' 'keep it wet'
says as-windows.jsonl/answers.jsonl 'Wenna: I am.\n\nPike: Woof.'
says as-group.jsonl/answers.jsonl 'Wenna: I am.\n\nPike: Woof.'
lacks as-sharegpt.json/items.jsonl 'Be Wenna'
says as-plain.txt/answers.jsonl 'Wenna: Sit.\n\n汤姆: 多久？'
says as-openai.jsonl/items.jsonl 'Evening.'
says as-plain.txt/items.jsonl 'It is late.'

echo "== who the model was to be is the character, for judges too; who was told nothing is nobody"
is "$(grep -c 'text: .*Be Wenna' as-sharegpt.json/suite.yaml) $(grep -c 'id: ' as-sharegpt.json/suite.yaml)" "1 3" "characters"
says as-sharegpt.json/items.jsonl '"id":"c1-t2","group":"c1","character":"role-1"' '"id":"c2-t2","group":"c2","character":"role-2"'
says as-bare.json/suite.yaml 'Be Wenna.'
lacks as-tavern.jsonl/suite.yaml 'characters'
cat >talk.json <<'J'
[{"system": "你是闸娘。", "conversations": [{"from": "human", "value": "晚上好，能让我过去吗？"}, {"from": "gpt", "value": "坐下，等水平了再说。"}]}]
J
shape talk.json ShareGPT 1 1
says as-talk.json/suite.yaml '你是闸娘。' 'language: "zh"' '不出戏'

echo "== a time, an address or a sentence is nobody who speaks; a line that is broken is named, and nothing is lost in silence"
printf 'Tom: Evening. It is late.\r\nIt is 10:30 now.\nSee http://lock.example: it says so.\nHe told me, and I quote: no.\nWenna: Sit.\n' >narrow.txt
shape narrow.txt 'plain text' 1 1
says as-narrow.txt/items.jsonl '10:30 now.\nSee http://lock.example: it says so.\nHe told me, and I quote: no.'
for log in openai tavern; do
    { head -n 4 $log.jsonl | sed '$s/.....$//' && tail -n 1 $log.jsonl; } >broken.jsonl
    audition 1 import broken.jsonl -o broken --model mine --db broken.db
    says err 'broken.jsonl: line' 'is not JSON'
done
# all of a file or nothing: what holds no conversation beside others that are is no shorter file
one='{"messages": [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "No."}, {"role": "assistant", "content": null}]}'
printf '%s\n' "$one" '{"mesages": []}' '{"messages": []}' >broken.jsonl
audition 1 import broken.jsonl -o broken --model mine --db broken.db
says err 'broken.jsonl: line 2 holds no conversation'
printf '[%s, 5]' "$one" >broken.json
audition 1 import broken.json -o broken --model mine --db broken.db
says err 'broken.json: entry 2 of the list holds no conversation'
[ ! -e broken ] || fail "something was written"
printf '%s\n' "$one" '{"messages": []}' >silent.jsonl
audition 0 import silent.jsonl -o silent --model mine --db silent.db
says out 'OpenAI log: 1 item, 1 answer, 0 verdicts; 1 entry without text'

echo "== of a conversation that is longer than items can be nothing is written, and a turn of it can be chosen"
seq 1003 | awk '{ printf "%s{\"from\": \"%s\", \"value\": \"word %d\"}", (NR > 1) ? "," : "[{\"conversations\": [", NR % 2 ? "human" : "gpt", NR }
    END { print "]}]" }' >endless.json
audition 1 import endless.json -o endless --model mine --db endless.db
says err 'endless.json: conversation 1: more than 1000 turns before an answer' '--turn'
[ ! -e endless ] || fail "something was written"
audition 0 import endless.json -o endless --model mine --turn 1000 --db endless.db
says out '1 item, 1 answer,'

echo "== as beginnings: a dialogue takes over at turn k"
audition 0 import tavern.jsonl -o begin --model mine --turn 5 --db begin.db
says out '1 item, 1 answer,'
cp -R "$REPO/tests/fixtures/dialogue" fixtures
mock next
# shellcheck disable=SC2154 # mock() sets it
printf 'models:\n  - {name: ann, base_url: "http://127.0.0.1:%s", model: chat-ann}\n' "$port" >models.yaml
sed '/^items:/,$d; s/turns: 8/turns: 2/' fixtures/dialogue.yaml >fixtures/over.yaml
cp begin/beginnings.jsonl fixtures
echo "items: beginnings.jsonl" >>fixtures/over.yaml
audition 0 run fixtures/over.yaml -m ann --user script --db over.db
is "$(sql over.db "SELECT group_concat(text, '|') FROM (SELECT text FROM turn WHERE kind = 'before' ORDER BY position)")" \
    "Gate's shut.|Evening.|Sit.|For how long?" "what was said before"
is "$(sql over.db "SELECT group_concat(kind || part, ' ') FROM (SELECT kind, part FROM turn ORDER BY position)")" \
    "before0 before0 before0 before1 answer1 line2 answer2" "two turns, of which the first was begun"

echo "== who answered has to be said; what is no conversation stays what it is"
audition 2 import plain.txt -o nobody --db x.db
says err '--model'
echo 'just words' >words.txt
audition 1 import words.txt -o words --model mine --db x.db
printf '{"messages": 3}\n' >odd.jsonl
audition 1 import odd.jsonl -o odd --model mine --db x.db
