-- Queries of the database layer itself.

-- name: db_migration_list as db_migration
SELECT version, name, hash FROM schema_migration ORDER BY version

-- name: db_migration_add
INSERT INTO schema_migration(version, name, hash, applied_ms) VALUES ($1, $2, $3, $4)

-- name: db_schema_version
SELECT max(version) FROM schema_migration

-- Only texts: columns of numbers take a few bytes per row, and the frozen suite of a run is a single row.
-- name: db_run_sizes as db_run_size
SELECT r.name, COUNT(*) AS rows, CAST(SUM(x.bytes) AS BIGINT) AS bytes FROM run r JOIN (
    SELECT id AS run, OCTET_LENGTH(frozen) AS bytes FROM run
    UNION ALL SELECT run, OCTET_LENGTH(body) FROM item
    UNION ALL SELECT run, OCTET_LENGTH(request) + OCTET_LENGTH(response) + COALESCE(OCTET_LENGTH(packed), 0) FROM call
    UNION ALL SELECT run, COALESCE(OCTET_LENGTH(answer), 0) + COALESCE(OCTET_LENGTH(thinking), 0)
        FROM sample
    UNION ALL SELECT s.run, OCTET_LENGTH(t.text) + OCTET_LENGTH(t.thinking)
        FROM turn t JOIN sample s ON s.id = t.sample
    UNION ALL SELECT run, COALESCE(OCTET_LENGTH(reply), 0) + COALESCE(OCTET_LENGTH(reason), 0)
        FROM verdict
    UNION ALL SELECT v.run, COALESCE(OCTET_LENGTH(m.analysis), 0) + COALESCE(OCTET_LENGTH(m.evidence), 0)
        FROM mark m JOIN verdict v ON v.id = m.verdict
) x ON x.run = r.id GROUP BY r.id, r.name ORDER BY bytes DESC, r.name LIMIT $1
