#!/usr/bin/env bash
# Battles from file to board: the order shown, letters and winners, both orders, a model that comes
# later, words that are no verdict, what a judge is told, and ratings that can be computed again.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

cat >suite.yaml <<'END'
suite: next-line
language: en
characters:
  - {id: keeper, name: Keeper, text: A patient keeper of a lighthouse.}
  - {id: ferry, name: Ferryman, text: He counts his coins twice.}
elicit: {kind: continue, take: first-line}
instrument: {kind: pair, criteria: [fits the character, fits the story]}
score: {kind: rating, headline: bradley-terry, also: [glicko2]}
items:
  - {id: fog, prompt: Fog rolls in over the bay., character: keeper}
  - {id: lamp, prompt: The lamp has gone out., character: keeper}
  - {id: boat, prompt: A boat comes near., character: keeper}
  - {id: toll, prompt: A stranger wants to cross., character: ferry}
END
sed 's/suite: next-line/suite: both-ways/; s/story\]/story], orders: both/' suite.yaml >both.yaml

# Strength falls from ann to cy; only in the boat does cy surprise. Verdicts in both orders are there.
for model in ann bob cy; do
    for item in fog lamp boat toll; do
        echo "{\"item\": \"$item\", \"text\": \"$model on $item\"}"
    done >"$model.jsonl"
done
winner()
{
    case $1:$2:$3 in
    boat:cy:*) echo A ;;
    boat:*:cy) echo B ;;
    *:ann:* | *:bob:cy) echo A ;;
    *) echo B ;;
    esac
}
for item in fog lamp boat toll; do
    for a in ann bob cy; do
        for b in ann bob cy; do
            [ $a = $b ] || printf '{"model": "%s", "other": "%s", "item": "%s", "text": "{\\"analysis\\": \\"so it is\\", \\"winner\\": \\"%s\\"}"}\n' \
                $a $b $item "$(winner $item $a $b)"
        done
    done
done >critic.jsonl
# One that first talks of somebody else, and one that never says which.
sed 's/so it is/The Ferryman is vivid/' critic.jsonl | grep -v '"toll"' >lost.jsonl
sed 's/, \\"winner\\": \\"[AB]\\"//' critic.jsonl >mute.jsonl
for judge in lost mute; do # ... and say the same when they are asked once more
    sed 's/"item"/"attempt": 1, "item"/' $judge.jsonl >again
    cat again >>$judge.jsonl
done
cat >models.yaml <<'END'
models:
  - {name: ann, kind: recorded, file: ann.jsonl}
  - {name: bob, kind: recorded, file: bob.jsonl}
  - {name: cy, kind: recorded, file: cy.jsonl}
  - {name: critic, kind: recorded, file: critic.jsonl}
  - {name: lost, kind: recorded, file: lost.jsonl}
  - {name: mute, kind: recorded, file: mute.jsonl}
END

echo "== what is shipped: the next line in battles, in three languages"
for language in en ja zh; do
    audition 0 check "$REPO/suites/next-line/battle.$language.yaml"
    says out 'ok (10 items, 1 repeat, pairs judged by 2 criteria)'
done

echo "== answers without a judge"
audition 0 run suite.yaml -m ann -m bob --seed 9 --db unjudged.db
says out '8 answers not judged yet'
audition 0 board --db unjudged.db
says out '8 answers not judged yet'

echo "== every pair on every item, in an order that was drawn"
audition 0 check suite.yaml
says out 'ok (4 items, 1 repeat, pairs judged by 2 criteria)'
audition 0 run suite.yaml -m ann -m bob --judge critic --dry-run
says out '8 samples, 4 verdicts'
audition 0 run suite.yaml -m ann -m bob -m cy --judge critic
is "$(sql audition.db "SELECT count(*), count(DISTINCT shown) FROM verdict WHERE state = 'done'")" "12|2" "verdicts"
# The letter is what was shown first or second; the winner is who that was.
is "$(sql audition.db "SELECT count(*) FROM verdict v JOIN sample a ON a.id = v.sample JOIN sample b ON b.id = v.other
    WHERE v.winner = CASE WHEN (v.choice = 'A') = (v.shown = 'ab') THEN a.model ELSE b.model END")" 12 "winners"
