#!/usr/bin/env bash
# Raters in the browser, over a store with a million ratings: saves, the rating page, idle
# connections, the export, the results. Everything on loopback and on this machine's disk. Saves on PostgreSQL too,
# which does not wait for the disk (tests/pg.sh).
set -euo pipefail

: "${AUDITION:?}" "${MEASURE:?}" "${LOAD:?}"
[ $# -gt 0 ] || exec "$REPO/tests/pg.sh" "$0" here
command -v sqlite3 >/dev/null || { echo "bench_rate: needs the package sqlite3" >&2; exit 0; }
dir=$(mktemp -d)
server=
trap 'stop; rm -rf "$dir"' EXIT
cd "$dir"

serve() # DB
{
    "$AUDITION" serve --port 0 --db "$1" >/dev/null 2>server.log &
    server=$!
    for _ in $(seq 100); do grep -q '^serving' server.log && break; sleep 0.1; done
    port=$(sed -n 's/^serving .*://p' server.log)
}

stop()
{
    [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null || true
    server=
}

field() # WHAT KEY: a number of the line about WHAT that the load client printed
{
    sed -n "/\"what\":\"$1\"/s/.*\"$2\":\([0-9.]*\).*/\1/p" load.out
}

# figure FORMAT VALUE UNIT SIGN AIM: the end of a line, and whether it is reached
figure()
{
    awk -v f="$1" -v v="$2" -v u="$3" -v sign="$4" -v aim="$5" 'BEGIN {
        holds = sign == "at least" ? v + 0 >= aim + 0 : v + 0 <= aim + 0
        printf f " %s   (aim: %s %s, %s)\n", v, u, sign, aim, holds ? "holds" : "MISSED"
    }'
}

# A run of ten systems over 500 passages, and a campaign whose code is open to all.
awk 'BEGIN {
    for (i = 0; i < 12; i++) text = text "The ferryman looks at you and waits for a word. "
    for (i = 0; i < 500; i++) {
        printf "{\"id\": \"i%03d\", \"prompt\": \"Passage %03d. %s\"}\n", i, i, text >"items.jsonl"
        printf "{\"item\": \"i%03d\", \"text\": \"Passage %03d goes on: %s\"}\n", i, i, text >"replies.jsonl"
    }
    print "models:" >"models.yaml"
    for (m = 0; m < 10; m++) printf "  - {name: system%d, kind: recorded, file: replies.jsonl}\n", m >"models.yaml"
}'
cat >suite.yaml <<'YAML'
suite: ferry
language: en
elicit: {kind: single}
instrument:
  kind: dimensions
  dimensions: [{id: voice, scale: 0..5}, {id: wit, scale: 0..5}, {id: sense, scale: 0..5}, {id: style, scale: 0..5}]
score: {kind: mean-of-items}
items: items.jsonl
YAML
printf 'campaign: ferry\npassages_per_rater: 10\noverlap: 50\ncode: FERRY-26\n' >campaign.yaml
"$AUDITION" run suite.yaml -m "$(seq -s, -f system%g 0 9)" --db small.db -q >/dev/null 2>&1
"$AUDITION" campaign new campaign.yaml --db small.db >/dev/null
"$AUDITION" campaign open ferry --db small.db >/dev/null
cp small.db big.db

# The campaign is real; 2,500 raters with ten passages each, all of them marked, are made up.
sqlite3 big.db <<'SQL'
BEGIN;
INSERT INTO rater (campaign, pseudonym, state, language, consent, about, stratum, return_hash, created_ms)
    WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 2500)
    SELECT 1, 'made-' || n, 'finished', 'en', '1', '{}', '-1.-1.-1', 'made-' || n, n FROM c;
CREATE TEMP TABLE texts AS
    SELECT item, json_group_array(json_array(id, -1)) AS shown FROM sample GROUP BY item;
INSERT INTO assignment (campaign, rater, phase, item, position, shown, state, lease_ms, started_ms, seen_ms,
        submitted_ms, active_ms)
    WITH RECURSIVE c (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 9)
    SELECT 1, r.id, 'main', t.item, n, t.shown, 'done', 0, r.id, r.id, r.id, 60000
    FROM rater r, c JOIN texts t ON t.item = 1 + (r.id * 7 + n * 53) % 500;
