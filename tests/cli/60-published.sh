#!/usr/bin/env bash
# Published battles: situations become a suite, responses samples, reviews verdicts whose words are read
# again. What cannot be taken in is said with its line, and then nothing is.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

# Ids are numbers here and strings there; lines end in CRLF, and so do lines inside a text.
printf '\xEF\xBB\xBF%s\r\n' \
    '{"situation_id": 1, "character_name": "Brakeman Ost", "character": "Tired.\r\nKind.", "context": "A child is on the track."}' \
    '{"situation_id": 2, "character_name": "Sister Ide", "character": "Keeps bees.", "context": "A bee is in the chapel.", "mood": "calm"}' \
    '{"situation_id": "late", "character_name": "Brakeman Ost", "character": "Tired.\r\nKind.", "context": "The last train has gone."}' |
    sed '1!s/^\xEF\xBB\xBF//' >situations.jsonl
mkdir responses
for model in lab/north lab/south east; do
    for id in 1 \"2\" \"late\"; do
        printf '{"model_id": "%s", "situation_id": %s, "prompt": "p", "response": "%s on %s"}\n' "$model" "$id" "$model" "${id//\"/}"
    done >"responses/${model/\//_}.jsonl"
done
# review SITUATION A B WORDS WINNER
review()
{
    printf '{"situation_id": "%s", "reviewer_id": "editor-1", "model_id_A": "%s", "model_id_B": "%s", "response_A": "%s on %s", "response_B": "%s on %s", "review": "%s", "winner": "%s"}\n' \
        "$1" "$2" "$3" "$2" "$1" "$3" "$1" "$4" "$5"
}
reviews()
{
    review 1 lab/north lab/south '# Winner\nA\n# Comment\nB is dull.' lab/north
    review 1 east lab/north '# Winner\nB' lab/north
    review 1 east lab/south '# Winner\nB' lab/south
    review 2 lab/south lab/north 'Both are fine lines about bees.' lab/south # no verdict was given
    review 2 east lab/south '# Winner\nA' lab/south                          # recorded against the words
    review late lab/north east '# Winner\nA' lab/north
    review late east lab/north '# Winner\nB' lab/north # the same pair again, the other way round
    review late lab/north east '# Winner\nA' lab/north # ... and once more, word for word
}
reviews >review_one.jsonl

echo "== situations become a suite"
audition 2 items situations.jsonl
says err 'which become a whole suite: name it with -o SUITE.yaml'
audition 0 items situations.jsonl -o oshi.yaml
says out '3 items: oshi.yaml'
audition 0 check oshi.yaml
says out 'ok (3 items, 1 repeat, pairs judged by 2 criteria)'
says oshi.yaml 'suite: oshi'
says oshi.yaml 'language: en'
is "$(grep -c 'name: ' oshi.yaml)" 2 "characters" # who stands in two situations is one
{
    cat situations.jsonl
    printf '%s\n' '{"situation_id": 2, "character_name": "x", "character": "x", "context": "x"}' \
        '{"situation_id": 4, "character_name": "x", "character": " ", "context": "x"}' '{"situation_id": {}}' '{"situation_id": 5' '[]'
} >spoilt.jsonl
audition 3 items spoilt.jsonl -o spoilt.yaml
says err 'spoilt.jsonl:4: situation 2 is there already, in line 2'
says err 'spoilt.jsonl:5: expected a text "character"'
says err 'spoilt.jsonl:6: expected "situation_id" with a number'
says err 'spoilt.jsonl:7: not JSON'
says err 'spoilt.jsonl:8: neither an object nor a text'

audition 1 import situations.jsonl --suite oshi.yaml
says err 'situations.jsonl:1: expected an answer or a verdict, found a situation;'