is "$(sql audition.db "SELECT count(DISTINCT choice) FROM verdict")" 2 "letters"

echo "== the board: ratings with intervals, Glicko-2 beside them, and why not above"
audition 0 board
! grep -q "Glicko-2" out || fail "every table without --full"
says out "no intervals: 4 items"
audition 0 board --full
says out 'rating'
grep -qE '^ +ann +1[0-9]{3} ' out || fail "ann is not above the middle"
says out 'Glicko-2'
says out 'Bradley-Terry is the main rating because'
says out 'no intervals: 4 items'
says out 'first shown won'
audition 0 board --full --plain
! grep -q '[^ -~]' out || fail "--plain is not plain"
audition 0 report latest -o r.html
says r.html 'A: '
audition 0 report latest -o r.md
says r.md '## Glicko-2'
audition 0 report latest -o r.csv
says r.csv 'glicko2-order'
audition 0 show latest --model ann
says out 'chosen: '

echo "== what answers look like, and what judges make of it"
audition 0 board --full
says out 'Ratings adjusted for length and style' 'How style influences the judges' 'length (logits)'
says r.md '## Ratings adjusted for length and style'
says r.html 'How style influences the judges'
says r.csv 'style:length'
grep -q ',ann,controlled,' r.csv || fail "no controlled rating in CSV"
audition 0 report latest -o r.json
says r.json '"style":{"length":{"value":' '"controlled":{"value":' '"own_family":null'
cp models.yaml plain.yaml
sed 's/name: ann, /name: ann, family: x, /; s/name: critic, /name: critic, family: x, /' plain.yaml >models.yaml
audition 0 run suite.yaml -m ann -m bob -m cy --judge critic --db family.db
audition 0 board --full --db family.db
says out 'not measured'
audition 0 run suite.yaml -m ann -m bob -m cy --judge critic --own-family --db family.db
audition 0 board --full --db family.db
says out 'not measured' # ann has no battle but those in question
sed 's/name: critic, /name: other, /' plain.yaml | grep other >>models.yaml
audition 0 judge latest --judge other --db family.db
audition 0 board --full --db family.db
says out '0.00' # two judges of one mind
audition 0 verify latest --db family.db
cp plain.yaml models.yaml

echo "== battles as a file, from which the same ratings follow"
audition 0 export latest --what battles -o battles.csv
is "$(head -n 1 battles.csv)" "model_a,model_b,winner,prompt,judge,order,weight,length_a,length_b,action_a,action_b,emoji_a,emoji_b,markup_a,markup_b" "the head"
is "$(wc -l <battles.csv)" 13 "lines"
audition 0 rank battles.csv --json
cp out ranked.json
is "$(sqlite3 :memory: "SELECT printf('%.6f', json_extract(CAST(readfile('ranked.json') AS TEXT), '\$.ratings[0].rating'))")" \
    "$(sql audition.db "SELECT printf('%.6f', value) FROM score WHERE subject = 'model/ann' AND metric = 'score'")" "ann's rating"

# Who is ahead of whom: ann won all four battles with bob, and three of four with cy; the sentence on the page goes by it.
audition 0 chart matrix latest -o matrix.json
is "$(sqlite3 :memory: "SELECT json_extract(value, '\$.ann.value'), json_extract(value, '\$.bob.value'), json_extract(value, '\$.cy.value')
    FROM json_each(CAST(readfile('matrix.json') AS TEXT))" | paste -sd' ')" "|100.0|50.0 -100.0||50.0 -50.0|-50.0|" "the matrix"
