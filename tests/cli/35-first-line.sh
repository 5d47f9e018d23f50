#!/usr/bin/env bash
# Only the character's first line counts: up to the quote that ends it, whatever a model repeats of
# the prompt before it.
set -eu

# suite LANGUAGE OPEN: the prompt leaves off with the speaker's name and an opening quote
suite()
{
    cat >"$1.yaml" <<YAML
suite: line-$1
language: $1
character: {id: mo, name: Mo, text: A ferryman.}
elicit:
  kind: continue
  template: |
    {{prompt}}
    {{character_name}}$2
  take: first-line
instrument: {kind: dimensions, dimensions: [{id: fits, scale: 0..5}]}
items:
  - {id: plain, prompt: one}
  - {id: reopened, prompt: two}
  - {id: named, prompt: three}
  - {id: open, prompt: four}
  - {id: bare, prompt: five}
YAML
    printf 'models:\n  - {name: m, kind: recorded, file: %s.jsonl}\n' "$1" >"$1.models.yaml"
}

replies() # LANGUAGE TEXT...: one for each item, JSON strings
{
    local language=$1 item
    shift
    for item in plain reopened named open bare; do
        printf '{"item": "%s", "text": %s}\n' "$item" "$1"
        shift
    done >"$language.jsonl"
}

# expect LANGUAGE ITEM ANSWER
expect()
{
    local got
    got=$("$AUDITION" export latest --what samples --db "$1.db" | grep "\"item\":\"$2\"" |
        sed -n 's/.*"answer":"\(\([^"\\]\|\\.\)*\)".*/\1/p')
    echo "$1 $2: $got"
    [ "$got" = "$3" ] || { echo "expected: $3"; exit 1; }
}

suite ja '「'
suite zh '“'
suite en '"'
replies ja '"川は待つ。」と彼は言った。「本当だ」"' '"「川は待つ。」そして"' '"Mo「川は待つ。」"' '"川は待つ"' '"」"'
replies zh '"河会等。”他说。“真的”"' '"“河会等。”然后"' '"Mo：“河会等。”"' '"河会等"' '"”"'
replies en '"The river waits.\" He looked up. \"It does.\""' '"\"The river waits.\" He"' \
    '"Mo: \"The river waits.\" He"' '"The river waits"' '"\""'
for language in ja zh en; do
    # exit 3: the bare quote is no answer
    "$AUDITION" run "$language.yaml" -c "$language.models.yaml" -m m --db "$language.db" -q \
        >/dev/null 2>&1 || [ $? -eq 3 ]
    expect "$language" bare ''
done
for item in plain reopened named; do
    expect ja "$item" '川は待つ。」'
    expect zh "$item" '河会等。”'
    expect en "$item" 'The river waits.\"'
done
expect ja open '川は待つ'
expect zh open '河会等'
expect en open 'The river waits'
