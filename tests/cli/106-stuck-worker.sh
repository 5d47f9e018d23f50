#!/usr/bin/env bash
# 106-stuck-worker.sh [SECONDS]
#     Four workers on four machines: one stops in the middle of a transaction, one is cut off and
#     killed behind the cut. The others take over what they held and end the run, nobody fails, and
#     what a worker brings that was thought dead is not taken. For SECONDS (8; `make chaos`: 90) the
#     others' rate is compared with the rate before; for so long the endpoint takes its time, so that its
#     latency sets the rate and not what else this machine does.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/cluster.sh
. "$REPO/tests/cluster.sh"
cluster_enter "$0" "$@"
# shellcheck source=tests/pgserver.sh
. "$REPO/tests/pgserver.sh"

seconds=${1:-8}
# Taken for dead after a minute; where the whole test is shorter than that, sooner.
[ "$seconds" -ge 60 ] || export AUDITION_LOST_AFTER=$((seconds - 2))
server_new
jobs=4 latency=160
[ "$seconds" -lt 60 ] || latency=400
items=$((jobs * 4 * 1000 * (seconds + 3) / latency))
suite suite.yaml "$items"
mock many --address $hub --latency $latency
models models.yaml "$port"
sed -i "s/127.0.0.1/$hub/" models.yaml

echo "undisturbed, one process"
database calm
audition 0 run suite.yaml -m player --judge critic -j 64 --quiet --db "$url"
dump calm calm.dump

echo "four workers"
database stuck
audition 0 run suite.yaml -m player --judge critic --detach --db "$url"
workers=()
for i in 1 2 3 4; do
    machine $i
    start on $i "$AUDITION" work -j $jobs --db "$url" >"w$i.out" 2>"w$i.err"
    workers[i]=$started
done
further()
{
    [ "$(far stuck)" -ge "$1" ]
}
run_is_done()
{
    [ "$(query stuck "SELECT count(*) FROM run WHERE orders = 'queued' OR stale <> 0")" -eq 0 ]
}
# rate SECONDS: rows a second
rate()
{
    local before

    before=$(far stuck)
    sleep "$1"
    echo $((($(far stuck) - before) / $1))
}
address()
{
    if [ "$CLUSTER" = yes ]; then echo "10.9.0.1$1"; else echo 127.0.0.1; fi
}
# idle NUMBER: does a session of that machine wait inside a transaction?
idle()
{
    query stuck "SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'
        AND client_addr = '$(address "$1")' AND state_change < now() - interval '50 ms'"
}

until_true "the first answers" 60 further 200
before=$(rate $((seconds < 60 ? 4 : 15)))
# Behind a slow link a worker is inside a transaction most of the time; elsewhere that is luck.
slow_link 1 || true
for ((tries = 0; tries < 200; tries++)); do
    kill -STOP "${workers[1]}"
    sleep 0.1
    [ "$(idle 1)" -eq 0 ] || break
    kill -CONT "${workers[1]}"
    sleep 0.02
done
[ "$CLUSTER" = no ] || mend_link 1
echo "worker 1 is stopped ($(idle 1) session inside a transaction, try $tries)"
after=$(rate "$seconds")
echo "rows a second: $before of four, $after of the other three"
# Three quarters of it, and a tenth for chance.
[ "$seconds" -lt 60 ] || [ $((after * 40)) -ge $((before * 27)) ] || fail "the others were held up"

echo "worker 2 is cut off, and killed behind the cut"
if cut_link 2; then sleep 0.2; fi
stop "${workers[2]}" KILL
until_true "the others have taken all of it over and scored it" 300 run_is_done
dump stuck stuck.dump
kill -CONT "${workers[1]}"
is "$(query stuck "SELECT count(*) FROM sample WHERE state <> 'done'")" 0 "samples that are not done"

echo "worker 1 goes on, and changes nothing"
sleep 2
for i in 1 3 4; do
    code=0
    kill "${workers[i]}" 2>/dev/null || { cat "w$i.err" && fail "worker $i had ended"; }
    wait "${workers[i]}" || code=$?
    [ $code -eq 130 ] || { cat "w$i.err" && fail "worker $i ended with $code"; }
done
dump stuck again.dump
cmp calm.dump again.dump || {
    diff calm.dump again.dump | head -20
    fail "the database is another than of the undisturbed run"
}
audition 0 verify latest --db "$url"