audition 0 publish site
page=$(grep -l 'id="matrix"' -r site | head -n 1)
[ -n "$page" ] || fail "no matrix of battles is published"
says "$page" 'that the row won' '+50' 'Item by item'

# ... and those with style taken out, of answers that differ in it; both orders weigh alike
for model in ann bob cy; do
    case $model in
    ann) tail='*nods* and nods again, at some length' ;;
    bob) tail= ;;
    cy) tail='**so** 🙂🙂' ;;
    esac
    k=0
    for item in fog lamp boat toll; do
        echo "{\"item\": \"$item\", \"text\": \"$(printf "$item%.0s" $(seq $((1 + k)))) $tail$(printf '!%.0s' $(seq $((1 + 7 * k % 5))))\"}"
        k=$((k + 1))
    done >"$model.styled"
done
sed 's/\(ann\|bob\|cy\)\.jsonl/\1.styled/' models.yaml >styled.yaml
for suite in suite both; do
    rm -f styled.db
    audition 0 run $suite.yaml -m ann -m bob -m cy --judge critic -c styled.yaml --db styled.db
    audition 0 export latest --what battles -o styled.csv --db styled.db
    audition 0 rank styled.csv --style --json
    cp out controlled.json
    is "$(sqlite3 :memory: "SELECT json_extract(value, '\$.model'), printf('%.6f %.6f %.6f', json_extract(value, '\$.controlled'), json_extract(value, '\$.controlled_interval.lo'), json_extract(value, '\$.controlled_interval.hi'))
        FROM json_each(CAST(readfile('controlled.json') AS TEXT), '\$.ratings') ORDER BY 1")" \
        "$(sql styled.db "SELECT substr(subject, 7), printf('%.6f %.6f %.6f', value, lo, hi) FROM score WHERE metric = 'controlled' ORDER BY 1")" \
        "controlled ratings of $suite"
done

audition 2 compare latest latest
says err 'compares pairs'

echo "== verify computes ratings again, and finds what was changed"
audition 0 verify latest
says out '12 judge replies parsed again'
spoil()
{
    rm -f spoilt.db
    sqlite3 audition.db ".backup spoilt.db"
    sqlite3 spoilt.db "$1"
    audition 1 verify latest --db spoilt.db
    says err "$2"
}
spoil "UPDATE score SET value = value + 1 WHERE metric = 'glicko2'" 'score model/ann glicko2: stored'
spoil "UPDATE verdict SET winner = 0 WHERE id = 1" "the winner is 'nobody'"
spoil "UPDATE verdict SET choice = CASE choice WHEN 'A' THEN 'B' ELSE 'A' END WHERE id = 1" 'the judge wrote'
spoil "UPDATE verdict SET choice = NULL WHERE id = 1" 'without a choice'

echo "== a model that comes later plays what is missing, and nothing twice"
grep -v '"other": "dee"' cy.jsonl | sed 's/cy on/dee on/; s/{"item"/{"model": "dee", "item"/' >dee.jsonl
sed 's/cy/dee/g' critic.jsonl | grep dee >more.jsonl
cat more.jsonl >>critic.jsonl
for item in fog lamp boat toll; do
    echo "{\"model\": \"dee\", \"other\": \"cy\", \"item\": \"$item\", \"text\": \"B\"}"
    echo "{\"model\": \"cy\", \"other\": \"dee\", \"item\": \"$item\", \"text\": \"A\"}"
done >>critic.jsonl
sql audition.db "SELECT id, shown, choice, ended_ms FROM verdict ORDER BY id" >before
audition 0 import dee.jsonl latest
audition 0 judge latest --judge critic --json
is "$(sql audition.db "SELECT count(*) FROM verdict WHERE state = 'done'")" 24 "verdicts"
sql audition.db "SELECT id, shown, choice, ended_ms FROM verdict WHERE id <= 12 ORDER BY id" | cmp - before ||
    fail "old battles were played again"
