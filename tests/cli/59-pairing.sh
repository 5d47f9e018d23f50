#!/usr/bin/env bash
# Battles that are chosen: a budget, a deviation that is wanted, the same picks however often the
# run was stopped, a judge that comes later, and what is said about it.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

# Eight models of falling strength, thirty items; who wins follows from strength and a little noise.
{
    cat <<'END'
suite: chosen
language: en
elicit: {kind: single}
instrument: {kind: pair, criteria: [good]}
score: {kind: rating}
items:
END
    for i in $(seq 30); do echo "  - {id: i$i, prompt: Situation $i.}"; done
} >suite.yaml
echo models: >models.yaml
for m in a b c d e f g h; do
    for i in $(seq 30); do echo "{\"item\": \"i$i\", \"text\": \"$m says $i\"}"; done >$m.jsonl
    echo "  - {name: $m, kind: recorded, file: $m.jsonl}" >>models.yaml
done
awk 'BEGIN {
    for (i = 1; i <= 30; i++) for (x = 0; x < 8; x++) for (y = 0; y < 8; y++) {
        if (x == y) continue
        low = x < y ? x : y; high = x < y ? y : x
        upset = (i * 37 + low * 11 + high * 5) % 100 < 45 - 5 * (high - low)
        first = (x < y) != upset
        printf "{\"model\": \"%c\", \"other\": \"%c\", \"item\": \"i%d\", \"text\": \"%s\"}\n", 97 + x, 97 + y, i, first ? "A" : "B"
    } }' >critic.jsonl
cp critic.jsonl second.jsonl
cat >>models.yaml <<'END'
  - {name: critic, kind: recorded, file: critic.jsonl}
  - {name: second, kind: recorded, file: second.jsonl}
END
all=(-m a -m b -m c -m d -m e -m f -m g -m h --judge critic)

# battles DATABASE: who met whom on what, shown how, by which judge
battles()
{
    sql "$1" "SELECT j.name, i.name, s.repeat, ma.name, mb.name, v.shown, v.winner = s.model FROM verdict v JOIN judge j ON j.id = v.judge
        JOIN sample s ON s.id = v.sample JOIN sample o ON o.id = v.other JOIN item i ON i.id = s.item
        JOIN model ma ON ma.id = s.model JOIN model mb ON mb.id = o.model ORDER BY 1, 2, 3, 4, 5, 6"
}

echo "== a budget of battles"
audition 0 run suite.yaml "${all[@]}" --budget-battles 60 --dry-run
says out '240 samples, 60 verdicts'
audition 0 run suite.yaml "${all[@]}" --budget-battles 60 --json --db one.db
says out '"pairing":{"battles":60,"possible":840,"largest_rd":' '"round_robin":'
is "$(sql one.db "SELECT count(*) FROM verdict WHERE state = 'done'")" 60 "verdicts"
# Everybody took part, and items were spread.
is "$(sql one.db "SELECT count(*) FROM (SELECT s.model FROM verdict v JOIN sample s ON s.id IN (v.sample, v.other)
    GROUP BY s.model HAVING count(*) >= 4)")" 8 "models in battle"
is "$(sql one.db "SELECT count(*), min(n) >= 1, max(n) > min(n), max(n) <= 3 * min(n) + 3 FROM (SELECT count(*) AS n FROM verdict v JOIN sample s ON s.id = v.sample
    GROUP BY s.item)")" "30|1|1|1" "battles of an item"
audition 0 run suite.yaml "${all[@]}" --budget-battles 60 --db one.db
says out 'nothing left to ask'
says out '60 of 840 battles judged, largest RD' 'a round robin would have needed about'
audition 0 board --db one.db
says out 'the most informative battles were chosen: 60 judged of 840 possible' 'widened by 1.1'
audition 0 report latest -o one.json --db one.db
says one.json '"pairing":{"battles":{"value":60'
audition 0 verify latest --db one.db

