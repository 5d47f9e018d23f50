-- Overruling flags, and searches of training lines.

-- name: flag_each as flag_fact
SELECT f.id, f.sample, s.model, f.kind, CASE WHEN f.id IN (SELECT id FROM standing WHERE run = $1) THEN 0 ELSE 1 END AS overruled
FROM flag f JOIN sample s ON s.id = f.sample WHERE f.run = $1 ORDER BY f.id;

-- Overruled flags whose last entry in the log does not say so.
-- name: flag_unlogged as flag_fact
SELECT f.id, f.sample, s.model, f.kind, 1 AS overruled FROM flag f JOIN sample s ON s.id = f.sample
WHERE f.run = $1 AND f.overruled_by IS NOT NULL AND NOT EXISTS (SELECT 1 FROM flag_log l
    WHERE l.id = (SELECT MAX(id) FROM flag_log WHERE run = f.run AND sample = f.sample AND kind = f.kind)
        AND l.act = 'overrule' AND l.who = f.overruled_by AND l.why = f.overruled_why AND l.at_ms = f.overruled_ms)
ORDER BY f.id;

-- Verdicts about something else than the answer: work.sql, plan_about.
-- name: about_each as about
SELECT v.sample, v.shown AS about, j.name AS judge, k.dimension, k.value, k.analysis, k.evidence
FROM verdict v JOIN judge j ON j.id = v.judge JOIN mark k ON k.verdict = v.id
WHERE v.run = $1 AND v.state = 'done' AND v.shown IN ('user', 'knowledge') AND j.dropped = 0
ORDER BY v.sample, v.judge, v.repeat, k.dimension COLLATE BINARY;

-- name: flag_overrule
UPDATE flag SET overruled_by = $2, overruled_why = $3, overruled_ms = $4 WHERE id = $1;

-- name: flag_restore
UPDATE flag SET overruled_by = NULL, overruled_why = NULL, overruled_ms = NULL WHERE id = $1;

-- name: flag_log_add
INSERT INTO flag_log (run, sample, kind, act, who, why, at_ms) VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: flag_log_list as flag_log
SELECT l.id, l.sample, s.repeat, l.at_ms, l.kind, m.name AS model_name, i.name AS item_name, l.act, l.who, l.why
FROM flag_log l JOIN sample s ON s.id = l.sample JOIN model m ON m.id = s.model
    JOIN item i ON i.id = s.item
WHERE l.run = $1 ORDER BY l.id;

-- name: look_get as look
SELECT key, lines, skipped, note FROM look WHERE run = $1;

-- name: look_put
INSERT INTO look (run, key, lines, skipped, note) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (run) DO UPDATE SET key = excluded.key, lines = excluded.lines,
    skipped = excluded.skipped, note = excluded.note;

-- name: answers
SELECT COUNT(*) AS n, COALESCE(MAX(ended_ms), 0) AS last_ms FROM sample WHERE run = $1 AND state = 'done';
