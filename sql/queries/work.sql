-- The queue: workers, planning, leases, calls, results.

-- name: worker_add
INSERT INTO worker (id, name, host, pid, started, beat_ms, version, since_ms, run)
VALUES ($1, $2, $3, $4, $5, $6, $7, $6, $8);

-- name: worker_list as worker
SELECT id, host, pid, started, beat_ms FROM worker;

-- name: worker_beat
UPDATE worker SET beat_ms = $2 WHERE id = $1;

-- Holds our worker: nobody frees our rows until our transaction ends, because freeing them begins with deleting this
-- row.
-- name: worker_hold
SELECT id FROM worker WHERE id = $1 FOR KEY SHARE;

-- name: worker_drop
DELETE FROM worker WHERE id = $1;

-- For a worker that is gone; not while it, or another one that frees its rows, is stuck in the middle of that.
-- name: worker_drop_unheld
DELETE FROM worker WHERE id = (SELECT id FROM worker WHERE id = $1 FOR UPDATE SKIP LOCKED);

-- With worker 0 it is a lock: nobody else takes a share until our transaction ends.
-- name: asked_take
INSERT INTO asked (endpoint, worker, slots) VALUES ($1, $2, $3)
ON CONFLICT (endpoint, worker) DO UPDATE SET slots = excluded.slots;

-- name: asked_look as asked
SELECT COUNT(*) AS workers, COALESCE(SUM(slots), 0) AS slots,
    COALESCE(MAX(CASE WHEN worker = $2 THEN slots END), -1) AS ours
FROM asked WHERE endpoint = $1 AND worker <> 0;

-- name: worker_free_asked
DELETE FROM asked WHERE worker = $1;

-- name: asked_forget
DELETE FROM asked
WHERE worker = 0 AND NOT EXISTS (SELECT 1 FROM asked AS a WHERE a.endpoint = asked.endpoint AND a.worker <> 0);

-- Locks the budget of the run.
-- name: budget_lock
UPDATE run SET stale = stale WHERE id = $1;

-- name: budget_others
SELECT COALESCE(SUM(usd), 0) AS held__usd, COALESCE(SUM(tokens), 0) AS held__tokens, COUNT(*) AS workers
FROM worker WHERE run = $1 AND id <> $2;

-- name: budget_hold
UPDATE worker SET run = $2, usd = $3, tokens = $4 WHERE id = $1;

-- name: worker_free_samples
DELETE FROM sample_lease WHERE worker = $1;

-- name: worker_free_verdicts
DELETE FROM verdict_lease WHERE worker = $1;

-- Rows in the name of a worker that does not exist.
-- name: worker_orphan_asked
DELETE FROM asked WHERE worker <> 0 AND worker NOT IN (SELECT id FROM worker);

-- name: worker_orphan_samples
DELETE FROM sample_lease WHERE worker NOT IN (SELECT id FROM worker);

-- name: worker_orphan_verdicts
DELETE FROM verdict_lease WHERE worker NOT IN (SELECT id FROM worker);

-- In order of insertion, which is that of positions: sorting by position would read each item.
-- name: plan_samples
INSERT INTO sample (run, model, item, repeat, state)
SELECT $1, $2, i.id, $3, 'planned' FROM item i WHERE i.run = $1 ORDER BY i.id
ON CONFLICT (model, item, repeat) DO NOTHING;

-- The same where none can exist: PostgreSQL would look for each, and mark it twice.
-- name: plan_first
INSERT INTO sample (run, model, item, repeat, state)
SELECT $1, $2, i.id, $3, 'planned' FROM item i WHERE i.run = $1 ORDER BY i.id;

-- For the item at position $4 only.
-- name: plan_item
INSERT INTO sample (run, model, item, repeat, state)
SELECT $1, $2, i.id, $3, 'planned' FROM item i WHERE i.run = $1 AND i.position = $4
ON CONFLICT (model, item, repeat) DO NOTHING;

-- Which items model $2 has samples for: one row for each item, by position.
-- name: item_open as item_open
SELECT CASE WHEN EXISTS (SELECT 1 FROM sample s WHERE s.model = $2 AND s.item = i.id)
    THEN 1 ELSE 0 END AS open
FROM item i WHERE i.run = $1 ORDER BY i.position;

-- name: plan_verdicts
INSERT INTO verdict (run, judge, sample, repeat, state)
SELECT $1, $2, s.id, $3, 'planned' FROM sample s JOIN model m ON m.id = s.model
WHERE s.run = $1 AND s.state = 'done' AND ($4 = '' OR m.family <> $4)
ORDER BY s.id
ON CONFLICT (sample, judge, other, shown, repeat) DO NOTHING;

