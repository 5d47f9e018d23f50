#!/usr/bin/env bash
# What the pages of runs say: true counts, round axes, the better end first, judges that fall for tricks named beside
# their scores, flags with their evidence where the answer is.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

db=$PWD/see.db demo=$REPO/demo
mock one --dimensions 'quality=0|0.25|0.5|0.75|1'
# shellcheck disable=SC2154 # mock() sets it
cat >models.yaml <<E
models:
  - {name: player, base_url: "http://127.0.0.1:$port", model: chat}
  - {name: other, base_url: "http://127.0.0.1:$port", model: chat-two}
  - {name: gullible, base_url: "http://127.0.0.1:$port", model: judge-gullible}
  - {name: first, base_url: "http://127.0.0.1:$port", model: judge-first}
E
suite weather.yaml 12
sed 's/^suite: .*/suite: pairs/; /^instrument:/,/^score:/d' weather.yaml >pairs.yaml
printf 'instrument: {kind: pair, criteria: [Is it good?], ties: yes, orders: both}\nscore: {kind: rating, headline: bradley-terry}\n' >>pairs.yaml
cat >clumsy.yaml <<'E'
suite: clumsy
title: Clumsy
language: ja
elicit: {kind: single}
instrument: {kind: dimensions, dimensions: [{id: quality, title: Quality, scale: 0..1}, {id: clumsy, title: Tripped, scale: 0..1, better: lower}]}
items: [{id: one, prompt: "Up?"}, {id: two, prompt: "Down?"}]
E
for item in one two; do
    for model in neat tripping; do
        echo "{\"item\": \"$item\", \"text\": \"$model on $item\"}" >>$model.jsonl
        echo "{\"model\": \"$model\", \"item\": \"$item\", \"text\": \"{\\\"quality\\\": {\\\"analysis\\\": \\\"-\\\", \\\"score\\\": 1}, \\\"clumsy\\\": {\\\"analysis\\\": \\\"-\\\", \\\"score\\\": $([ $model = neat ] && echo 0 || echo 1)}}\"}" >>strict.jsonl
    done
done
printf 'models:\n' >tapes.yaml
printf '  - {name: %s, kind: recorded, file: %s.jsonl}\n' neat neat tripping tripping strict strict >>tapes.yaml
audition 0 run weather.yaml -m player -m other --judge gullible -q --db "$db"
marked=$(sql "$db" "SELECT name FROM run")
audition 0 judge check gullible --run "$marked" --db "$db"
audition 0 run pairs.yaml -m player -m other --judge first -q --db "$db"
audition 0 judge check first --run latest --db "$db"
# neat is a little better on every item, and the items differ much
sed 's/^suite: .*/suite: close/; s/^title: .*/title: Close/; s/^language: .*/language: en/; s/scale: 0..1/scale: 0..10/; s/, {id: clumsy.*}\]}$/]}/; /^items:/d' clumsy.yaml >close.yaml
printf 'items: [%s{id: i8, prompt: "8?"}]\n' "$(printf '{id: i%d, prompt: "%d?"}, ' 1 1 2 2 3 3 4 4 5 5 6 6 7 7)" >>close.yaml
for i in 1 2 3 4 5 6 7 8; do
    for model in neat tripping; do
        echo "{\"item\": \"i$i\", \"text\": \"$model on $i\"}" >>$model.jsonl
        echo "{\"model\": \"$model\", \"item\": \"i$i\", \"text\": \"{\\\"quality\\\": {\\\"analysis\\\": \\\"-\\\", \\\"score\\\": $([ $model = neat ] && echo $((i + 1 + i % 2)) || echo $i)}}\"}" >>strict.jsonl
    done
