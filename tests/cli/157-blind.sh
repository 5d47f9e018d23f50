#!/usr/bin/env bash
# Before a campaign is unmasked: an analyst who may also open the run, and knows how everything is computed,
# lays the results, the exports and the run side by side.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

password='correct horse battery'
sed -n '/^items:/q; p' <(gate /dev/stdout) >suite.yaml
echo 'items:' >>suite.yaml
echo 'models:' >models.yaml
for model in ann bob cid judge; do
    echo "  - {name: $model, kind: recorded, file: $model.jsonl}" >>models.yaml
done
echo rater,passage,system,dimension,value,comment >ratings.csv
for item in 1 2 3 4 5 6 7 8; do
    echo "  - {id: i$item, prompt: \"What of $item?\", reference: \"Of $item.\"}" >>suite.yaml
    for model in ann bob cid; do
        case $model in
        ann) n=$((item % 5)) word=amber ;;
        bob) n=$((item * item % 6)) word=birch ;;
        *) n=$((5 - item / 2)) word=cedar ;;
        esac
        printf '{"item": "i%s", "text": "The %s, on %s."}\n' $item $word $item >>$model.jsonl
        printf '{"item": "i%s", "model": "%s", "text": "{\\"overall\\": {\\"analysis\\": \\"-\\", \\"score\\": %s}, \\"fluent\\": {\\"analysis\\": \\"-\\", \\"score\\": 1}}"}\n' \
            $item $model $n >>judge.jsonl
        [ $item -le 6 ] || continue # two that nobody rated
        for rater in r1 r2 r3; do
            echo "$rater,i$item,$model,overall,$(((n + item + ${rater#r}) % 6)),the $word is odd" >>ratings.csv
            echo "$rater,i$item,$model,fluent,1," >>ratings.csv
        done
    done
done
audition 0 run suite.yaml -m ann -m bob -m cid --judge judge -q
run=$(sql audition.db "SELECT name FROM run")
audition 0 campaign import ratings.csv --run latest --name veiled
sql audition.db "UPDATE rating SET quotes = '[\"' || (SELECT answer FROM sample s WHERE s.id = rating.sample) || '\"]' WHERE dimension = 'fluent'" >/dev/null
audition 0 campaign results veiled --json

# What an attacker makes of outcomes.json, ratings.jsonl, samples.jsonl and verdicts.jsonl: a line for each way
# in which masks fall.
cat >attack.py <<'EOF2'
import collections, itertools, json
lines = lambda name: [json.loads(l) for l in open(name) if l.strip()]
outcomes, ratings = json.load(open("outcomes.json"))["outcomes"], lines("ratings.jsonl")
samples, verdicts = lines("samples.jsonl"), lines("verdicts.jsonl")
masks = sorted({r["system"] for r in ratings})
models = sorted({s["model"] for s in samples})
human, n = collections.Counter(), collections.Counter()
for r in ratings:
    if r["dimension"] == "overall" and r["value"] is not None:
        human[r["system"], r["passage"]] += r["value"]
        n[r["system"], r["passage"]] += 1
ai = {(v["model"], v["item"]): v["marks"]["overall"]["value"] for v in verdicts}
orders = collections.defaultdict(list)
for r in ratings:
    if r["system"] not in orders[r["rater"], r["passage"]]:
        orders[r["rater"], r["passage"]].append(r["system"])
places = {(r["system"], r["place"]) for r in ratings}
if len({tuple(o) for o in orders.values()}) == 1 or len(places) == 3:
    print("by the order of lines")
assert len(masks) == 3 and len(ai) == 24, (masks, len(ai))

def pearson(pairs):
    x, y = zip(*pairs)
    mx, my = sum(x) / len(x), sum(y) / len(y)
    top = sum((a - mx) * (b - my) for a, b in pairs)
    return top / (sum((a - mx) ** 2 for a in x) * sum((b - my) ** 2 for b in y)) ** .5

level = [o for o in outcomes if o["metric"] == "over:fluent" and o["value"] == 0]
if any(o["subject"] > "system/" + o["other"] for o in level):
    print("by the order of those that are level:", [(o["subject"], o["other"]) for o in level])
assert len(level) == 3, level
for o in outcomes:
    if o["subject"] == "dimension/overall" and o["metric"] == "ai:pearson":
        fits = [p for p in itertools.permutations(models)
                if abs(pearson([(human[k] / n[k], ai[dict(zip(masks, p))[k[0]], k[1]]) for k in n]) - o["value"]) < 1e-9]
        print("by agreement:", fits)
    if o["metric"] == "ppi:overall":
        print("by the estimate with AI judges:", o["subject"], o["value"], o["method"])
