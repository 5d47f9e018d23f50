-- Audits of judges.

-- name: trick_put
INSERT INTO judge_audit (run, judge, probe, n, fell, at_ms) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (judge, run, probe) DO UPDATE SET n = excluded.n, fell = excluded.fell, at_ms = excluded.at_ms;

-- The newest of each probe, over all runs.
-- name: trick_list as trick
SELECT a.probe, a.n, a.fell, a.at_ms, r.name AS run_name FROM judge_audit a JOIN run r ON r.id = a.run
WHERE a.judge = $1 AND ($2 = 0 OR a.run = $2) ORDER BY a.at_ms DESC, a.id;
