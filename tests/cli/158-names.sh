#!/usr/bin/env bash
# The audit log holds no name that came with a file, and no reason: older programs wrote both there, and a database
# of theirs is cleared when it is migrated. On SQLite and on PostgreSQL.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

# past: what versions 0.1.0 and before have left behind
past()
{
    answered
    for name in hall barn; do
        {
            echo rater,passage,system,dimension,value
            for rater in 'Anna Bell' Cleo 'Dora: or Dot'; do
                echo "$rater,one,plain,overall,3"
            done
        } >$name.csv
        audition 0 campaign import $name.csv --run latest --name $name
    done
    audition 0 campaign erase barn Cleo
    sql audition.db "UPDATE rater SET consent_ms = 5, pseudonym = 'r7c11d0e3' WHERE pseudonym = 'Dora: or Dot' AND campaign = 2"
    sql audition.db "INSERT INTO audit (at_ms, who, what, subject, detail) VALUES
        (1, 'ada', 'campaign.exclude', 'hall', 'Anna Bell'), (2, 'ada', 'campaign.exclude', 'hall', 'Cleo: she knew Bob'),
        (3, 'ada', 'campaign.exclude', 'hall', 'Dora: or Dot: left'), (4, 'ada', 'campaign.erase', 'barn', 'Cleo'),
        (5, 'ada', 'campaign.exclude', 'barn', 'r7c11d0e3: told us her name'), (6, 'ada', 'campaign.exclude', 'barn', 'Bob Gone'),
        (7, 'ada', 'campaign.exclude', 'removed', 'Eve'), (8, 'ada', 'campaign.exclude', 'hall', 'rater/2'),
        (9, 'ada', 'campaign.export', 'hall', 'Anna Bell.csv')"
    sql audition.db "DELETE FROM schema_migration WHERE version >= 57; ALTER TABLE run DROP COLUMN queued; ALTER TABLE asked DROP COLUMN slots; DROP TABLE mute"
    audition 0 db migrate
}

# cleared: what is left of it
cleared()
{
    is "$(sql audition.db "SELECT detail FROM audit WHERE at_ms < 10 ORDER BY at_ms" | tr '\n' '|')" \
        'rater/1|rater/2|rater/3|…|r7c11d0e3|…|…|rater/2|Anna Bell.csv|' "the log"
    if sql audition.db "UPDATE audit SET detail = ''" >/dev/null 2>&1 || sql audition.db "DELETE FROM audit" >/dev/null 2>&1; then
        fail "the log can be changed"
    fi
}

past
cleared
[ -n "${AUDITION_TEST_PG-}" ] || exit 0
echo "== on PostgreSQL"
mkdir pg && cd pg
export AUDITION_DB=$AUDITION_TEST_PG
past
cleared
