-- Audits of judges.

-- name: trick_put
INSERT INTO judge_audit (run, judge, probe, n, fell, at_ms, seal) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (judge, run, probe) DO UPDATE SET n = excluded.n, fell = excluded.fell, at_ms = excluded.at_ms, seal = excluded.seal;

-- The latest result of each probe in all runs.
-- name: trick_list as trick
SELECT a.judge, a.probe, a.n, a.fell, a.at_ms, a.seal FROM judge_audit a
WHERE a.judge = $1 ORDER BY a.at_ms DESC, a.id;

-- name: trick_of_run as trick
SELECT a.judge, a.probe, a.n, a.fell, a.at_ms, a.seal FROM judge_audit a
WHERE a.run = $1 ORDER BY a.judge COLLATE BINARY, a.id;

-- name: trial_drop
DELETE FROM judge_trial WHERE run = $1 AND judge = $2;

-- name: trial_add
INSERT INTO judge_trial (run, judge, sample, probe, reply, seal) VALUES ($1, $2, $3, $4, $5, $6);

-- For each sample the unchanged answer comes first.
-- name: trial_each as trial
SELECT t.judge, t.sample, t.probe, t.reply, t.seal, s.repeat, m.name AS model, i.name AS item, i.body
FROM judge_trial t JOIN sample s ON s.id = t.sample JOIN model m ON m.id = s.model JOIN item i ON i.id = s.item
WHERE t.run = $1 ORDER BY t.judge COLLATE BINARY, t.sample, t.id;
