#!/usr/bin/env bash
# How long the board takes over 10,000 and over a million verdicts: scored for the first time, with flags and seals of
# every answer and verdict; computed again; shown.
set -euo pipefail

: "${AUDITION:?}" "${MEASURE:?}"
command -v sqlite3 >/dev/null || { echo "bench_board: needs the package sqlite3" >&2; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

cat >suite.yaml <<'YAML'
suite: million
language: en
elicit: {kind: single, repeats: 4}
instrument: {kind: dimensions, dimensions: [{id: quality, scale: 0..10}]}
score: {kind: mean-of-items}
items: [{id: a, prompt: Well?}]
YAML
for repeat in 0 1 2 3; do
    echo "{\"item\": \"a\", \"repeat\": $repeat, \"text\": \"answer $repeat\"}"
done >replies.jsonl
for model in one two three four five; do
    for repeat in 0 1 2 3; do
        echo "{\"model\": \"$model\", \"item\": \"a\", \"repeat\": $repeat, \"text\": \"{\\\"quality\\\": 5}\"}"
    done
done >judge.jsonl
{
    echo models:
    for model in one two three four five; do
        echo "  - {name: $model, kind: recorded, file: replies.jsonl}"
    done
    echo "  - {name: judge, kind: recorded, file: judge.jsonl}"
} >models.yaml
"$AUDITION" run suite.yaml -m one,two,three,four,five --judge judge --db one.db -q >/dev/null 2>&1

# fill ITEMS: the run is real; so many more items with their answers and verdicts are copies of it
fill()
{
    rm -f big.db*
    cp one.db big.db
    sqlite3 big.db <<SQL
BEGIN;
INSERT INTO item (run, position, name, body)
    WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < $1)
    SELECT 1, n, 'i' || n, replace(body, '"a"', '"i' || n || '"') FROM c, item WHERE position = 0;
INSERT INTO sample (run, model, item, repeat, state, answer, tries)
    SELECT 1, s.model, i.id, s.repeat, s.state, s.answer, 1 FROM sample s, item i WHERE i.position > 0;
INSERT INTO verdict (run, judge, sample, repeat, state, reply, tries)
    SELECT 1, 1, s.id, 0, CASE WHEN s.id % 1000 = 7 THEN 'unscored' ELSE 'done' END, '{"quality": 5}', 1
    FROM sample s WHERE s.id NOT IN (SELECT sample FROM verdict);
INSERT INTO mark (verdict, dimension, value, analysis)
    SELECT v.id, 'quality', abs(v.id * 2654435761) % 11, 'because' FROM verdict v
    WHERE v.state = 'done' AND v.id NOT IN (SELECT verdict FROM mark);
UPDATE run SET stale = 1, sealed = '', facts = '';
COMMIT;
SQL
}
echo "growth with verdicts: the board"
printf '\n| verdicts | scored for the first time | computed again | on the processor | shown | memory |\n|--:|--:|--:|--:|--:|--:|\n'
for items in 500 50000; do
    fill $items
    "$MEASURE" first "$AUDITION" board --db big.db >/dev/null 2>&1
    sqlite3 big.db "UPDATE run SET stale = 1, sealed = ''"
    "$MEASURE" again "$AUDITION" board --db big.db >/dev/null 2>&1
    "$MEASURE" board "$AUDITION" board --db big.db >/dev/null
    awk -v n="$(sqlite3 big.db 'SELECT COUNT(*) FROM verdict')" '{ w[NR] = $1; c[NR] = $2 + $3; if ($4 > m) m = $4 }
        END { printf "| %d | %.2f s | %.2f s | %.2f s | %.2f s | %.0f MB |\n", n, w[1], w[2], c[2], w[3], m / 1024 }' first again board
done
echo
"$MEASURE" board "$AUDITION" board --db big.db >/dev/null
# Wall-clock time; of computing again the time on the processor too, which other programs disturb less.
awk '{ printf "  for the first time  %.2f s, %.0f MB\n", $1, $4 / 1024 }' first
awk '{ printf "  computed again      %.2f s (%.2f s on the processor), %.0f MB   (aim: 2 s, %s)\n", $1, $2 + $3, $4 / 1024, $2 + $3 <= 2 ? "holds" : "MISSED" }' again
awk '{ printf "  shown               %.2f s, %.0f MB   (aim: 1 s, %s)\n", $1, $4 / 1024, $1 < 1 ? "holds" : "MISSED" }' board
