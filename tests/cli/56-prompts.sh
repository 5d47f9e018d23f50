#!/usr/bin/env bash
# What models and judges are really sent: system messages by tag, worked examples, scenes.
set -eu

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

# sent N TEXT: of the requests that are stored, N hold the text
sent()
{
    n=$(grep -aoF -e "$2" s.db | wc -l)
    [ "$n" -eq "$1" ] || { echo "$n requests, not $1, hold: $2"; exit 1; }
}

"$MOCKLLM" --port 0 --port-file port --stop-after 300 --dimensions 'answers=0|5|10,tone=1|2' >mock 2>&1 &
pid=$!
trap 'kill $pid 2>/dev/null || true' EXIT
tries=0
while [ ! -s port ]; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || { echo "mockllm does not start"; cat mock; exit 1; }
    sleep 0.1
done
cat >models.yaml <<END
models:
  - {name: player, base_url: "http://127.0.0.1:$(cat port)", key: none}
  - {name: critic, base_url: "http://127.0.0.1:$(cat port)", key: none, model: judge-strings}
END

cat >letters.yaml <<'END'
scene: Letters
description: Somebody wrote a letter.
bands:
  - {from: 6, name: high, text: better than asked for}
  - {from: 0, name: low, text: not even what was asked for}
dimensions:
  - {id: answers, description: every question}
  - {id: tone}
steps: [Read it twice., Then mark.]
END
cat >judge.txt <<'END'
{{evaluation_scene}} / {{scene_desc}} / {{evaluation_metric}} / {{max_score}} / {{score_details}} / {{steps}}
{{examples}}
{{question}} {{ref_answer}} {{answer}} {{format}}
END
cat >suite.yaml <<'END'
suite: letters
language: en
character: {name: Ida, text: "Ida keeps the harbour."}
elicit:
  systems:
    post: "{{character}} Now a post on {{topic}}."
    hello: "{{character}} Good {{topic}} to all."
    default: "{{character}} Nothing special."
instrument: {scene: letters.yaml}
judge: {template: judge.txt, examples: yes}
examples:
  - {prompt: Well?, answer: Well enough., score: {tone: 9, answers: 4}, reason: Dry.}
items:
  - {id: a, tag: "<post: herring>"}
  - {id: b, tag: "hello：morning", prompt: Go on.}
  - {id: c, prompt: What now?}
END

echo "models get the message of their tag"
expect 0 check suite.yaml
expect 0 run suite.yaml -m player -q --db s.db
sent 1 'Ida keeps the harbour. Now a post on herring.'
sent 1 'Ida keeps the harbour. Good morning to all.'
sent 1 'Ida keeps the harbour. Nothing special.'
sent 1 '{"role":"user","content":"<post: herring>"}'

echo "judges get the scene and the examples"
expect 0 judge latest --judge critic -q --db s.db
sent 3 'Letters / Somebody wrote a letter. / 1. answers (answers): every question\n2. tone (tone): '
sent 3 ' / 10 / 6–10, high: better than asked for\n0–5, low: not even what was asked for / 1. Read it twice.\n2. Then mark.'
sent 3 'Example 1\nPrompt:\n<<<'
sent 3 'answers: 4\ntone: 9\nReason: Dry.'

expect 0 verify latest --db s.db

echo "a template with a slot that nothing fills is refused, wherever it comes from"
cat >plain.yaml <<'END'
suite: plain
language: en
instrument: {dimensions: [{id: tone, scale: 0..2}]}
items: [{prompt: x}]
END
expect 1 run plain.yaml -m player --judge critic --judge-template scene.en -q --db p.db
says err "uses {{evaluation_scene}}, but the instrument has no 'scene'"
echo 'judge: {template: scene.en}' >>plain.yaml
expect 1 check plain.yaml
says err "plain.yaml:5:19: error: the judge template 'scene.en' uses {{steps}}, but the instrument has no 'steps'"

echo "a judge that would not be shown the answer, and a template file with nothing in it"
cat >blind.yaml <<'END'
suite: blind
language: en
instrument: {dimensions: [{id: tone, scale: 0..2}]}
judge: {template: {user: "Mark it. {{format}}"}}
items: [{prompt: x}]
END
expect 1 check blind.yaml
says err "blind.yaml:4:19: error: the judge template 'inline' does not show {{answer}}"
: >nothing.txt
sed 's/template: {.*}}/template: nothing.txt}/' blind.yaml >nothing.yaml
expect 1 check nothing.yaml
says err 'nothing.txt: error: the template is empty'
