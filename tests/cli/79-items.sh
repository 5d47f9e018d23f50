#!/usr/bin/env bash
# What items tell: hard ones, those that go with the rest or against it, judges who split, twins; and a
# run of the most telling ones.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

# Nine models of rising ability on twelve items. i0: nobody differs; i1: the better ones do worse; i2
# and i3: the same marks, which follow no order; i4: judges far apart; the others follow the ability.
awk 'BEGIN {
    srand(3)
    for (m = 0; m < 9; m++) {
        odd[m] = (m * 5 + 2) % 9 / 2
        for (i = 0; i < 12; i++) {
            printf "{\"item\": \"i%d\", \"text\": \"answer to %d by %d\"}\n", i, i, m >("m" m ".jsonl")
            v = i == 0 ? 2 : i == 1 ? 6 - m / 2 : i < 4 ? 2 + odd[m] : 1 + m * (0.2 + i / 24) + rand() / 2
            for (j = 0; j < 2; j++)
                printf "{\"model\": \"m%d\", \"item\": \"i%d\", \"text\": \"{\\\"quality\\\": {\\\"score\\\": %.3f}}\"}\n", m, i, v + (i == 4 && j ? 4 : 0) >("j" j ".jsonl")
        }
    }
    for (i = 0; i < 12; i++)
        printf "{\"id\": \"i%d\", \"prompt\": \"Question %d?\", \"card\": {\"skills\": [\"a\"], \"difficulty\": %d, \"hard\": \"b\", \"weak\": \"c\"}}\n", i, i, i == 4 ? 5 : 3 >"items.jsonl"
}'
for name in m0 m1 m2 m3 m4 m5 m6 m7 m8 j0 j1; do
    echo "  - {name: $name, kind: recorded, file: $name.jsonl}"
done | { echo models:; cat; } >models.yaml
cat >suite.yaml <<'E'
suite: quiz
language: en
instrument:
  kind: dimensions
  dimensions: [{id: quality, scale: 0..10, step: any}]
score: {kind: mean-of-items}
items: items.jsonl
E
all=(-m m0 -m m1 -m m2 -m m3 -m m4 -m m5 -m m6 -m m7 -m m8 --judge j0 --judge j1)
# of ITEM KEY: out of the JSON in out
of() { grep -o "{\"item\":\"$1\",[^}]*}" out | head -n 1 | sed "s/.*\"$2\":\([^,}]*\).*/\1/"; }
between() { awk -v l="$1" -v x="$2" -v h="$3" 'BEGIN { exit !(x >= l && x <= h) }' || fail "$4: $2 is not in $1 to $3"; }

expect 1 run suite.yaml -m m0 --judge j0 --subset 5 -q
says err "run all items first"
expect 0 run suite.yaml "${all[@]}" -q
expect 0 items analyse latest
says out "12 items, 9 models, 2 judges; the most informative first" "with the rest" "judges apart" "Items that measure the same thing" "difficulty"
expect 0 items analyse latest --limit 3
says out "9 more items: --limit 0 shows all"
expect 0 items analyse latest --json
is "$(of i0 discrimination)" null "an item on which nobody differs"
between -1 "$(of i1 discrimination)" -0.9 "an item that goes against the rest"
between 0.9 "$(of i11 discrimination)" 1 "an item that goes with the rest"
between 0.35 "$(of i4 split)" 0.45 "judges four of ten apart"
is "$(of i5 split)" "0.0" "judges who agree"
between -9 "$(of i11 outfit)" 1 "outfit"
is "$(of i4 guess) $(of i4 difficulty)" "5.0 1.0" "an item that its author took for hard, and that was the easiest"
is "$(of i0 guess) $(of i0 difficulty)" "3.0 5.0" "the hardest, by what came of it"
says out '"one":"i2","other":"i3","correlation":'
grep -o '"item":"[^"]*"' out | head -n 1 | grep -q '"i1[01]"' || fail "the most telling item is none of the steepest"
expect 0 items analyse latest --judge j0 --json
is "$(of i4 split)" null "one judge"
is "$(of i0 worth)" "0.0" "an item that tells nothing"
expect 0 run suite.yaml -m m0 --judge j0 -q --db one.db
expect 0 items analyse latest --json --db one.db
is "$(of i5 worth)" null "what an item tells of one model"
expect 2 items one.jsonl two.jsonl
says err "items analyse RUN"
expect 2 items analyse
says err "items analyse RUN"

