-- Runs that come from another database are numbered behind everything that is there.

-- name: archive_highest
SELECT COALESCE((SELECT MAX(id) FROM run), 0) + COALESCE((SELECT MAX(id) FROM model), 0)
    + COALESCE((SELECT MAX(id) FROM judge), 0) + COALESCE((SELECT MAX(id) FROM seat), 0)
    + COALESCE((SELECT MAX(id) FROM examiner), 0) + COALESCE((SELECT MAX(id) FROM item), 0)
    + COALESCE((SELECT MAX(id) FROM call), 0) + COALESCE((SELECT MAX(id) FROM sample), 0)
    + COALESCE((SELECT MAX(id) FROM verdict), 0) + COALESCE((SELECT MAX(id) FROM flag), 0)
    + COALESCE((SELECT MAX(id) FROM flag_log), 0) + COALESCE((SELECT MAX(id) FROM judge_audit), 0)
    + COALESCE((SELECT MAX(id) FROM judge_trial), 0) + COALESCE((SELECT MAX(id) FROM dictionary), 0);
