#!/usr/bin/env bash
# Databases made by older programs: migrated, they verify, and the command that made a run finds it again.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

old=$REPO/tests/fixtures/old
cp -r "$old/files/." .
frozen="SELECT key, frozen FROM run; SELECT name, body FROM item ORDER BY position"
# A new run also says what came later, by its default; the key is the same all the same.
later="'\$.rules.echo', '\$.rules.stock', '\$.rules.loop', '\$.rules.user', '\$.rules.knowledge', '\$.instrument.over',
    '\$.judge.answer_limit'"
then="SELECT key, json_remove(frozen, $later) FROM run; SELECT name, body FROM item ORDER BY position"
facts="$frozen; SELECT name, family FROM model ORDER BY id; SELECT name, template FROM judge ORDER BY id;
    SELECT id, item, model, repeat, state, answer FROM sample ORDER BY id;
    SELECT id, sample, judge, state FROM verdict ORDER BY id; SELECT verdict, dimension, value FROM mark ORDER BY 1, 2"

while read -r name code args; do
    echo "== $name"
    zcat "$old/$name.sql.gz" | sed "s|@HERE@|$PWD|g" | sqlite3 "$name.db"
    audition 0 db migrate --db "$name.db"
    sql "$name.db" "$facts" >before
    audition 0 db migrate --db "$name.db"
    audition 0 verify latest --db "$name.db"
    says out 'no differences'
    lacks out 'not searched'
    # shellcheck disable=SC2086 # several words
    audition "$code" $args -q --db "$name.db"
    sql "$name.db" "$facts" >after
    cmp before after || { diff before after | cut -c 1-400; fail "$name: the command did not find its run"; }
    audition 0 verify latest --db "$name.db"
    says out 'no differences'
    [ "$name" != wide ] || continue # its models are gone
    # shellcheck disable=SC2086
    audition "$code" $args -q --db new.db
    sql "$name.db" "$then" >before
    sql new.db "$then" >after
    cmp before after || { diff before after | cut -c 1-400; fail "$name: frozen otherwise than it was"; }
    rm -f new.db*
done < <(grep -v '^#' "$old/runs")

echo "== what people gave"
audition 0 campaign results hobs-lock-readers --db rubric.db
says out '7 raters, 7 began, 6 finished'

echo "== before people, silence loses its battles and counts only where they were shown the answer; it did not then"
for run in hush:n:6:12 quiet:value:1.5:2.0; do
    IFS=: read -r suite column was is <<<"$run"
    zcat "$old/silence.sql.gz" | sed "s|@HERE@|$PWD|g" | sqlite3 "$suite.db"
    score="SELECT $column FROM score WHERE run = (SELECT id FROM run WHERE suite = '$suite') AND subject = 'model/hush'
        AND metric = 'score' AND jury <> ''"
    id=$(sql "$suite.db" "SELECT name FROM run WHERE suite = '$suite'")
    [ "$(sql "$suite.db" "$score")" = "$was" ] || fail "$suite was: $(sql "$suite.db" "$score")"
    audition 0 db migrate --db "$suite.db"
    audition 0 verify "$id" --db "$suite.db"
    says out 'no differences' 'older version'
    audition 0 board "$id" --db "$suite.db"
    [ "$(sql "$suite.db" "$score")" = "$is" ] || fail "$suite is: $(sql "$suite.db" "$score")"
    audition 0 verify "$id" --db "$suite.db"
    says out 'no differences'
    lacks out 'older version'
    sql "$suite.db" "UPDATE score SET value = value + 1, version = 11 WHERE metric = 'score' AND jury <> ''"
    audition 1 verify "$id" --db "$suite.db"
done

echo "== conversations that somebody withdrew from, and others held"
sql rubric.db "DELETE FROM schema_migration WHERE version >= 55;
    ALTER TABLE run DROP COLUMN queued; ALTER TABLE asked DROP COLUMN slots; DROP TABLE mute;
    DROP VIEW silence; DROP VIEW own_turn; DROP VIEW page_sample;
    INSERT INTO turn (sample, position, part, speaker, kind, text, fact, source, quote, why, thinking, finish, elapsed_ms, at_ms)
    SELECT id, 1, 1, 'examiner', 'follow-up', 'Why?', '', 'person', '', '', '', '', 0, CASE id % 2 WHEN 0 THEN 50 ELSE 150 END FROM sample;
    INSERT INTO assignment (campaign, rater, item, phase, attempt, state, position, shown, lease_ms, started_ms, seen_ms)
    SELECT c.id, r.id, s.item, 'main', 1000 * p.n + s.id, CASE p.n WHEN 1 THEN 'closed' ELSE 'done' END, 1, '[[' || s.id || ',-1]]', 1,
        CASE p.n WHEN 1 THEN 1 ELSE 100 END, 1
    FROM (SELECT 1 AS n UNION SELECT 2) p JOIN campaign c JOIN sample s ON s.run = c.run
        JOIN (SELECT campaign, MIN(id) AS id FROM rater GROUP BY campaign) r ON r.campaign = c.id ORDER BY p.n" >/dev/null
audition 0 db migrate --db rubric.db
is "$(sql rubric.db "SELECT DISTINCT (attempt - 1000) % 2, shown = '[]' FROM assignment WHERE state = 'closed' AND attempt > 1000 ORDER BY 1" | tr '\n' ' ')" \
    "0|0 1|1 " "whose they are"
is "$(sql rubric.db "SELECT COUNT(*) FROM assignment WHERE state <> 'closed' AND shown = '[]' AND attempt > 1000")" 0 "pages of those who held them"
