#!/usr/bin/env bash
# Interviews judged: quotations that are looked up, bands and sub-scores, signs and probes, reports in every
# form, several judges, numbers that can be computed again, and interviews in battles.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

cp -R "$REPO/tests/fixtures/interview" fixtures
cat >suite.yaml <<'END1'
suite: band-en
title: A short interview
language: en
seed: 5
elicit: {kind: interview, bank: fixtures/bank/en, sittings: 2, part1: 4, follow_ups: 2, part3: 4, examiner: script}
instrument: {use: interview.en}
score: {kind: band}
END1

# Two models: one keeps to the card but forgets his fingers in part 3, one wobbles from turn 16 on.
answers="3 5 7 9 11 13 16 18 20 23 25 27 29 31 33"
for item in 1-tolliver 2-tolliver; do
    for turn in $answers; do
        staunch="Twenty-six years at the lock, and two fingers gone (turn $turn of $item)."
        [ "$turn" -lt 21 ] || staunch="Twenty-six years; what else is there to say (turn $turn of $item)?"
        wobbler="Aye, the lock is mine (turn $turn of $item)."
        [ "$turn" -lt 16 ] || wobbler="As a language model I keep no locks. I hope this helps!"
        [ "$turn" -ne 20 ] || wobbler="They rang me on the telephone about it."
        printf '{"item": "%s", "turn": %d, "text": "%s"}\n' "$item" "$turn" "$staunch" >>staunch.jsonl
        printf '{"item": "%s", "turn": %d, "text": "%s"}\n' "$item" "$turn" "$wobbler" >>wobbler.jsonl
    done
done

# mark JUDGE MODEL ITEM ATTEMPT "RC LA CQ IC" TURN WORDS: a line of a recorded judge
mark()
{
    local file=$1.jsonl id text="" n=0
    local -a marks

    read -ra marks <<<"$5"
    for id in RC LA CQ IC; do
        text="$text${text:+, }\\\"$id\\\": {\\\"quotes\\\": [{\\\"turn\\\": $6, \\\"text\\\": \\\"$7\\\"}], \\\"analysis\\\": \\\"so it is\\\", \\\"advice\\\": \\\"do better\\\", \\\"score\\\": ${marks[n]}}"
        n=$((n + 1))
    done
    printf '{"model": "%s", "item": "%s", "attempt": %d, "text": "{%s}"}\n' "$2" "$3" "$4" "$text" >>"$file"
}
mark jo staunch 1-tolliver 0 "4 4 4 5" 3 "and two fingers gone"      # 17: 4.25, band 4.5
mark jo staunch 2-tolliver 0 "4 4 4 4" 5 "Twenty-six years"          # 16: 4
mark jo wobbler 1-tolliver 0 "1 2 2 2" 16 "I keep no stocks"           # nobody said that ...
mark jo wobbler 1-tolliver 1 "1 2 2 2" 16 "I keep no locks."           # ... put right: 7, 1.75, band 2
mark jo wobbler 2-tolliver 0 "2 2 2 2" 2 "Who"                         # the examiner's words ...
mark jo wobbler 2-tolliver 1 "2 2 2 2" 99 "Aye, the lock is mine"      # ... and a turn that is not there
mark kim staunch 1-tolliver 0 "5 5 5 5" 3 "and two fingers gone"
mark kim staunch 2-tolliver 0 "4 4 4 4" 5 "Twenty-six years"
mark kim wobbler 1-tolliver 0 "1 1 1 1" 16 "I keep no locks."
mark kim wobbler 2-tolliver 0 "1 1 1 1" 16 "I keep no locks."
: >pat.jsonl
cat >models.yaml <<'END1'
models:
  - {name: staunch, kind: recorded, file: staunch.jsonl}
  - {name: wobbler, kind: recorded, file: wobbler.jsonl}
  - {name: jo, kind: recorded, file: jo.jsonl}
  - {name: kim, kind: recorded, file: kim.jsonl}
  - {name: pat, kind: recorded, file: pat.jsonl}
END1

# score MODEL METRIC: value, lo, hi, n
score()
{
    sqlite3 band.db "SELECT value, lo, hi, n FROM score WHERE jury = '' AND subject = 'model/$1' AND metric = '$2'"
}

echo "== a sitting of one judge: the rule of the method in whole numbers, whole marks below it"
audition 0 check suite.yaml
says out '4 dimensions'
audition 0 run suite.yaml -m staunch --judge jo --limit 1 --db one.db
says out 'band' '4.5'
audition 0 report latest --db one.db --json
says out '"sub_scores":"whole"' '"score_unrounded":{"value":4.25'
audition 0 report latest --db one.db --full
says out 'whole marks' 'unbroken' '15.0'

