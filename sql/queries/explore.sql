-- Lists of runs and samples: filtered, sorted, page by page.

-- name: valued
SELECT derived, valued FROM run WHERE id = $1;

-- name: valued_set
UPDATE run SET valued = $2 WHERE id = $1;

-- name: value_drop
DELETE FROM sample_value WHERE run = $1;

-- name: value_add
INSERT INTO sample_value (run, sample, value, spread, rule) VALUES ($1, $2, $3, $4, $5);

-- name: value_list as value
SELECT s.id AS sample, s.model, s.item, s.repeat, v.value, v.spread, v.rule
FROM sample_value v JOIN sample s ON s.id = v.sample WHERE v.run = $1 ORDER BY s.id;

-- name: value_of as value
SELECT s.id AS sample, s.model, s.item, s.repeat, v.value, v.spread, v.rule
FROM sample_value v JOIN sample s ON s.id = v.sample WHERE v.sample = $1;

-- Runs with work left are found from the open rows, skipping from each such run to the next: the cost depends on their
-- number, not on that of all runs. Parameters: $1 order, $2 words ('' or a pattern), $3 model, $4 tag ('' or a
-- pattern), $5 state (left, done or ''); then the page: after key $6 and id $7, $8 rows.
-- name: run_page as run_page
WITH RECURSIVE asked (run) AS (
    SELECT (SELECT MIN(run) FROM sample WHERE state = 'planned')
    UNION ALL
    SELECT (SELECT MIN(s.run) FROM sample s WHERE s.state = 'planned' AND s.run > asked.run) FROM asked WHERE asked.run IS NOT NULL),
judging (run) AS (
    SELECT (SELECT MIN(run) FROM verdict WHERE state = 'planned')
    UNION ALL
    SELECT (SELECT MIN(v.run) FROM verdict v WHERE v.state = 'planned' AND v.run > judging.run) FROM judging WHERE judging.run IS NOT NULL),
at_work (run) AS (
    SELECT run FROM worker WHERE run IS NOT NULL UNION SELECT run FROM asked WHERE run IS NOT NULL
    UNION SELECT run FROM judging WHERE run IS NOT NULL),
