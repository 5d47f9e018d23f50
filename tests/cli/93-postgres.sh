#!/usr/bin/env bash
# PostgreSQL: two processes work one run off together, and the server is restarted under them as if
# it had crashed. The server is this script's own, on a socket in a temporary directory.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

# shellcheck source=tests/pgserver.sh
. "$REPO/tests/pgserver.sh"
server_new

answered()
{
    [ "$(query "$1" "SELECT count(*) FROM sample WHERE state = 'done'")" -ge "$2" ]
}

# whole NAME SAMPLES: all of them answered and judged once
whole()
{
    is "$(query "$1" "SELECT count(*) FROM run")" 1 "runs"
    is "$(query "$1" "SELECT count(*), sum((state = 'done')::int) FROM sample")" "$2|$2" "samples"
    is "$(query "$1" "SELECT count(*), sum((state = 'done')::int) FROM verdict")" "$2|$2" "verdicts"
    is "$(query "$1" "SELECT count(*) FROM mark")" "$2" "marks"
    is "$(query "$1" "SELECT count(*) FROM worker")" 0 "workers left"
}

# ended PID FILE: whoever ends, the run is done
ended()
{
    local code=0

    wait "$1" || code=$?
    [ "$code" -eq 0 ] || { cat "$2" && fail "ended with $code"; }
}

# waits NAME: does somebody wait for a row that another holds?
waits()
{
    [ "$(query "$1" "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")" -gt 0 ]
}

n=200
suite suite.yaml $n
mock pg --latency 20 --faults 0.05
models models.yaml "$port"

for round in 1 2 3; do
    echo "two processes that begin at the same moment ($round)"
    database "two$round"
    : >pg.log
    set -- run suite.yaml -m player --judge critic -j 8 --db "$url"
    start "$AUDITION" "$@" >1.out 2>1.err
    first=$started
    start "$AUDITION" "$@" >2.out 2>2.err
    second=$started
    ended "$first" 1.err
    ended "$second" 2.err
    audition 0 "$@"
    whole "two$round" $n
    [ "$round" -gt 1 ] || two1=$url
    is "$(twice pg.log)" 0 "answered twice"
done

echo "a judge that is dropped while somebody scores and sets its seal: the seal goes too"
query two1 "DELETE FROM seal WHERE kind = 'jury'"
mkfifo scoring
psql -qAtX -d "$two1" <scoring >scored &
scorer=$!
exec 4>scoring
echo "BEGIN; UPDATE run SET derived = derived + 1; SELECT 'scoring';" >&4
until_true "somebody scores" 20 test -s scored
start "$AUDITION" judge drop latest critic --db "$two1" >1.out 2>1.err
until_true "the other waits" 20 waits two1
echo "INSERT INTO seal (run, kind, fact, hash) SELECT run, 'jury', id, 1 FROM judge; COMMIT;" >&4
exec 4>&-
wait "$scorer"
ended "$started" 1.err
is "$(query two1 "SELECT count(*) FROM seal WHERE kind = 'jury'")" 0 "seals of the judge as it was"

# holds WHICH: far away somebody holds that sample of database `back`
holds()
{
    query back "INSERT INTO worker (id, name, host, pid, started, beat_ms, version, since_ms, run)
        SELECT 1, 'far', 'far', 1, 1, 1, '', 1, min(id) FROM run ON CONFLICT DO NOTHING;
        INSERT INTO sample_lease (id, worker, batch) SELECT $1, 1, 1 FROM sample" >back.out
}

# meanwhile SQL: after the process has looked for rows, and before it is told who else holds any
meanwhile()
{
    rm -f asking
    mkfifo asking
    "$bin/psql" -qAtX -h "$dir" -U "$owner" -d back <asking >asked &
    asker=$!
    exec 4>asking
    echo "BEGIN; LOCK TABLE seat; SELECT 'locked';" >&4 # only that question reads it
    until_true "it asks" 20 waits back
    echo "$1; DELETE FROM sample_lease; COMMIT;" >&4
    exec 4>&-
    wait "$asker"
}