# what was measured replaces the guess, which stays visible as one; an item with other words is another one
printf 'collection: quizzes\ncanary: none\nsuites:\n  - {file: suite.yaml, kind: quiz}\n' >bench.yaml
: >empty.db
expect 0 bench info bench.yaml --json --db empty.db # as a PostgreSQL database is before its first run
expect 0 bench info bench.yaml --json --db nothing.db
says out '"measured":0,"by_difficulty":[0,0,11,0,1],"by_guess":[0,0,11,0,1]'
expect 0 run suite.yaml -m m0 -m m1 --judge j0 -q --db two.db
expect 0 bench info bench.yaml --json --db two.db
says out '"measured":0,"by_difficulty":[0,0,11,0,1]'
expect 0 items analyse latest --json --db two.db
is "$(of i4 difficulty) $(of i4 measured)" "5.0 null" "a guess, where two models answered"
sed 's/score\\": [0-9.]*/score\\": 5/' j0.jsonl >flat.jsonl
echo '  - {name: flat, kind: recorded, file: flat.jsonl}' >>models.yaml
expect 0 run suite.yaml -m m0 -m m1 -m m2 --judge flat -q --db flat.db
expect 0 bench info bench.yaml --json --db flat.db
says out '"measured":0,"by_difficulty":[0,0,11,0,1]'
expect 0 bench info bench.yaml --json
says out '"measured":12,"by_difficulty":[3,2,3,2,2],"by_guess":[0,0,11,0,1]'
expect 0 bench info bench.yaml
says out "3 2 3 2 2"
expect 0 publish pages
item=$(grep -rl "Question 4?" pages/runs/*/item* | head -n 1)
says "$item" "1 · measured" "author&#39;s guess"
cp items.jsonl kept.jsonl
sed -i 's/Question 4?/Quite another question?/' items.jsonl
expect 0 bench info bench.yaml --json
says out '"measured":11,'
mv kept.jsonl items.jsonl

# only the most telling ones, and the same command finds the same run
expect 0 run suite.yaml "${all[@]}" --subset 4 -q --json
says out '"samples":{"planned":36,"done":36'
expect 0 run suite.yaml "${all[@]}" --subset 4
says err "4 items were chosen: the most informative ones in run"
expect 0 items analyse latest --json
lacks out '"item":"i0"'
lacks out '"item":"i1"'
says out '"item":"i11"'
is "$("$AUDITION" list --json | grep -o '"samples":' | wc -l)" 2 "runs"
expect 0 verify latest
expect 0 run suite.yaml "${all[@]}" --subset 1
says err "1 item was chosen: the most informative one in run"
expect 2 run suite.yaml -m m0 --subset 4 --limit 3

# Battles: m4 beats m3 and so on. On i1 the order is upside down, on i2 the one shown first wins, on i3
# the second judge sees it the other way.
for m in 0 1 2 3 4; do for o in 0 1 2 3 4; do for i in 0 1 2 3 4 5; do
    [ $m = $o ] || echo $m $o $i
done; done; done | awk '{
    for (j = 0; j < 2; j++) {
        a = $1 > $2
        if ($3 == 1 || ($3 == 3 && j)) a = !a
        if ($3 == 2) a = 1
        printf "{\"model\": \"m%d\", \"other\": \"m%d\", \"item\": \"i%d\", \"text\": \"{\\\"winner\\\": \\\"%s\\\"}\"}\n", $1, $2, $3, a ? "A" : "B" >("b" j ".jsonl")
    }
}'
printf '  - {name: b%d, kind: recorded, file: b%d.jsonl}\n' 0 0 1 1 >>models.yaml
head -n 6 items.jsonl >six.jsonl
cat >battles.yaml <<'E'
suite: duel
language: en
instrument: {kind: pair, criteria: [better], orders: both}
score: {kind: rating, headline: bradley-terry}
items: six.jsonl
E
five=(-m m0 -m m1 -m m2 -m m3 -m m4 --judge b0 --judge b1)
expect 0 run battles.yaml "${five[@]}" -q
expect 0 items analyse latest
says out "6 items, 5 models, 2 judges; the most informative first" "turns with order" "Battles do not show"
lacks out "outfit"
lacks out "guess"
expect 0 items analyse latest --json
between 0.9 "$(of i0 discrimination)" 1 "an item that follows the order of the models"
between -1 "$(of i1 discrimination)" -0.9 "an item on which the order is upside down"
is "$(of i2 turned) $(of i0 turned)" "1.0 0.0" "winners that turn with the order"
is "$(of i2 discrimination)" null "an item on which everybody wins half"
is "$(of i3 split) $(of i0 split)" "1.0 0.0" "judges who split"
is "$(of i0 mean) $(of i0 measured)" "null null" "battles know no hard items"
expect 0 run battles.yaml "${five[@]}" --subset 3 -q --json
expect 0 items analyse latest --json
says out '"item":"i0"' '"item":"i4"' '"item":"i5"'
lacks out '"item":"i1"'