-- name: plan_verdict
INSERT INTO verdict (run, judge, sample, repeat, state)
SELECT $1, $2, s.id, $3, 'planned' FROM sample s JOIN model m ON m.id = s.model
WHERE s.id = $5 AND s.state = 'done' AND ($4 = '' OR m.family <> $4)
ON CONFLICT (sample, judge, other, shown, repeat) DO NOTHING;

-- Verdicts about something else than the answer; `shown` names the rule: 'user', 'knowledge'.
-- name: plan_about
INSERT INTO verdict (run, judge, sample, repeat, state, shown)
SELECT $1, $2, s.id, $3, 'planned', $5 FROM sample s JOIN model m ON m.id = s.model
WHERE s.id = $6 AND s.state = 'done' AND ($4 = '' OR m.family <> $4)
ON CONFLICT (sample, judge, other, shown, repeat) DO NOTHING;

-- One verdict for each stretch of $5 turns of a conversation; `shown` says which: '7-12'.
-- name: plan_windows
INSERT INTO verdict (run, judge, sample, repeat, state, shown)
SELECT $1, $2, s.id, $3, 'planned', CAST(t.part AS TEXT) || '-' || CAST(t.part + $5 - 1 AS TEXT)
FROM sample s JOIN model m ON m.id = s.model JOIN turn t ON t.sample = s.id
WHERE s.run = $1 AND s.state = 'done' AND ($4 = '' OR m.family <> $4)
    AND t.kind = 'answer' AND (t.part - 1) % $5 = 0
ORDER BY s.id, t.position
ON CONFLICT (sample, judge, other, shown, repeat) DO NOTHING;

-- name: plan_window
INSERT INTO verdict (run, judge, sample, repeat, state, shown)
SELECT $1, $2, s.id, $3, 'planned', CAST(t.part AS TEXT) || '-' || CAST(t.part + $5 - 1 AS TEXT)
FROM sample s JOIN model m ON m.id = s.model JOIN turn t ON t.sample = s.id
WHERE s.id = $6 AND s.state = 'done' AND ($4 = '' OR m.family <> $4)
    AND t.kind = 'answer' AND (t.part - 1) % $5 = 0
ORDER BY t.position
ON CONFLICT (sample, judge, other, shown, repeat) DO NOTHING;

-- name: plan_samples_again
UPDATE sample SET state = 'planned', round = round + 1, fault = NULL, why = NULL
WHERE run = $1 AND state = 'failed';

-- name: plan_verdicts_again
UPDATE verdict SET state = 'planned', round = round + 1, repairs = 0, fault = NULL, why = NULL
WHERE run = $1 AND state IN ('failed', 'unscored')
    AND judge NOT IN (SELECT id FROM judge WHERE run = $1 AND dropped = 1);

-- Leases up to $3 planned rows of a model that nobody holds, after $5. On PostgreSQL a row that somebody else has taken
-- since this began stays theirs.
-- name: lease_samples
INSERT INTO sample_lease (id, worker, batch)
SELECT id, $2, $4 FROM (
    SELECT s.id FROM sample s WHERE s.run = (SELECT run FROM model WHERE id = $1) AND s.model = $1 AND s.state = 'planned'
        AND s.id > $5 AND (SELECT l.id FROM sample_lease l WHERE l.id = s.id) IS NULL
    ORDER BY s.id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED) AS free
WHERE id > 0 ON CONFLICT (id) DO NOTHING;

-- name: lease_verdicts
INSERT INTO verdict_lease (id, worker, batch)
SELECT id, $2, $4 FROM (
    SELECT v.id FROM verdict v WHERE v.run = (SELECT run FROM judge WHERE id = $1) AND v.judge = $1 AND v.state = 'planned'
        AND v.id > $5 AND (SELECT l.id FROM verdict_lease l WHERE l.id = v.id) IS NULL
    ORDER BY v.id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED) AS free
WHERE id > 0 ON CONFLICT (id) DO NOTHING;

-- The rows leased, with everything needed to ask.
-- name: leased_samples as lease
SELECT s.id, s.item, s.id AS sample, s.repeat, s.round, i.body, 0 AS model, '' AS answer, 0 AS sample_repeat,
    0 AS other, 0 AS other_model, '' AS other_answer, '' AS as_shown
FROM sample_lease l JOIN sample s ON s.id = l.id JOIN item i ON i.id = s.item
WHERE l.id > $1 AND l.worker = $2 AND l.batch = $3 ORDER BY l.id;

