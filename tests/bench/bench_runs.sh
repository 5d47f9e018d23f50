#!/usr/bin/env bash
# What is asked of one run must not cost more because there are others: a store of 1, 100 and 5,000 runs.
set -euo pipefail

: "${AUDITION:?}" "${MEASURE:?}"
command -v sqlite3 >/dev/null || { echo "bench_runs: needs the package sqlite3" >&2; exit 0; }
dir=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$dir"' EXIT
cd "$dir"

cat >suite.yaml <<'YAML'
suite: small
language: en
elicit: {kind: single}
instrument: {kind: dimensions, dimensions: [{id: quality, scale: 0..10}, {id: wit, scale: 0..10}]}
score: {kind: mean-of-items}
items: items.jsonl
YAML
for i in $(seq 10); do
    echo "{\"id\": \"i$i\", \"prompt\": \"Question $i?\"}" >>items.jsonl
    echo "{\"item\": \"i$i\", \"text\": \"answer $i\"}" >>replies.jsonl
    for m in one two; do
        echo "{\"model\": \"$m\", \"item\": \"i$i\", \"text\": \"{\\\"quality\\\": $((i % 9)), \\\"wit\\\": 5}\"}" >>judge.jsonl
    done
done
printf 'models:\n' >models.yaml
for m in one:replies two:replies judge:judge other:judge; do
    echo "  - {name: ${m%:*}, kind: recorded, file: ${m#*:}.jsonl}" >>models.yaml
done
"$AUDITION" run suite.yaml -m one,two --judge judge,other --db one.db -q >/dev/null 2>&1

# fill RUNS: the run is real; the others are copies of it, every row with its id moved on
fill()
{
    rm -f many.db*
    cp one.db many.db
    [ "$1" -gt 1 ] || return 0
    sqlite3 many.db <<SQL
BEGIN;
CREATE TEMP TABLE c AS WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < $1 - 1)
    SELECT n FROM c;
INSERT INTO run (id, name, key, generation, fresh, suite, frozen, seed, repeats, stale, created_ms)
    SELECT 1 + n, printf('%08x', n * 2654435761 % 4294967296), key, n, fresh, suite, frozen, seed, repeats, 0,
        created_ms + n FROM run, c;
INSERT INTO model (id, run, name, family, config) SELECT id + n * 10, 1 + n, name, family, config FROM model, c;
INSERT INTO judge (id, run, name, family, config, template, repeats)
    SELECT id + n * 10, 1 + n, name, family, config, template, repeats FROM judge, c;
INSERT INTO item (id, run, position, name, body) SELECT id + n * 100, 1 + n, position, name, body FROM item, c;
INSERT INTO call (run, key, url, request, response, elapsed_ms, created_ms)
    SELECT 1 + n, key, url, request, response, elapsed_ms, created_ms FROM call, c;
INSERT INTO sample (id, run, model, item, repeat, state, answer, tries, ended_ms)
    SELECT id + n * 100, 1 + n, model + n * 10, item + n * 100, repeat, state, answer, 1, ended_ms FROM sample, c;
INSERT INTO verdict (id, run, judge, sample, repeat, state, reply, tries, ended_ms)
    SELECT id + n * 100, 1 + n, judge + n * 10, sample + n * 100, repeat, state, reply, 1, ended_ms FROM verdict, c;
INSERT INTO mark (verdict, dimension, value) SELECT verdict + n * 100, dimension, value FROM mark, c;
INSERT INTO score (run, jury, subject, metric, value, lo, hi, n, clusters, method)
    SELECT 1 + c.n, jury, subject, metric, value, lo, hi, score.n, clusters, method FROM score, c;
COMMIT;
SQL
}
echo "growth with runs: processor time of a command"
printf '\n| runs | list | show | board |\n|--:|--:|--:|--:|\n'
for runs in 1 100 5000; do
    fill $runs
    printf '| %d |' $runs
    for command in list show board; do
        for _ in 1 2 3; do
            "$MEASURE" used "$AUDITION" $command --db many.db >/dev/null 2>&1
            cat used
        done | awk '{ c = $2 + $3; if (NR == 1 || c < s) s = c } END { printf " %.0f ms |", s * 1000 }'
    done
    echo
done
echo
echo "commands over $(sqlite3 many.db 'SELECT COUNT(*) FROM run') runs, $(sqlite3 many.db 'SELECT COUNT(*) FROM verdict') verdicts"

line() # WHAT SECONDS
{
    awk -v w="$1" -v s="$2" 'BEGIN { printf "  %-7s %.2f s   (aim: 0.3 s, %s)\n", w, s, s <= 0.3 ? "holds" : "MISSED" }'
}
for command in list show board; do
    "$MEASURE" used "$AUDITION" $command --db many.db >/dev/null 2>&1
    line $command "$(cut -d' ' -f1 used)"
done

"$AUDITION" serve --port 0 --db many.db >/dev/null 2>server.log &
server=$!
for _ in $(seq 100); do grep -q '^serving' server.log && break; sleep 0.1; done
base=$(sed -n 's/^serving .* at //p' server.log)
code=$(sed -n 's/.*one-time code //p' server.log)
token=$(curl -s -c jar -b jar "$base/setup" | grep -o 'name="csrf" value="[0-9a-f]*' | head -n 1 | cut -d '"' -f 4)
curl -s -c jar -b jar -o /dev/null -d "csrf=$token" -d "code=$code" -d name=ada -d password=correct-horse-battery "$base/setup"
line /runs "$(curl -s -b jar -o page -w '%{time_total}' "$base/runs")"
grep -q 'href="/runs/' page || { echo "bench_runs: /runs showed no run" >&2; exit 1; }