for r in ratings:
    for s in samples:
        for words in [r["comment"]] + json.loads(r["quotes"] or "[]"):
            if any(w in s["answer"] for w in words.split() if len(w) > 3):
                print("by words:", r["system"], s["model"])
EOF2

# attack JAR: with what this person can fetch
attack()
{
    ask 200 "$1" /api/v1/campaigns/veiled/results && cp page outcomes.json
    ask 200 "$1" /campaigns/veiled/ratings.jsonl && cp page ratings.jsonl
    python3 attack.py >found
}

serve site
post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode "password=$password"
for who in lyn:analyst mia:member; do
    post 303 ada /accounts /accounts -d name=${who%:*} -d role=${who#*:} --data-urlencode "password=$password"
    post 303 ${who%:*} /login /login -d name=${who%:*} --data-urlencode "password=$password"
done
post 303 ada /campaigns/veiled/people /campaigns/veiled/people -d act=add -d name=mia -d role=analyst

for what in samples verdicts; do
    ask 200 lyn "/api/v1/runs/$run/$what" && cp page $what.jsonl
done

echo "== an analyst: no number of AI judges and no word leads from a mask to a model"
attack lyn
is "$(cat found)" '' "what an analyst finds"
ask 200 lyn /campaigns/veiled/results
says page 'system-' 'Numbers that involve AI judges' 'You can open the run' 'no comments or quotations'
lacks page 'With AI judges' 'Humans and AI judges' '>ann<' '>bob<' '>cid<'
ask 200 lyn /campaigns/veiled/results -H 'Accept-Language: zh'
says page 'AI 评委参与' '您可以打开该运行'
ask 200 lyn /campaigns/veiled/results -H 'Accept-Language: ja'
says page 'AI 審査役が関わる数値' '実行のページも開けます'
for form in csv jsonl; do
    ask 200 lyn "/campaigns/veiled/ratings.$form"
    says page system- i6
    lacks page amber birch cedar bob cid
done

echo "== who may not open the run is not told of it"
ask 200 mia /campaigns/veiled/results
says page 'system-' 'no comments or quotations'
lacks page 'You can open the run'
ask 403 mia "/runs/$run"

echo "== so it is in a terminal and in a report"
audition 0 campaign results veiled
says out 'system-' 'Numbers that involve AI judges'
lacks out 'Humans and AI judges' 'Spearman'
audition 0 campaign results veiled --json
lacks out '"ai:' '"ppi'
for form in md json csv html; do
    audition 0 report campaign:veiled -o report.$form
    lacks report.$form 'With AI judges' ppi bob cid
done
says report.md 'Numbers that involve AI judges'
lacks report.md Spearman

echo "== who may unmask reads what raters wrote, and is told what the run shows"
ask 200 ada /campaigns/veiled/ratings.csv
says page 'is odd' 'The cedar, on'
ask 200 ada /campaigns/veiled/results
says page 'You can open the run'
lacks page 'no comments or quotations' 'With AI judges'

echo "== unmasked: everything, to everybody who has the results"
audition 0 campaign unmask veiled
ask 200 lyn /campaigns/veiled/results
says page 'With AI judges' 'Spearman' ann
lacks page 'Numbers that involve AI judges' 'You can open the run' 'no comments or quotations'
attack lyn
says found 'by agreement' 'by the estimate' 'by words'
audition 0 campaign results veiled
says out 'Spearman' 'With AI judges'

echo "== pairs: no rating that goes by how long a system's answers are, which the run shows"
sed 's/^suite: .*/suite: duel/; s/^  kind: dimensions/  kind: pair/; s/^  dimensions:/  criteria: [better]/; /^    - {id:/d; s/kind: totals/kind: rating/' suite.yaml >duel.yaml
sed -i 's/, on/, at some length and then some more, on/' cid.jsonl
echo rater,passage,system,other_system,dimension,value >duel.csv
for item in 1 2 3 4 5 6 7 8; do
    for pair in ann,bob bob,cid cid,ann; do
        for rater in 1 2 3; do
            echo "r$rater,i$item,$pair,choice,$(((item + rater) % 2))" >>duel.csv
        done
    done
done
audition 0 run duel.yaml -m ann -m bob -m cid -q
audition 0 campaign import duel.csv --run latest --name duel
for form in json csv md html; do
    audition 0 report latest --judge campaign:duel -o duel.$form
    says duel.$form system-
    lacks duel.$form 'controlled,1' '"controlled":{' 'style:length' 'adjusted for length and style'
done
audition 0 board latest --judge campaign:duel --full
says out system-
lacks out 'length and style' 'How style influences'
audition 0 campaign unmask duel
audition 0 board latest --judge campaign:duel --full
says out 'length and style' 'How style influences'
