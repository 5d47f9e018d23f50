#!/usr/bin/env bash
# Dialogues over time: marks of stretches, drift and slopes, how long roles last, what is remembered.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

cp -R "$REPO/tests/fixtures/dialogue" fixtures
# six dialogues, recorded: `steady` keeps to its role, `slack` breaks it in turn 5 of every second one
sed -e 's/^items:/items: items.jsonl/; /^  - {id: dusk/d; /^  - {id: rain/d' \
    -e 's/  kind: dimensions/  kind: dimensions\n  over: {window: 2}/' fixtures/dialogue.yaml >fixtures/over.yaml
for i in 1 2 3 4 5 6; do
    echo "{\"id\": \"d$i\", \"prompt\": \"Evening $i at the lock.\"}"
done >fixtures/items.jsonl
for model in steady slack; do
    for i in 1 2 3 4 5 6; do
        for turn in 1 2 3 4 5 6 7 8 9 10; do
            text="The water is slow tonight, turn $turn."
            [ "$turn" != 4 ] || text="Because of your sister Ana."
            if [ $model = slack ] && [ $turn -ge 5 ] && [ $((i % 2)) = 0 ]; then
                text="As an AI language model, I have no dog."
            elif [ "$turn" = 6 ]; then
                text="Pike. He is called Pike."
            fi
            echo "{\"model\": \"$model\", \"item\": \"d$i\", \"turn\": $((2 * turn + 1)), \"text\": \"$text\"}"
        done
    done
done >tape.jsonl
# the judge: 5 for the steady one; for the other one less in every stretch
for i in 1 2 3 4 5 6; do
    for turn in 1 3 5 7; do
        echo "{\"model\": \"steady\", \"item\": \"d$i\", \"turn\": $turn, \"text\": \"{\\\"role\\\": {\\\"analysis\\\": \\\"a\\\", \\\"score\\\": 5}}\"}"
        echo "{\"model\": \"slack\", \"item\": \"d$i\", \"turn\": $turn, \"text\": \"{\\\"role\\\": {\\\"analysis\\\": \\\"a\\\", \\\"score\\\": $((5 - turn / 2))}}\"}"
    done
done >judge.jsonl
cat >models.yaml <<M
models:
  - {name: steady, kind: recorded, file: tape.jsonl}
  - {name: slack, kind: recorded, file: tape.jsonl}
  - {name: critic, kind: recorded, file: judge.jsonl}
M

row()
{
    sql run.db "SELECT round(value, 3) || ' ' || round(coalesce(lo, 99), 3) || ' ' || round(coalesce(hi, 99), 3) || ' ' || n
        FROM score WHERE subject = 'model/$1' AND metric = '$2'"
}

echo "== a verdict for each stretch"
audition 0 check fixtures/over.yaml
audition 0 run fixtures/over.yaml -m steady -m slack --user script --judge critic --db run.db --dry-run
says out '12 samples, 48 verdicts'
audition 0 run fixtures/over.yaml -m steady -m slack --user script --judge critic --db run.db
is "$(sql run.db "SELECT count(*) || ' ' || group_concat(DISTINCT shown) FROM verdict WHERE state = 'done'")" "48 1-2,3-4,5-6,7-8" "verdicts"
audition 0 report latest --db run.db -o page.html
says page.html 'id="drift"' 'id="survival"' 'id="memory"' 'id="slopes"' 'class="course"'
says page.html 'critic · <a href="#s1t6">turns 3–4</a>' 'id="s1t6"' 'Kaplan-Meier'
audition 0 report latest --db run.db -o page.md
says page.md '### Wenna · d1' '### Wenna · d2' 'critic · turns 3–4' 'run lock-talk.yaml -m steady -m slack --user script --judge critic'
audition 0 show latest --model slack --item d1 --db run.db
says out 'done  turns 7–8'
audition 0 show latest --model slack --item d1 --json --db run.db
says out '"turns":"7-8"'

echo "== drift, with simultaneous bands; slopes in ten turns"
is "$(row slack drift:1-2 | cut -d' ' -f1,4)" "5.0 6" "first stretch"
is "$(row slack drift:7-8 | cut -d' ' -f1,4)" "2.0 6" "last stretch"
is "$(row slack drift:role:7-8 | cut -d' ' -f1,4)" "2.0 6" "the same of a dimension"
is "$(row slack slope | cut -d' ' -f1)" "-5.0" "slope"
is "$(row steady slope | cut -d' ' -f1)" "0.0" "no slope"
is "$(row slack score | cut -d' ' -f1)" "3.5" "the value is the mean over stretches"