echo "a row that another gives back in the last moment is not left behind"
database back
set -- run suite.yaml -m player --db "$url"
audition 0 "$@" --detach
holds 'max(id)'
start "$AUDITION" "$@" >1.out 2>1.err
first=$started
until_true "all but that one" 60 answered back $((n - 1))
meanwhile "SELECT 1"
ended "$first" 1.err
answered back $n || fail "it was left behind"

echo "nor is a battle between answers that two gave at one moment, of whom one has died"
sed '/^instrument:/,/^score:/d' suite.yaml >battle.yaml
echo 'instrument: {kind: pair, criteria: [tells the truth]}' >>battle.yaml
sed 's/name: examiner/name: other/; s/model: judge/model: judge-pair/' models.yaml >pair.yaml
set -- run battle.yaml -m player -m other --judge critic --limit 2 --config pair.yaml --db "$url"
audition 0 "$@" --detach
holds 'max(id)'
start "$AUDITION" "$@" >1.out 2>1.err
first=$started
until_true "all but that one" 60 answered back $((n + 3))
meanwhile "UPDATE sample SET state = 'done', answer = 'Not tonight.' WHERE state = 'planned'"
ended "$first" 1.err
is "$(query back "SELECT count(*) FROM verdict WHERE state = 'done'")" 2 "battles"

echo "eight processes, one of them stopped for a while: the others go on, and all end well"
database eight
: >pg.log
set -- run suite.yaml -m player --judge critic -j 4 --db "$url"
eight=()
for i in 1 2 3 4 5 6 7 8; do
    start "$AUDITION" "$@" >"e$i.out" 2>"e$i.err"
    eight+=("$started")
done
until_true "the first answers" 60 answered eight 10
kill -STOP "${eight[0]}"
before=$(query eight "SELECT count(*) FROM sample WHERE state = 'done'")
until_true "answers of the others" 60 answered eight $((before + 60))
kill -CONT "${eight[0]}"
for i in 1 2 3 4 5 6 7 8; do
    ended "${eight[i - 1]}" "e$i.err"
done
audition 0 "$@"
whole eight $n

echo "the server is restarted, twice, under two processes"
database crash
: >pg.log
set -- run suite.yaml -m player --judge critic -j 4 --db "$url"
start "$AUDITION" "$@" >1.out 2>1.err
first=$started
until_true "the first answers" 60 answered crash 10
start "$AUDITION" "$@" >2.out 2>2.err
second=$started
until_true "more answers" 60 answered crash 40
server restart
until_true "more answers after the restart" 60 answered crash 100
server stop
sleep 2
server start
ended "$first" 1.err
ended "$second" 2.err
audition 0 "$@"
whole crash $n
is "$(twice pg.log)" 0 "answered twice"
run=$(query crash 'SELECT name FROM run')
audition 0 verify "$run" --db "$url"

echo "a run whose replies are all stored, and a server that goes away while they are looked up"
echo 'description: another run with the same requests' >>suite.yaml
seen=$(requests pg.log)
start "$AUDITION" run suite.yaml -m player --judge critic -j 1 --db "$url" >1.out 2>1.err
first=$started
until_true "the first answers" 60 answered crash $((n + 10))
server restart
ended "$first" 1.err
is "$(query crash "SELECT count(*) FROM verdict WHERE state = 'done'")" $((n * 2)) "verdicts"
is "$(requests pg.log)" "$seen" "requests although every reply is stored"

echo "interviews: two processes, and a server that is restarted under them"
database talk
mkdir talk
(cd talk && interview suite.yaml 20)
: >pg.log
set -- run talk/suite.yaml -m player --judge critic --examiner examiner -j 4 --db "$url"
start "$AUDITION" "$@" >1.out 2>1.err
first=$started
start "$AUDITION" "$@" >2.out 2>2.err
second=$started
until_true "the first sittings" 60 answered talk 3
server restart
ended "$first" 1.err
ended "$second" 2.err
audition 0 "$@"
whole talk 20
is "$(query talk "SELECT count(*), count(DISTINCT sample) FROM turn WHERE speaker = 'model'")" "300|20" "answers"
is "$(query talk "SELECT count(*) FROM turn t JOIN sample s ON s.id = t.sample
    WHERE position(t.text IN replace(s.answer, E'\\n    ', E'\\n')) = 0")" 0 "turns that are not in their transcript"
is "$(twice pg.log)" 0 "answered twice"
