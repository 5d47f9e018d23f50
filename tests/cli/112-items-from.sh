#!/usr/bin/env bash
# Files of public benchmarks as suites: one small file in each shape, written for this test.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

cat >lines.jsonl <<'J'
[
  {"id": 7, "role": "闸娘", "novel_name": "无", "context": "老汤：开门吧。\n闸娘：天黑了，不开。\n老汤：就十分钟。\n真的。"},
  {"id": 8, "role": "闸娘", "novel_name": "无", "context": "闸娘：谁在那儿？\n老汤：是我。"},
  {"id": 9, "role": "没有的人", "novel_name": "无", "context": "老汤：你是谁？"}
]
J
echo '{"闸娘": {"姓名": "闸娘", "性格": "守闸三十年，话少。"}}' >cards.json
cat >scenes.json <<'J'
[
  {"book": "The Lock", "scenario": "A lock after dark.", "topic": "the gate", "plot": {"summary": "s"},
   "key_characters": [{"name": "Wenna", "thought": "I keep it shut."}, {"name": "Tom", "motivation": "I want to get through."}],
   "character_profiles": {"Wenna": "Keeper of the lock.", "Tom": "A clerk."},
   "dialogues": [{"character": "Tom", "message": "[She looks stern.] Evening."}, {"character": "Environment", "message": "It rains."},
     {"character": "Wenna", "message": "[Not him again.] (sighs) Gate's shut."}, {"character": "Tom", "message": "Ten minutes."}],
   "major_characters": ["Wenna", "Tom"], "tag": "id"},
  {"book": "The Lock", "scenario": "Later.", "character_profiles": {}, "dialogues": [], "major_characters": ["Pike"]}
]
J
cat >settings.json <<'J'
{
  "ru": {"characters": [], "situations": []},
  "en": {
    "characters": [
      {"char_name": "Wenna", "system_prompt": "You keep the lock.", "example_prompt": "User: Hi\nWenna: Shut.", "initial_message": "Gate's shut.", "tags": []},
      {"char_name": "Pike", "system_prompt": "You are her dog."},
      {"char_name": "Nobody", "system_prompt": ""}
    ],
    "situations": [
      {"text": "Ask about the water.", "num_turns": 2, "tags": []},
      {"text": "Try to get through.", "num_turns": 3, "tags": []}
    ]
  }
}
J
cat >blocks.json <<'J'
[{"name": "Wenna", "description": "Keeper of the lock.",
  "character_understanding": [["Who are you?", "How long?"], ["Do you own a dog?"]],
  "character_maintenance": [], "implicit_motivations": ["I am so tired.", "Nobody waits."],
  "user_preference": [{"question": "What do I drink?", "answer": "Tea.", "chat": ["I only drink tea."]}]}]
J
cat >npc.jsonl <<'J'
{"id": 0, "background": "An online chat.", "npc_profile": {"name_text": "Wenna", "title": "Keeper", "description": "Keeper of the lock.", "definition_text": "{{char}}: Shut.", "long_definition_text": "Keeper of the lock.", "id": 2}, "conversation": [{"from": "npc", "sentences": ["*It rains.*", "Gate's shut."]}]}
{"id": 1, "background": "An online chat.", "npc_profile": {"name_text": "", "title": "Nobody"}, "conversation": []}
J
cat >seeds.jsonl <<'J'
{"id": "en-1", "ai_name": "Wenna", "ai_setting": "Keeper of the lock.", "user_name": "Tom", "user_setting": "A clerk, late.", "ai_prologue": "Gate's shut.", "initial_user_input": "Evening. Ten minutes?"}
J

# from CODE NAME WORDS FILE...: a suite that passes its check
from()
{
    local code=$1 name=$2 words=$3
    shift 3
    audition "$code" items --from "$name" "$@" -o "$name"
    says out "$words"
    cp err "$name.err"
    audition 0 check "$name/suite.yaml"
}