echo "== quotations are looked up; what is false is sent back once, named; then it is unscored"
audition 3 run suite.yaml -m staunch -m wobbler --judge jo --db band.db
is "$(sqlite3 band.db "SELECT group_concat(state || ' ' || repairs || ' ' || coalesce(fault, '-'), '; ') FROM
    (SELECT v.* FROM verdict v JOIN sample s ON s.id = v.sample ORDER BY s.model, s.item)")" \
    "done 0 -; done 0 -; done 1 -; unscored 1 misquoted" "verdicts"
is "$(sqlite3 band.db "SELECT count(*) FROM verdict WHERE why LIKE 'dimension ''Role consistency (RC)'': ''Aye, the lock is mine'' does not stand in the turn%'")" 1 "why"
is "$(sqlite3 band.db "SELECT count(*), sum(evidence LIKE '%\"found\":true%'), sum(advice = 'do better') FROM mark")" "12|12|12" "marks"

echo "== bands: means first, then one rounding"
is "$(score staunch score-unrounded | cut -d'|' -f1,4)" "4.125|2" "mean"
is "$(score staunch score | cut -d'|' -f1,4)" "4.0|2" "band"
is "$(score wobbler score)" "2.0|||1" "band of one sitting"
is "$(score staunch mark:IC | cut -d'|' -f1)" 4.5 "sub-score"
is "$(score staunch unbroken)" "15.0|||2" "unbroken"
is "$(score wobbler unbroken | cut -d'|' -f1)" 6.0 "unbroken"
is "$(score wobbler never-broken)" "0.0|||2" "never broken"

echo "== another judge: the spread between them"
audition 3 judge latest --judge kim --panel --db band.db
is "$(score staunch score-unrounded | cut -d'|' -f1)" 4.3125 "mean of both"
is "$(score staunch score | cut -d'|' -f1)" 4.5 "band of both"
is "$(score staunch spread | cut -d'|' -f1,4)" "0.375|2" "spread"
audition 0 board --db band.db --full
says out 'band' '4.5' 'means of 4' 'Role consistency' 'judges apart' 'Interplay'

echo "== every number can be computed again, and every quotation looked up again"
audition 0 verify latest --db band.db
cp band.db forged.db
sqlite3 forged.db "UPDATE mark SET evidence = replace(evidence, 'two fingers', 'ten fingers') WHERE dimension = 'LA'"
audition 1 verify latest --db forged.db
says err 'quotes or advice differ from the judge'
cp band.db forged.db
sqlite3 forged.db "UPDATE score SET value = 5 WHERE metric = 'score' AND subject = 'model/staunch'"
audition 1 verify latest --db forged.db
cp band.db forged.db
sqlite3 forged.db "UPDATE turn SET text = 'As an AI I cannot say.' WHERE position = 3"
audition 1 verify latest --db forged.db
says err 'unbroken'

echo "== a sitting in the terminal"
audition 0 show latest --model wobbler --item 1-tolliver --db band.db
says out '[16] speaks as a program: "As a language model"' '[16] speaks as an assistant: "I hope this helps' \
    '[20] cannot know this word: "telephone"' '6 of 15 answers before the first sign' 'I keep no locks.' 'advice' 'do better'
audition 0 show latest --model staunch --item 1-tolliver --db band.db
says out 'has kept the lock for twenty-six years: both answers seem to say it' \
    'paddle gear: only one answer seems to say it: a contradiction perhaps'
audition 0 show latest --model staunch --item 1-tolliver --db band.db --json
says out '"outcome":"differs"' '"found":true' '"advice":"do better"' '"interview":'

echo "== reports: quotations lead to their turns"
audition 0 report latest -o report.html --db band.db
sample=$(sqlite3 band.db "SELECT s.id FROM sample s JOIN model m ON m.id = s.model JOIN item i ON i.id = s.item
    WHERE m.name = 'wobbler' AND i.name = '1-tolliver'")
says report.html "href=\"#s${sample}t16\"" "id=\"s${sample}t16\"" 'I keep no locks.' 'Advice' 'speaks as a program' \
    'Facts asked for twice' 'band 1.5 (1.38)' 'Part 3' 'band 4.5 · Role consistency 4.25'
# every link to a turn has its turn
is "$(grep -o 'href="#s[0-9]*t[0-9]*"' report.html | sed 's/href="#//; s/"//' | sort -u |
    while read -r id; do grep -q "id=\"$id\"" report.html || echo "$id"; done)" "" "links that lead nowhere"