audition 0 verify latest

echo "== both orders: a judge that is the same both ways"
audition 0 run both.yaml -m ann -m bob -m cy --judge critic --full
is "$(sql audition.db "SELECT value, n FROM score WHERE metric = 'swap-consistency'")" "1.0|12" "consistency"
# Nothing turned, so that the ratings are those of one order.
is "$(sql audition.db "SELECT count(DISTINCT printf('%.6f', value)) FROM score WHERE metric = 'score' AND subject = 'model/cy'
    AND run IN (SELECT id FROM run WHERE suite = 'both-ways')")" 1 "ratings"
says out 'same both ways'

echo "== Glicko-2 with the run as one period, which no order of battles can change"
sed 's/suite: next-line/suite: at-once/; s/also: \[glicko2\]/also: [glicko2], period: run/' suite.yaml >once.yaml
audition 0 run once.yaml -m ann -m bob -m cy --judge critic --db once.db --full
says out 'treats the whole run as one rating'
lacks out 'other orders'
audition 0 export latest --what battles -o once.csv --db once.db
audition 0 rank once.csv --system glicko2 --period all --json
is "$(sqlite3 :memory: "SELECT printf('%.6f', json_extract(CAST(readfile('out') AS TEXT), '\$.ratings[0].rating'))")" \
    "$(sql once.db "SELECT printf('%.6f', max(value)) FROM score WHERE metric = 'glicko2'")" "the best rating"
audition 0 verify latest --db once.db
sed 's/also: \[glicko2\]/period: run/' suite.yaml >wrong.yaml
audition 1 check wrong.yaml
says err "'period' requires also: [glicko2]"
sed 's/story\]/story], flagged: win/' suite.yaml >wrong.yaml
audition 1 check wrong.yaml
says err 'expected one of ignore, lose, drop'

echo "== sure or silent: another character, and no verdict, are asked once more and then unscored"
audition 3 run suite.yaml -m ann -m bob --judge lost --judge mute --json --db doubt.db
is "$(sql doubt.db "SELECT fault, count(*), min(repairs) FROM verdict WHERE state = 'unscored' GROUP BY fault")" \
    "no-verdict|4|1
other-character|3|1" "faults"
is "$(sql doubt.db "SELECT count(*) FROM verdict WHERE choice IS NOT NULL OR winner IS NOT NULL")" 0 "choices"
is "$(sql doubt.db "SELECT count(*) FROM score WHERE metric = 'score'")" 0 "ratings of nothing"

echo "== a battle of which one order was judged has no winner, on its page as on the board"
grep -v '"ann", "other": "bob", "item": "fog"' critic.jsonl >half.jsonl
printf '  - {name: half, kind: recorded, file: half.jsonl}\n' >>models.yaml
audition 3 run both.yaml -m ann -m bob --judge half --db half.db
audition 0 publish halves --db half.db
is "$(grep -rl 'This battle could not be judged' halves | wc -l) $(grep -rl 'ann wins this battle' halves | wc -l)" "1 3" "pages of battles"

echo "== a flagged answer: nothing, a defeat, or no battle; and a person may overrule it"
for model in ann bob; do
    for item in fog lamp boat toll; do
        echo "{\"item\": \"$item\", \"text\": \"$model stays with the lamp on $item night after night\"}"
        [ $model = ann ] || echo "{\"item\": \"$item\", \"repeat\": 1, \"text\": \"Who goes there? I, and the $item.\"}"
        [ $model = bob ] || echo "{\"item\": \"$item\", \"repeat\": 1, \"text\": \"$model stays with the lamp on $item night after night!\"}"
    done >"$model-two.jsonl"
