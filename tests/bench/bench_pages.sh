#!/usr/bin/env bash
# Pages of the explorer over 5,000 runs, a million samples and two million verdicts: how long 99 of 100 requests take, and
# how much of it the processor works, which holds on a busy machine too. On SQLite and PostgreSQL.
# RUNS=500 makes a smaller store.
set -euo pipefail

: "${AUDITION:?}" "${REPO:?}"
[ $# -gt 0 ] || exec "$REPO/tests/pg.sh" "$0" here
for tool in sqlite3 curl; do
    command -v $tool >/dev/null || { echo "bench_pages: needs the package $tool" >&2; exit 0; }
done
runs=${RUNS:-5000} items=100
dir=$(mktemp -d "${TMPDIR:-/tmp}/bench.XXXXXX")
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$dir"' EXIT
cd "$dir"

cat >suite.yaml <<'YAML'
suite: pages
title: Pages
language: en
elicit: {kind: single}
instrument: {kind: dimensions, dimensions: [{id: quality, scale: 0..10}]}
score: {kind: mean-of-items}
items: items.jsonl
YAML
for i in $(seq $items); do
    echo "{\"id\": \"i$i\", \"prompt\": \"Question $i?\"}" >>items.jsonl
    for m in one two; do
        echo "{\"item\": \"i$i\", \"text\": \"$m says that the ferry number $i has left, and nobody was on it but the keeper of lamp $((i * 7919 % 1000)).\"}" >>$m.jsonl
        echo "{\"model\": \"$m\", \"item\": \"i$i\", \"text\": \"{\\\"quality\\\": {\\\"analysis\\\": \\\"dry, number $i\\\", \\\"score\\\": $((i % 9))}}\"}" >>judge.jsonl
    done
done
printf 'models:\n' >models.yaml
for m in one:one two:two judge:judge other:judge; do
    echo "  - {name: ${m%:*}, kind: recorded, file: ${m#*:}.jsonl}" >>models.yaml
done

# The run is real; the others are copies of it, every row with its id moved on.
copies()
{
    cat <<SQL
CREATE TEMP TABLE c AS WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < $runs - 1) SELECT n FROM c;
INSERT INTO run (id, name, key, generation, fresh, suite, title, frozen, seed, repeats, stale, created_ms, derived, valued)
    SELECT 1 + n, $(hex 'n * 2654435761 % 4294967296'), key, n, fresh, suite, title, frozen, seed, repeats, 0,
        created_ms + n, derived, valued FROM run, c;
INSERT INTO model (id, run, name, family, config) SELECT id + n * 10, 1 + n, name, family, config FROM model, c;
INSERT INTO judge (id, run, name, family, config, template, repeats)
    SELECT id + n * 10, 1 + n, name, family, config, template, repeats FROM judge, c;
INSERT INTO item (id, run, position, name, body) SELECT id + n * 1000, 1 + n, position, name, body FROM item, c;
INSERT INTO sample (id, run, model, item, repeat, state, answer, tries, ended_ms)
    SELECT id + n * 1000, 1 + n, model + n * 10, item + n * 1000, repeat, state, answer, 1, ended_ms FROM sample, c;
INSERT INTO verdict (id, run, judge, sample, repeat, state, reply, tries, ended_ms)
    SELECT id + n * 1000, 1 + n, judge + n * 10, sample + n * 1000, repeat, state, reply, 1, ended_ms FROM verdict, c;
INSERT INTO mark (verdict, dimension, value) SELECT verdict + n * 1000, dimension, value FROM mark, c;
INSERT INTO score (run, jury, subject, metric, value, lo, hi, n, clusters, method)
    SELECT 1 + c.n, jury, subject, metric, value, lo, hi, score.n, clusters, method FROM score, c;
INSERT INTO seat (run, panel, judge) SELECT 1 + n, panel, judge + n * 10 FROM seat, c;
INSERT INTO sample_value (run, sample, value, spread, rule) SELECT 1 + n, sample + n * 1000, value, spread, rule FROM sample_value, c;
INSERT INTO word_run (run, derived) SELECT 1 + n, derived FROM word_run, c;
INSERT INTO word_sample (rowid, words) SELECT id, lower(answer) FROM sample WHERE run > 1;
INSERT INTO word_verdict (rowid, words) SELECT id, lower(reply) FROM verdict WHERE run > 1;
SQL
}
fill() # URL
{
    "$AUDITION" run suite.yaml -m one,two --judge judge,other --db "$1" -q >/dev/null 2>&1
    "$AUDITION" publish first --db "$1" >/dev/null # brings values and words up to date
    rm -r first
    case $1 in
    postgres*)
        hex() { echo "lpad(to_hex($1), 8, '0')"; }
        { echo 'SET session_replication_role = replica; BEGIN;'; copies; echo 'COMMIT; ANALYZE;'; } | psql -q -X -v ON_ERROR_STOP=1 -d "$1"
        ;;
    *)
        hex() { echo "printf('%08x', $1)"; }
        { echo 'PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; BEGIN;'; copies; echo 'COMMIT; PRAGMA optimize;'; } | sqlite3 -bail "$1"
        ;;
    esac
}
one() # URL QUERY: a single value
{
    case $1 in
    postgres*) psql -q -X -A -t -d "$1" -c "$2" ;;
    *) sqlite3 "$1" "$2" ;;
    esac
}

