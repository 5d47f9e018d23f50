#!/usr/bin/env bash
# kill -9 in the middle of dialogues that are held side by side, with faults: no turn is asked for twice but those in flight, and the
# transcripts are those of an undisturbed run; on both databases. KILLS=whole: 200 dialogues of 50 turns, 50 kills.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

dialogues=12 kills=6 TURNS=12
[ "${KILLS-}" != whole ] || dialogues=200 kills=50 TURNS=50
export TURNS

# disturb DIRECTORY [DATABASE]
disturb()
{
    mkdir "$1"
    (cd "$1" && CHAOS_DIR=$PWD CHAOS_PG=${2-} exec "$REPO/tests/chaos.sh" $dialogues $kills dialogue)
}

disturb sqlite
[ -n "${AUDITION_TEST_PG-}" ] || exit 0
echo "the same on PostgreSQL"
disturb postgres "$AUDITION_TEST_PG"
