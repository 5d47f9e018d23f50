#!/usr/bin/env bash
# `audition work`: queued runs are worked off by whoever has time; orders to runs, endpoints and
# workers are obeyed; on SQLite and on PostgreSQL.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"

# In two databases: the second time on PostgreSQL, where there is one.
if [ $# -eq 0 ]; then
    "$0" "$PWD/work.db"
    [ -n "${AUDITION_TEST_PG-}" ] || exit 0
    mkdir pg && cd pg
    # shellcheck disable=SC2016 # the inner shell expands it
    exec "$REPO/tests/pg.sh" sh -c '"$0" "$AUDITION_TEST_PG"' "$0"
fi
db=$1
suite suite.yaml 60
mock slow --latency 100
models models.yaml "$port"
host=$(hostname)

queue()
{
    "$AUDITION" run suite.yaml -m player --judge critic --detach --seed "$1" --db "$db" "${@:2}" >out
    says out "is queued"
}
state()
{
    "$AUDITION" list --json --db "$db"
}
done_runs()
{
    [ "$(state | grep -o '"state":"done"' | wc -l)" -eq "$1" ]
}
ask()
{
    case $db in
    postgresql:*) psql -q -X -d "$db" -c "$1" ;;
    *) sql "$db" "$1" ;;
    esac
}
# worker NAME: starts one; its pid goes to `pid`
worker()
{
    start "$AUDITION" work -j 4 --db "$db" >"$1.out" 2>"$1.err"
    pid=$started
}
at_work()
{
    "$AUDITION" workers --json --db "$db" | grep -q "\"worker\":\"$host:$1\""
}

echo "two runs, the urgent one first, by two workers"
queue 1
queue 2 --priority 5
worker one
first=$pid
until_true "worker one is listed" 20 at_work "$first"
worker two
second=$pid
until_true "both runs are done" 120 done_runs 2
grep -h "done" one.out two.out >/dev/null || fail "nobody says that a run is done"
"$AUDITION" verify latest --db "$db" >out || fail "$(cat out)"
until_true "a worker without work is listed" 20 at_work "$second"
for name in one two; do
    until_true "worker $name says that it waits" 20 grep -q "waiting: no run is queued" $name.err
done
for order in cancel pause resume; do
    expect 1 "$order" latest --db "$db"
    says err "is already finished"
done

echo "a paused worker says so, once; drain ends it, Ctrl-C the other"
expect 0 pause "worker:$host:$first" --db "$db"
until_true "it says that it is paused" 20 grep -q "waiting: this worker is paused; .* resume worker:$host:$first" one.err
expect 0 drain "worker:$host:$first" --json --db "$db"
is "$(cat out)" "{\"worker\":\"$host:$first\",\"state\":\"draining\"}" "an order to a worker as JSON"
wait "$first" || fail "a worker that was drained ended with $?"
expect 0 resume "worker:$host:$first" --db "$db"
stop "$second" INT

echo "a run that is more urgent interrupts the one at work, which goes on afterwards"
queue 22 --limit 20
start "$AUDITION" work --once -j 1 --db "$db" >urgent.out 2>urgent.err
pid=$started
until_true "it is at work" 20 at_work "$pid"
queue 23 --priority 5 --limit 2
wait "$pid" || fail "$(cat urgent.err)"
is "$(sed 's/.*; //' urgent.out | tr '\n' ' ')" "a more urgent run comes first done done " "what became of them"
expect 0 rm latest --yes --db "$db"
expect 0 rm latest --yes --db "$db"

echo "a run that is removed under a worker which was thought dead ends no worker"
queue 31
gone=$(sed 's/^run \([^ ]*\) is queued.*/\1/' out)
queue 32 --limit 2
start env AUDITION_LOST_AFTER=1 "$AUDITION" work --once -j 2 --db "$db" >removed.out 2>removed.err
pid=$started
until_true "it is at work" 20 at_work "$pid"
before=$(requests slow.log)
more_asked() { [ "$(requests slow.log)" -gt "$before" ]; }
until_true "and asks" 20 more_asked
kill -STOP "$pid"
until_true "the other may be removed" 60 env AUDITION_LOST_AFTER=1 "$AUDITION" rm "$gone" --yes --db "$db"
kill -CONT "$pid"
wait "$pid" || fail "it ended: $(cat removed.err)"
says removed.err "$gone: the run was removed"
says removed.out "2 answers, 2 verdicts; done"
expect 0 rm latest --yes --db "$db"

