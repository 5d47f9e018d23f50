#!/usr/bin/env bash
# storm.sh [ITEMS [FAULTS | named]]
#     Four workers on four machines, PostgreSQL and the endpoint on a fifth; at random workers are
#     killed, stopped and continued, their links cut and slowed down, their clocks stepped; PostgreSQL is
#     restarted and killed, its disk filled. What is there in the end must equal the run of one
#     undisturbed process, and limits and budget must have been kept.
#
# By default 20000 items and 200 faults, with a fault in every twentieth answer of the endpoint. The
# seed of it all is SEED, and printed. tests/cli/127-machines.sh runs a short form.
#
# named: of four workers two are killed and stay dead, one is stopped for 75 s and continued, one is cut off
# for 75 s; the endpoint's limits (requests a minute, window) bind, and so does the budget, until it is raised.
set -euo pipefail
: "${REPO:=$(cd "$(dirname "$0")/.." && pwd)}" "${AUDITION:=$REPO/build/audition}" \
    "${MOCKLLM:=$REPO/build/tests/mockllm}"
export REPO AUDITION MOCKLLM
if [ -z "${STORM_DIR-}" ]; then # by name: in a directory of its own, which a failure leaves behind
    STORM_DIR=$(mktemp -d "${TMPDIR:-/tmp}/audition-storm.XXXXXX")
    export STORM_DIR
    cd "$STORM_DIR"
    status=0
    bash "$REPO/tests/storm.sh" "$@" || status=$?
    case $status in
    0 | 77) rm -rf "$STORM_DIR" ;;
    *) echo "what it left: $STORM_DIR" ;;
    esac
    exit $status
fi
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/cluster.sh
. "$REPO/tests/cluster.sh"
cluster_enter "$0" "$@"
# shellcheck source=tests/pgserver.sh
. "$REPO/tests/pgserver.sh"

items=${1:-20000} faults=${2:-200} n=4 jobs=16 rpm=12000 window=1000
named=()
if [ "$faults" = named ]; then
    named=(kill:1 stop:2 cut:3 kill:4)
    faults=${#named[@]} rpm=$((items * 3 / 10)) window=24
fi
RANDOM=${SEED:=$$}
disk=no
if [ "$CLUSTER" = yes ] && mount -t tmpfs -o size=2500m,mode=755 storm "$dir" 2>/dev/null; then
    disk=yes
    [ "$owner" != postgres ] || chown postgres "$dir"
fi
faketime=$(find /usr/lib -name libfaketime.so.1 2>/dev/null | head -n 1)
case $(ldd "$AUDITION") in *libasan* | *libtsan*) faketime= ;; esac # they want to be loaded first
# shellcheck disable=SC2034 # pgserver.sh reads it
pg_options="-c fsync=off -c full_page_writes=off -c max_wal_size=200MB"
server_new
trap 'cp "$dir/server.log" . || true; end_server' EXIT # what it said, where something fails

suite suite.yaml "$items"
mock storm --address "$hub" --latency 20 --jitter 20 --faults 0.05 --stop-after 7200
cat >models.yaml <<END
models:
  - {name: player, base_url: "http://$hub:$port", model: chat, timeout: 5, limits: {requests_per_minute: $rpm, concurrency: $window}}
  - {name: critic, base_url: "http://$hub:$port", model: judge, timeout: 5}
END

database calm
timeout 1200 "$AUDITION" run suite.yaml -m player --judge critic -j 64 --quiet --db "$url" >calm.out 2>&1 || {
    cat calm.out
    fail "the undisturbed run"
}
dump calm calm.dump
spent="SELECT (SELECT sum(coalesce(tokens_in, 0) + coalesce(tokens_out, 0)) FROM sample)
    + (SELECT sum(coalesce(tokens_in, 0) + coalesce(tokens_out, 0)) FROM verdict)"
calm_spent=$(query calm "$spent")
budget=$((calm_spent * 3 / 2))
calm_requests=$(requests storm.log)
# answered LOG: replies that are paid for
answered()
{
    awk '$4 == "good" || $4 == "drip" || $4 == "utf8" || $4 == "surrogate"' "$1" | wc -l
}
calm_answered=$(answered storm.log)
as_owner "$bin/dropdb" -h "$dir" -U "$owner" calm # its disk is a small one
: >storm.log

# ---- workers ----