echo "== survival: half of them break in turn 5"
is "$(row steady unbroken | cut -d' ' -f1)" "8.0" "never broken"
is "$(row slack unbroken | cut -d' ' -f1)" "6.0" "restricted mean"
is "$(row slack alive:5 | cut -d' ' -f1,4)" "0.5 6" "share that lasts"
is "$(sql run.db "SELECT count(*) FROM score WHERE metric LIKE 'alive:%' AND subject = 'model/steady'")" 0 "steps of the steady one"

echo "== memory by distance"
is "$(row steady recall:2 | cut -d' ' -f1,4)" "1.0 6" "two turns later"
is "$(row steady recall:3 | cut -d' ' -f1,4)" "0.0 6" "three turns later"
is "$(row slack recall:0 | cut -d' ' -f1,4)" "0.5 6" "of the card"

echo "== users who leave: no turn counts that nobody has seen, and what is compared is seen of both"
sed 's/^leaves: {/leaves: {after: 3, /' fixtures/users/tom.yaml >fixtures/users/brief.yaml
sed 's/tom.yaml/brief.yaml/' fixtures/over.yaml >fixtures/brief.yaml
audition 0 run fixtures/brief.yaml -m steady -m slack --user script --db brief.db
is "$(grep -c ' 3\.0' out)" 2 "said at the end of a run that nobody judges"
is "$(sql brief.db "SELECT group_concat(value, ' ') FROM score WHERE metric = 'unbroken'")" "3.0 3.0" "turns of three"
audition 0 verify latest --db brief.db
audition 1 chart survival latest --db brief.db
says err 'no role broke'

echo "== charts, files, verify"
for chart in drift survival memory; do
    audition 0 chart $chart latest --db run.db -o $chart.svg
    says $chart.svg 'class="course"' '<title>'
    audition 0 chart $chart latest --db run.db --json
    says out '"slack"'
done
audition 0 chart survival latest --db run.db --json
says out '"turn":"5","steady":{"value":1.0,"lo":null,"hi":null' '"slack":{"value":0.5,"lo":0.'
audition 0 verify --db run.db
audition 0 report latest --db run.db --json
says out '"drift":' '"survival":' '"memory":'
sql run.db "UPDATE score SET value = 0.9 WHERE metric = 'alive:5'"
audition 1 verify --db run.db
says err 'alive:5'
sql run.db "UPDATE score SET value = 0.5 WHERE metric = 'alive:5'; UPDATE score SET value = value + 1 WHERE metric = 'slope'"
audition 1 verify --db run.db
says err 'slope'

echo "== each of several dimensions by itself, in reports, on pages and in JSON; how long roles last on every board"
sed 's/^    - {id: role, title: Role, \(.*\)/&\n    - {id: voice, title: Voice, \1/' fixtures/over.yaml >fixtures/two.yaml
sed 's/}}"}$/}, \\"voice\\": {\\"analysis\\": \\"a\\", \\"score\\": 3}}"}/' judge.jsonl >both.jsonl
sed 's/judge.jsonl/both.jsonl/' models.yaml >both.yaml
audition 0 run fixtures/two.yaml -c both.yaml -m steady -m slack --user script --judge critic --db two.db
audition 0 board latest --db two.db
says out 'unbroken' '6.0 ['
audition 0 report latest --db two.db -o two.html
audition 0 publish pages --db two.db
for page in two.html pages/runs/*.html; do
    says "$page" 'id="drift-role"' 'id="drift-voice"' 'Marks over time: Voice' 'id="slopes"' 'id="sittings"' 'unbroken'
done
audition 0 report latest --db two.db --json
says out '"drift-voice":[{"turns":"1-2"' '"slope_voice":{"value":0' '"slope_role":{"value":0'
audition 0 verify latest --db two.db

echo "== contradictions: pairs of statements, of which both were said"
sed 's/  over: {window: 2}/  contradictions: yes/' fixtures/over.yaml >fixtures/claims.yaml
# pair TURN TEXT TURN TEXT: as a judge lists it; ~ stands for a quotation mark inside a text
pair()
{
    echo "{~turn~: $1, ~text~: ~$2~, ~other_turn~: $3, ~other~: ~$4~}"
}
one="The water is slow tonight"
two="The water is slow tonight, turn 2."
for i in 1 2 3 4 5 6; do
    # once, the other way round, and words that contradict themselves
    echo "slack d$i [$(pair 3 "$one" 5 "$two"), $(pair 5 "$two" 3 "$one"), $(pair 3 "$one" 3 "$one")]"
    echo "steady d$i [$(pair 3 "$one" 5 "words that nobody said")]"
done | sed -E '/^steady d6/s/ \[.*//; s/^([a-z]+) (d.)( (.*))?$/{"model": "\1", "item": "\2", "text": "{~role~: {~analysis~: ~a~, ~score~: 5}, ~contradictions~: \4}"}/
    s/, ~contradictions~: \}/}/; s/~/\\"/g' >judge.jsonl
