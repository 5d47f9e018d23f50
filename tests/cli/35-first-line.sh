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

# Several of them: one that never ends is dropped, but not where it is the only one that is asked for.
replies ja '"はい」アリアは言った。テオ「うん」次"' '"Mo「はい」アリアは言った。テオ「うん"' '"「はい」夜が来た！？ 鐘が"' \
    '"途中で切れた"' '"」"'
replies en '"Yes.\" He looked up. \"No.\" And"' '"Yes.” He nodded. “Or no.” Then"' '"Mo: \"Yes.\"\nHe sat"' '"cut off"' '"\""'
for language in ja en; do
    for n in 1 2 3; do
        sed "s/take: first-line/take: {first-lines: $n}/" "$language.yaml" >"$language-$n.yaml"
        rm -f "$language.db"
        "$AUDITION" run "$language-$n.yaml" -c "$language.models.yaml" -m m --db "$language.db" -q \
            >/dev/null 2>&1 || [ $? -eq 3 ]
        cp "$language.db" "$language$n.db"
    done
done
expect ja1 plain 'はい」'
expect ja2 plain 'はい」アリアは言った。'
expect ja3 plain 'はい」アリアは言った。テオ「うん」'
expect ja3 reopened 'はい」アリアは言った。'
expect ja3 named 'はい」夜が来た！？'
expect ja1 open '途中で切れた'
expect ja2 open ''
expect en2 plain 'Yes.\" He looked up.'
expect en3 plain 'Yes.\" He looked up. \"No.\"'
expect en3 reopened 'Yes.” He nodded. “Or no.”'
expect en3 named 'Yes.\"'
expect en2 open ''
# Where no quote is left open, lines are lines.
sed 's/{{character_name}}「/{{character_name}}：/; s/take: first-line/take: {first-lines: 2}/' ja.yaml >bare.yaml
printf '{"item": "plain", "text": "一\\n\\n二\\n三"}\n' >ja.jsonl
"$AUDITION" run bare.yaml -c ja.models.yaml -m m --db bare.db -q >/dev/null 2>&1 || [ $? -eq 3 ]
expect bare plain '一\n二'
# A template that leaves nothing to ask: somebody is asked nothing, and nobody looks for a quote in it.
sed 's/^  template: |/  system: ""\n  template: "{{greeting}}"/; /^    {{/d' ja.yaml >nothing.yaml
"$AUDITION" run nothing.yaml -c ja.models.yaml -m m --db nothing.db -q >/dev/null 2>&1 || [ $? -eq 3 ]
expect nothing plain '一'