worked() { awk '{ print ($14 + $15) * 10 }' "/proc/$server/stat"; } # ms of the processor; PostgreSQL's own are not in it
time_of() # PATH AIM
{
    local before
    before=$(worked)
    for _ in $(seq 100); do
        curl -s -b jar -o page -w '%{time_total} %{http_code}\n' "$url$1"
    done >taken
    sort -n taken | awk -v p="$1" -v aim="$2" -v work=$(($(worked) - before)) -v bytes="$(wc -c <page)" '{ t[NR] = $1 * 1000; if ($2 != 200) bad++ }
        END { late = t[int(NR * 0.99)]
            printf "  %-46.46s median %6.1f ms   p99 %6.1f ms   works %5.1f ms   %4d kB   (aim: %d ms, %s)\n", p, t[int((NR + 1) / 2)], late, work / NR,
                bytes / 1000, aim, bad ? "FAILED" : late <= aim && bytes <= 300000 ? "holds" : "MISSED" }'
}
pages() # URL AIM
{
    local run other sample code url path
    echo "pages over $(one "$1" 'SELECT COUNT(*) FROM run') runs, $(one "$1" 'SELECT COUNT(*) FROM sample') samples, $(one "$1" 'SELECT COUNT(*) FROM verdict') verdicts, ${1%%:*}"
    rm -f jar
    "$AUDITION" serve --port 0 --db "$1" >serve.log 2>&1 &
    server=$!
    for _ in $(seq 200); do
        grep -q 'one-time code' serve.log && break
        sleep 0.05
    done
    url=$(sed -n 's/^serving .* at //p' serve.log)
    code=$(sed -n 's/.*one-time code //p' serve.log)
    curl -s -c jar "$url/setup" >page
    curl -s -b jar -c jar -o /dev/null "$url/setup" -d "code=$code" -d name=ada --data-urlencode "password=correct horse battery" \
        -d "csrf=$(grep -o 'name="csrf" value="[0-9a-f]*' page | head -n 1 | cut -d '"' -f 4)"
    run=$(one "$1" "SELECT name FROM run WHERE id = 1 + $runs / 2") sample=$(one "$1" "SELECT MAX(id) FROM sample WHERE run = 1 + $runs / 2")
    other=$(one "$1" "SELECT name FROM run WHERE id = $runs")
    for path in /runs "/runs?words=pages&state=done" "/runs?order=worked" "/runs?model=two" "/runs/$run" "/runs/$run/samples" "/runs/$run/samples?order=low&words=keeper" \
        "/runs/$run/samples/$sample" "/runs/$run/items" "/runs/$run/item?id=i7" "/runs/$run/judges" "/runs/$run/flags" "/runs/$run/method" \
        /leaderboard "/leaderboard?suite=pages" "/compare?a=$run&b=$other" /models "/model?name=one" /judges "/judge?name=judge" \
        "/search?words=keeper%20of%20lamp%20421" "/search?words=ferry" "/search?in=judges&words=number%2042" /workers; do
        time_of "$path" "$2"
    done
    kill "$server"
    wait "$server" || true
    server=
}

fill many.db
pages many.db 100
if [ -n "${AUDITION_TEST_PG-}" ]; then
    fill "$AUDITION_TEST_PG"
    pages "$AUDITION_TEST_PG" 150
fi