audition 0 run fixtures/claims.yaml -m steady -m slack --user script --judge critic --db claims.db
audition 0 report latest --db claims.db -o claims.html
says claims.html '↔' 'aria-label="contradictions"'
audition 0 chart contradictions latest --db claims.db -o contradictions.svg
says contradictions.svg 'class="chart"' 'slack' '<title>'
audition 0 chart contradictions latest --db claims.db --json
says out '"name":"slack","contradictions":{"value":1' '"name":"steady","contradictions":{"value":0'
audition 1 chart contradictions latest --db run.db
says err 'has no contradictions to draw'
is "$(sql claims.db "SELECT group_concat(subject || ' ' || value || ' ' || n) FROM (SELECT subject, value, n FROM score WHERE metric = 'contradictions' ORDER BY subject)")" \
    "model/slack 1.0 6,model/steady 0.0 5" "true pairs, of those who listed any or none"
audition 0 verify --db claims.db
sql claims.db "UPDATE score SET value = 0.5 WHERE metric = 'contradictions'"
audition 1 verify --db claims.db
says err 'contradictions'

echo "== turns by themselves; only dialogues have them"
sed 's/over: {window: 2}/over: turn/' fixtures/over.yaml >fixtures/turn.yaml
audition 0 check fixtures/turn.yaml
for i in 1 2 3 4 5 6; do
    for turn in 1 2 3 4 5 6 7 8; do
        echo "{\"model\": \"steady\", \"item\": \"d$i\", \"turn\": $turn, \"text\": \"{\\\"role\\\": {\\\"analysis\\\": \\\"a\\\", \\\"score\\\": 5}}\"}"
        echo "{\"model\": \"slack\", \"item\": \"d$i\", \"turn\": $turn, \"text\": \"{\\\"role\\\": {\\\"analysis\\\": \\\"a\\\", \\\"score\\\": $((5 - turn / 2))}}\"}"
    done
done >judge.jsonl
audition 0 run fixtures/turn.yaml -m steady -m slack --user script --judge critic --db turn.db --dry-run
says out '12 samples, 96 verdicts'
audition 0 run fixtures/turn.yaml -m steady -m slack --user script --judge critic --db turn.db
audition 0 chart drift latest --json --db turn.db
says out '"8-8"'
audition 0 verify latest --db turn.db
says out 'verdicts  96 checked'
is "$(sql turn.db "SELECT group_concat(DISTINCT shown) FROM verdict WHERE state = 'done'")" "1-1,2-2,3-3,4-4,5-5,6-6,7-7,8-8" "verdicts of turns"
is "$(sql turn.db "SELECT group_concat(value) FROM (SELECT value FROM score WHERE subject = 'model/slack' AND metric LIKE 'drift:_-_' ORDER BY metric)")" \
    "5.0,4.0,4.0,3.0,3.0,2.0,2.0,1.0" "marks by turn"
sed 's/turns: 8/turns: 10/' fixtures/turn.yaml >fixtures/ten.yaml
for turn in 1 2 3 4 5 6 7 8 9 10; do
    echo "{\"model\": \"steady\", \"item\": \"d1\", \"turn\": $turn, \"text\": \"{\\\"role\\\": {\\\"analysis\\\": \\\"a\\\", \\\"score\\\": 5}}\"}"
done >judge.jsonl
audition 0 run fixtures/ten.yaml -m steady --user script --judge critic --limit 1 --db ten.db
audition 0 show latest --model steady --item d1 --db ten.db
is "$(grep -o 'turns* [0-9]*–*[0-9]*$' out | tr -dc '0-9–\n' | paste -sd' ')" "1 2 3 4 5 6 7 8 9 10" "verdicts in the order of the turns"
suite plain.yaml 2
sed -i 's/  kind: dimensions/  kind: dimensions\n  over: turn/' plain.yaml
audition 1 check plain.yaml
says err 'plain.yaml:7:' 'only dialogues can be marked by turn'