echo "a judge who is queued while the run is being worked on is asked, too"
queue 33 --limit 8
start "$AUDITION" work --once -j 1 --db "$db" >added.out 2>added.err
pid=$started
until_true "it is at work" 20 at_work "$pid"
sed 's/name: examiner/name: other/; s/model: examiner/model: judge/' models.yaml >other.yaml
expect 0 run --resume latest --judge other --panel --detach -c other.yaml --db "$db"
is "$(grep -c "; done" added.out || true)" 0 "runs that it has done by then"
wait "$pid" || fail "it ended: $(cat added.err)"
ask "SELECT count(*) || ' verdicts' FROM verdict v JOIN judge j ON j.id = v.judge WHERE j.name = 'other' AND v.state = 'done'" >out
says out "8 verdicts"

echo "nor is one forgotten who is queued and paused before anybody came to plan what that judge shall do"
sed 's/name: examiner/name: third/; s/model: examiner/model: judge/' models.yaml >third.yaml
expect 0 run --resume latest --judge third --panel --detach -c third.yaml --db "$db"
expect 0 pause latest --db "$db"
expect 0 resume latest -c third.yaml --db "$db"
says out "run it here with: $AUDITION run --resume " " -c third.yaml --db "
expect 0 work --once --db "$db"
says out "24 verdicts; done"
expect 0 rm latest --yes --db "$db"

echo "who queues a run again without a priority or a budget leaves it those that it has"
queue 26 --limit 1 --priority 5 --budget 7tok
queue 26 --limit 1
ask "SELECT priority + budget_tokens FROM run WHERE orders = 'queued'" >out
says out 12
expect 0 rm latest --yes --db "$db"

echo "however many cannot begin here, the last of the queue has its turn"
queue 28 --limit 1 --priority 1
ask "INSERT INTO run (name, key, suite, frozen, seed, repeats, created_ms, orders, priority, needs)
    SELECT name || '-' || n, key || '-' || n, suite, frozen, seed, repeats, created_ms, orders, priority, 999 FROM run,
    (WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 150) SELECT n FROM t) AS t
    WHERE orders = 'queued'"
queue 29 --limit 1
start "$AUDITION" work --db "$db" >last.out 2>last.err
# shellcheck disable=SC2016 # the inner shell expands it
until_true "the first and the last are done" 60 sh -c '[ "$(grep -c "; done" last.out)" = 2 ]'
stop "$started" TERM
ask "DELETE FROM run WHERE needs = 999"
expect 0 rm latest --yes --db "$db"
expect 0 rm latest --yes --db "$db"

echo "a run that cannot begin here, for want of a key, is left to others; the next is worked on"
sed 's/name: player,/name: player, key: KEY_OF_ANOTHER,/' models.yaml >keyed.yaml
KEY_OF_ANOTHER=sesame queue 24 --priority 5 --limit 1 -c keyed.yaml
queue 25 --limit 1
"$AUDITION" work --once --db "$db" >out 2>err || fail "a key that is not here ended the worker: $(cat err)"
says err "KEY_OF_ANOTHER" "; left to others"
says out "; done"
KEY_OF_ANOTHER=sesame "$AUDITION" work --once --db "$db" >out
says out "; done"
expect 0 rm latest --yes --db "$db"
expect 0 rm latest --yes --db "$db"

echo "an order to a process is none to the next one of its number; nobody orders those who are not there"
(
    ask "INSERT INTO held (subject, word, since_ms) VALUES ('worker/$host:$BASHPID', 'drain', 0)"
    exec "$AUDITION" work --once --db "$db"
) >out 2>err || fail "$(cat err)"
(
    ask "INSERT INTO held (subject, word, since_ms) VALUES ('worker/$host:$BASHPID', 'drain', 0)"
    exec "$AUDITION" run suite.yaml -m player --judge critic --seed 30 --limit 1 --db "$db"
) >out 2>err || fail "$(cat err)"
expect 0 rm latest --yes --db "$db"
ask "SELECT subject, word FROM held" >out
lacks out drain
expect 1 pause worker:nobody:1 --db "$db"
says err "there is no worker nobody:1"
expect 1 pause endpoint:plyaer --db "$db"
says err "no run has a model or a judge called plyaer"

