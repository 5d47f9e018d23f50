-- Runs copied from another database get ids above all existing ones.

-- name: archive_highest
SELECT COALESCE(MAX(id), 0) FROM (SELECT MAX(id) AS id FROM run
    UNION ALL SELECT MAX(id) FROM model UNION ALL SELECT MAX(id) FROM judge
    UNION ALL SELECT MAX(id) FROM seat UNION ALL SELECT MAX(id) FROM examiner
    UNION ALL SELECT MAX(id) FROM item UNION ALL SELECT MAX(id) FROM call
    UNION ALL SELECT MAX(id) FROM sample UNION ALL SELECT MAX(id) FROM verdict
    UNION ALL SELECT MAX(id) FROM flag UNION ALL SELECT MAX(id) FROM flag_log
    UNION ALL SELECT MAX(id) FROM judge_audit UNION ALL SELECT MAX(id) FROM judge_trial
    UNION ALL SELECT MAX(id) FROM dictionary) AS highest;
