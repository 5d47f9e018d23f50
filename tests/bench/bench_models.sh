#!/usr/bin/env bash
# Growth with models: 2, 10 and 60 of them, 100 items, one judge. What scoring and the report cost.
set -euo pipefail

: "${AUDITION:?}" "${MEASURE:?}"
command -v sqlite3 >/dev/null || { echo "bench_models: needs the package sqlite3" >&2; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

cat >suite.yaml <<'YAML'
suite: models
language: en
elicit: {kind: single}
instrument: {kind: dimensions, dimensions: [{id: quality, scale: 0..10}]}
score: {kind: mean-of-items}
items: items.jsonl
YAML
awk 'BEGIN {
    print "models:" >"models.yaml"
    for (i = 0; i < 100; i++) {
        printf "{\"id\": \"i%d\", \"prompt\": \"Question %d?\"}\n", i, i >"items.jsonl"
        printf "{\"item\": \"i%d\", \"text\": \"answer %d\"}\n", i, i >"replies.jsonl"
    }
    for (m = 1; m <= 60; m++) {
        printf "  - {name: m%d, kind: recorded, file: replies.jsonl}\n", m >"models.yaml"
        for (i = 0; i < 100; i++)
            printf "{\"model\": \"m%d\", \"item\": \"i%d\", \"text\": \"{\\\"quality\\\": %d}\"}\n", m, i, (i * 7 + m * 13) % 11 >"judge.jsonl"
    }
    print "  - {name: judge, kind: recorded, file: judge.jsonl}" >"models.yaml"
}'
echo "growth with models: processor time"
printf '\n| models | verdicts | computed again | board | report |\n|--:|--:|--:|--:|--:|\n'
for n in 2 10 60; do
    "$AUDITION" run suite.yaml -m "$(seq -s, -f m%g 1 "$n")" --judge judge --db $n.db -q >/dev/null 2>&1
    sqlite3 $n.db "UPDATE run SET stale = 1, sealed = ''"
    "$MEASURE" again "$AUDITION" board --db $n.db >/dev/null 2>&1
    "$MEASURE" board "$AUDITION" board --db $n.db >/dev/null 2>&1
    "$MEASURE" report "$AUDITION" report latest -o report.html --db $n.db >/dev/null 2>&1
    awk -v n=$n '{ c[NR] = $2 + $3 } END { printf "| %d | %d | %.2f s | %.2f s | %.2f s |\n", n, n * 100, c[1], c[2], c[3] }' again board report
done
echo
