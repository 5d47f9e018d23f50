#!/usr/bin/env bash
# kill -9: the long test, shortened (`make chaos` runs the whole one), and one kill in the middle of
# conversations, whose first halves are stored and must not be asked for again.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

mkdir chaos
(cd chaos && CHAOS_DIR=$PWD exec "$REPO/tests/chaos.sh" 300 8)

echo "in the middle of conversations"
items=4 # few enough to be asked all at once
suite suite.yaml $items
mock half --latency 1500
models models.yaml "$port" chat judge-once-bad
set -- run suite.yaml -m player --judge critic --quiet --db half.db

stored()
{
    [ "$(sql half.db 'SELECT count(*) FROM call')" -eq $((items * 2)) ]
}

start "$AUDITION" "$@" >half.out 2>&1
until_true "an answer and half a verdict for each item" 60 stored
stop "$started" KILL
is "$(twice half.log)" 0 "answered twice before the kill"
audition 0 "$@"
complete half.db $items
is "$(twice half.log)" 0 "asked for again although they were stored"