INSERT INTO rating (assignment, sample, dimension, value, version, client, created_ms, saved_ms)
    SELECT a.id, s.id, d.value, abs(a.id * 2654435761 + s.id * 40503 + d.key * 7919) / 64 % 6, 1, 'made', a.id, a.id
    FROM assignment a CROSS JOIN sample s ON s.item = a.item, json_each('["sense","style","voice","wit"]') d;
UPDATE passage SET done = 50;
INSERT INTO passage_stratum SELECT 1, '-1.-1.-1', item, 50 FROM passage;
COMMIT;
SQL
echo "raters, over $(sqlite3 big.db 'SELECT COUNT(*) FROM rating') ratings"

serve big.db
"$LOAD" "$port" idle 1000 "$server" >load.out
printf '  1,000 idle connections '
figure '%.0f' "$(awk -v kb="$(field idle kb)" 'BEGIN { print kb / 1024 }')" MB 'at most' 60
stop

# The stores take turns, with other raters each time, and the least of three counts: whatever else the
# machine does can only add.
round() # DB NAME: figures go to NAME.*
{
    serve "$1"
    "$LOAD" "$port" rate ferry FERRY-26 200 110 2 500 >load.out
    stop
    field saves per_second >>"$2.saves"
    field saves p99_ms >>"$2.wait"
    field pages p99_ms >>"$2.page"
    field pages mean_ms >>"$2.mean"
}
least() # FILE
{
    sort -g "$1" | head -n 1
}
[ -z "${AUDITION_TEST_PG-}" ] || "$AUDITION" db copy "$AUDITION_TEST_PG" --db small.db >/dev/null 2>&1
for _ in 1 2 3; do
    round small.db few
    round big.db many
    [ -z "${AUDITION_TEST_PG-}" ] || round "$AUDITION_TEST_PG" elsewhere
done
printf '  200 raters save at once '
figure '%.0f' "$(sort -g many.saves | tail -n 1)" saves/s 'at least' 1000
printf '    and wait, 99 of 100, for '
figure '%.1f' "$(least many.wait)" ms 'at most' 50
if [ -n "${AUDITION_TEST_PG-}" ]; then
    printf '  200 raters save at once, PostgreSQL '
    figure '%.0f' "$(sort -g elsewhere.saves | tail -n 1)" saves/s 'at least' 8000
    printf '    and wait, 99 of 100, for '
    figure '%.1f' "$(least elsewhere.wait)" ms 'at most' 50
fi
printf '  rating page, 99 of 100 '
figure '%.1f' "$(least many.page)" ms 'at most' 30
few=$(least few.mean) many=$(least many.mean)
printf '    mean with no ratings stored %.2f ms, with a million %.2f ms:' "$few" "$many"
figure ' %.2f' "$(awk -v a="$many" -v b="$few" 'BEGIN { print a / b }')" times 'at most' 1.5

for db in small big; do
    "$MEASURE" "$db.used" "$AUDITION" campaign export ferry --db $db.db -o $db.csv >/dev/null 2>&1
done
rows=$(($(wc -l <big.csv) - 1))
read -r _ _ _ few <small.used
read -r wall _ _ many <big.used
awk -v r="$rows" -v w="$wall" -v s="$few" -v l="$many" \
    'BEGIN { printf "  export of %d rows %.0f rows/s, peak %.1f MB, of few %.1f MB:", r, r / w, l / 1024, s / 1024 }'
figure ' %.1f' "$(awk -v s="$few" -v l="$many" 'BEGIN { print (l - s) / 1024 }')" 'MB more' 'at most' 10

sqlite3 big.db 'UPDATE campaign SET stale = 1'
"$MEASURE" results.used "$AUDITION" campaign results ferry --db big.db >/dev/null 2>&1
read -r _ user system many <results.used
printf '  results, on the processor '
figure '%.1f' "$(awk -v u="$user" -v s="$system" 'BEGIN { print u + s }')" s 'at most' 5
printf '    in '
figure '%.0f' "$(awk -v l="$many" 'BEGIN { print l / 1024 }')" MB 'at most' 1024
