#!/usr/bin/env bash
# Whose number is it: judges do not pile up, people are a judge, and a campaign that is not unmasked
# tells nothing.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v python3 >/dev/null || skip "python3 is not installed"

# get EXPRESSION: of out, which is JSON, as j
get()
{
    python3 -S -c "import json; j = json.load(open('out')); print($1)"
}
# same_shape WHOSE: the keys of out are those of the first judge's board, but for how judges agree
same_shape()
{
    local differ

    differ=$(get "(set(j) ^ set(json.load(open('kind.json')))) - {'agreement'}, [set(a) ^ set(b) for a, b in zip(j['models'], json.load(open('kind.json'))['models'])]")
    [ "$differ" = "set() [set(), set()]" ] || fail "another shape of $1: $differ"
}
# score MODEL
score()
{
    get "[m['score'] and m['score']['value'] for m in j['models'] if m['name'] == '$1'][0]"
}

cat >suite.yaml <<'END'
suite: quiz
language: en
elicit: {kind: single, repeats: 2}
instrument:
  kind: dimensions
  dimensions: [{id: right, scale: 0..1}]
score: {kind: mean-of-items, times: 10}
rules: {duplicate: zero}
items:
END
for i in 0 1 2 3 4; do
    echo "  - {id: i$i, prompt: 'What is number $i of the harbour?'}" >>suite.yaml
done
words=(anchor buoy crane dock engine ferry gangway hull island jetty)
# ann says the same again of the first two
for i in 0 1 2 3 4; do
    echo "{\"item\": \"i$i\", \"text\": \"The ${words[$i]}, as every child on this quay could tell you.\"}"
    if [ $i -lt 2 ]; then
        echo "{\"item\": \"i$i\", \"repeat\": 1, \"text\": \"The ${words[$i]}, as every child on this quay could tell you.\"}"
    else
        echo "{\"item\": \"i$i\", \"repeat\": 1, \"text\": \"Ask me again in spring. A ${words[$((i + 5))]}?\"}"
    fi
done >ann.jsonl
for i in 0 1 2 3 4; do
    echo "{\"item\": \"i$i\", \"text\": \"Number $i? The ${words[$i]}, then.\"}"
    echo "{\"item\": \"i$i\", \"repeat\": 1, \"text\": \"Nobody knows but the master of the ${words[$((i + 5))]}.\"}"
done >bob.jsonl
verdicts()
{
    for m in ann bob; do
        for i in 0 1 2 3 4; do
            for r in 0 1; do
                echo "{\"model\": \"$m\", \"item\": \"i$i\", \"repeat\": $r, \"text\": \"{\\\"right\\\": {\\\"score\\\": $1}}\"}"
            done
        done
    done
}
verdicts 1 >kind.jsonl
verdicts 0 >harsh.jsonl
cp kind.jsonl third.jsonl
cat >models.yaml <<'END'
models:
  - {name: ann, kind: recorded, file: ann.jsonl}
  - {name: bob, kind: recorded, file: bob.jsonl}
  - {name: kind, kind: recorded, file: kind.jsonl}
  - {name: harsh, kind: recorded, file: harsh.jsonl}
  - {name: third, kind: recorded, file: third.jsonl}
END
run="run suite.yaml -m ann -m bob"

echo "== one judge, then another: two columns, neither touches the other"
# shellcheck disable=SC2086
audition 0 $run --judge kind
audition 0 board --json
[ "$(score bob)" = 10.0 ] || fail "the first judge"
[ "$(score ann)" = 8.0 ] || fail "two duplicates of ten"
# shellcheck disable=SC2086
audition 0 $run --judge harsh
says out 'judge harsh'
audition 0 board
says out 'judge kind' 'Scores by judge' 'harsh'
audition 0 board --json
[ "$(score bob)" = 10.0 ] || fail "the second judge changed the numbers of the first"
[ "$(get "[x['name'] for x in j['judges']], j['judge'], [p['name'] for p in j['panels']]")" = "['kind'] kind ['kind', 'harsh']" ] ||
    fail "who is named"