hit AS (
    SELECT r.id, CASE $1 WHEN 'old' THEN r.id WHEN 'worked' THEN -r.worked_ms ELSE -r.id END AS k
    FROM run r
    WHERE ($2 = '' OR lower(r.title || ' ' || r.titles || ' ' || r.suite || ' ' || r.name || ' ' || r.label || ' ' || r.tags) LIKE lower($2) ESCAPE '\')
        AND ($3 = '' OR EXISTS (SELECT 1 FROM model m WHERE m.run = r.id AND m.name = $3))
        AND ($4 = '' OR lower(r.tags) LIKE lower($4) ESCAPE '\')
        AND ($5 = '' OR ($5 = 'left') = (r.id IN (SELECT run FROM at_work)))),
page AS (SELECT id, k FROM hit WHERE k > $6 OR (k = $6 AND id > $7) ORDER BY k, id LIMIT $8)
SELECT r.id, r.name, r.suite, r.title, r.titles, r.label, r.note, r.tags, r.created_ms, r.stale, page.k AS key,
    (SELECT COUNT(*) FROM hit) AS total
FROM page JOIN run r ON r.id = page.id ORDER BY page.k, page.id;

-- The progress of a run, its orders, the last heartbeat of its workers, and the best model by its headline score. What
-- is not counted here is done.
-- name: run_stand
SELECT s.samples, s.samples - s.planned - s.failed AS answered, v.verdicts, v.verdicts - v.planned - v.unscored - v.failed AS judged,
    s.failed, v.unscored, s.planned + v.planned AS planned, (SELECT orders FROM run WHERE id = $1) AS orders,
    (SELECT COALESCE(MAX(beat_ms), 0) FROM worker WHERE run = $1) AS beat_ms,
    (SELECT COUNT(*) FROM standing WHERE run = $1) AS flags, SUBSTR(b.subject, 7) AS best, b.value AS score
FROM (SELECT (SELECT COUNT(*) FROM sample WHERE run = $1) AS samples,
        (SELECT COUNT(*) FROM sample WHERE run = $1 AND state = 'planned') AS planned,
        (SELECT COUNT(*) FROM sample WHERE run = $1 AND state = 'failed') AS failed) s,
    (SELECT (SELECT COUNT(*) FROM verdict WHERE run = $1) AS verdicts,
        (SELECT COUNT(*) FROM verdict WHERE run = $1 AND state = 'planned') AS planned,
        (SELECT COUNT(*) FROM verdict WHERE run = $1 AND state IN ('failed', 'unscored') AND state = 'unscored') AS unscored,
        (SELECT COUNT(*) FROM verdict WHERE run = $1 AND state IN ('failed', 'unscored') AND state = 'failed') AS failed) v
    LEFT JOIN (SELECT subject, value FROM score WHERE run = $1 AND jury = (SELECT jury FROM headline WHERE run = $1)
        AND metric = 'score' AND value IS NOT NULL AND subject LIKE 'model/%' ORDER BY value DESC, subject COLLATE BINARY LIMIT 1) b ON 1 = 1;

-- The previous run of the same suite with a model in common.
-- name: run_before as name
SELECT r.name FROM run r
WHERE r.suite = $1 AND r.id < $2
    AND EXISTS (SELECT 1 FROM model m JOIN model k ON k.run = $2 AND k.name = m.name WHERE m.run = r.id)
ORDER BY r.id DESC LIMIT 1;

-- The names of those who take part in a run: models, then judges and people.
-- name: run_cast as run_cast
SELECT 0 AS judging, id, name FROM model WHERE run = $1
UNION ALL SELECT 1, id, name FROM judge WHERE run = $1 AND dropped = 0
UNION ALL SELECT 2, c.id, 'campaign:' || c.name FROM campaign c WHERE c.run = $1 AND c.state = 'unmasked'
    AND EXISTS (SELECT 1 FROM juror x WHERE x.campaign = c.id) ORDER BY judging, id;

-- Samples of run $1. Parameters: $2 order, $3 model, $4 item, $5 judge, $6 flag ('', any, or its kind), $7 to $8 range
-- of the value, $9 = 1 without a value, $10 least spread, $11 run to differ from, $12 words ('' or a pattern); then the
-- page: after key $13 and id $14, $15 rows.
-- name: sample_page as sample_page
WITH hit AS (
    SELECT s.id, CASE $2 WHEN 'low' THEN COALESCE(v.value, 1e300) WHEN 'high' THEN COALESCE(-v.value, 1e300)
        WHEN 'spread' THEN COALESCE(-v.spread, 1e300) WHEN 'long' THEN COALESCE(-LENGTH(s.answer), 1e300) ELSE 0 END AS k
    FROM sample s LEFT JOIN sample_value v ON v.sample = s.id
    WHERE s.run = $1 AND ($3 = 0 OR s.model = $3) AND ($4 = 0 OR s.item = $4)
        AND ($5 = 0 OR EXISTS (SELECT 1 FROM verdict w WHERE w.sample = s.id AND w.judge = $5))
        AND ($6 = '' OR EXISTS (SELECT 1 FROM standing f WHERE f.sample = s.id AND ($6 = 'any' OR f.kind = $6)))
        AND (($7 <= -1e300 AND $8 >= 1e300) OR v.value BETWEEN $7 AND $8)
        AND ($9 = 0 OR v.value IS NULL)
        AND ($10 <= 0 OR v.spread >= $10)
        AND ($11 = 0 OR v.value <> (SELECT bv.value FROM model m JOIN model bm ON bm.run = $11 AND bm.name = m.name
            JOIN item i ON i.id = s.item JOIN item bi ON bi.run = $11 AND bi.name = i.name
            JOIN sample b ON b.model = bm.id AND b.item = bi.id AND b.repeat = s.repeat
            JOIN sample_value bv ON bv.sample = b.id WHERE m.id = s.model))
        AND ($12 = '' OR lower(s.answer) LIKE lower($12) ESCAPE '\')),
page AS (SELECT id, k FROM hit WHERE k > $13 OR (k = $13 AND id > $14) ORDER BY k, id LIMIT $15)
SELECT s.id, s.repeat, s.state, m.name AS model, i.name AS item, v.value, v.spread, v.rule,
    SUBSTR(s.answer, 1, 2000) AS excerpt, page.k AS key, (SELECT COUNT(*) FROM hit) AS total,
    (SELECT COUNT(*) FROM standing f WHERE f.sample = s.id) AS flags
FROM page JOIN sample s ON s.id = page.id JOIN model m ON m.id = s.model JOIN item i ON i.id = s.item
    LEFT JOIN sample_value v ON v.sample = s.id
ORDER BY page.k, page.id;

-- name: sample_beside
SELECT (SELECT MAX(id) FROM sample WHERE run = $1 AND id < $2) AS before, (SELECT MIN(id) FROM sample WHERE run = $1 AND id > $2) AS after;

-- One name in all runs.
-- name: runs_of_model as run_of
SELECT r.id AS run, r.name, r.suite, r.title, r.titles, r.created_ms, h.jury, h.judges, c.value, c.lo, c.hi, c.n, c.why
FROM model m JOIN run r ON r.id = m.run JOIN headline h ON h.run = r.id
    LEFT JOIN score c ON c.run = r.id AND c.jury = h.jury AND c.subject = 'model/' || m.name AND c.metric = 'score'
WHERE m.name = $1 ORDER BY m.run DESC LIMIT $2;

-- A judge, with the first panel that it sits on.
-- name: runs_of_judge as run_of
SELECT r.id AS run, r.name, r.suite, r.title, r.titles, r.created_ms, t.panel AS jury, j.name AS judges, c.value, c.lo, c.hi, c.n, c.why
FROM judge j JOIN run r ON r.id = j.run
    JOIN seat t ON t.id = (SELECT o.id FROM seat o WHERE o.judge = j.id ORDER BY CASE WHEN o.panel = '' THEN 0 ELSE 1 END, o.id LIMIT 1)
    LEFT JOIN score c ON c.run = r.id AND c.jury = t.panel AND c.subject = 'judge/' || j.name AND c.metric = 'agreement'
WHERE j.name = $1 ORDER BY j.run DESC LIMIT $2;

-- Names of models after $1, without duplicates.
-- name: model_names as name
SELECT name FROM model WHERE name COLLATE BINARY > $1 GROUP BY name ORDER BY name COLLATE BINARY LIMIT $2;

-- name: judge_names as name
SELECT name FROM judge WHERE name COLLATE BINARY > $1 GROUP BY name ORDER BY name COLLATE BINARY LIMIT $2;

-- The battles of a run, pair by pair, after the pair of samples $2 and $3.
-- name: battle_page as battle_page
SELECT v.sample, v.other, m.name AS model, om.name AS against, i.name AS item, COUNT(*) AS verdicts,
    SUM(CASE WHEN v.winner = m.id THEN 1 ELSE 0 END) AS won, SUM(CASE WHEN v.winner = om.id THEN 1 ELSE 0 END) AS lost,
    SUM(CASE WHEN v.winner = 0 THEN 1 ELSE 0 END) AS tied
FROM verdict v JOIN sample s ON s.id = v.sample JOIN model m ON m.id = s.model JOIN item i ON i.id = s.item
    JOIN sample o ON o.id = v.other JOIN model om ON om.id = o.model
WHERE v.run = $1 AND (v.sample > $2 OR (v.sample = $2 AND v.other > $3))
GROUP BY v.sample, v.other, m.id, m.name, om.id, om.name, i.name ORDER BY v.sample, v.other LIMIT $4;

-- Suites with their newest run, the latest first.
-- name: suite_list as suite_list
SELECT g.suite, g.runs, r.name AS run, r.title, r.titles FROM (SELECT suite, MAX(id) AS newest, COUNT(*) AS runs FROM run GROUP BY suite) g
    JOIN run r ON r.id = g.newest
ORDER BY g.newest DESC LIMIT $1;

-- One score of every model in the runs of a suite, newest run first.
-- name: board_of as board_of
SELECT r.name AS run, h.judges, r.created_ms, SUBSTR(c.subject, 7) AS model, c.value, c.lo, c.hi, c.n, c.why
FROM run r JOIN headline h ON h.run = r.id JOIN score c ON c.run = r.id AND c.jury = h.jury AND c.metric = $2
WHERE r.suite = $1 AND c.value IS NOT NULL ORDER BY r.id DESC LIMIT $3;

-- Words in answers, newest first: in samples from $2 down to above $3.
-- name: search_answers as hit
SELECT s.id, s.run, s.id AS sample, m.name AS who, i.name AS item, s.answer AS words
FROM sample s JOIN model m ON m.id = s.model JOIN item i ON i.id = s.item
WHERE s.id <= $2 AND s.id > $3 AND lower(s.answer) LIKE lower($1) ESCAPE '\' ORDER BY s.id DESC LIMIT $4;

-- The same in replies of judges.
-- name: search_verdicts as hit
SELECT v.id, v.run, v.sample, j.name AS who, i.name AS item, v.reply AS words
FROM verdict v JOIN judge j ON j.id = v.judge JOIN sample s ON s.id = v.sample JOIN item i ON i.id = s.item
WHERE v.id <= $2 AND v.id > $3 AND lower(v.reply) LIKE lower($1) ESCAPE '\' ORDER BY v.id DESC LIMIT $4;

-- name: newest_sample
SELECT MAX(id) FROM sample;

-- name: newest_verdict
SELECT MAX(id) FROM verdict;

-- Runs whose words are missing in the index or outdated, and that nobody is working on; newest first. Runs with words
-- of people are never indexed: deleted words would stay in an index for long.
-- name: unworded
SELECT r.id FROM run r
WHERE NOT EXISTS (SELECT 1 FROM word_run w WHERE w.run = r.id AND w.derived = r.derived AND r.stale = 0)
    AND NOT EXISTS (SELECT 1 FROM worker k WHERE k.run = r.id)
    AND NOT EXISTS (SELECT 1 FROM sample s JOIN turn t ON t.sample = s.id WHERE s.run = r.id AND t.source = 'person')
ORDER BY r.id DESC LIMIT $1;

-- name: word_busy
SELECT COUNT(*) FROM worker WHERE run = $1;

-- name: word_people
SELECT COUNT(*) FROM sample s JOIN turn t ON t.sample = s.id WHERE s.run = $1 AND t.source = 'person';

-- name: word_samples_drop
DELETE FROM word_sample WHERE rowid IN (SELECT id FROM sample WHERE run = $1);

-- name: word_verdicts_drop
DELETE FROM word_verdict WHERE rowid IN (SELECT id FROM verdict WHERE run = $1);

-- name: word_samples_add
INSERT INTO word_sample (rowid, words) SELECT id, lower(answer) FROM sample WHERE run = $1 AND answer <> '';

-- name: word_verdicts_add
INSERT INTO word_verdict (rowid, words) SELECT id, lower(reply) FROM verdict WHERE run = $1 AND reply <> '';

-- name: word_run_set
INSERT INTO word_run (run, derived) VALUES ($1, $2) ON CONFLICT (run) DO UPDATE SET derived = excluded.derived;

-- Three characters or more, through the index; and in the runs that it does not contain as they are now.
-- name: find_answers as hit
SELECT s.id, s.run, s.id AS sample, m.name AS who, i.name AS item, s.answer AS words
FROM (SELECT id FROM (SELECT rowid AS id FROM word_sample WHERE words LIKE lower($1) AND rowid <= $2 ORDER BY rowid DESC LIMIT $3) AS known
    UNION SELECT id FROM (SELECT t.id FROM run r LEFT JOIN word_run w ON w.run = r.id CROSS JOIN sample t
        WHERE t.run = r.id AND (r.stale <> 0 OR w.derived IS NULL OR w.derived <> r.derived) AND t.id <= $2 AND lower(t.answer) LIKE lower($1) ORDER BY t.id DESC LIMIT $3) AS other) AS hit
    JOIN sample s ON s.id = hit.id JOIN model m ON m.id = s.model JOIN item i ON i.id = s.item
ORDER BY s.id DESC LIMIT $3;

-- name: find_verdicts as hit
SELECT v.id, v.run, v.sample AS sample, j.name AS who, i.name AS item, v.reply AS words
FROM (SELECT id FROM (SELECT rowid AS id FROM word_verdict WHERE words LIKE lower($1) AND rowid <= $2 ORDER BY rowid DESC LIMIT $3) AS known
    UNION SELECT id FROM (SELECT t.id FROM run r LEFT JOIN word_run w ON w.run = r.id CROSS JOIN verdict t
        WHERE t.run = r.id AND (r.stale <> 0 OR w.derived IS NULL OR w.derived <> r.derived) AND t.id <= $2 AND lower(t.reply) LIKE lower($1) ORDER BY t.id DESC LIMIT $3) AS other) AS hit
    JOIN verdict v ON v.id = hit.id JOIN judge j ON j.id = v.judge JOIN sample s ON s.id = v.sample JOIN item i ON i.id = s.item
ORDER BY v.id DESC LIMIT $3;
