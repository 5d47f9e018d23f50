#!/usr/bin/env bash
# Character cards of all versions and forms become character files that a suite can use.
set -euo pipefail

# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/cards.sh
. "$REPO/tests/cards.sh"

cat >v1.json <<'END'
{"name": "Hob", "description": "{{char}} keeps the lock.", "personality": "dry", "scenario": "A wet night.",
 "first_mes": "Evening, {{user}}.", "mes_example": "<START>\n{{user}}: Open?\n{{char}}: When I say."}
END
cat >v2.json <<'END'
{"name": "stale", "description": "stale", "spec": "chara_card_v2", "spec_version": "2.0",
 "data": {"name": "Hob Two", "description": "Second.", "creator": "the tests", "tags": ["river"]}}
END
cat >v3.json <<'END'
{"spec": "chara_card_v3", "spec_version": "3.0", "data": {
 "name": "Hobart Vane", "nickname": "Hob", "description": "{{char}} keeps the lock with {{pick:a dog,a cat}}. {{// nobody}}",
 "first_mes": "Evening, {{user}}.", "alternate_greetings": ["Oi."],
 "assets": [{"type": "icon", "uri": "ccdefault:", "name": "main", "ext": "png"}],
 "character_book": {"scan_depth": 2, "entries": [
  {"keys": ["eel"], "content": "@@role user\nEels are worth sixpence to {{char}}.", "enabled": true, "insertion_order": 1},
  {"keys": ["/barge\\s+\\d+/i"], "use_regex": true, "content": "Barge 9 was lost.", "insertion_order": 2, "position": "after_char"},
  {"keys": [], "constant": true, "content": "It is 1911.", "insertion_order": 0}]}}}
END

echo "version 1: everything is in its place"
expect 0 card v1.json -o hob.yaml --user Ferryman
says out 'Hob (card version 1, en): hob.yaml'
[ ! -s err ]
cat >want <<'END'
# Made from a character card of version 1.
name: "Hob"
language: "en"
card: |-
  Hob keeps the lock.

  Personality:
  dry

  Scenario:
  A wet night.

  Examples of dialogue:
  Ferryman: Open?
  Hob: When I say.
greeting: "Evening, Ferryman."
END
cmp hob.yaml want

echo "pictures and archives: the content tells, the newest card wins"
png Software v1.json chara v2.json >two.jpg
expect 0 card two.jpg
says out 'name: "Hob Two"' '# creator: the tests' '# tags: river'
lacks out stale
says err 'Hob Two (card version 2, en)'
png chara v2.json CCv3 v3.json >three.png
expect 0 card three.png -o vane.yaml --json
says out '"name":"Hobart Vane","version":3,"language":"en","entries":3,"warnings":3'
says err "three.png: warning: lorebook entry 'eel': '@@role user' is not supported" \
    'three.png: warning: not used: 1 alternate greetings' 'not used: 1 assets' '3 warnings'
grep -qE '^card: "Hob keeps the lock with a (dog|cat)\."$' vane.yaml
says vane.yaml 'Eels are worth sixpence to Hob.' 'scan_depth: 2'
archive assets/icon/main.png three.png card.json v3.json >hob.charx
expect 0 card hob.charx -o again.yaml
cmp vane.yaml again.yaml
for seed in 1 2 3 4 5 6 7 8; do
    expect 0 card v3.json --seed $seed
    grep '^card:' out >>drawn
done
[ "$(sort -u drawn | wc -l)" -eq 2 ]

echo "a suite uses it, and its lorebook where the prompt calls for it"
cat >suite.yaml <<'END'
suite: lock
language: en
character: vane.yaml
instrument: {dimensions: [{id: voice, scale: 0..5}]}
items:
  - {id: eels, prompt: "Any EELS tonight?"}
  - {id: barge, prompt: "Seen barge 9?"}
  - {id: none, prompt: "Cold, is it?"}
END
mock lock
models models.yaml "$port"
expect 0 check suite.yaml
expect 0 run suite.yaml -m player -q
for id in eels barge none; do
    expect 0 show latest --item $id --raw
    cp out $id.out
done
says eels.out 'It is 1911.' 'Eels are worth sixpence'
lacks eels.out 'Barge 9 was lost'
says barge.out 'It is 1911.' 'Barge 9 was lost'
lacks barge.out sixpence
says none.out 'It is 1911.'
lacks none.out sixpence

echo "bad input: what and where, and nothing is written"
bad()
{
    words=$1 file=$2
    expect 1 card "$file" -o never.yaml
    says err "$file: " "$words"
    [ ! -e never.yaml ]
}
head -c 100 three.png >cut.png
bad 'the PNG is cut off: the tEXt chunk at byte 33' cut.png
{ head -c 60 three.png; printf '!'; tail -c +62 three.png; } >flip.png
bad 'the checksum of the tEXt chunk at byte 33 is wrong' flip.png
png Title v1.json >plain.png
bad 'contains no character card' plain.png
printf '{"name": "x", "description": ' >open.json
bad 'column 30' open.json
printf '{"name": "\377", "description": "x"}' >latin.json
bad UTF-8 latin.json
png chara open.json >open.png
bad "the text 'chara' at byte 33 of the PNG" open.png
archive -e card.json v3.json >locked.charx
bad "'card.json' in the zip archive is encrypted" locked.charx
archive ../card.json v3.json >out.charx
bad "'../card.json' in the zip archive points outside the archive" out.charx
archive assets/a.png three.png >empty.charx
bad "no 'card.json' at its root" empty.charx
head -c 300 hob.charx >cut.charx
bad 'damaged or cut off' cut.charx
printf '{"description": "x"}' >nameless.json
bad 'the card has no name: give one with --name' nameless.json
expect 0 card nameless.json --name Hob
says out 'name: "Hob"'
printf '{"name": "x", "first_mes": "Hm."}' >silent.json
bad 'no text that describes the character' silent.json
expect 1 card absent.json
says err 'absent.json'
[ ! -e never.yaml ]

echo "an option of its own hides that of every command, and help lists one"
expect 0 card --help
is "$(grep -c -- '^ *--language' out)" 1 "--language is the card's"

echo "JSON that is no card is not said to be no JSON, with a byte order mark neither"
printf '\357\273\277{"item": "a"}' >bom.json
status 1 "$AUDITION" card bom.json
says err "bom.json: not a character card"

echo "a lorebook written by hand: yes and no count, and nothing is passed over"
cat >hand.yaml <<'END'
suite: hand
language: en
character:
  name: Hob
  text: Keeps the lock.
  lorebook:
    entries:
      - {keys: [], constant: yes, content: Always there., insertion_order: 1}
      - {keys: [eel], enabled: no, content: Never there., insertion_order: 2}
instrument: {dimensions: [{id: voice, scale: 0..5}]}
items: [{prompt: "Any eel?"}]
END
mock hand --reply-bytes 40
printf 'models:\n  - {name: asked, base_url: "http://127.0.0.1:%s", key: none}\n' "$port" >models.yaml
status 0 "$AUDITION" run hand.yaml -m asked -q --db hand.db
status 0 "$AUDITION" show latest --raw --db hand.db
says out 'Always there.\n\nKeeps the lock.'
lacks out 'Never there.'
sed 's/constant: yes/constnat: yes/; s/enabled: no/enabled: off/; s/order: 2/order: last/' hand.yaml >typo.yaml
status 1 "$AUDITION" check typo.yaml
says err "typo.yaml:8:20: error: unknown key 'constnat' (did you mean 'constant'?)"
says err "typo.yaml:9:32: error: expected true or false; found 'off'"
says err "expected a number; found 'last'"
