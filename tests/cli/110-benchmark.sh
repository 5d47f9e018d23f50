#!/usr/bin/env bash
# The benchmark: as much of everything as it promises, clean, every worked example tried with the template of its suite and a
# recorded judge, and one run over all of it that is killed, goes on and ends with one board. BENCHMARK=whole asks every item;
# otherwise one of each suite.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"
bench=$REPO/suites/bench
lacking=0
lack()
{
    echo "LACKING: $*"
    lacking=$((lacking + 1))
}
# whole: nothing was lacking so far
whole() { [ "$lacking" = 0 ] || fail "$lacking things are lacking: $1"; }

echo "== as much as there should be, by language and kind"
audition 0 bench info "$bench" --json
cp out info.json
# has LANGUAGE KIND COLUMN LEAST
has()
{
    local n

    n=$(sqlite3 :memory: "SELECT coalesce((SELECT k.value ->> '$3' FROM json_each(CAST(readfile('info.json') AS TEXT), '\$.kinds') k
        WHERE k.value ->> 'language' = '$1' AND k.value ->> 'kind' = '$2'), 0)")
    [ "$n" -ge "$4" ] || lack "$1 $2: $n $3, not $4"
}
for language in en zh ja; do
    has $language next-line items 60
    has $language next-line characters 20
    has $language interview characters 16
    has $language dialogue items 30
    has $language dialogue users 8
    has $language cast suites 6
    has $language streamer-new-topic items 6
    has $language streamer-live-chat items 15
    has $language streamer-emotional-support items 15
    has $language streamer-general items 100
    has $language break items 30
    has $language memory items 30
    has $language decline items 20
    for person in "$REPO/suites/interview/bank/$language"/*.yaml; do
        grep -q '^address:' "$person" || lack "$person: address"
        grep -q '^opening:' "$person" || lack "$person: opening"
    done
done
has zh comic items 50
sqlite3 :memory: "SELECT k.value ->> 'language', k.value ->> 'kind', k.value ->> 'items', k.value ->> 'with_card'
    FROM json_each(CAST(readfile('info.json') AS TEXT), '\$.kinds') k WHERE k.value ->> 'items' > k.value ->> 'with_card'" |
    while read -r line; do echo "LACKING: item cards: $line"; done | tee cards
lacking=$((lacking + $(wc -l <cards)))
whole counts

echo "== clean"
audition 0 bench check "$bench"

echo "== two worked examples for every level of every rubric"
# what is asked and by which scales, as a run that nobody answers stores it
printf 'models:\n' >models.yaml
for m in nobody example critic; do
    : >$m.jsonl
    printf '  - {name: %s, kind: recorded, file: %s.jsonl}\n' $m $m >>models.yaml
done
audition 3 run "$bench" -m nobody --limit 1 -q --db asked.db
# Each member of a cast has the scale of the role; where functions judge, there are no levels.
sql asked.db "WITH of AS (SELECT r.suite AS suite,
        CASE WHEN d.value ->> 'id' LIKE 'role-%' THEN 'role' ELSE d.value ->> 'id' END AS scale, l.value ->> 'value' AS level,
        (SELECT count(*) FROM json_each(frozen, '\$.examples') x WHERE json_extract(x.value, '\$.score.\"' || (d.value ->> 'id') || '\"') = l.value ->> 'value') AS n
    FROM run r, json_each(frozen, '\$.instrument.dimensions') d, json_each(d.value, '\$.levels') l)
    SELECT suite || ': ' || scale || ' ' || level || ': ' || sum(n) FROM of GROUP BY suite, scale, level" >levels
while read -r line; do
    [ "${line##* }" -ge 2 ] || lack "worked examples of $line"
done <levels
for language in en zh ja; do
    [ "$(grep -c '^- prompt:' "$REPO/suites/interview/dialogues/$language.yaml")" -ge 6 ] || lack "$language: standard interviews"
done
whole "worked examples"

echo "== each of them, rendered by the template of its suite, gets its level from a recorded judge"
cp -R "$REPO/suites" suites
# a served judge beside it, whose requests are stored; it knows none of these scales
mock judge --dimensions 'none=0|1'
# shellcheck disable=SC2154 # mock() sets it
printf '  - {name: served, base_url: "http://127.0.0.1:%s", model: judge}\n' "$port" >>models.yaml
# the same suites, asked their examples: scales, template, characters and language stay
tried=()
while IFS='|' read -r suite file; do
    sql asked.db "SELECT json_object('id', suite || '-e' || x.key, 'prompt', x.value ->> 'prompt') FROM run r, json_each(frozen, '\$.examples') x
        WHERE suite = '$suite'" >"$suite.jsonl"
    {
        awk '/^[a-z]/ { skip = /^(elicit|instrument|items|pick|rules|score):/ } !skip' "suites/bench/$file"
        printf 'elicit: {kind: single}\nitems: %s/%s.jsonl\ninstrument: ' "$PWD" "$suite"
        sql asked.db "SELECT json_object('dimensions', json_group_array(json_object('id', d.value ->> 'id', 'title', coalesce(d.value ->> 'title', d.value ->> 'id'),
            'levels', (SELECT json_group_object(l.value ->> 'value', l.value ->> 'text') FROM json_each(d.value, '\$.levels') l))))
            FROM run r, json_each(frozen, '\$.instrument.dimensions') d WHERE suite = '$suite'"
    } >"suites/bench/${file%.yaml}-tried.yaml"
    tried+=("suites/bench/${file%.yaml}-tried.yaml")
done < <(sql asked.db "SELECT r.suite, c.value ->> 'file' FROM run r JOIN (SELECT * FROM collection ORDER BY id DESC LIMIT 1) AS k,
    json_each(k.body, '\$.suites') c WHERE c.value ->> 'suite' = r.suite AND json_array_length(frozen, '\$.examples') > 0 ORDER BY r.suite")
# replies as judges write them: bare, fenced, or after some thought
examples="SELECT suite || '-e' || x.key AS item, x.key AS n, x.value AS x FROM run r, json_each(frozen, '\$.examples') x"
sql asked.db "WITH e AS ($examples) SELECT json_object('item', item, 'text', x ->> 'answer') FROM e" >example.jsonl
sql asked.db "WITH e AS ($examples), said AS (SELECT item, n, '' || (SELECT json_group_object(s.key, json_object('analysis', x ->> 'reason', 'score', s.value))
        FROM json_each(x, '\$.score') s) AS text FROM e)
    SELECT json_object('model', 'example', 'item', item, 'text', CASE n % 3 WHEN 0 THEN text WHEN 1 THEN '\`\`\`json' || char(10) || text || char(10) || '\`\`\`'
        ELSE 'Let me weigh it.' || char(10) || text END) FROM said" >critic.jsonl
audition 3 run --allow-outside "${tried[@]}" -m example --judge critic --judge served --max-retries 0 -q --db tried.db
sqlite3 tried.db "ATTACH 'asked.db' AS asked; WITH e AS (${examples/FROM run/FROM asked.run}),
    want AS (SELECT item, s.key AS scale, s.value AS level FROM e, json_each(e.x, '\$.score') s)
    SELECT 'the recorded judge does not say what the example says: ' || item || ' ' || scale FROM want WHERE NOT EXISTS (SELECT 1 FROM item i
        JOIN sample p ON p.item = i.id JOIN verdict v ON v.sample = p.id JOIN judge j ON j.id = v.judge AND j.name = 'critic'
        JOIN mark k ON k.verdict = v.id WHERE i.name = want.item AND k.dimension = want.scale AND k.value = want.level)
    UNION ALL SELECT 'a judge is not shown the example ' || i.name FROM item i JOIN sample p ON p.item = i.id WHERE NOT EXISTS (SELECT 1 FROM verdict v
        JOIN judge j ON j.id = v.judge AND j.name = 'served' JOIN call c ON c.id = v.call, json_each(c.request, '\$.messages') m
        WHERE v.sample = p.id AND instr(m.value ->> 'content', substr(p.answer, 1, 20)) > 0)" >differs
[ ! -s differs ] || fail "$(head -5 differs)"
[ "$(sql tried.db "SELECT count(*) FROM mark")" -ge 300 ] || fail "hardly any example was tried"
stop "$mock_pid"

echo "== one run over all of it, three models, killed in the middle; the same command goes on and ends with one board"
limit=(--limit 1)
if [ "${BENCHMARK-}" = whole ]; then
    limit=()
else # conversations of four turns
    sed -i 's/^  turns: .*/  turns: 4/' suites/dialogue/*.yaml suites/bench/*/*.yaml
    bench=suites/bench