done
sed 's/"item"/"repeat": 1, "item"/' critic.jsonl | cat critic.jsonl - >critic-two.jsonl
sed 's/\(ann\|bob\|critic\).jsonl/\1-two.jsonl/' models.yaml >two.yaml
for flagged in ignore lose drop; do
    sed "s/suite: next-line/suite: $flagged/; s/story\\]/story], flagged: $flagged/; s/first-line}/first-line, repeats: 2}/" suite.yaml >$flagged.yaml
    echo 'rules: {duplicate: {threshold: 0.8, then: zero}}' >>$flagged.yaml
    audition 0 run $flagged.yaml -m ann -m bob --judge critic -c two.yaml --db flagged.db
    is "$(sql flagged.db "SELECT count(*) FROM flag f JOIN run r ON r.id = f.run WHERE r.suite = '$flagged' AND f.kind = 'duplicate'")" 4 "flags"
done
wins()
{
    sql flagged.db "SELECT x.suite, s.value, s.n FROM score s JOIN run x ON x.id = s.run WHERE s.subject = 'model/ann' AND s.metric = 'wins' ORDER BY x.id"
}
is "$(wins)" "ignore|8.0|8
lose|4.0|8
drop|4.0|4" "wins"
audition 0 board --db flagged.db
says out '4 judged battles were left out for a flagged answer'
audition 0 verify latest --db flagged.db
run=$(sql flagged.db "SELECT name FROM run WHERE suite = 'lose'")
audition 0 board "$run" --db flagged.db
says out '4 battles were decided by a flagged answer, not by the judge'
audition 0 flag "$run" "$(sql flagged.db "SELECT min(f.id) FROM flag f JOIN run r ON r.id = f.run WHERE r.suite = 'lose' AND f.kind = 'duplicate'")" --overrule --by Eva --why "a refrain" --db flagged.db
is "$(wins | sed -n 2p)" "lose|5.0|8" "wins after overruling"

echo "== models that never met do not stand in one table"
grep -E '"(ann|bob)", "other": "(ann|bob)"|"(cy|dee)", "other": "(cy|dee)"' critic.jsonl >split.jsonl
sed 's/{"model": "dee", /{/' dee.jsonl >dee-only.jsonl
cat >>models.yaml <<'END'
  - {name: dee, kind: recorded, file: dee-only.jsonl}
  - {name: split, kind: recorded, file: split.jsonl}
END
audition 3 run suite.yaml -m ann -m bob -m cy -m dee --judge split --db apart.db
audition 0 board --db apart.db
says out 'Group 1: these models met each other'
says out 'Group 2: these models met each other'
says out '2 groups of models never met each other'
audition 0 report latest -o apart.md --db apart.db
says apart.md 'Group 2: '
audition 0 report latest -o apart.html --db apart.db
says apart.html 'Group 2: '
is "$(sql apart.db "SELECT subject, value FROM score WHERE metric = 'group' ORDER BY subject")" \
    "model/ann|1.0
model/bob|1.0
model/cy|2.0
model/dee|2.0" "groups"

echo "== over the wire: a judge that always takes the first gets ties, and is told on"
start "$MOCKLLM" --port 0 --port-file port --stop-after 300 --log requests
until_true "the endpoint" 10 test -s port
cat >models.yaml <<END
models:
  - {name: one, base_url: "http://127.0.0.1:$(cat port)/v1", model: chat-a}
  - {name: two, base_url: "http://127.0.0.1:$(cat port)/v1", model: chat-b}
  - {name: three, base_url: "http://127.0.0.1:$(cat port)/v1", model: chat-c}
  - {name: fair, base_url: "http://127.0.0.1:$(cat port)/v1", model: judge-pair}
  - {name: hasty, base_url: "http://127.0.0.1:$(cat port)/v1", model: judge-first}
END
audition 0 run both.yaml -m one -m two --judge hasty --db wire.db --full
says out 'turned to ties'
is "$(sql wire.db "SELECT metric, value FROM score WHERE metric IN ('inconsistent', 'position-bias', 'ties') ORDER BY 1, 2")" \
    "inconsistent|4.0
