#!/usr/bin/env bash
# A PostgreSQL server that is away, whatever a run is doing at that moment: before it is opened, while it is
# opened and planned, while the run is scored. `run` and `work` say so, wait, and end well. The server is
# this script's own.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/pgserver.sh
. "$REPO/tests/pgserver.sh"
server_new

suite suite.yaml 20
mock away --latency 5
models models.yaml "$port"
set -- run suite.yaml -m player --judge critic -j 4 --quiet

echo "a server that is not there yet"
database late
server stop
start "$AUDITION" "$@" --db "$url" >late.out 2>late.err
run=$started
start "$AUDITION" work --once --db "$url" >work.out 2>work.err
work=$started
until_true "run says that it waits" 20 grep -q "waiting for it" late.err
until_true "work says that it waits" 20 grep -q "waiting for it" work.err
server start
status 0 wait "$run"
status 0 wait "$work"
is "$(query late "SELECT count(*) FROM verdict WHERE state = 'done'")" 20 "verdicts"

echo "a judge that comes later waits, too"
server stop
start "$AUDITION" judge latest --judge critic --judge-repeat 2 --quiet --db "$url" >judge.out 2>judge.err
until_true "judge says that it waits" 20 grep -q "waiting for it" judge.err
server start
status 0 wait "$started"

echo "--store-wait 0: nobody waits"
server stop
audition 1 "$@" --store-wait 0 --db "$url"
says err "cannot be reached"
server start

echo "a server that is restarted at every moment of a short run"
for at in 00 04 08 12 18 26; do
    database "at$at"
    start "$AUDITION" "$@" --db "$url" >at.out 2>at.err
    sleep "0.$at"
    server restart
    code=0
    wait "$started" || code=$?
    [ $code -eq 0 ] || { cat at.err && fail "ended with $code, restarted after 0.$at s"; }
    is "$(query "at$at" "SELECT count(*) FROM run")" 1 "runs"
    is "$(query "at$at" "SELECT count(*) FROM verdict WHERE state = 'done'")" 20 "verdicts"
done

echo "a worker that has lived through it ends as any other"
mock lazy --latency 300
models models.yaml "$port"
database through
audition 0 run suite.yaml -m player --judge critic --detach --db "$url"
start "$AUDITION" work -j 1 --db "$url" >through.out 2>through.err
work=$started
answered()
{
    [ "$(query through "SELECT count(*) FROM sample WHERE state = 'done'" 2>/dev/null)" -ge "$1" ]
}
until_true "it works" 40 answered 2
server restart
until_true "it goes on" 60 answered 5
audition 0 pause latest --db "$url"
until_true "it rests" 60 grep -q paused through.out
kill -TERM "$work"
code=0
wait "$work" || code=$?
[ $code -eq 130 ] || { cat through.out through.err && fail "ended with $code"; }
stop "$mock_pid"
mock away --latency 5
models models.yaml "$port"

echo "a connection that is lost while the run counts what it has done"
database counted
audition 0 run suite.yaml -m player --judge critic --detach --db "$url"
# Whoever counts samples of which none is left loses the connection, once: a sequence remembers it.
query counted "CREATE SCHEMA gate; CREATE SEQUENCE gate.lost;
    CREATE FUNCTION gate.pass() RETURNS BOOLEAN LANGUAGE plpgsql AS \$\$ BEGIN
        IF current_query() LIKE '%SUM(total)%' AND NOT (SELECT is_called FROM gate.lost)
            AND NOT EXISTS (SELECT FROM verdict WHERE state = 'planned') AND EXISTS (SELECT FROM verdict) THEN
            PERFORM nextval('gate.lost'), pg_terminate_backend(pg_backend_pid());
        END IF;
        RETURN true; END \$\$;
    ALTER TABLE sample SET SCHEMA gate; CREATE VIEW sample AS SELECT * FROM gate.sample WHERE gate.pass()" >/dev/null
audition 0 run --resume latest --quiet --db "$url"
is "$(query counted "SELECT is_called FROM gate.lost")" t "connection lost"
audition 0 show latest --db "$url"
audition 0 verify --db "$url"

echo "who waits for a table that somebody else holds may be interrupted"
is_held()
{
    query held "SELECT mode FROM pg_locks WHERE granted" | grep -q AccessExclusiveLock
}
# hold TABLE: until it is let go
hold()
{
    start "$bin/psql" -X -q -h "$dir" -U "$owner" -d held \
        -c "BEGIN" -c "LOCK TABLE $1" -c "SELECT pg_sleep(300)" >held.sql 2>&1
    holder=$started
    until_true "the table is held" 20 is_held
}
let_go()
{
    query held "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%'
        AND pid <> pg_backend_pid()" >/dev/null
    wait "$holder" || true
}
database held
audition 0 run suite.yaml -m player --judge critic --detach --db "$url"
for command in "run suite.yaml -m player --judge critic -j 4 --quiet" "work --once"; do
    hold worker
    # shellcheck disable=SC2086 # words
    start "$AUDITION" $command --db "$url" >held.out 2>held.err
    until_true "it says that it waits" 40 grep -q "waiting for it" held.err
    kill -INT "$started"
    code=0
    wait "$started" || code=$?
    [ $code -eq 130 ] || { cat held.out held.err && fail "$command: ended with $code"; }
    is "$(grep -c "waiting for it" held.err)" 1 "said once"
    let_go
done

echo "a run that is taken up again waits for its own row"
hold run
start "$AUDITION" run --resume latest --quiet --db "$url" >held.out 2>held.err
until_true "it says that it waits" 40 grep -q "waiting for it" held.err
let_go
status 0 wait "$started"
audition 0 "$@" --db "$url"
is "$(query held "SELECT count(*) FROM verdict WHERE state = 'done'")" 20 "verdicts"

echo "work waits for a model server that is starting"
database slow
stop "$mock_pid"
audition 0 run suite.yaml -m player --judge critic --detach --db "$url"
audition 2 work --once --wait-for-endpoint soon --db "$url"
start "$AUDITION" work --once --max-retries 1 --wait-for-endpoint 2m --db "$url" >slow.out 2>slow.err
work=$started
sleep 3
kill -0 "$work" || { cat slow.out slow.err && fail "did not wait"; }
start "$MOCKLLM" --port "$port" --stop-after 300 >mock.out 2>&1
status 0 wait "$work"
is "$(query slow "SELECT count(*) FROM verdict WHERE state = 'done'")" 20 "verdicts"