workers=() clocks=() dead=()
# worker NUMBER: with a clock that can be stepped, where there is faketime
worker()
{
    local i=$1 with=()

    if [ -n "$faketime" ]; then
        with=(env "LD_PRELOAD=$faketime" "FAKETIME_TIMESTAMP_FILE=$PWD/clock$i" FAKETIME_NO_CACHE=1
            DONT_FAKE_MONOTONIC=1)
    fi
    start on "$i" "${with[@]}" "$AUDITION" work -j $jobs --db "$url" >>"w$i.out" 2>"w$i.err"
    workers[i]=$started
}

# revive NUMBER: nobody but us may have ended it
revive()
{
    local i=$1 code=0

    if [ -n "${dead[i]-}" ] || kill -0 "${workers[i]}" 2>/dev/null; then return 0; fi
    wait "${workers[i]}" 2>/dev/null || code=$?
    [ $code -eq 137 ] || { tail -n 5 "w$i.err" && fail "worker $i ended with $code (seed $SEED)"; }
    worker "$i"
}

database storm
# queue TOKENS: the run, with that budget
queue()
{
    timeout 600 "$AUDITION" run suite.yaml -m player --judge critic --budget "$1tok" --detach --db "$url" >/dev/null
}
[ ${#named[@]} -eq 0 ] || budget=$((calm_spent * 3 / 4))
queue $budget
for ((i = 1; i <= n; i++)); do
    machine $i
    echo "+0" >"clock$i"
    clocks[i]=0
    worker $i
done

# ---- faults ----

declare -A told=()
server_pid()
{
    head -n 1 "$dir/data/postmaster.pid" 2>/dev/null
}
server_again()
{
    rm -f "$dir/ballast"
    # Processes of one that was killed may keep its memory for a while.
    until_true "PostgreSQL is there again" 60 server start
}

# fault NAME NUMBER: false where it cannot be done here
fault()
{
    local i=$2

    case $1 in
    kill)
        kill -KILL "${workers[i]}"
        [ ${#named[@]} -eq 0 ] || dead[i]=yes
        ;;
    stop) kill -STOP "${workers[i]}" ;;
    cut) cut_link "$i" ;;
    slow) slow_link "$i" ;;
    clock)
        [ -n "$faketime" ] || return 1
        clocks[i]=$((RANDOM % 7200 - 3600))
        # In one piece: who reads half of it is ended by libfaketime.
        printf '%+d\n' "${clocks[i]}" >"clock$i.new" && mv "clock$i.new" "clock$i"
        ;;
    restart) server restart || server_again ;;
    crash)
        kill -KILL "$(server_pid)"
        sleep 0.3
        rm -f "$dir/data/postmaster.pid" # where nobody collects the dead it would seem to live
        server_again
        ;;
    disk)
        [ $disk = yes ] || return 1
        dd if=/dev/zero of="$dir/ballast" bs=1M count=4000 2>/dev/null || true
        ;;
    esac
}

# calm_down NAME NUMBER: the end of a fault that lasts
calm_down()
{
    case $1 in
    stop) kill -CONT "${workers[$2]}" 2>/dev/null || true ;;
    cut | slow) mend_link "$2" ;;
    disk)
        rm -f "$dir/ballast"
        kill -0 "$(server_pid)" 2>/dev/null || server_again
        ;;
    esac
}

kinds=(kill kill stop stop cut cut slow clock clock restart crash disk)
lasting=() # "NAME NUMBER UNTIL"
done_faults=0
step=$((items * 2 / (faults + 1) + 1))
limit=$((SECONDS + 3000))

settle()
{
    local kept=() f name i until

    for f in ${lasting[@]+"${lasting[@]}"}; do
        IFS=: read -r name i until <<<"$f"
        if [ "${EPOCHREALTIME%.*}" -ge "$until" ] || [ "${1-}" = all ]; then
            calm_down "$name" "$i"
        else
            kept+=("$f")
        fi
    done
    lasting=(${kept[@]+"${kept[@]}"})
    for ((i = 1; i <= n; i++)); do
        revive $i
    done
}
is_lasting()
{
    [[ " ${lasting[*]-} " == *" $1:$2:"* ]]
}
progress()
{
    far storm 2>/dev/null || echo 0
}
run_is_done()
{
    [ "$(query storm "SELECT count(*) FROM run WHERE orders = 'queued' OR stale <> 0")" = 0 ]
}

# stands_still: nothing was done for a while
stands_still()
{
    local before

    before=$(far storm)
    sleep 6
    [ "$(far storm)" -eq "$before" ]
}

# listens PROCESS: it catches SIGTERM, which one that has only just begun does not
listens()
{
    local caught

    caught=$(awk '$1 == "SigCgt:" { print $2 }' "/proc/$1/status")
    [ $((0x$caught >> 14 & 1)) -eq 1 ]
}