position-bias|1.0
ties|4.0
ties|4.0" "ties"
# Blind: no name and no model id in what the judge was sent; both answers, fenced.
is "$(sql wire.db "SELECT count(*) FROM call WHERE request LIKE '%judge-first%' AND (request LIKE '%chat-a%' OR request LIKE '%\"two\"%')")" 0 "names"
is "$(sql wire.db "SELECT count(*) FROM call c JOIN verdict v ON v.call = c.id JOIN sample a ON a.id = v.sample
    JOIN sample b ON b.id = v.other WHERE c.request LIKE '%fits the story%'
    AND c.request LIKE '%' || substr(a.answer, 1, 20) || '%' AND c.request LIKE '%' || substr(b.answer, 1, 20) || '%'")" 8 "both answers"
audition 0 verify latest --db wire.db

echo "== a run with one more model reuses every battle that was played"
audition 0 run suite.yaml -m one -m two --judge fair --db wire.db
asked=$(sql wire.db "SELECT count(*) FROM call")
audition 0 run suite.yaml -m three -m two -m one --judge fair --db wire.db
# Four answers of the new model, and eight battles that it takes part in.
is "$(sql wire.db "SELECT count(*) FROM call")" $((asked + 4 + 8)) "requests"
audition 0 verify latest --db wire.db

echo "== silence loses where the suite says so, in one order or in both, and counts nowhere else"
sed 's/bob on fog/ /' bob.jsonl >hush.jsonl
sed 's/"bob"/"hush"/g' critic.jsonl >heard.jsonl
cat >models.yaml <<'MODELS'
models:
  - {name: ann, kind: recorded, file: ann.jsonl}
  - {name: hush, kind: recorded, file: hush.jsonl}
  - {name: cy, kind: recorded, file: cy.jsonl}
  - {name: heard, kind: recorded, file: heard.jsonl}
MODELS
# battles DB: of hush, then all that judges were asked about
battles()
{
    sql "$1" "SELECT n FROM score WHERE subject = 'model/hush' AND metric = 'score'"
    sql "$1" "SELECT count(*) FROM verdict"
}
sed 's/^score/rules: {empty: note}\nscore/' suite.yaml >noted.yaml
audition 3 run noted.yaml -m ann -m hush -m cy --judge heard --db noted.db
is "$(battles noted.db | paste -sd' ')" "6 10" "battles where silence is noted"
for orders in suite both; do
    sed 's/^score/rules: {empty: zero}\nscore/' $orders.yaml >strict.yaml
    audition 3 run strict.yaml -m ann -m hush -m cy --judge heard --db strict-$orders.db
    audition 0 verify latest --db strict-$orders.db
    audition 0 export latest --what battles -o strict-$orders.csv --db strict-$orders.db
    audition 0 rank strict-$orders.csv --json
    is "$(sqlite3 :memory: "SELECT json_extract(value, '\$.model'), printf('%.6f', json_extract(value, '\$.rating'))
        FROM json_each(CAST(readfile('out') AS TEXT), '\$.ratings') ORDER BY 1")" \
        "$(sql strict-$orders.db "SELECT substr(subject, 7), printf('%.6f', value) FROM score WHERE metric = 'score' AND subject LIKE 'model/%' ORDER BY 1")" \
        "ratings from the file of $orders"
done
is "$(battles strict-suite.db | paste -sd' ')" "8 10" "battles where silence loses"
is "$(battles strict-both.db | paste -sd' ')" "8 20" "battles in both orders"
# It lost both: cy, who won only in the boat, is ahead of what it was.
lower="SELECT value FROM score WHERE subject = 'model/hush' AND metric = 'score'"
awk -v a="$(sql strict-suite.db "$lower")" -v b="$(sql noted.db "$lower")" 'BEGIN { exit !(a < b) }' || fail "silence did not lose"