echo "== every shape becomes a suite with characters and items; faults have their line"
from 3 charactereval 'items: 2, characters: 1, users: 0, records skipped: 1' lines.jsonl cards.json
says charactereval.err 'lines.jsonl:4: there is no card of 没有的人'
from 3 coser 'items: 2, characters: 2, users: 0, records skipped: 1' scenes.json
says coser.err 'scenes.json:8: there is no card of Pike'
from 3 pingpong 'items: 4, characters: 2, users: 2, records skipped: 1' settings.json
says pingpong.err 'settings.json:7: there is no card of Nobody'
from 0 rmtbench 'items: 4, characters: 1, users: 4, records skipped: 0' blocks.json
from 3 rpbench-auto 'items: 1, characters: 1, users: 1, records skipped: 1' npc.jsonl
says rpbench-auto.err 'npc.jsonl:2: expected a text "npc_profile/name_text"'
from 0 role-play-bench 'items: 1, characters: 1, users: 1, records skipped: 0' seeds.jsonl

echo "== what was said before, by whom, and the character's own line as the reference"
says charactereval/items.jsonl '"turns":[{"role":"user","text":"老汤：开门吧。"},{"role":"assistant","text":"天黑了，不开。"},{"role":"user","text":"老汤：就十分钟。\n真的。"}]'
says charactereval/suite.yaml 'language: "zh"' '守闸三十年，话少。'
says coser/items.jsonl '{"role":"user","text":"Tom: Evening.\nEnvironment: It rains."}' '"reference":"[Not him again.] (sighs) Gate' 'A lock after dark.\n\nI keep it shut.' 'I want to get through.'
lacks coser/items.jsonl 'Tom: [She looks'
lacks coser/items.jsonl 'Wenna: [Not him'
is "$(grep -c 'Keeper of the lock' rpbench-auto/suite.yaml)" 1 "a part that repeats another"
says rmtbench/items.jsonl '"reference":"Tea."'

echo "== they run: a next line, and dialogues by script with as many turns as the file has texts"
mock next
# shellcheck disable=SC2154 # mock() sets it
printf 'models:\n  - {name: ann, base_url: "http://127.0.0.1:%s", model: chat-ann}\n' "$port" >models.yaml
audition 0 run coser/suite.yaml -m ann --db coser.db
is "$(sql coser.db "SELECT count(*) FROM sample WHERE state = 'done'")" 2 "answers"
audition 0 run rmtbench/suite.yaml -m ann --db rmt.db
is "$(sql rmt.db "SELECT count(*) FROM sample s JOIN item i ON i.id = s.item WHERE s.state = 'done' AND i.name LIKE '1-%'")" 4 "dialogues"

echo "== what is not there or not so"
odd=$(printf 'A\\tB\\r\\n{{user}}: {{char}} "q" # x\\u0007')
printf '{"id": "odd id", "ai_name": "W: #1", "ai_setting": "%s", "user_name": "", "user_setting": "", "ai_prologue": "", "initial_user_input": ""}\n' "${odd//\"/\\\"}" >odd.jsonl
audition 0 items --from role-play-bench odd.jsonl -o odd
audition 0 check odd/suite.yaml
audition 2 items --from nobench seeds.jsonl -o none
says err "no benchmark 'nobench'" 'role-play-bench'
audition 2 items --from coser scenes.json
says err '-o DIR'
audition 2 items --from coser scenes.json -o coser
says err 'already exists'
audition 1 items --from coser seeds.jsonl -o none
says err 'seeds.jsonl:1: expected a text "major_characters"' 'contains no item'
audition 1 items --from charactereval lines.jsonl -o none
audition 1 items --from pingpong cards.json -o none
says err 'cards.json:1: expected "characters" and "situations"'
sed 's/"num_turns": 3/"num_turns": 0/' settings.json >bad.json
audition 1 items --from pingpong bad.json -o none
says err 'bad.json:11: expected "num_turns" from 1 to 200'
printf '[{"name": "W", "description": "d", "character_understanding": [[%s"x"]]}]' "$(printf '"x",%.0s' {1..200})" >long.json
audition 1 items --from rmtbench long.json -o none
says err 'long.json:1: expected 1 to 200 texts of a user, found 201'
echo '[{"name": "W", "description": "Keeper.", "character_understanding": [["a"], [], ["b"]]}]' >hole.json
audition 3 items --from rmtbench hole.json -o hole
says out 'items: 2,'
says err 'hole.json:1: expected 1 to 200 texts of a user, found 0'
printf '[{"name": "W", "description": "d", "character_understanding": [' >many.json
printf '["x"],%.0s' {1..1000} >>many.json
printf '["x"]]}]' >>many.json
audition 3 items --from rmtbench many.json -o many
says err 'a suite has at most 1000 users'
[ ! -e none ] || fail "something was written"
