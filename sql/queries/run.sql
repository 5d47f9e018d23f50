-- Runs, their participants, and items.

-- By label, or by the beginning of the name ($2 = 1): hexadecimal digits sort before `g`. Most runs have no label.
-- name: run_by_name as run
SELECT id, name, key, suite, frozen, seed, generation, repeats, created_ms, fresh, stale,
    label, note, tags, orders, title, titles
FROM run WHERE $2 = 1 AND name COLLATE BINARY >= $1 AND name COLLATE BINARY < $1 || 'g' OR label = $1 AND label <> ''
ORDER BY (label = $1) DESC, (name = $1) DESC, id DESC LIMIT 2;

-- name: run_by_id as run
SELECT id, name, key, suite, frozen, seed, generation, repeats, created_ms, fresh, stale,
    label, note, tags, orders, title, titles
FROM run WHERE id = $1;

-- name: run_latest as run
SELECT id, name, key, suite, frozen, seed, generation, repeats, created_ms, fresh, stale,
    label, note, tags, orders, title, titles
FROM run ORDER BY worked_ms DESC, id DESC LIMIT 1;

-- name: run_by_key as run
SELECT id, name, key, suite, frozen, seed, generation, repeats, created_ms, fresh, stale,
    label, note, tags, orders, title, titles
FROM run WHERE key = $1 AND fresh = $2 ORDER BY generation DESC LIMIT 1;

-- name: run_list as run
SELECT id, name, key, suite, '' AS frozen, seed, generation, repeats, created_ms, fresh, stale,
    label, note, tags, orders, title, titles
FROM run ORDER BY id DESC;

-- name: run_next_generation
SELECT COALESCE(MAX(generation) + 1, 0) FROM run WHERE key = $1;

-- name: run_name_taken
SELECT COUNT(*) FROM run WHERE name = $1;

-- name: run_add
INSERT INTO run (name, key, generation, fresh, suite, frozen, seed, repeats, stale, created_ms,
    worked_ms, title, titles)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9, $9, $10, $11) RETURNING id;

-- name: run_touch
UPDATE run SET worked_ms = $2 WHERE id = $1;

-- NULL leaves a column unchanged.
-- name: run_describe
UPDATE run SET label = COALESCE($2, label), note = COALESCE($3, note), tags = COALESCE($4, tags)
WHERE id = $1;

-- name: run_label_taken
SELECT COUNT(*) FROM run WHERE label = $1 AND id <> $2;

-- name: run_seal as seal_of
SELECT sealed, stale FROM run WHERE id = $1;

-- name: run_sealed
UPDATE run SET sealed = $2, digest = $2, facts = $3 WHERE id = $1;

-- Nothing was added: the seals of last time still hold.
-- name: run_sealed_again
UPDATE run SET sealed = digest WHERE id = $1;

-- Always writes: the process that scores the run holds the row until it commits, and a verdict that arrives meanwhile
-- waits for that and makes the run stale again.
-- name: run_stale
UPDATE run SET stale = 1, sealed = '' WHERE id = $1;

-- After a group of results. Somebody may have scored the run meanwhile and considered it done: a worker of the queue
-- ($2) puts it back.
-- name: run_worked
UPDATE run SET stale = 1, sealed = '', orders = CASE WHEN orders = '' AND $2 <> 0 THEN 'queued' ELSE orders END
WHERE id = $1;

-- Claims a run for scoring; nobody else can while it is being scored.
-- name: run_claim
UPDATE run SET stale = 0, derived = derived + 1 WHERE id IN (
    SELECT id FROM run WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED);

-- Of the runs from $1 to $2, newest first.
-- name: model_list as party
SELECT id, name, family, config, '' AS template, 0 AS repeats, run FROM model
WHERE run >= $1 AND run <= $2 ORDER BY run DESC, id;

-- name: judge_list as party
SELECT id, name, family, config, template, repeats, run FROM judge
WHERE run >= $1 AND run <= $2 AND dropped = 0 ORDER BY run DESC, id;

-- Including dropped ones.
-- name: judge_ever as party
SELECT id, name, family, config, template, repeats, run FROM judge
WHERE run >= $1 AND run <= $2 ORDER BY run DESC, id;

-- Campaigns with marks that count.
-- name: people_list as party
SELECT id, 'campaign:' || name AS name, '' AS family, '' AS config, '' AS template, 0 AS repeats, run FROM campaign c
WHERE run >= $1 AND run <= $2 AND EXISTS (SELECT 1 FROM juror x WHERE x.campaign = c.id) ORDER BY run DESC, id;

-- name: examiner_list as party
SELECT id, name, family, config, '' AS template, 0 AS repeats, run FROM examiner
WHERE run >= $1 AND run <= $2 ORDER BY run DESC, id;

-- name: examiner_put
INSERT INTO examiner (run, name, family, config) VALUES ($1, $2, $3, $4)
ON CONFLICT (run, name) DO UPDATE SET config = excluded.config, family = excluded.family
RETURNING id;

-- name: model_put
INSERT INTO model (run, name, family, config) VALUES ($1, $2, $3, $4)
ON CONFLICT (run, name) DO UPDATE SET config = excluded.config, family = excluded.family
RETURNING id;

