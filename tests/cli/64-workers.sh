#!/usr/bin/env bash
# Work that is disturbed from outside: the database file goes away, the terminal goes away.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

answered()
{
    [ "$(sqlite3 "$1" "SELECT count(*) FROM sample WHERE state = 'done'")" -ge "$2" ]
}

command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"
suite suite.yaml 400
mock slow --latency 50
models models.yaml "$port"

echo "a database that is deleted while it is in use"
start "$AUDITION" run suite.yaml -m player --judge critic -j 4 --db gone.db >gone.out 2>gone.err
pid=$started
until_true "the first answers" 60 answered gone.db 10
rm -f gone.db gone.db-wal gone.db-shm
code=0
wait "$pid" || code=$?
is "$code" 1 "exit code"
says gone.err "moved or deleted while in use"
lacks gone.out "weighted mean"

echo "a terminal that goes away: what is on its way is saved, and the same command goes on"
start "$AUDITION" run suite.yaml -m player --judge critic -j 4 --db hup.db >hup.out 2>hup.err
pid=$started
until_true "the first answers" 60 answered hup.db 10
kill -HUP "$pid"
code=0
wait "$pid" || code=$?
is "$code" 130 "exit code"
is "$(sqlite3 hup.db "SELECT count(*) FROM sample_lease")" 0 "samples still leased"
is "$(sqlite3 hup.db "SELECT count(*) FROM worker")" 0 "workers"

echo "a worker that was taken for dead has no slice of the budget any more"
start "$AUDITION" run suite.yaml -m player --judge critic -j 4 --budget 1000000tok --db lost.db >lost.out 2>lost.err
pid=$started
held()
{
    [ "$(sqlite3 -cmd '.timeout 10000' lost.db "SELECT tokens > 0 FROM worker WHERE pid = $pid")" = "$1" ]
}
until_true "it holds a slice" 60 held 1
sqlite3 -cmd '.timeout 10000' lost.db "BEGIN IMMEDIATE; DELETE FROM worker;
    INSERT INTO worker (id, name, host, pid, started, beat_ms, run, tokens) VALUES (7, 'other', 'elsewhere', 1, 1, 0, 1, 1000000); COMMIT"
until_true "it holds none" 60 held 0
stop "$pid" KILL

echo "nor has one that waits for the rows of others"
suite few.yaml 20
audition 0 run few.yaml -m player --judge critic --detach --db lost.db
sqlite3 lost.db "INSERT INTO sample_lease (id, worker, batch) SELECT max(id), 7, 1 FROM sample"
start "$AUDITION" run few.yaml -m player --judge critic --budget 1000000tok --db lost.db >few.out 2>few.err
pid=$started
done_but_one()
{
    [ "$(sqlite3 lost.db "SELECT count(*) FROM verdict WHERE run = 2 AND state = 'done'")" = 19 ]
}
for_good() # not only between two transactions
{
    held 0 && held 0 && held 0
}
until_true "all but one row" 60 done_but_one
until_true "it holds none" 60 for_good
stop "$pid" KILL

echo "three processes keep the limit of one endpoint together"
suite shared.yaml 100
mock quick
cat >shared.models.yaml <<END
models:
  - {name: player, base_url: "http://127.0.0.1:$port", model: chat, limits: {requests_per_minute: 600}}
END
began=$(date +%s)
for i in 1 2 3; do
    start "$AUDITION" run shared.yaml -c shared.models.yaml -m player --db shared.db >"s$i.out" 2>"s$i.err"
    eval "pid$i=$started"
done
# shellcheck disable=SC2154 # set by eval
for p in "$pid1" "$pid2" "$pid3"; do
    wait "$p" || fail "a process ended badly: $(cat s1.err s2.err s3.err)"
done
# 10 a second: ten seconds, less what the first sent before it knew of the others.
[ $(($(date +%s) - began)) -ge 5 ] || fail "100 requests went out at once"
is "$(requests quick.log)" 100 "requests"
is "$(sqlite3 shared.db "SELECT count(*) FROM asked")" 0 "askers left"