cp out kind.json
audition 0 board --judge harsh --json
[ "$(score bob)" = 0.0 ] || fail "the second judge"
same_shape "one judge"
audition 0 report -o both.csv
says both.csv ',bob,score,10,' ',bob,score:kind,10,' ',bob,score:harsh,0,'
audition 1 board --judge nobody
says err "no judge 'nobody'" 'kind, harsh'
audition 0 report --judge harsh -o harsh.md
says harsh.md 'harsh' '0.00'
audition 0 verify

echo "== a run without a judge asks none, and is done"
# shellcheck disable=SC2086
audition 0 $run
lacks err 'harsh'

echo "== named together, they are a panel; who joins is asked for"
# shellcheck disable=SC2086
audition 0 $run --judge harsh --judge third
audition 0 board --judge harsh+third --json
[ "$(score bob)" = 5.0 ] || fail "the panel"
same_shape "a panel"
[ "$(get "[x['name'] for x in j['judges']], j['judge']")" = "['harsh', 'third'] harsh+third" ] || fail "who is on the panel"
audition 0 board --judge third --json
[ "$(score bob)" = 10.0 ] || fail "one of the panel"
audition 0 judge latest --judge harsh --panel
audition 0 board --json
[ "$(get "j['judge']")" = kind+harsh ] || fail "who joined"
[ "$(score bob)" = 5.0 ] || fail "joined"
audition 0 verify

echo "== dropped: kept, hidden, and back"
audition 2 judge drop
says err 'judge drop RUN JUDGE'
audition 0 judge drop latest harsh
says out 'judge restore'
audition 0 board --json
[ "$(score bob)" = 10.0 ] || fail "dropped"
audition 0 show latest --item i0
lacks out 'harsh'
audition 0 verify
audition 0 judge restore latest harsh
audition 0 board --json
[ "$(score bob)" = 5.0 ] || fail "restored"
audition 0 judge drop latest harsh --language zh
says out '不再计入'
audition 0 board
audition 0 judge latest --judge harsh
audition 0 board --json
[ "$(score bob)" = 5.0 ] || fail "dropped, and asked again"
audition 0 verify
audition 1 judge drop latest nobody
audition 2 judge drop latest

echo "== who was dropped comes back alone, whoever judged meanwhile"
audition 0 run suite.yaml -m bob --judge kind --seed 5 -q
audition 0 judge drop latest kind
audition 0 judge latest --judge harsh -q
audition 0 board --json
[ "$(get "j['judge']") $(score bob)" = "harsh 0.0" ] || fail "the one who is left"
audition 0 judge restore latest kind
audition 0 board --json
[ "$(get "j['judge'], [p['name'] for p in j['panels']]") $(score bob)" = "kind ['kind', 'harsh'] 10.0" ] ||
    fail "restored beside another: $(get "j['judge']")"
audition 0 judge drop latest kind
audition 0 judge latest --judge kind -q
audition 0 board --json
[ "$(get "[p['name'] for p in j['panels']]")" = "['kind', 'harsh']" ] || fail "dropped, and asked again: $(cat out)"
audition 0 verify
echo "== what a judge did not score is told where its numbers are"
grep -v bob kind.jsonl >vague.jsonl
echo '  - {name: vague, kind: recorded, file: vague.jsonl}' >>models.yaml
audition 3 run suite.yaml -m bob --judge vague --db vague.db
says out 'judge vague failed'
audition 0 run suite.yaml -m bob --judge kind --db vague.db
audition 0 board --judge kind --db vague.db
lacks out 'judge vague'
audition 0 report --judge kind --judge vague -o vague.md --db vague.db
says vague.md 'vague: the file has no reply'

audition 0 run suite.yaml -m ann -m bob # the run of before is the latest again

