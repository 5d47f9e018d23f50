-- Orders to those who work: of runs, endpoints and workers.

-- name: order_run
UPDATE run SET orders = $2 WHERE id = $1;

-- name: order_queue
UPDATE run SET orders = 'queued', priority = $2, needs = $3, budget_usd = $4, budget_tokens = $5 WHERE id = $1;

-- Done, unless somebody has said otherwise meanwhile.
-- name: order_done
UPDATE run SET orders = '' WHERE id = $1 AND orders = 'queued';

-- name: order_of as order
SELECT orders, needs, priority, budget_usd, budget_tokens FROM run WHERE id = $1;

-- name: order_next
SELECT id FROM run WHERE orders = 'queued' ORDER BY priority DESC, id LIMIT $1;

-- name: held_put
INSERT INTO held (subject, word, since_ms) VALUES ($1, $2, $3)
ON CONFLICT (subject) DO UPDATE SET word = excluded.word, since_ms = excluded.since_ms;

-- name: held_drop
DELETE FROM held WHERE subject = $1;

-- name: held_list as held
SELECT subject, word FROM held ORDER BY subject;

-- name: workers_shown as shown
SELECT w.id, w.host, w.pid, w.version, w.since_ms, w.beat_ms, COALESCE(r.name, '') AS run,
    (SELECT COUNT(*) FROM sample s WHERE s.state = 'leased' AND s.worker = w.id) AS samples,
    (SELECT COUNT(*) FROM verdict v WHERE v.state = 'leased' AND v.worker = w.id) AS verdicts
FROM worker w LEFT JOIN run r ON r.id = w.run ORDER BY w.host, w.pid;