echo "what an endpoint allows at once is kept by all processes, from the first moment on; so it is by two names for it in one"
# at_once LOG: the most requests that were open at one moment
at_once()
{
    awk '{ printf "%.0f 1\n%.0f -1\n", $1 - $6 + 2, $1 }' "$1" | sort -k 1n,1 -k 2n,2 |
        awk '{ now += $2; if (now > most) most = now } END { print most }'
}
suite window.yaml 120
mock narrow --latency 100
{
    echo models:
    echo "  - {name: player, base_url: \"http://127.0.0.1:$port\", model: chat, limits: {concurrency: 6}}"
    echo "  - {name: other, base_url: \"http://127.0.0.1:$port\", model: chat, parameters: {temperature: 0.5}}"
} >window.models.yaml
audition 0 run window.yaml -c window.models.yaml -m player,other --limit 30 --db names.db
is "$(requests narrow.log)" 60 "requests"
seen=$(at_once narrow.log)
[ "$seen" -le 6 ] || fail "under two names $seen at once"
: >narrow.log
began=()
for i in 1 2 3 4; do
    start "$AUDITION" run window.yaml -c window.models.yaml -m player -j 4 --db window.db >"w$i.out" 2>"w$i.err"
    began+=("$started")
done
for p in "${began[@]}"; do
    wait "$p" || fail "a process ended badly: $(cat w?.err)"
done
is "$(requests narrow.log)" 120 "requests"
seen=$(at_once narrow.log)
[ "$seen" -le 6 ] || fail "four processes: $seen at once"
[ "$seen" -gt 3 ] || fail "only $seen at once: they do not share"

echo "two processes make one database at the same moment"
for round in 1 2 3 4 5 6 7 8; do
    began=()
    for i in 1 2; do
        start "$AUDITION" run window.yaml -c window.models.yaml -m player --limit 1 --db "new$round.db" >"n$i.out" 2>"n$i.err"
        began+=("$started")
    done
    for p in "${began[@]}"; do
        wait "$p" || fail "round $round: $(cat n?.err)"
    done
done

echo "processes that ask until it is precise enough say how many were asked by all of them"
for i in 1 2; do
    start "$AUDITION" run suite.yaml -m player --judge critic -j 8 --until half-width=0.9 --db until.db >"u$i.out" 2>"u$i.err"
    eval "pid$i=$started"
done
for p in "$pid1" "$pid2"; do
    wait "$p" || fail "a process ended badly: $(cat u1.err u2.err)"
done
asked=$(sqlite3 until.db "SELECT count(*) FROM sample WHERE state = 'done'")
[ "$asked" -gt 20 ] || fail "one batch was enough"
says u1.err "$asked of "
says u2.err "$asked of "

echo "three processes keep one budget together"
mock paid --latency 5
models models.yaml "$port"
for i in 1 2 3; do
    start "$AUDITION" run suite.yaml -m player --judge critic -j 8 --budget 60000tok --db paid.db >"b$i.out" 2>"b$i.err"
    eval "pid$i=$started"
done
for p in "$pid1" "$pid2" "$pid3"; do
    wait "$p" || true
done
says b1.err budget
spent=$(sqlite3 paid.db "SELECT (SELECT sum(coalesce(tokens_in, 0) + coalesce(tokens_out, 0)) FROM sample)
    + (SELECT sum(coalesce(tokens_in, 0) + coalesce(tokens_out, 0)) FROM verdict)")
[ "$spent" -le 60000 ] || fail "spent $spent of 60000 tokens"
[ "$spent" -ge 45000 ] || fail "stopped at $spent of 60000 tokens"
is "$(sqlite3 paid.db "SELECT count(*) FROM worker")" 0 "workers"

echo "what another process holds by rounding alone is not waited for"
sed 's/name: [a-z]*,/& price: {in: 1, out: 2},/' models.yaml >priced.yaml
"$AUDITION" run suite.yaml -c priced.yaml -m player --detach --db priced.db >out
sqlite3 priced.db "INSERT INTO worker (id, name, host, pid, started, beat_ms, run, usd) VALUES (7, 'other', 'elsewhere', 1, 1, 0, 1, 4e-19)"
export AUDITION_LOST_AFTER=3600
audition 3 run --resume latest -c priced.yaml --budget 0.005usd -q --db priced.db
says err "the budget is used up"
unset AUDITION_LOST_AFTER

echo "fewer open files than requests: said, and worked with"
(ulimit -n 48 && exec "$AUDITION" run few.yaml -m player --judge critic -j 64 --db few.db) >few.out 2>few.err ||
    fail "did not end well: $(cat few.err)"
says few.err "ulimit -n"
