#!/usr/bin/env bash
# kill -9: the long test, shortened (`make chaos` runs the whole one), and one kill in the middle of
# conversations, whose first halves are stored and must not be asked for again.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

mkdir chaos
(cd chaos && CHAOS_DIR=$PWD exec "$REPO/tests/chaos.sh" 300 8)

echo "interviews"
mkdir interviews
(cd interviews && CHAOS_DIR=$PWD exec "$REPO/tests/chaos.sh" 20 10 interview)

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

echo "sittings, killed when all that was answered is stored: no turn is asked for twice"
mkdir sittings
cd sittings
sittings=20 kills=5
interview suite.yaml $sittings
set -- run suite.yaml -m player --judge critic --examiner examiner -j 8 --quiet
mock calm
models models.yaml "$port" chat judge-once-bad examiner-once-bad
audition 0 "$@" --db calm.db
stop "$mock_pid"

calls()
{
    sql storm.db 'SELECT count(*) FROM call'
}

far_enough()
{
    [ "$(calls)" -ge "$1" ]
}

# Nothing is in flight that the endpoint has answered. It may have been stopped between an answer and the line about it:
# then as many are stored as it has logged, and one is still to come.
saved()
{
    local n

    n=$(calls)
    [ "$n" -ge "$(cat storm*.log | grep -c ' good')" ] && sleep 0.5 && [ "$(calls)" -eq "$n" ]
}

for ((i = 1; i <= kills; i++)); do
    mock "storm$i" --port "$port" --latency 10 --jitter 10
    start "$AUDITION" "$@" --db storm.db >storm.out 2>&1
    until_true "some answers" 60 far_enough $((i * sittings * 3))
    kill -STOP "$mock_pid"
    until_true "everything is saved" 60 saved
    stop "$started" KILL
    stop "$mock_pid" KILL
done
mock storm-last --port "$port"
audition 0 "$@" --db storm.db
cat storm*.log >all.log
is "$(twice all.log)" 0 "turns asked for twice"
complete storm.db $sittings
is "$(sql storm.db "SELECT count(*), count(DISTINCT sample) FROM turn WHERE speaker = 'model'")" \
    "$((sittings * 15))|$sittings" "answers"
for db in calm storm; do
    sqlite3 -batch "$db.db" <"$REPO/tests/chaos_dump.sql" >"$db.dump"
done
cmp calm.dump storm.dump || fail "the databases differ"