-- name: judge_put
INSERT INTO judge (run, name, family, config, template, repeats) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (run, name) DO UPDATE
SET config = excluded.config, family = excluded.family,
    repeats = CASE WHEN excluded.repeats > judge.repeats THEN excluded.repeats ELSE judge.repeats END
RETURNING id;

-- name: item_add
INSERT INTO item (run, position, name, body) VALUES ($1, $2, $3, $4);

-- name: item_body
SELECT body FROM item WHERE id = $1;

-- name: item_find
SELECT id FROM item WHERE run = $1 AND name = $2;

-- name: item_count
SELECT COUNT(*) FROM item WHERE run = $1;

-- Counts by state, in the order of enum state, and the total, for the runs from $1 to $2. What is not done is found
-- through its own indexes; the rest is done. For held rows CASE hides the state from the index of planned rows:
-- PostgreSQL, which has no statistics of a new table, would scan that index for each.
-- name: sample_counts as counts
WITH counted (run, planned, leased, failed, total) AS (
    SELECT run, 0, 0, 0, COUNT(*) FROM sample WHERE run >= $1 AND run <= $2 GROUP BY run
    UNION ALL
    SELECT run, COUNT(*), 0, 0, 0 FROM sample WHERE run >= $1 AND run <= $2 AND state = 'planned' GROUP BY run
    UNION ALL
    SELECT run, 0, 0, COUNT(*), 0 FROM sample WHERE run >= $1 AND run <= $2 AND state = 'failed' GROUP BY run
    UNION ALL
    SELECT run, 0, COUNT(*), 0, 0 FROM (
        SELECT (SELECT CASE s.state WHEN 'planned' THEN s.run END FROM sample s WHERE s.id = l.id) AS run FROM sample_lease l) AS held
    WHERE run >= $1 AND run <= $2 GROUP BY run)
SELECT run, SUM(planned - leased) AS planned, SUM(leased) AS leased, SUM(total - planned - failed) AS done, 0 AS unscored,
    SUM(failed) AS failed, SUM(total) AS total
FROM counted GROUP BY run ORDER BY run DESC;

-- Whether anything is left to do. Counting would scan everything that is done.
-- name: run_left as run_left
SELECT CASE WHEN EXISTS (SELECT 1 FROM sample WHERE run = $1 AND state = 'planned') THEN 1 ELSE 0 END AS samples,
    CASE WHEN EXISTS (SELECT 1 FROM verdict WHERE run = $1 AND state = 'planned'
        AND judge NOT IN (SELECT id FROM judge WHERE run = $1 AND dropped = 1)) THEN 1 ELSE 0 END AS verdicts;

-- The rows that workers hold; verdicts of the same judges as below.
-- name: run_held as run_held
SELECT (SELECT COUNT(*) FROM sample_lease l
        WHERE (SELECT CASE s.state WHEN 'planned' THEN s.run END FROM sample s WHERE s.id = l.id) = $1) AS samples,
    (SELECT COUNT(*) FROM verdict_lease l
        WHERE (SELECT CASE WHEN v.state = 'planned' AND j.dropped = 0 AND (j.id = $3 OR $3 = 0 AND ($2 = '*'
                OR EXISTS (SELECT 1 FROM seat t WHERE t.judge = j.id AND t.panel = $2))) THEN v.run END
            FROM verdict v JOIN judge j ON j.id = v.judge WHERE v.id = l.id) = $1) AS verdicts;

-- Verdicts of the judges on panel $3, or of judge $4, or ('*') of all. Dropped judges, who do not count, are few.
-- name: verdict_counts as counts
WITH passed (judge) AS (
    SELECT j.id FROM judge j WHERE j.run >= $1 AND j.run <= $2 AND NOT (j.dropped = 0
        AND (j.id = $4 OR $4 = 0 AND ($3 = '*' OR EXISTS (SELECT 1 FROM seat t WHERE t.judge = j.id AND t.panel = $3))))),
counted (run, planned, leased, unscored, failed, total) AS (
    SELECT run, 0, 0, 0, 0, COUNT(*) FROM verdict
    WHERE run >= $1 AND run <= $2 AND judge NOT IN (SELECT judge FROM passed) GROUP BY run
    UNION ALL
    SELECT run, COUNT(*), 0, 0, 0, 0 FROM verdict
    WHERE run >= $1 AND run <= $2 AND state = 'planned' AND judge NOT IN (SELECT judge FROM passed) GROUP BY run
    UNION ALL
    SELECT run, 0, 0, COUNT(*) FILTER (WHERE state = 'unscored'), COUNT(*) FILTER (WHERE state = 'failed'), 0 FROM verdict
    WHERE run >= $1 AND run <= $2 AND state IN ('failed', 'unscored') AND judge NOT IN (SELECT judge FROM passed) GROUP BY run
    UNION ALL
    SELECT run, 0, COUNT(*), 0, 0, 0 FROM (
        SELECT (SELECT CASE v.state WHEN 'planned' THEN v.run END FROM verdict v
            WHERE v.id = l.id AND v.judge NOT IN (SELECT judge FROM passed)) AS run FROM verdict_lease l) AS held
    WHERE run >= $1 AND run <= $2 GROUP BY run)
SELECT run, SUM(planned - leased) AS planned, SUM(leased) AS leased, SUM(total - planned - unscored - failed) AS done,
    SUM(unscored) AS unscored, SUM(failed) AS failed, SUM(total) AS total
FROM counted GROUP BY run ORDER BY run DESC;