-- name: leased_verdicts as lease
SELECT v.id, s.item, v.sample, v.repeat, v.round, i.body, s.model, s.answer, s.repeat AS sample_repeat,
    v.other, COALESCE(o.model, 0) AS other_model, o.answer AS other_answer, v.shown AS as_shown
FROM verdict_lease l JOIN verdict v ON v.id = l.id JOIN sample s ON s.id = v.sample JOIN item i ON i.id = s.item
    LEFT JOIN sample o ON o.id = v.other
WHERE l.id > $1 AND l.worker = $2 AND l.batch = $3 ORDER BY l.id;

-- name: unlease_sample
DELETE FROM sample_lease WHERE id = $1 AND worker = $2;

-- name: unlease_verdict
DELETE FROM verdict_lease WHERE id = $1 AND worker = $2;

-- The call of this run, else of the newest other run. This precedes every request, mostly in vain: then it takes one
-- look at the index.
-- name: call_find as call
SELECT id, run, key, url, elapsed_ms, created_ms, request, response, packed, dictionary, plain FROM call c
WHERE key = $1 AND (run = $2 OR $3 = 0
    AND NOT EXISTS (SELECT 1 FROM call o WHERE o.key = $1 AND o.run = $2)
    AND NOT EXISTS (SELECT 1 FROM call o WHERE o.key = $1 AND o.run > c.run));

-- name: call_get as call
SELECT id, run, key, url, elapsed_ms, created_ms, request, response, packed, dictionary, plain FROM call WHERE id = $1;

-- Locks the run against removal until we have added to it.
-- name: call_hold
SELECT id FROM run WHERE id = $1 FOR KEY SHARE;

-- Existing calls stay. No RETURNING: SQLite would create a temporary table for it.
-- name: call_add
INSERT INTO call (run, key, url, request, response, elapsed_ms, created_ms)
VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (key, run) DO NOTHING;

-- name: call_id
SELECT id FROM call WHERE key = $1 AND run = $2;

-- Only if our worker holds the row, and has been locked (worker_hold) since before this began: a worker that was taken
-- for dead and comes back changes nothing. Without a worker (0), ends a row that nobody holds. CASE hides the condition
-- from the index of planned rows, all of which PostgreSQL would scan for a single row as long as it has no statistics
-- of a new table. What earlier rounds of the row have used is kept: it was paid for.
-- name: sample_end
UPDATE sample SET state = $2, answer = $3, thinking = $4, finish = $5,
    tokens_in = COALESCE($6 + COALESCE(tokens_in, 0), tokens_in),
    tokens_out = COALESCE($7 + COALESCE(tokens_out, 0), tokens_out),
    cost = COALESCE($8 + COALESCE(cost, 0), cost), tries = tries + $9, elapsed_ms = $10,
    ended_ms = $11, fault = $12, why = $13, call = $14
WHERE id = $1 AND CASE state WHEN 'planned' THEN COALESCE((SELECT worker FROM sample_lease WHERE id = $1), 0) END = $15;

-- name: verdict_end
UPDATE verdict SET state = $2, reply = $3, overall = $4, reason = $5,
    repairs = $6, tokens_in = COALESCE($7 + COALESCE(tokens_in, 0), tokens_in),
    tokens_out = COALESCE($8 + COALESCE(tokens_out, 0), tokens_out),
    cost = COALESCE($9 + COALESCE(cost, 0), cost), tries = tries + $10, elapsed_ms = $11,
    ended_ms = $12, fault = $13, why = $14, call = $15, choice = $16, winner = $17
WHERE id = $1 AND CASE state WHEN 'planned' THEN COALESCE((SELECT worker FROM verdict_lease WHERE id = $1), 0) END = $18;

-- For a verdict that verdict_end has just ended, and locked: if another worker took it over, that one's marks stay.
-- name: mark_add
INSERT INTO mark (verdict, dimension, value, analysis, evidence, advice)
SELECT id, $2, $3, $4, $5, $6 FROM verdict WHERE id = $1 AND ended_ms = $7;

-- name: spent
SELECT COALESCE(SUM(tokens), 0) AS tokens, COALESCE(SUM(cost), 0) AS usd FROM (
    SELECT COALESCE(tokens_in, 0) + COALESCE(tokens_out, 0) AS tokens, cost
    FROM sample WHERE run = $1
    UNION ALL
    SELECT COALESCE(tokens_in, 0) + COALESCE(tokens_out, 0), cost FROM verdict WHERE run = $1) AS t;