echo "== people: ten marks of 1 with two duplicates are 8, not 10"
{
    echo rater,passage,system,repeat,dimension,value,comment
    for rater in r1 r2; do
        for i in 0 1 2 3 4; do
            for r in 0 1; do
                echo "$rater,i$i,ann,$r,right,1,clear as day"
                echo "$rater,i$i,bob,$r,right,$r,"
            done
        done
    done
} >ratings.csv
printf 'campaign: quay\npassages_per_rater: 5\noverlap: 2\n' >c.yaml
sed '1s/passage,system/question,model/; 1s/value/points/; s/,/;/g' ratings.csv >other.csv
audition 1 campaign import other.csv c.yaml --run latest --name quay
says err "other.csv:1: no column 'value'; found: rater, question, model, repeat, dimension, points, comment"
sed -i '1s/points/Score/' other.csv
audition 0 campaign import other.csv c.yaml --run latest --name quay

echo "== nothing is told before they are unmasked"
audition 0 board
says out 'campaign:quay is not unmasked yet'
audition 0 board --json
[ "$(get "[m['by_judge']['campaign:quay'] for m in j['models']]")" = '[None, None]' ] || fail "a masked column"
audition 0 board --judge campaign:quay
lacks out ' ann ' ' bob ' '8.00' # two duplicates less than what results show: whose they are is on the board of kind
says out 'system-' 'campaign:quay' 'would reveal whose score is whose'
audition 0 report --judge campaign:quay --json
lacks out '"ann"' '"bob"' 'clear as day' 'quay could tell'
audition 0 report --judge campaign:quay -o masked.html
lacks err 'sensitive'
says masked.html 'campaign:quay is not unmasked yet: names are masked'
lacks masked.html 'sensitive' '-m system-' 'duplicates' '>ann<' '>bob<' 'clear as day'
audition 0 show latest --item i0
lacks out 'clear as day' 'campaign:'
audition 0 export latest --what verdicts -o verdicts.jsonl
lacks verdicts.jsonl 'campaign:'
audition 2 compare latest latest --model ann --against bob --judge campaign:quay
says err 'unmasked'

audition 0 campaign unmask quay
audition 0 board --judge campaign:quay --json
[ "$(score ann), $(score bob)" = "8.0, 5.0" ] || fail "people's marks: $(score ann), $(score bob)"
[ "$(get "[x['name'] for x in j['judges']]")" = "['campaign:quay']" ] || fail "people among the judges"
same_shape people
audition 0 board
says out 'campaign:quay' '8.00 ['
audition 0 show latest --item i0 --model ann
lacks out 'verdict -'
says out 'rating  campaign:quay/' 'clear as day' 'counts 1  (kind' 'counts 0, by rule'
audition 0 show latest --item i0 --model ann --json
says out '"counts":[' '"rule":"duplicate"'
audition 0 report --judge campaign:quay -o people.html
says people.html 'clear as day'
lacks people.html '--judge campaign:'
audition 2 report model:ann --judge kind
says err 'not for model:ann'
audition 0 compare latest latest --model ann --against bob --judge campaign:quay
says out 'Judged by campaign:quay.'
audition 0 verify
sqlite3 audition.db "UPDATE score SET value = 9 WHERE jury = 'campaign:quay' AND subject = 'model/ann' AND metric = 'score'"
audition 1 verify
says err 'score model/ann score by campaign:quay: stored 9'

