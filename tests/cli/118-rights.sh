#!/usr/bin/env bash
# An account of PostgreSQL that may only read: it reads, and what it may not do is said with what to grant.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
[ -n "${AUDITION_TEST_PG-}" ] || skip "no PostgreSQL"

name=${AUDITION_TEST_PG#postgresql:///} name=${name%%\?*}
reader=${name}_reader
owns="postgresql:///${name}_rights?${AUDITION_TEST_PG#*\?}"
reads=${owns%user=*}user=$reader
psql -qX -d "$AUDITION_TEST_PG" -c "CREATE DATABASE ${name}_rights" -c "CREATE ROLE $reader LOGIN"
psql -qX -d "$owns" -c "REVOKE CREATE ON SCHEMA public FROM PUBLIC" # as PostgreSQL 15 has it
"$AUDITION" init . --language en >/dev/null

# refused FILE WHAT: with the reason, and what to do
refused()
{
    says "$1" "permission denied for $2" "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES" "TO \"$reader\"" "use the owner's account"
}

echo "== no tables yet: they cannot be made"
audition 1 doctor --db "$reads"
refused out "schema public"
lacks out "is writable"
audition 1 db migrate --db "$reads"
refused err "schema public"
audition 0 doctor --deep --db "$owns" # no right is missing, and the first run makes the tables
says out "is writable" "ok    schema" "is empty"
lacks out integrity
is "$(psql -qAtX -d "$owns" -c "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")" 0 "tables that doctor left"

echo "== tables that may be read"
audition 0 run suites/first.yaml -m understudy --judge prompter -q --db "$owns"
audition 1 list --db "$reads"
refused err "table schema_migration"
psql -qX -d "$owns" -c "GRANT SELECT ON ALL TABLES IN SCHEMA public TO $reader"
audition 0 board latest --db "$reads"
audition 0 compare latest latest --db "$reads"
audition 0 verify latest --db "$reads"
audition 1 run suites/first.yaml -m understudy --judge prompter -q --seed 2 --db "$reads"
refused err "table"
audition 1 doctor --db "$reads"
refused out "table"
lacks out "is writable"
audition 1 doctor --language zh --db "$reads"
says out "可由表的所有者授权"

echo "== and written, once that was granted"
psql -qX -d "$owns" -c "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO $reader"
audition 0 doctor --db "$reads"
says out "is writable"
audition 0 run suites/first.yaml -m understudy --judge prompter -q --seed 2 --db "$reads"

echo "== what is restored brings its ids along, and the counters must follow"
audition 0 archive latest -o run.audition --db "$owns"
audition 0 rm latest --yes --db "$owns"
audition 1 restore run.audition --db "$reads"
says err "GRANT UPDATE ON ALL SEQUENCES IN SCHEMA public TO \"$reader\""
psql -qX -d "$owns" -c "GRANT UPDATE ON ALL SEQUENCES IN SCHEMA public TO $reader"
audition 0 restore run.audition --db "$reads"
