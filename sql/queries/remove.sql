-- Deletes a run and everything that belongs to it, ordered so that nothing refers to deleted rows.

-- name: remove_campaigns as remove_campaign
SELECT name FROM campaign WHERE run = $1 ORDER BY id LIMIT 5;

-- Rows held by workers with a heartbeat since $2.
-- name: remove_busy
SELECT (SELECT COUNT(*) FROM worker w JOIN sample_lease l ON l.worker = w.id JOIN sample s ON s.id = l.id
        WHERE w.beat_ms > $2 AND s.run = $1)
    + (SELECT COUNT(*) FROM worker w JOIN verdict_lease l ON l.worker = w.id JOIN verdict v ON v.id = l.id
        WHERE w.beat_ms > $2 AND v.run = $1);

-- A worker that adds calls to it does so before us, and is seen, or after us (call_hold).
-- name: remove_hold
SELECT id FROM run WHERE id = $1 FOR UPDATE;

-- Calls that answers of other runs use move to one of those runs.
-- name: remove_lend_samples
UPDATE call SET run = (SELECT MIN(s.run) FROM sample s WHERE s.call = call.id AND s.run <> $1)
WHERE run = $1 AND EXISTS (SELECT 1 FROM sample s WHERE s.call = call.id AND s.run <> $1);

-- name: remove_lend_verdicts
UPDATE call SET run = (SELECT MIN(v.run) FROM verdict v WHERE v.call = call.id AND v.run <> $1)
WHERE run = $1 AND EXISTS (SELECT 1 FROM verdict v WHERE v.call = call.id AND v.run <> $1);

-- name: remove_lend_turns
UPDATE call SET run = (SELECT MIN(s.run) FROM turn t JOIN sample s ON s.id = t.sample WHERE t.call = call.id AND s.run <> $1)
WHERE run = $1 AND EXISTS (
    SELECT 1 FROM turn t JOIN sample s ON s.id = t.sample WHERE t.call = call.id AND s.run <> $1);

-- Rows that dead workers still hold.
-- name: remove_sample_leases
DELETE FROM sample_lease WHERE id IN (SELECT l.id FROM sample_lease l CROSS JOIN sample s WHERE s.id = l.id AND s.run = $1);
-- name: remove_verdict_leases
DELETE FROM verdict_lease WHERE id IN (SELECT l.id FROM verdict_lease l CROSS JOIN verdict v WHERE v.id = l.id AND v.run = $1);
-- name: remove_marks
DELETE FROM mark WHERE verdict IN (SELECT id FROM verdict WHERE run = $1);
-- name: remove_verdicts
DELETE FROM verdict WHERE run = $1;
-- name: remove_flag_log
DELETE FROM flag_log WHERE run = $1;
-- name: remove_flags
DELETE FROM flag WHERE run = $1;
-- name: remove_looks
DELETE FROM look WHERE run = $1;
-- name: remove_classes
DELETE FROM class_mark WHERE sample IN (SELECT id FROM sample WHERE run = $1);
-- name: remove_turns
DELETE FROM turn WHERE sample IN (SELECT id FROM sample WHERE run = $1);
-- name: remove_asking
DELETE FROM asking WHERE sample IN (SELECT id FROM sample WHERE run = $1);
-- name: remove_words
DELETE FROM word_run WHERE run = $1;
-- name: remove_values
DELETE FROM sample_value WHERE run = $1;
-- name: remove_trials
DELETE FROM judge_trial WHERE run = $1;
-- name: remove_audits
DELETE FROM judge_audit WHERE run = $1;
-- name: remove_samples
DELETE FROM sample WHERE run = $1;
-- name: remove_calls
DELETE FROM call WHERE run = $1;
-- Deletes dictionaries that no call needs, after the calls: on PostgreSQL somebody may have packed calls until now.
-- Calls that moved to other runs keep theirs, and a new dictionary is stored together with its first calls.
-- name: remove_dictionaries
DELETE FROM dictionary WHERE CAST($1 AS BIGINT) > 0
    AND NOT EXISTS (SELECT 1 FROM call c WHERE c.dictionary = dictionary.id AND c.dictionary > 0);
-- name: remove_items
DELETE FROM item WHERE run = $1;
-- name: remove_models
DELETE FROM model WHERE run = $1;
-- name: remove_seats
DELETE FROM seat WHERE run = $1;
-- name: remove_judges
DELETE FROM judge WHERE run = $1;
-- name: remove_examiners
DELETE FROM examiner WHERE run = $1;
-- name: remove_scores
DELETE FROM score WHERE run = $1;
-- name: remove_seals
DELETE FROM seal WHERE run = $1;
-- name: remove_memberships
DELETE FROM collection_run WHERE run = $1;
-- name: remove_run
DELETE FROM run WHERE id = $1;