done
audition 0 run close.yaml -c tapes.yaml -m tripping -m neat --judge strict -q --db "$db"
audition 0 run clumsy.yaml -c tapes.yaml -m tripping -m neat --judge strict -q --db "$db"
sed 's/^suite: .*/suite: dry/; s/^title: .*/title: Dry/' weather.yaml >dry.yaml
audition 0 run dry.yaml -m player -q --db "$db" # answers alone
"$AUDITION" run "$demo/suite.yaml" -c "$demo/models.yaml" -m steady -m parrot --judge examiner -q --db "$db" >/dev/null 2>&1 || [ $? = 3 ]
"$AUDITION" run "$demo/battles.yaml" -c "$demo/models.yaml" -m steady -m grand -m drifter -m parrot --judge editor -q --db "$db" >/dev/null 2>&1 || [ $? = 3 ]
of() { sql "$db" "SELECT $1 FROM run r JOIN sample s ON s.run = r.id WHERE r.suite = '$2' ORDER BY s.id LIMIT 1"; }
audition 0 publish pages --db "$db"
battles=pages/runs/$(of r.name hobs-lock-battles).html pairs=$(of r.name pairs) lock=$(of r.name hobs-lock)

echo "== a battle that was not judged counts once; nobody leads where all are level; lines of an axis stand at round numbers"
is "$(grep -o '[0-9]* battles could not be judged' "$battles")" \
    "$(sql "$db" "SELECT SUM(value) / 2 FROM score WHERE metric = 'unscored' AND subject LIKE 'model/%' AND run = (SELECT id FROM run WHERE suite = 'hobs-lock-battles')" | sed 's/\..*//') battles could not be judged" "battles"
lacks "$battles" 'answers could not be scored'
says "pages/runs/$pairs.html" 'Every model has 1000: none leads.'
lacks "pages/runs/$pairs.html" 'leads with'
is "$(sed -n '/class="ivc"/,/<\/th>/p' "pages/runs/$lock.html" | grep -o 'text-anchor="[a-z]*">[0-9.]*' | sed 's/.*>//' | tr '\n' ' ')" "2 6 10 " "an axis"


echo "== the report finds what the page finds, also where the intervals overlap"
close=$(of r.name close)
audition 0 report "$close" -o close.md --db "$db"
for found in "pages/runs/$close.html" close.md; do
    says "$found" 'neat leads with 6.00. Item by item, it is ahead of the other model.'
done

echo "== nobody leads who alone has a number"
echo '{"item": "none", "text": "-"}' >silent.jsonl
printf '  - {name: silent, kind: recorded, file: silent.jsonl}\n' >>tapes.yaml
"$AUDITION" run close.yaml -c tapes.yaml -m neat -m silent --judge strict -q --db alone.db >/dev/null 2>&1 || [ $? = 3 ]
audition 0 report latest -o alone.md --db alone.db
says alone.md 'neat scored 6.00.'
lacks alone.md 'leads'

echo "== whoever fell for a trick is named beside the score, on the page of the answer and of the battle"
pair=$(sql "$db" "SELECT '/battles/' || sample || '/' || other FROM verdict v JOIN run r ON r.id = v.run WHERE r.suite = 'pairs' AND other > 0 LIMIT 1")
for page in "pages/runs/$marked.html" "pages/runs/$marked/samples/$(of s.id weather).html" "pages/runs/$pairs$pair.html"; do
    says "$page" 'read this judge'
done
lacks "pages/runs/$lock/samples/$(of s.id hobs-lock).html" 'read this judge'
audition 0 report "$marked" -o marked.md --db "$db"
says marked.md 'gullible \(rubric.en\)' 'Judges that are models can prefer' 'people would agree' 'gullible fell for some'

echo "== a leaderboard: no suite without a number, and less is better where less is better"
says pages/index.html 'Weather' 'Clumsy' '日本語'
lacks pages/index.html 'Dry'
by=$(echo pages/leaderboard*by-mark*clumsy.html)
says "$by" 'Tripped ↓'
is "$(grep -oE '>(neat|tripping)</a>' "$by" | tr -d '\n')" '>neat</a>>tripping</a>' "who tripped least comes first"