echo "== answers and reviews in one command"
audition 0 import responses/*.jsonl review_one.jsonl --suite oshi.yaml
says out '9 samples and 8 verdicts imported (1 unscored)'
says err "review_one.jsonl:5: the judge's text picks the other one, not \"winner\""
is "$(sql audition.db "SELECT count(*) FROM verdict v JOIN sample a ON a.id = v.sample JOIN sample b ON b.id = v.other
    WHERE v.state = 'done' AND a.model < b.model AND v.winner = CASE WHEN (v.choice = 'A') = (v.shown = 'ab') THEN a.model ELSE b.model END")" 7 "winners"
# Three reviews of one pair are three battles, whichever way round.
is "$(sql audition.db "SELECT m.name, s.n FROM score s JOIN model m ON s.subject = 'model/' || m.name WHERE metric = 'score' ORDER BY 1")" \
    "east|6
lab/north|5
lab/south|3" "battles"
audition 0 verify latest
says out '8 judge replies parsed again'
audition 0 board --full
says out 'Glicko-2'
says out 'no intervals: 3 items'

echo "== again is nothing; more models and reviews come later"
audition 0 import responses/*.jsonl review_one.jsonl --suite oshi.yaml
says out '0 samples and 0 verdicts imported, 17 already present'
is "$(sql audition.db "SELECT count(*) FROM run")" 1 "runs"
sed 's/east/west/g' responses/east.jsonl >west.jsonl
audition 0 import west.jsonl latest
review 1 west lab/north '**B**' lab/north | sed 's/editor-1/editor-2/' >review_two.jsonl
audition 0 import review_two.jsonl latest
says out '0 samples and 1 verdict imported'
audition 0 export latest -o there.jsonl
audition 0 import there.jsonl --suite oshi.yaml --db back.db
audition 0 export latest --db back.db -o back.jsonl
for f in there back; do sed 's/"run":"[^"]*",//' $f.jsonl | sort >$f; done
cmp there back || fail "what came back differs"
# Another judge is asked about every pair; nobody about what was imported.
models=(lab/north lab/south east west)
for id in 1 2 late; do
    for a in "${models[@]}"; do
        for b in "${models[@]}"; do
            [ "$a" = "$b" ] || printf '{"model": "%s", "other": "%s", "item": "%s", "text": "A"}\n' "$a" "$b" $id
        done
    done
done >critic.jsonl
echo 'models: [{name: critic, kind: recorded, file: critic.jsonl}]' >models.yaml
audition 0 judge latest --judge critic --json # it answers for itself; the review without a verdict was another judge's
is "$(sql audition.db "SELECT count(*) FROM verdict v JOIN judge j ON j.id = v.judge WHERE j.name = 'critic' AND state = 'done'")" 18 "verdicts of the critic"

echo "== what is wrong is said with its line, and nothing is imported"
sql audition.db "SELECT count(*), sum(state = 'done') FROM verdict" >before
refused() # what it says; the lines are on standard input
{
    { echo && cat; } >bad.jsonl
    audition 1 import bad.jsonl latest
    says err "bad.jsonl:2: $1"
    sql audition.db "SELECT count(*), sum(state = 'done') FROM verdict" | cmp -s - before || fail "half of a file was imported"
}
review 9 lab/north east A lab/north | refused "the run has no item '9'"
review 1 lab/north lab/east A lab/north | refused "the run has no model 'lab/east'; import its answers first"
review 1 east east A east | refused "'east' is paired with itself"
review 1 lab/north east A lab/best | refused "expected \"winner\" to be 'lab/north' or 'east', found 'lab/best'"
review 1 lab/north east '' lab/north | refused 'expected "reply" or "review" with the judge'
review 1 lab/north east A lab/north | sed 's/"response_B": "east/"response_B": "best/' |
    refused "\"response_B\" is not the answer by 'east' to item '1'"
review 1 lab/north lab/south '# Winner\nB' lab/south | refused "the run has a different verdict by 'editor-1' on 'lab/north' and 'lab/south', item '1'"
review 1 lab/north east A lab/north | sed 's/"reviewer_id": "editor-1"/"reviewer_id": "an editor"/' |
    refused 'expected "reviewer_id" to be a name of at most 200 bytes without white space'
review 1 lab/north east A lab/north | sed 's/"model_id_B": "east", //' | refused 'expected "other" with the second model'
echo '{"situation_id": 1,' | refused ''
echo '{"model_id": "east", "situation_id": 9, "response": "x"}' | refused "the run has no item '9'"
echo '{"model_id": "new", "situation_id": 1, "response": " "}' | refused 'expected "answer"'
echo '{"model_id": "half", "situation_id": 2, "response": "x"}' >half.jsonl
audition 0 import half.jsonl latest
says out '2 answers are missing'
review 1 lab/north half A lab/north | refused "the run has no answer by 'half' to item '1'"

echo "== as published"
reference=${AUDITION_REFERENCE:-$REPO/../shared/reference}/oshizo
[ -d "$reference" ] || skip "there is no $reference"
audition 0 items "$reference/situations.jsonl" -o published.yaml
audition 0 import "$reference"/responses/*.jsonl "$reference"/review_*.jsonl --suite published.yaml --db published.db
says out '110 samples and 556 verdicts imported'
says published.yaml 'template: next-line.ja'
# The reader is never wrong: what it makes of the replies is the recorded winner, or what a person read.
sed 1d "$reference/oshizo_misparsed.csv" | cut -d, -f1 >misparsed
grep -oE 'jsonl:[0-9]+:' err | tr -dc '0-9\n' | while read -r line; do
    grep -qx "$line" misparsed || fail "line $line was recorded well"
done
is "$(sql published.db "SELECT count(*) FROM verdict WHERE state = 'unscored'")" 29 "unscored"
is "$(sql published.db "SELECT sum(value) FROM score WHERE jury = '' AND metric = 'wins'")" 527.0 "battles"
audition 0 verify latest --db published.db
audition 0 board --full --db published.db
says out 'Glicko-2'
# The published table itself: their winners, in their order.
audition 0 rank "$reference/review_gpt-4.jsonl" --system glicko2 --volatility deepy --json
cp out ranked.json
is "$(sqlite3 :memory: "SELECT count(*) FROM
    (SELECT json_extract(value, '\$.model') m, CAST(round(json_extract(value, '\$.rating')) AS INT) r, CAST(round(json_extract(value, '\$.rd')) AS INT) d
     FROM json_each(CAST(readfile('ranked.json') AS TEXT), '\$.ratings')) JOIN
    (SELECT key k, value v FROM json_each(CAST(readfile('$reference/expected_oshizo.json') AS TEXT), '\$.v20231103.published_rounded'))
    ON m = k AND r = json_extract(v, '\$[0]') AND d = json_extract(v, '\$[1]')")" 11 "published integers"