echo "a queued run that has used up its budget says so"
queue 21 --budget 10tok
expect 3 run --resume latest -q --db "$db" # here, too, until another is given
says err "the budget is used up" "raise --budget in"
"$AUDITION" work --once --db "$db" >out
says out "the budget is used up; raise it with: $AUDITION run --resume"
eval "expect 0 $(sed -n 's/.*with: [^ ]*//; s/AMOUNT/1000000tok/p' out)"
"$AUDITION" work --once --db "$db" >out
says out "; done"
expect 0 rm latest --yes --db "$db"

echo "a paused run waits, a cancelled one too, and goes on when it is resumed"
# listed STATE: the newest run is listed as that, and among those that are unfinished
listed()
{
    expect 0 list --state "$1" --json --db "$db"
    says out "\"state\":\"$1\""
    expect 0 list --state unfinished --json --db "$db"
    says out "\"state\":\"$1\""
}
queue 3
listed queued
expect 0 pause latest --db "$db"
cp out paused
listed paused
"$AUDITION" work --once --db "$db" >out
[ ! -s out ] || fail "a paused run was worked on: $(cat out)"
expect 3 run --resume latest -q --db "$db"
says err "paused on request" "$AUDITION resume $(sed -n 's/^run \([0-9a-f]*\) is paused.*/\1/p' paused)"
expect 0 cancel latest --json --db "$db"
says out '{"run":"' '","state":"cancelled"}'
listed cancelled
"$AUDITION" work --once --db "$db" >out
[ ! -s out ] || fail "a cancelled run was worked on"
expect 0 resume latest --db "$db"
"$AUDITION" work --once -j 16 --db "$db" >out
says out "; done"

echo "a paused endpoint is not asked, while it is paused"
queue 4
expect 0 pause endpoint:player --json --db "$db"
is "$(cat out)" '{"endpoint":"player","state":"paused"}' "an order as JSON"
before=$(requests slow.log)
worker three
until_true "the worker is there" 20 at_work "$pid"
until_true "it says what it waits for" 20 grep -q "waiting: player is paused" three.err
sleep 2
is "$(requests slow.log)" "$before" "requests to a paused endpoint"
is "$(grep -c "waiting: player" three.err)" 1 "times that it was said"
expect 0 resume endpoint:player --db "$db"
says out "is resumed"
until_true "the run is done" 60 done_runs 4
expect 1 resume endpoint:player --db "$db"
says err "not paused"
stop "$pid" TERM

echo "a run that needs a newer program is left alone, and said so"
queue 5
ask "UPDATE run SET needs = 999 WHERE orders = 'queued'"
"$AUDITION" work --once --db "$db" >out 2>err
says err "needs a newer version"
[ ! -s out ] || fail "it was worked on"

echo "evict frees the rows of a worker, which goes on as somebody else; nothing is lost"
ask "UPDATE run SET needs = 0 WHERE orders = 'queued'"
worker four
until_true "it has rows" 30 sh -c "\"$AUDITION\" workers --json --db '$db' | grep -q '\"rows\":[1-9]'"
expect 0 workers evict "$host:$pid" --db "$db"
says out "are free for other workers"
"$AUDITION" work --once -j 16 --db "$db" >out
until_true "the run is done" 60 done_runs 5
stop "$pid" TERM
"$AUDITION" verify latest --db "$db" >out || fail "$(cat out)"
expect 1 workers evict nobody:1 --db "$db"
expect 0 work --once --db "$db"
says err "no run is queued"
expect 2 workers everybody --db "$db"

echo "a newer program changes the tables under a worker and a server: both say so"
serve before --db "$db"
queue 20
worker before-too
until_true "the worker is listed" 20 at_work "$pid"
ask "ALTER TABLE verdict_lease RENAME TO later_lease; ALTER TABLE account RENAME TO later_account;
    INSERT INTO schema_migration VALUES (9999, '9999_later', '', 0)"
code=0
wait "$pid" || code=$?
is "$code" 1 "how the worker ended"
newer="was made by a newer audition (schema 9999, this program knows"
says before-too.err "$newer"
request nobody /
is "$got" 500 "what the server answered"
says before.log "$newer"
