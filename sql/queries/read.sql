-- Reads a run back.

-- name: sample_each as sample
SELECT s.id, s.model, s.item, s.repeat, s.round, i.position, m.name AS model_name, i.name AS item_name, s.state, s.answer,
    s.thinking, i.body, s.finish, s.fault, s.why, s.tokens_in, s.tokens_out, s.tries, s.elapsed_ms,
    s.ended_ms, s.call, s.cost
FROM sample s JOIN model m ON m.id = s.model JOIN item i ON i.id = s.item
WHERE s.run = $1 AND ($2 = 0 OR s.id = $2) AND ($3 = '' OR m.name = $3) AND ($4 = '' OR i.name = $4)
ORDER BY m.id, i.position, s.repeat;

-- Stretches of turns in numeric order, '2-2' before '10-10', then verdicts about something else, named by a word.
-- name: verdict_each as verdict
SELECT v.id, v.sample, v.repeat, j.name AS judge_name, m.name AS model_name, i.name AS item_name, s.repeat AS sample_repeat, v.state,
    v.reply, v.reason, v.overall, v.repairs, v.call,
    v.fault, v.why, om.name AS other_name, v.shown, v.choice, w.name AS winner_name
FROM verdict v JOIN judge j ON j.id = v.judge JOIN sample s ON s.id = v.sample
    JOIN model m ON m.id = s.model JOIN item i ON i.id = s.item
    LEFT JOIN sample o ON o.id = v.other LEFT JOIN model om ON om.id = o.model
    LEFT JOIN model w ON w.id = v.winner
WHERE v.run = $1 AND j.dropped = 0
ORDER BY m.id, i.position, s.repeat, j.id, v.repeat, v.other, v.shown COLLATE BINARY >= 'a', length(v.shown), v.shown COLLATE BINARY;

-- The same for one sample, or for the sample of one verdict.
-- name: verdict_of as verdict
SELECT v.id, v.sample, v.repeat, j.name AS judge_name, m.name AS model_name, i.name AS item_name, s.repeat AS sample_repeat, v.state,
    v.reply, v.reason, v.overall, v.repairs, v.call,
    v.fault, v.why, om.name AS other_name, v.shown, v.choice, w.name AS winner_name
FROM verdict v JOIN judge j ON j.id = v.judge JOIN sample s ON s.id = v.sample
    JOIN model m ON m.id = s.model JOIN item i ON i.id = s.item
    LEFT JOIN sample o ON o.id = v.other LEFT JOIN model om ON om.id = o.model
    LEFT JOIN model w ON w.id = v.winner
WHERE s.run = $1 AND v.sample = CASE WHEN $2 = 0 THEN (SELECT sample FROM verdict WHERE id = $3) ELSE $2 END
    AND ($3 = 0 OR v.id = $3) AND j.dropped = 0
ORDER BY j.id, v.repeat, v.other, v.shown COLLATE BINARY >= 'a', length(v.shown), v.shown COLLATE BINARY;

-- name: mark_list as mark
SELECT dimension, value, analysis, evidence, advice FROM mark WHERE verdict = $1 ORDER BY dimension COLLATE BINARY;

-- Samples of a run in storage order, and verdicts with their marks likewise: nothing is sorted or looked up
-- (store/facts.h). Costs are added as billionths: integers give the same sum in any order.
-- name: sample_facts as sample_fact
SELECT id, model, item, repeat, state, tokens_in, tokens_out, cost
FROM sample WHERE run = $1 ORDER BY id;

-- name: verdict_facts as verdict_fact
SELECT v.id, v.sample, v.judge, v.other, v.shown, v.repeat, v.state, v.tokens_in, v.tokens_out, v.cost, v.repairs, v.overall, k.dimension, k.value
FROM verdict v LEFT JOIN mark k ON k.verdict = v.id WHERE v.run = $1 ORDER BY v.id, k.dimension COLLATE BINARY;

-- Marks of stretches of turns, each with its first and last turn: '7-12'; of the judges on panel $2, or of judge $3.
-- name: window_each as window
SELECT s.model, s.id AS sample, v.judge, v.shown, k.dimension, k.value
FROM sample s JOIN verdict v ON v.sample = s.id AND v.state = 'done' AND v.other = 0
    AND v.shown NOT IN ('', 'user', 'knowledge')
    JOIN mark k ON k.verdict = v.id
WHERE s.run = $1 AND s.state = 'done'
    AND (v.judge = $3 OR $3 = 0 AND EXISTS (SELECT 1 FROM seat t JOIN judge j ON j.id = t.judge
        WHERE t.judge = v.judge AND t.panel = $2 AND j.dropped = 0))
ORDER BY s.id, v.judge, v.shown COLLATE BINARY, v.repeat, k.dimension COLLATE BINARY;

-- name: silent_each as fact
SELECT s.model, s.item, s.repeat, s.id AS sample, 0 AS judge, NULL AS dimension, NULL AS value
FROM flag f JOIN sample s ON s.id = f.sample
WHERE f.run = $1 AND f.kind = 'empty' AND f.overruled_by IS NULL
    AND EXISTS (SELECT 1 FROM verdict v WHERE v.run = $1 AND v.state = 'done'
        AND (v.judge = $3 OR $3 = 0 AND EXISTS (SELECT 1 FROM seat t JOIN judge j ON j.id = t.judge
            WHERE t.judge = v.judge AND t.panel = $2 AND j.dropped = 0)))
    AND s.model NOT IN (SELECT w.model FROM verdict v JOIN sample w ON w.id = v.sample
        WHERE v.run = $1 AND v.state = 'planned'
        AND (v.judge = $3 OR $3 = 0 AND EXISTS (SELECT 1 FROM seat t JOIN judge j ON j.id = t.judge
            WHERE t.judge = v.judge AND t.panel = $2 AND j.dropped = 0)))
