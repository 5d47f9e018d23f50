#!/usr/bin/env bash
# The dialogue and the scene of the demo on PostgreSQL: the same numbers, and nothing that differs.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
[ -n "${AUDITION_TEST_PG-}" ] || skip "no PostgreSQL"

cp -R "$REPO/demo" .
for db in "$AUDITION_TEST_PG" here.db; do
    audition 0 run demo/dialogue.yaml -c demo/models.yaml -m talker --judge listener --quiet --db "$db"
    audition 0 chart drift latest --db "$db" --json
    cat out >>"drift.$([ "$db" = here.db ] && echo db || echo pg)"
    audition 0 verify latest --db "$db"
    says out 'no differences'
    audition 0 run demo/scene.yaml -c demo/models.yaml -m talker --quiet --db "$db"
    audition 0 flag latest --db "$db"
    says out 'knowledge' 'box'
    audition 0 verify latest --db "$db"
    says out 'no differences'
done
sort -u drift.* >both
[ "$(wc -l <both)" = "$(wc -l <drift.db)" ] || fail "the two databases give different numbers"
