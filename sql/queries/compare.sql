-- Baselines, and the items of a run.

-- name: baseline_declare
UPDATE run SET baseline = CASE WHEN id = $1 THEN 1 ELSE 0 END WHERE suite = $2;

-- name: baseline_find
SELECT id FROM run WHERE suite = $1 AND baseline = 1 ORDER BY id DESC LIMIT 1;

-- name: item_each as item
SELECT id, name, body FROM item WHERE run = $1 ORDER BY position;

-- name: item_names as item_name
SELECT id, name FROM item WHERE run = $1 ORDER BY position;