ORDER BY s.id;

-- Restricted to rows of the run: for the lowest id of all, PostgreSQL would scan those of earlier runs.
-- name: item_span
SELECT COALESCE(MIN(id + 0), 0) AS first, COALESCE(MAX(id + 0), -1) AS last FROM item WHERE run = $1;

-- name: overall_each as overall
SELECT j.name AS judge, v.id AS verdict, v.overall, k.dimension, k.value
FROM verdict v JOIN judge j ON j.id = v.judge JOIN mark k ON k.verdict = v.id
WHERE v.run = $1 AND v.overall IS NOT NULL AND v.shown NOT IN ('user', 'knowledge')
ORDER BY j.id, v.id;

-- name: flag_list as flag
SELECT f.id, f.sample, f.kind, m.name AS model_name, i.name AS item_name, s.repeat, f.value, f.evidence, f.overruled_by,
    f.overruled_why, l.who AS restored_by, l.why AS restored_why
FROM flag f JOIN sample s ON s.id = f.sample JOIN model m ON m.id = s.model
    JOIN item i ON i.id = s.item
    LEFT JOIN flag_log l ON l.act = 'restore' AND l.id = (SELECT MAX(g.id) FROM flag_log g WHERE g.run = f.run AND g.sample = f.sample AND g.kind = f.kind)
WHERE f.run = $1 ORDER BY m.id, i.position, s.repeat, f.kind COLLATE BINARY;

-- name: flag_put
INSERT INTO flag (run, sample, kind, value, evidence) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (sample, kind) DO UPDATE SET value = excluded.value, evidence = excluded.evidence
WHERE flag.evidence IS DISTINCT FROM excluded.evidence OR flag.value IS DISTINCT FROM excluded.value;

-- name: flag_drop
DELETE FROM flag WHERE id = $1;

-- name: score_list as score
SELECT subject, metric, method, value, lo, hi, n, clusters, why FROM score WHERE run = $1
    AND jury = $2
ORDER BY subject COLLATE BINARY, metric COLLATE BINARY;

-- name: score_versions as versions
SELECT MIN(version) AS oldest, MAX(version) AS newest FROM score WHERE run = $1;

-- name: score_drop
DELETE FROM score WHERE run = $1;

-- name: score_add
INSERT INTO score (run, subject, metric, method, value, lo, hi, n, clusters, why, version, jury)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- name: fault_list as fault
SELECT m.name COLLATE BINARY AS who, 0 AS is_judge, s.state, COALESCE(s.fault, '') COLLATE BINARY AS fault, MIN(COALESCE(s.why, '') COLLATE BINARY) AS why, COUNT(*) AS n
FROM sample s JOIN model m ON m.id = s.model
WHERE s.run = $1 AND s.state = 'failed' GROUP BY m.name, s.state, s.fault
UNION ALL
SELECT j.name, 1, v.state, COALESCE(v.fault, ''), MIN(COALESCE(v.why, '') COLLATE BINARY), COUNT(*)
FROM verdict v JOIN judge j ON j.id = v.judge
WHERE v.run = $1 AND v.state IN ('failed', 'unscored') AND j.dropped = 0
GROUP BY j.name, v.state, v.fault
ORDER BY 2, 1, 4;

-- Whether judge $2 was asked about answers of model $3.
-- name: judge_met
SELECT v.id FROM sample s JOIN verdict v ON v.sample = s.id
WHERE s.run = $1 AND s.model = $3 AND v.run = $1 AND v.judge = $2
UNION ALL
SELECT v.id FROM sample s JOIN verdict v ON v.other = s.id AND v.other <> 0
WHERE s.run = $1 AND s.model = $3 AND v.run = $1 AND v.judge = $2
LIMIT 1;

-- A conversation has one call per turn; the answer, which is its transcript, has none.
-- name: traffic_each as traffic
SELECT 'model' AS kind, m.name, c.elapsed_ms, m.id AS party, c.id AS call, '' AS request, c.response, c.packed, c.dictionary, c.plain
FROM sample s JOIN model m ON m.id = s.model JOIN call c ON c.id = s.call
WHERE s.run = $1 AND NOT EXISTS (SELECT 1 FROM turn t WHERE t.sample = s.id)
UNION ALL
SELECT 'model', m.name, c.elapsed_ms, m.id, c.id, '', c.response, c.packed, c.dictionary, c.plain
FROM sample s JOIN model m ON m.id = s.model JOIN turn t ON t.sample = s.id
    JOIN call c ON c.id = t.call
WHERE s.run = $1 AND t.speaker = 'model'
UNION ALL
SELECT 'judge', j.name, c.elapsed_ms, j.id, c.id, '', c.response, c.packed, c.dictionary, c.plain
FROM verdict v JOIN judge j ON j.id = v.judge JOIN call c ON c.id = v.call
WHERE v.run = $1
ORDER BY 1 DESC, 4, 5;
