-- What the database layer needs for itself.

-- name: db_migration_list as db_migration
SELECT version, name, hash FROM schema_migration ORDER BY version

-- name: db_migration_add
INSERT INTO schema_migration(version, name, hash, applied_ms) VALUES ($1, $2, $3, $4)

-- name: db_schema_version
SELECT max(version) FROM schema_migration
