#!/usr/bin/env bash
# Where the noise comes from, how much more it takes, and going on until it is enough.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

# Marks with known sources: items (sd 1.2), answers (0.6), judges (0.8 apart) and chance (0.5).
cat >make.awk <<'E'
function normal(   s, i) { s = 0; for (i = 0; i < 12; i++) s += rand(); return s - 6 }
BEGIN {
    srand(7)
    for (i = 0; i < items; i++) {
        effect[i] = 1.2 * normal()
        for (m = 0; m < 2; m++)
            for (r = 0; r < 2; r++) {
                answer[m, i, r] = 0.6 * normal()
                printf "{\"item\": \"i%d\", \"repeat\": %d, \"text\": \"answer %d of %d by %d\"}\n", i, r, r, i, m >("m" m ".jsonl")
            }
    }
    for (j = 0; j < 3; j++)
        for (m = 0; m < 2; m++)
            for (i = 0; i < items; i++)
                for (r = 0; r < 2; r++) {
                    v = 5 + m + effect[i] + answer[m, i, r] + (j - 1) * 0.8 + 0.5 * normal()
                    v = v < 0 ? 0 : v > 10 ? 10 : v
                    printf "{\"model\": \"m%d\", \"item\": \"i%d\", \"repeat\": %d, \"text\": \"{\\\"quality\\\": {\\\"score\\\": %.2f}}\"}\n", m, i, r, v >("j" j ".jsonl")
                }
    for (i = 0; i < items; i++)
        printf "{\"id\": \"i%d\", \"prompt\": \"Question %d?\"}\n", i, i >"items.jsonl"
}
E
awk -v items=60 -f make.awk
for name in m0 m1 j0 j1 j2; do
    echo "  - {name: $name, kind: recorded, file: $name.jsonl}"
done | { echo models:; cat; } >models.yaml
cat >suite.yaml <<'E'
suite: quiz
language: en
elicit: {kind: single, repeats: 2}
instrument:
  kind: dimensions
  dimensions: [{id: quality, scale: 0..10, step: any}]
score: {kind: mean-of-items}
items: items.jsonl
E

# share SOURCE: out of the JSON in out
share() { sed 's/.*"noise":\[//' out | grep -o "\"source\":\"$1\"[^}]*" | sed 's/.*"share":\([0-9.e-]*\).*/\1/'; }
# between LOW VALUE HIGH WHAT
between() { awk -v l="$1" -v x="$2" -v h="$3" 'BEGIN { exit !(x >= l && x <= h) }' || fail "$4: $2 is not in $1 to $3"; }

expect 0 run suite.yaml -m m0 -m m1 --judge j0 --judge j1 --judge j2 -q
says out "Where the noise comes from: items " "· judges " "· repeated answers "
expect 0 board --json
between 0.05 "$(share items)" 0.15 "items"
between 0.80 "$(share judges)" 0.95 "judges"
between 0.001 "$(share rest)" 0.01 "rest"
is "$(for s in items judges answers items-by-judges rest; do share $s; done | awk '{ n += $1 } END { printf "%.9f", n }')" "1.000000000" "all shares"
expect 0 board --full
says out "sd of one mark" "share of the noise, %"
# one judge: items and answers remain
expect 0 board --judge j0 --json
between 0.7 "$(share items)" 0.95 "items of one judge"
is "$(share judges)" "" "one judge has no variance"
for form in md html csv; do
    expect 0 report latest -o "r.$form"
done
says r.md "## Where the noise comes from" "| judges | 3 |"
says r.html "Where the noise comes from"
says r.csv ",noise:items," ",variance:judges,"
expect 0 verify
says out "no differences"

# what it would take
expect 0 plan-size --half-width 0.25
says out "60 items, 2 answers to each, 3 judges, 1 verdict by each" "cheapest first" "(at best)"
expect 0 plan-size --half-width 0.25 --json
items=$(grep -o '"more":"items","items":[0-9]*' out | grep -o '[0-9]*$')
half=$(sed 's/.*"half_width":\([0-9.]*\),"widest".*/\1/' out)
# the width goes with the root of the number
between 0.95 "$(awk -v n="$items" -v h="$half" 'BEGIN { print n * 0.25^2 / (60 * h^2) }')" 1.05 "items"
expect 0 plan-size --half-width 3
says out "a half-width of 3 is reached"
expect 2 plan-size
says err "--half-width X"
expect 2 plan-size --half-width -1
expect 2 plan-size --half-width 0
says err "greater than 0"

if command -v sqlite3 >/dev/null; then
    sqlite3 audition.db "UPDATE score SET value = value / 2 WHERE metric = 'variance:judges' AND jury = ''"
    expect 1 verify
    says err "run/noise variance:judges"
fi

# asked() until the intervals are narrow enough: a random part, at least 20
asked() { "$AUDITION" board --json | grep -o '"done":[0-9]*' | head -n 1 | tr -dc 0-9; }
rm -f audition.db
expect 0 run suite.yaml -m m0 -m m1 --judge j0 --judge j1 --judge j2 -q --until half-width=3
says err "20 of 60 items were asked: no half-width exceeds 3"
is "$(asked)" 40 "answers of a model"
# the same command goes on from there
expect 0 run suite.yaml -m m0 -m m1 --judge j0 --judge j1 --judge j2 -q --until half-width=0.4
says err "of 60 items were asked: no half-width exceeds 0.4"
lacks err "20 of 60"
some=$(asked)
between 42 "$some" 118 "answers of a model"
expect 0 run suite.yaml -m m0 -m m1 --judge j0 --judge j1 --judge j2 -q --until half-width=0.4
is "$(asked)" "$some" "nothing more is asked"
expect 0 verify
# and without it, asks the rest: the run is the same
expect 0 run suite.yaml -m m0 -m m1 --judge j0 --judge j1 --judge j2 -q
is "$(asked)" 120 "answers of a model"
is "$("$AUDITION" list --json | grep -o '"samples":' | wc -l)" 1 "runs"
expect 0 run suite.yaml -m m0 -m m1 --judge j0 -q --seed 3 --until half-width=0.01
says err "every item (60) was asked: a half-width of 0.01 is not reached" "plan-size --half-width 0.01"
# where there are fewer than 20, they are asked all, and the width is what it is
expect 0 run suite.yaml -m m0 --judge j0 -q --seed 4 --limit 12 --until half-width=5
says err "12 of 12 items were asked: no half-width exceeds 5"
expect 0 run suite.yaml -m m0 --judge j0 -q --seed 4 --limit 12 --until half-width=0.01
says err "every item (12) was asked: a half-width of 0.01 is not reached"
expect 2 run suite.yaml -m m0 --judge j0 --until width=1
says err "write half-width=0.3"

# sums and totals grow with their items, and so do their intervals
sed 's/mean-of-items/totals/' suite.yaml >totals.yaml
expect 2 run totals.yaml -m m0 --judge j0 -q --until half-width=3
says err "the interval of a total grows"
expect 0 run totals.yaml -m m0 --judge j0 -q
expect 0 plan-size --half-width 3
says out "for the present number of items"