fi
mock play --reply-bytes 60
printf 'models:\n' >models.yaml
for m in ann bob cy; do
    printf '  - {name: %s, base_url: "http://127.0.0.1:%s", model: %s}\n' $m "$port" $m >>models.yaml
done
set -- run "$bench" -m ann -m bob -m cy "${limit[@]}" -q --db all.db
start "$AUDITION" "$@" >out 2>err
killed=$started
asked() { [ "$(wc -l <play.log)" -gt "$1" ]; }
until_true "fifty requests" 300 asked 50
stop "$killed" KILL
audition 0 "$@"
says out "overall"
is "$(sql all.db "SELECT count(*) FROM sample WHERE state <> 'done'")" 0 "answers that are missing"
is "$(sql all.db 'SELECT count(DISTINCT suite) FROM run')" "$(grep -c '^  - {file: ' "$bench/bench.yaml")" "suites that were asked"
n=$(wc -l <play.log)
audition 0 board bench --db all.db --json
is "$(sqlite3 :memory: "SELECT json_array_length(CAST(readfile('out') AS TEXT), '\$.suites')")" "$(grep -c '^  - {file: ' "$bench/bench.yaml")" "columns of the board"
audition 0 "$@"
is "$(wc -l <play.log)" "$n" "requests after it was done"
