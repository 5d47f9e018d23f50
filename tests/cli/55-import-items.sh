#!/usr/bin/env bash
# Items out of other people's files, and a suite that uses them.
set -eu

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

echo "Markdown: headings are groups, ids are unique"
cat >tests.md <<'END'
## About

Not an item.

### Harbour

1. input: Are you open? 
target: The tide is. ⭐

2. input: Whose boat is that? |Mine, from tomorrow.

### Market

1. input: How much?
target: More than you have.
END
expect 0 items tests.md -o all.jsonl
says out '3 items in 2 groups: all.jsonl'
cat >want <<'END'
{"id": "Harbour-1", "prompt": "Are you open?", "reference": "The tide is. ⭐", "group": "Harbour"}
{"id": "Harbour-2", "prompt": "Whose boat is that?", "reference": "Mine, from tomorrow.", "group": "Harbour"}
{"id": "Market-1", "prompt": "How much?", "reference": "More than you have.", "group": "Market"}
END
cmp all.jsonl want
expect 0 items tests.md --group Market
[ "$(wc -l <out)" -eq 1 ]
says err '1 item'
expect 1 items tests.md --group Moon
says err 'contains no items under "Moon"'
printf 'input: a\ntarget: b\n\ntarget: c\n' >bad.md
expect 1 items bad.md -o never.jsonl
says err "bad.md: line 4: a 'target:' without its 'input:'"
[ ! -e never.jsonl ]

echo "Markdown: tables of worked examples, as a suite has them"
cat >>tests.md <<'END'

| Prompt | Label | Response | Score | Reason |
|--------|-------|----------|-------|--------|
| <greet: dawn> | Morning. | Aye \| no. | 0.5 | 1. dry 2. "short" |
| Who? | Me. | Only me. | 1 | |
END
expect 0 items tests.md --examples -o examples.json
says out '2 examples: examples.json'
cat >want <<'END'
[
{"prompt": "<greet: dawn>", "answer": "Aye | no.", "reference": "Morning.", "score": 0.5, "reason": "1. dry 2. \"short\""},
{"prompt": "Who?", "answer": "Only me.", "reference": "Me.", "score": 1}
]
END
cmp examples.json want
cat >marked.yaml <<'END'
suite: marked
language: en
instrument: {dimensions: [{id: quality, levels: {1: good, 0.5: fair, 0: bad}}]}
judge: {examples: yes}
examples: examples.json
items: all.jsonl
END
expect 0 check marked.yaml
expect 1 items tests.md --examples --group Harbour
says err 'contains no examples under "Harbour"'
expect 0 items tests.md # its items are what they were
cmp out all.jsonl

printf '# %s, part one\n1. input: a\n# %s, part two\n1. input: b\n# -\n' "$(printf 'x%.0s' {1..45})" "$(printf 'x%.0s' {1..45})" >long.md
expect 0 items long.md -o long.jsonl # headings that begin alike
is "$(grep -o '"id": "[^"]*"' long.jsonl | sort -u | wc -l)" 2 "ids"

echo "JSON and CSV: the usual names are found, others are given"
printf '{"prompt":"a","id":"2"}\n{"prompt":"b"}\n{"prompt":"c","id":"2"}\n' >same.jsonl
expect 3 items same.jsonl
says err 'same.jsonl:3: another item has its id; skipped' '2 items'
says out '{"id": "3", "prompt": "b"}'
printf 'question,answer,question\na,b,c\n' >same.csv
expect 1 items same.csv
says err 'same.csv:1: a second column question'
printf '{"question":"a","answer":"b","id":7}\n{"question":"c","answer":""}\n{"question":""}\n' >q.jsonl
expect 3 items q.jsonl -o q.out --json
says out '{"items":2,"without_reference":1,"groups":0,"skipped":1}'
says q.out '{"id": "7", "prompt": "a", "reference": "b"}'
says q.out '{"id": "2", "prompt": "c"}'
printf 'prompt,reference\na,\nb,c\n' >late.csv # the first one has none
expect 0 items late.csv
says out '{"id": "2", "prompt": "b", "reference": "c"}'
printf 'Q,label,group\n"a, b",c,g\n' >q.csv
expect 1 items q.csv
says err 'which text is the prompt? (--prompt-key K)'
expect 0 items q.csv --prompt-key Q --reference-key label
says out '{"id": "1", "prompt": "a, b", "reference": "c", "group": "g"}'
printf '[{"instruction":"a","input":"b","output":"c"}]' >i.json
expect 1 items i.json
says err '--prompt-key'
expect 0 items i.json --prompt-key instruction
says out '"prompt": "a", "reference": "c"'
[ ! -e audition.db ]

echo "what was made is good, and one of a group is drawn by the seed"
cat >suite.yaml <<'END'
suite: harbour
language: en
instrument: {dimensions: [{id: voice, scale: 0..5}]}
items: all.jsonl
pick: {Harbour: 1}
END
expect 0 check suite.yaml
says out 'suite.yaml: ok (2 items'
cat >models.yaml <<'END'
models: [{name: a, kind: recorded, file: a.jsonl}]
END
for id in Harbour-1 Harbour-2 Market-1; do
    printf '{"item":"%s","text":"said of %s"}\n' $id $id
done >a.jsonl
for seed in 1 2 3 4 5 6 7 8; do
    expect 0 run suite.yaml -m a -q --seed $seed --db s.db
    "$AUDITION" export latest --db s.db | sed -n 's/.*"item": *"\([^"]*\)".*/\1/p' | sort -u | tr '\n' ' ' >ids
    case $(cat ids) in
    'Harbour-1 Market-1 ') one=$((${one:-0} + 1)) ;;
    'Harbour-2 Market-1 ') two=$((${two:-0} + 1)) ;;
    *) cat ids; exit 1 ;;
    esac
done
[ "$one" -gt 0 ] && [ "$two" -gt 0 ]

set -- "${REPO:-$(dirname "$0")/../..}"/../shared/seeds/000*.txt
if [ -f "$1" ]; then
    echo "the published test set"
    expect 0 items "$1" -o published.jsonl
    says out '30 items in 2 groups'
    [ "$(wc -l <published.jsonl)" -eq 30 ]
    [ "$(grep -c '"reference": "' published.jsonl)" -eq 30 ]
    [ "$(sed 's/.*"group": //' published.jsonl | sort | uniq -c | grep -c '^ *15 ')" -eq 2 ]
else
    echo "SKIPPED: the published test set is not at ../shared/seeds"
fi

echo "what is shipped: the four tests of a streamer (six topics, one greeting, one festival), and all its rubrics"
for test in new-topic:8:5 live-chat:15:3 emotional-support:15:3 general:100:1; do
    items=${test#*:}
    expect 0 check "$REPO/suites/bench/zh/streamer-${test%%:*}.yaml"
    grep -qE "\.yaml: ok \(${items%:*} items, ${items#*:} repeats?, 1 dimension\)" out || {
        cat out
        fail "$test"
    }
done
for rubric in new-topic streamer; do
    for language in zh ja en; do
        printf 'suite: r\nlanguage: %s\ninstrument: {use: "%s"}\nitems: [{prompt: x}]\n' \
            $language "$REPO/suites/bench/zh/rubrics/$rubric.$language.yaml" >r.yaml
        expect 0 check r.yaml --allow-outside
    done
done