echo "== the same in steps, in another order of models, and without a word when it is resumed"
audition 0 run suite.yaml -m h -m c -m a -m b -m g -m d -m f -m e --judge critic --budget-battles 20 --db two.db
is "$(sql two.db "SELECT count(*) FROM verdict")" 20 "verdicts"
audition 0 run --resume latest --db two.db
is "$(sql two.db "SELECT count(*) FROM verdict")" 20 "the budget is kept"
audition 0 run --resume latest --budget-battles 60 --db two.db
pairs()
{
    battles "$1" | awk -F'|' '{ if ($4 > $5) print $2, $5, $4; else print $2, $4, $5 }' | sort
}
pairs one.db >one.pairs
pairs two.db | cmp - one.pairs || fail "other battles were chosen"

echo "== a deviation that is wanted: fewer battles than all, and the more the smaller it is"
audition 0 run suite.yaml "${all[@]}" --target-rd 110 --json --db rd.db
wide=$(sql rd.db "SELECT count(*) FROM verdict")
audition 0 run --resume latest --target-rd 90 --json --db rd.db
narrow=$(sql rd.db "SELECT count(*) FROM verdict")
if [ "$wide" -ge "$narrow" ] || [ "$narrow" -ge 400 ]; then fail "$wide and $narrow battles"; fi
is "$(sql rd.db "SELECT value <= 90, value > 75 FROM score WHERE metric = 'largest-rd'")" "1|1" "the deviation"
is "$(sql rd.db "SELECT value > 0 FROM score WHERE metric = 'round-robin'")" 1 "a round robin"
audition 0 verify latest --db rd.db

echo "== a judge that comes later is given the same battles, and no other"
audition 0 judge latest --judge second --db one.db
is "$(battles one.db | grep -c '^second')" 60 "battles of the second judge"
battles one.db | sed -n 's/^second//p' >second.list
battles one.db | sed -n 's/^critic//p' | cmp - second.list || fail "the second judge saw other battles"
says out '60 of 840 battles judged'

echo "== all again"
audition 0 run --resume latest --budget-battles 0 --db rd.db
is "$(sql rd.db "SELECT count(*) FROM verdict")" 840 "verdicts"
audition 0 board --db rd.db
lacks out 'widened'

echo "== kill -9 in the middle, and the same battles"
mock slow --latency 30
cat >models.yaml <<END
models:
  - {name: one, base_url: "http://127.0.0.1:$port/v1", model: chat-a}
  - {name: two, base_url: "http://127.0.0.1:$port/v1", model: chat-b}
  - {name: three, base_url: "http://127.0.0.1:$port/v1", model: chat-c}
  - {name: four, base_url: "http://127.0.0.1:$port/v1", model: chat-d}
  - {name: fair, base_url: "http://127.0.0.1:$port/v1", model: judge-pair}
END
sed -i 's/criteria: \[good\]/criteria: [good], orders: both/' suite.yaml
wire=(run suite.yaml -m one -m two -m three -m four --judge fair --limit 10 --budget-battles 30)
audition 0 "${wire[@]}" --db whole.db
is "$(sql whole.db "SELECT count(*) FROM verdict WHERE state = 'done'")" 60 "both orders of thirty battles"
start "$AUDITION" "${wire[@]}" --db killed.db >killed.out 2>&1
some()
{
    [ "$(sql killed.db "SELECT count(*) FROM verdict WHERE state = 'done'")" -ge 20 ]
}
until_true "verdicts" 60 some
stop "$started" KILL
audition 0 "${wire[@]}" --db killed.db
battles whole.db >whole.list
battles killed.db | cmp - whole.list || fail "other battles after the kill"
audition 0 verify latest --db killed.db

echo "== wrong use"
suite other.yaml 2
audition 2 run other.yaml -m one --judge fair --target-rd 40 --db none.db
says err '--target-rd is for pairwise suites'
[ ! -e none.db ] || fail "left a database behind"

echo passed
