-- Collections of suites: see store_collection.h.

-- name: collection_put
INSERT INTO collection (name, body, created_ms) VALUES ($1, $2, $3)
ON CONFLICT (name) DO UPDATE SET body = excluded.body
RETURNING id;

-- name: collection_get as collection
SELECT id, name, body FROM collection WHERE name = $1;

-- name: collection_add
INSERT INTO collection_run (collection, run) VALUES ($1, $2) ON CONFLICT (collection, run) DO NOTHING;

-- Newest first.
-- name: collection_runs as collection_run
SELECT r.id AS run, r.suite AS suite FROM collection_run c JOIN run r ON r.id = c.run
WHERE c.collection = $1 ORDER BY r.worked_ms DESC, r.id DESC;