echo "== pages know people as they know any judge, and nothing of them before they are unmasked"
# pages FOLDER COMMAND: what stands on them, which the command says or lacks
pages()
{
    audition 0 publish "$1" --db alone.db
    for page in runs leaderboard--suite-quiz model--name-ann; do
        "$2" "$1/$page.html" 'campaign:quay'
    done
    "$2" "$1/index.html" '>8.00<'
    "$2" "$1/runs/$alone.html" '>8.00<'
    "$2" "$1/runs/$alone/samples/1.html" 'clear as day'
}
untold() { [ ! -e "$1" ] || lacks "$@"; } # a page that is not there holds nothing
# shellcheck disable=SC2086
audition 0 $run --db alone.db -q
alone=$(sqlite3 alone.db 'SELECT name FROM run')
audition 0 campaign import ratings.csv c.yaml --run latest --name quay --db alone.db
pages masked untold
audition 0 board --db alone.db
says out 'campaign:quay is not unmasked yet'
audition 0 campaign unmask quay --db alone.db
pages open says
audition 0 list --judge campaign:quay --state 'done' --json --db alone.db
[ "$(get "[x['judges'] for x in j]")" = "[['campaign:quay']]" ] || fail "people in the list: $(cat out)"
audition 0 report model:ann --db alone.db
says out 'campaign:quay' '8.00'
audition 0 verify --db alone.db
# shellcheck disable=SC2086
audition 0 $run --judge kind --db alone.db -q
# shellcheck disable=SC2086
audition 0 $run --judge harsh --db alone.db -q
audition 0 publish both --db alone.db
audition 0 judge drop latest kind --db alone.db
audition 0 run suite.yaml -m ann -m bob --judge third --seed 3 --db alone.db -q
audition 0 compare latest "$alone" --db alone.db
says out 'Different judges: now third, before harsh.'
audition 0 compare latest "$alone" --json --db alone.db
[ "$(get "j['judge'], j['judge_before']")" = "third harsh" ] || fail "whose differences"
audition 1 board latest "$alone" --judge third --db alone.db
says err "run $alone: no judge 'third'"
audition 2 report latest "$alone" --judge third --judge harsh --db alone.db
says err 'name one --judge'
says both/leaderboard--suite-quiz.html '>10.00<' '<small>kind</small>'
says both/index.html '<small>kind</small>'
says "both/runs/$alone.html" 'Judged by kind.'
says both/judge--name-harsh.html '>20<' # what it has done, though it came second
audition 0 verify --db alone.db

echo "== several runs in one column name all of their judges, and that they do not compare"
cp kind.jsonl kindest.jsonl
echo '  - {name: kindest, kind: recorded, file: kindest.jsonl}' >>models.yaml
audition 0 run suite.yaml -m ann --judge kindest --db mixed.db -q
audition 0 run suite.yaml -m bob --judge kind --db mixed.db -q
mapfile -t runs < <(sqlite3 mixed.db 'SELECT name FROM run ORDER BY id')
audition 0 board "${runs[@]}" --json --db mixed.db
[ "$(get "[x['judges'] for x in j['suites']]")" = "['kindest, kind']" ] || fail "judges of a column: $(cat out)"
audition 0 board "${runs[@]}" --db mixed.db
says out 'had different judges (kindest, kind)'

echo "== latest is the run last worked on; one without an answer is not done"
mkdir order
cd order
printf 'suite: quiz\nlanguage: en\ninstrument: {dimensions: [{id: right, scale: 0..1}]}\nscore: {kind: mean-of-items}\nitems: [{id: one, prompt: One?}]\n' >suite.yaml
printf 'models:\n  - {name: ann, kind: recorded, file: ann.jsonl}\n  - {name: lost, kind: recorded, file: lost.jsonl}\n' >models.yaml
echo '{"item": "one", "text": "One."}' >ann.jsonl
echo '{"item": "other", "text": "Two."}' >lost.jsonl
audition 0 run suite.yaml -m ann -q
audition 3 run suite.yaml -m lost -q
audition 0 list --json
[ "$(get "[x['state'] for x in j]")" = "['no answers', 'not judged']" ] || fail "states: $(cat out)"
audition 0 export latest -o first.jsonl
says first.jsonl '"lost"'
audition 0 run suite.yaml -m ann -q
audition 0 export latest -o again.jsonl
says again.jsonl '"ann"'

echo "== put right in models.yaml, the printed command works, and keeps -c"
mv models.yaml wrong.yaml
audition 3 run suite.yaml -m lost --seed 7 -c wrong.yaml
printed=$(sed -n 's/.*retry with: [^ ]*audition //p' err | tail -n 1)
[ "$printed" = "run suite.yaml -m lost --seed 7 -c wrong.yaml --retry-failed" ] || fail "printed: $printed"
sed -i 's/lost.jsonl/ann.jsonl/' wrong.yaml
# shellcheck disable=SC2086 # words
audition 0 $printed
audition 0 list --json
[ "$(get "j[0]['samples']['done']")" = 1 ] || fail "after it was put right: $(cat out)"

echo "== verdicts that failed are as unscored in the list as on the board"
audition 3 run suite.yaml -m ann --judge lost --seed 8 -c wrong.yaml
audition 0 list
says out '  1/1       0/1 '
