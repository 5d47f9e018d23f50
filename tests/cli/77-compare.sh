#!/usr/bin/env bash
# A run against a baseline: lists, interval, thresholds, and the files that CI keeps.
set -eu

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

cat >models.yaml <<'END'
models:
  - {name: steady, kind: recorded, file: steady.jsonl}
  - {name: moving, kind: recorded, file: moving.jsonl}
END
cat >suite.yaml <<'END'
suite: quiz
title: Quiz
language: en
instrument:
  dimensions:
    - {id: right, scale: 0..1}
score: {kind: mean-of-items, times: 10}
items: items.jsonl
END
cat >items.jsonl <<'END'
{"id": "one", "prompt": "1?", "reference": "1"}
{"id": "two", "prompt": "2?", "reference": "2"}
{"id": "three", "prompt": "3?", "reference": "3"}
{"id": "four", "prompt": "4?", "reference": "4"}
END
cat >steady.jsonl <<'END'
{"item": "one", "text": "1"}
{"item": "two", "text": "2"}
{"item": "three", "text": "3"}
{"item": "four", "text": "4"}
END
sed 's/"3"/"three"/' steady.jsonl >moving.jsonl

run() { "$AUDITION" run suite.yaml -m steady -m moving --judge objective:numeric --json -q | sed 's/.*"run":"\([0-9a-f]*\)".*/\1/'; }

old=$(run)
status 1 "$AUDITION" compare latest
says err "compare --declare RUN"
status 0 "$AUDITION" compare --declare "$old"
says out "run $old is the baseline of quiz"

# the same run differs in nothing
status 0 "$AUDITION" compare latest --fail-under 0
lacks out ", regressed"
says err "run $old is its own baseline"

# moving: one and two get worse, three better; values times 10, so differences -10, -10, 10, 0
cat >moving.jsonl <<'END'
{"item": "one", "text": "<7> & more"}
{"item": "two", "text": "8"}
{"item": "three", "text": "3"}
{"item": "four", "text": "4"}
END
new=$(run)
[ "$new" != "$old" ] || fail "the second run is the first"
status 100 "$AUDITION" compare --fail-under 0 -o compare.xml
says err "moving: the difference -2.5 is a loss of more than 0"
lacks err "steady"
says out "run $new against baseline $old"
says out "-2.50   - (1)" "no interval: fewer than 5 items"
says out "moving, regressed"
says out "moving, improved"
says compare.xml '<testsuite name="quiz.moving" tests="4" failures="2" errors="0" skipped="0">'
says compare.xml '<testsuite name="quiz.steady" tests="4" failures="0" errors="0" skipped="0">'
says compare.xml '<property name="judge" value="objective:numeric"' '<property name="judge_before" value="objective:numeric"'
says compare.xml 'message="was 10, is 0"'
says compare.xml '&lt;7&gt; &amp; more'
status 2 "$AUDITION" compare --fail-under -2.5
status 0 "$AUDITION" compare --fail-under 2.5 # too few items for an interval: the difference decides
status 100 "$AUDITION" compare --fail-under 2.4 --strict
says err "moving: the difference -2.5 is a loss of more than 2.4"
status 0 "$AUDITION" compare --fail-under 2.5 --strict -o compare.md
# differences -10, -10, 10, 0 have a deviation of 9.574: (2.8016 * 9.574 / 2.5)^2 = 115.1
says compare.md "Detecting a difference of 2.5 in moving in 80 of 100 runs takes about 116 items."
# Those of the other are all 0, and hide how far they may lie apart.
lacks compare.md "in steady in 80 of 100 runs"
says compare.md "| moving | 5.00 | 7.50 | -2.50 | – (1) | 2 | 1 | 1 |"
says compare.md "- one: 10.00 → 0.00"
status 0 "$AUDITION" compare "$new" "$old" --margin 10 --json
says out '"difference":-2.5'
says out '"regressed":0,"improved":0,"unchanged":4'

# one model against another of the same run
status 0 "$AUDITION" compare "$new" "$new" --model moving --against steady
says out "moving against steady"
lacks err "its own baseline"
status 1 "$AUDITION" compare --model nobody
says err "has no model 'nobody'"
status 2 "$AUDITION" compare --against steady
status 2 "$AUDITION" compare -o compare.txt
says err ".xml (JUnit)"

# an item that was edited is not the same item; one that is new is counted
sed -i 's/"1?"/"One?"/; s/"id": "four"/"id": "five"/' items.jsonl
sed -i 's/"four"/"five"/' steady.jsonl moving.jsonl
run >/dev/null
status 0 "$AUDITION" compare
says out "Edited since the baseline, and not compared: 1 item."
says out "1 item of"

# another suite has another baseline, or none
sed 's/suite: quiz/suite: other/' suite.yaml >other.yaml
"$AUDITION" run other.yaml -m steady --judge objective:numeric -q >/dev/null
status 1 "$AUDITION" compare
says err "suite 'other' has no declared baseline"
status 2 "$AUDITION" compare latest "$old"
says err "is of suite 'other'"

# eight items that gain a third of a point each, in sums that round differently; one answer is missing
cat >marks.yaml <<'END'
suite: marks
title: Marks
language: en
elicit: {kind: single, repeats: 2}
instrument: {dimensions: [{id: tone, scale: 0..10, weight: 2}, {id: wit, scale: 0..10, weight: 1}]}
score: {kind: mean-of-items}
items:
END
for i in 0 1 2 3 4 5 6 7; do
    echo "  - {id: i$i, prompt: '$i?'}" >>marks.yaml
    for about in old-0 old-1 new-0 new-1; do
        to="\"model\": \"${about%-*}\", \"item\": \"i$i\", \"repeat\": ${about#*-}"
        wit=$((i / 2))
        [ "${about%-*}" = old ] || wit=$((wit + 1))
        [ "$i$about" != 7old-1 ] || continue
        echo "{$to, \"answer\": \"$about $i\"}"
        echo "{$to, \"judge\": \"j\", \"marks\": {\"tone\": $i, \"wit\": $wit}}"
    done
done >marks.jsonl
"$AUDITION" import marks.jsonl --suite marks.yaml -q
status 0 "$AUDITION" compare latest latest --model new --against old --fail-under 7
says out "+0.33"
lacks out "80 of 100 runs"

# of totals, all sixteen answers count, so that one way is the other, mirrored
sed -i 's/^suite: .*/suite: totals/; s/mean-of-items/totals/' marks.yaml
"$AUDITION" import marks.jsonl --suite marks.yaml -q
status 0 "$AUDITION" compare latest latest --model new --against old --json
says out '"difference":5.33333'
status 0 "$AUDITION" compare latest latest --model old --against new --json
says out '"difference":-5.33333'