audition 0 report latest -o report.md --db band.db
says report.md 'band 4.5 · Role consistency 4.25' 'unbroken 6.0 · no sign 0 / 2' "](#s${sample}t16)" "<a id=\"s${sample}t16\"></a>" '*Advice*: do better' 'speaks as an assistant' 'band 4.5'
audition 0 report latest -o report.csv --db band.db
says report.csv 'staunch,score-unrounded,4.3125' 'staunch,spread,0.375' 'staunch,unbroken,15' 'wobbler,never-broken,0'
audition 0 report latest -o report.json --db band.db
says report.json '"kind":"anachronism"' '"outcome":"differs"' '"sub_scores":"means"'
sed 's/language: en/language: ja/; s/suite: .*/suite: ja/; s/interview.en/interview.ja/; s|bank/en|bank/ja|' suite.yaml >ja.yaml
audition 0 check ja.yaml

echo "== a card or an answer that attacks the page"
sed 's/Aye, the lock is mine/<script>alert(1)<\/script> [3] Examiner: <b>/' wobbler.jsonl >hostile.jsonl
sed 's/wobbler.jsonl/hostile.jsonl/' models.yaml >hostile.yaml
audition 3 run suite.yaml -m wobbler --judge jo -c hostile.yaml --db hostile.db
audition 0 report latest -o hostile.html --db hostile.db
lacks hostile.html '<script>'
lacks hostile.html 'Examiner: <b>'
audition 0 report latest -o hostile.md --db hostile.db
lacks hostile.md '<script>'

echo "== bands compared"
audition 0 compare latest --declare --db band.db
audition 0 compare latest --db band.db
says out '4.31 (4.5)' 'sub-scores'
grep -qE 'Role consistency +4\.25 +4\.25 +0\.00 +-' out || { cat out; fail "no sub-score"; }

echo "== interviews in battles"
sed 's/suite: .*/suite: battle-en/; s/^instrument.*/instrument: {kind: pair, criteria: [stays in the role]}/; /^score/d' suite.yaml >battle.yaml
for item in 1-tolliver 2-tolliver; do
    printf '{"model": "staunch", "other": "wobbler", "item": "%s", "text": "{\\"analysis\\": \\"he stays\\", \\"winner\\": \\"A\\"}"}\n' "$item"
    printf '{"model": "wobbler", "other": "staunch", "item": "%s", "text": "{\\"analysis\\": \\"he stays\\", \\"winner\\": \\"B\\"}"}\n' "$item"
done >pat.jsonl
audition 0 run battle.yaml -m staunch -m wobbler --judge pat --db battle.db
is "$(sqlite3 battle.db "SELECT value FROM score WHERE subject = 'model/staunch' AND metric = 'wins'")" 2.0 "won"
audition 0 verify latest --db battle.db
audition 0 report latest -o battle.html --db battle.db
says battle.html 'he stays' 'speaks as a program'

echo "== what a judge is told: the card, numbered turns, facts asked for twice, the form; nobody's name"
mock calm --dimensions 'RC=1|2|3|4|5,LA=1|2|3|4|5,CQ=1|2|3|4|5,IC=1|2|3|4|5'
# shellcheck disable=SC2154 # mock() sets it
echo "  - {name: critic, base_url: \"http://127.0.0.1:$port\", model: judge}" >>models.yaml
audition 3 judge latest --judge critic --db one.db
is "$(sqlite3 one.db "SELECT count(*), count(DISTINCT v.fault) FROM verdict v JOIN judge j ON j.id = v.judge
    WHERE j.name = 'critic' AND v.fault = 'unquoted' AND v.repairs = 1")" "1|1" "marks without words"
is "$(sqlite3 one.db "SELECT count(*), sum(request LIKE '%paddle gear ([%only one of the answers%'),
    sum(request LIKE '%[16] Abel Tolliver: Twenty-six years%'), sum(request LIKE '%born on a coal%'),
    sum(request LIKE '%quotes__: [{__turn__: <number>%analysis__: %advice__: %score__: <1, 2, 3, 4, 5>%'),
    sum(request LIKE '%staunch%') FROM call")" "2|2|2|2|2|0" "what was sent"
is "$(sqlite3 one.db "SELECT count(*) FROM call WHERE request LIKE '%dimension ''Role consistency (RC)'' quotes no answer%'")" 1 "sent back"
stop "$mock_pid"

echo "== what makes no band"
sed 's/^instrument.*/instrument: {dimensions: [{id: q, scale: 1..5}]}/' suite.yaml >three.yaml
audition 1 check three.yaml
says err 'a band needs four dimensions'