echo "== where less is better, less is darker, and every page says so"
for page in "pages/runs/$(of r.name clumsy).html" "pages/runs/$(of r.name clumsy)/samples/$(sql "$db" "SELECT s.id FROM sample s JOIN model m ON m.id = s.model JOIN run r ON r.id = s.run WHERE r.suite = 'clumsy' AND m.name = 'neat' LIMIT 1").html" \
    pages/model*name-neat.html; do
    says "$page" 'Tripped ↓'
    grep -qE '[ "]h8">(<a[^>]*>)?0' "$page" || fail "$page shades less as worse"
done

echo "== a run without verdicts is not finished, nor is one with failed ones; what is empty is not drawn, and says what to do"
says pages/runs.html 'not judged' 'with gaps'
says "$battles" 'failed<'
for part in dimensions items distribution; do
    lacks "pages/runs/$(of r.name dry).html" "id=\"$part\""
done
says "pages/judge--name-editor.html" 'data-title="failed"'

echo "== a flag on the page of its answer: evidence, overruled there, and back to it"
serve site --db "$db"
post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode "password=correct horse battery"
read -r flag sample <<<"$(sql "$db" "SELECT f.id || ' ' || f.sample FROM flag f JOIN run r ON r.id = f.run WHERE r.suite = 'hobs-lock' AND f.kind = 'duplicate' LIMIT 1")"
ask 200 ada "/runs/$lock/samples/$sample"
says page 'Compared with' "/runs/$lock/flags/$flag" 'Overrule'
post 303 ada "/runs/$lock/samples/$sample" "/runs/$lock/flags/$flag" -d act=overrule -d "sample=$sample" -d why=chorus
says head "ocation: /runs/$lock/samples/$sample#flags"
ask 200 ada "/runs/$lock/samples/$sample"
says page 'ada, chorus' 'value="restore"'
# what both share may have been cut behind a word
sql "$db" "UPDATE flag SET evidence = '{\"shared\":\"Mind the \",\"this\":\"Mind the sill.\"}' WHERE id = $flag"
ask 200 ada "/runs/$lock/samples/$sample"
says page 'Mind the</span></mark><span lang="en" dir="auto"> sill.'

echo "== an answer whose request is gone is shown all the same"
sample=$(of s.id weather)
ask 200 ada "/runs/$marked/samples/$sample"
lacks page 'no longer stored'
sql "$db" "UPDATE sample SET call = 987654 WHERE id = $sample"
ask 200 ada "/runs/$marked/samples/$sample"
says page 'no longer stored'

echo "== two runs are chosen from a list; what cannot be compared is said above it"
ask 200 ada "/compare?b=$marked"
says page "<option value=\"$marked\" selected" 'Weather · 20'
lacks page "<option value=\"$lock\""
ask 200 ada "/compare?a=$marked&b=$marked"
says page 'data-title="95 %">0.00<small>-'
ask 422 ada "/compare?a=nothere&b=$marked"
says page 'role="alert"' "<option value=\"nothere\" selected" "<option value=\"$marked\" selected"
ask 200 ada "/runs/$marked"
says page "/compare?b=$marked"
ask 200 ada '/search?words=nowhere-to-be-found'
says page 'Nothing found. Try other words.'

echo "== suites that have no room on the leaderboard are named below it"
sql "$db" "WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 12)
    INSERT INTO run (name, key, suite, frozen, seed, repeats, created_ms, title, stale) SELECT printf('%04x', 65000 + i), i, 'more' || i, frozen, 1, 1, 1, 'More ' || i, 0 FROM run, c WHERE suite = 'weather';
    INSERT INTO score (run, jury, subject, metric, value, n, clusters, method) SELECT id, '', 'model/neat', 'score', 1, 1, 1, '' FROM run WHERE suite LIKE 'more%'"
ask 200 ada /leaderboard
says page 'More 12' 'Other suites' '<li><a href="/leaderboard?suite=weather">Weather</a>'