echo "$items items, seed $SEED"
while [ $done_faults -lt "$faults" ]; do
    [ $SECONDS -lt $limit ] || fail "only $done_faults faults in time (seed $SEED)"
    kind=${kinds[RANDOM % ${#kinds[@]}]}
    i=$((RANDOM % n + 1))
    [ "$kind" != disk ] || i=1
    [ ${#named[@]} -eq 0 ] || IFS=: read -r kind i <<<"${named[done_faults]}"
    if ! is_lasting "$kind" "$i"; then
        if fault "$kind" "$i" 2>/dev/null; then
            done_faults=$((done_faults + 1))
            told[$kind]=$((${told[$kind]-0} + 1))
            most=12
            [ "$kind" != disk ] || most=3
            lasts=$((1 + RANDOM % most))
            [ ${#named[@]} -eq 0 ] || lasts=75
            lasting+=("$kind:$i:$((${EPOCHREALTIME%.*} + lasts))")
        fi
    fi
    # The next one when the run has come further; or soon, where it is held up.
    target=$((step * done_faults))
    for ((k = 0; k < 15 || (${#named[@]} > 0 && done_faults < faults); k++)); do
        settle
        [ "$(progress)" -lt $target ] || break
        sleep 0.2
    done
done
if [ ${#named[@]} -gt 0 ]; then
    until [ ${#lasting[@]} -eq 0 ]; do
        settle
        sleep 0.5
    done
    until_true "the budget is spent" 600 stands_still
    [ "$(query storm "$spent")" -le "$budget" ] || fail "more than the budget was spent"
    # What was answered and died with a worker was paid for too: as many as were in flight.
    paid=$(($(answered storm.log) * calm_spent / calm_answered))
    echo "budget $budget tokens: $(query storm "$spent") written, about $paid by the endpoint's count; $(far storm) of $((items * 2)) rows"
    [ $paid -le $((budget + 4 * jobs * calm_spent / calm_answered + budget / 50)) ] || fail "the endpoint gave more than the budget"
    [ "$(query storm "$spent")" -ge $((budget * 9 / 10)) ] || fail "the budget did not bind"
    budget=$((calm_spent * 3 / 2))
    queue $budget
fi
settle all
echo "faults: $(for k in "${!told[@]}"; do printf '%s %s, ' "$k" "${told[$k]}"; done | sed 's/, $//')"
[ -n "${told[cut]-}" ] || echo "no links were cut"
until_true "the run is done (seed $SEED)" 900 run_is_done
for ((i = 1; i <= n; i++)); do
    [ -z "${dead[i]-}" ] || continue
    revive $i
    until_true "worker $i can be ended" 60 listens "${workers[i]}"
    code=0
    kill "${workers[i]}"
    wait "${workers[i]}" || code=$?
    [ $code -eq 130 ] || { tail -n 5 "w$i.err" && fail "worker $i ended with $code (seed $SEED)"; }
done

# ---- the same? ----

dump storm storm.dump
[ "$(wc -l <calm.dump)" -gt $((items * 4)) ] || fail "nothing to compare"
cmp -s calm.dump storm.dump || {
    diff calm.dump storm.dump | head -n 40
    fail "the databases differ (seed $SEED)"
}
audition 0 verify latest --db "$url"
is "$(query storm "SELECT count(*) FROM (SELECT key FROM call GROUP BY key HAVING count(*) > 1) AS t")" 0 "replies stored twice"
[ "$(query storm "$spent")" -le "$budget" ] || fail "more than the budget was spent"
# No minute may have had more than the limit and what may be saved up, a tenth of it.
awk -v most=$((rpm + rpm / 10)) '$5 == "chat" { at[++k] = $1; while (at[k] - at[j + 1] > 60000) j++
    if (k - j > seen) seen = k - j }
    END { printf "at most %d requests in a minute of %d\n", seen, most; exit seen > most }' storm.log ||
    fail "the limit of the endpoint was not kept (seed $SEED)"
# Of a millisecond that is half over nobody knows which half.
awk '$5 == "chat" { printf "%.0f 1\n%.0f -1\n", $1 - $6 + 2, $1 }' storm.log | sort -k 1n,1 -k 2n,2 |
    awk -v most=$window '{ now += $2; if (now > seen) seen = now }
        END { printf "at most %d requests at once of %d\n", seen, most; exit seen > most }' ||
    fail "the window of the endpoint was not kept (seed $SEED)"
echo "$items items, $done_faults faults, seed $SEED: the same as undisturbed; $(requests storm.log) requests, undisturbed $calm_requests; $SECONDS s"
