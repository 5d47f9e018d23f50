-- Orders to workers about runs, endpoints and workers.

-- name: order_run
UPDATE run SET orders = $2 WHERE id = $1;

-- name: order_queue
UPDATE run SET orders = 'queued', priority = $2, needs = $3, budget_usd = $4, budget_tokens = $5, queued = queued + 1 WHERE id = $1;

-- Done, unless somebody has given another order meanwhile, queued it again ($2) or added something that is not scored
-- yet.
-- name: order_done
UPDATE run SET orders = '' WHERE id = $1 AND orders = 'queued' AND stale = 0 AND queued = $2;

-- name: order_of as order
SELECT orders, needs, priority, budget_usd, budget_tokens, queued FROM run WHERE id = $1;

-- name: order_next
SELECT id FROM run WHERE orders = 'queued' ORDER BY priority DESC, id;

-- name: held_put
INSERT INTO held (subject, word, since_ms) VALUES ($1, $2, $3)
ON CONFLICT (subject) DO UPDATE SET word = excluded.word, since_ms = excluded.since_ms;

-- Names of judges may have the form NAME:TEMPLATE.
-- name: held_known
SELECT 1 FROM (SELECT name FROM model UNION ALL SELECT name FROM examiner UNION ALL SELECT name FROM judge) AS t
WHERE name = $1 OR substr(name, 1, length($1) + 1) = $1 || ':' LIMIT 1;

-- name: held_drop
DELETE FROM held WHERE subject = $1;

-- name: held_list as held
SELECT subject, word FROM held ORDER BY subject COLLATE BINARY;

-- name: workers_shown as shown
SELECT w.id, w.host, w.pid, w.version, w.since_ms, w.beat_ms, w.rate, w.waiting, COALESCE(r.name, '') AS run,
    (SELECT COUNT(*) FROM sample_lease l WHERE l.worker = w.id)
        + (SELECT COUNT(*) FROM verdict_lease l WHERE l.worker = w.id) AS rows
FROM worker w LEFT JOIN run r ON r.id = w.run ORDER BY w.host COLLATE BINARY, w.pid;

-- name: worker_tell
UPDATE worker SET rate = $2, retries = $3, throttled = $4, waiting = $5 WHERE id = $1;

-- Workers of a run with a heartbeat after $2.
-- name: run_pulse as pulse
SELECT COUNT(*) AS workers, COALESCE(SUM(rate), 0) AS rate, COALESCE(SUM(retries), 0) AS retries,
    COALESCE(SUM(throttled), 0) AS throttled, COALESCE(MAX(waiting), '') AS waiting
FROM worker WHERE run = $1 AND beat_ms > $2;

-- The latest failures in run $1: $2 rows.
-- name: run_failures as failure
SELECT sample, who, item, fault, why, ended_ms FROM (
    SELECT s.id AS sample, m.name AS who, i.name AS item, COALESCE(s.fault, '') AS fault, COALESCE(s.why, '') AS why, s.ended_ms
    FROM sample s JOIN model m ON m.id = s.model JOIN item i ON i.id = s.item
    WHERE s.run = $1 AND s.state = 'failed'
    UNION ALL
    SELECT v.sample, j.name, i.name, COALESCE(v.fault, ''), COALESCE(v.why, ''), v.ended_ms
    FROM verdict v JOIN judge j ON j.id = v.judge JOIN sample s ON s.id = v.sample JOIN item i ON i.id = s.item
    WHERE v.run = $1 AND v.state IN ('failed', 'unscored')) AS t
ORDER BY ended_ms DESC, sample DESC LIMIT $2;
