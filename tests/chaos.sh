#!/usr/bin/env bash
# chaos.sh [ITEMS [KILLS [interview | dialogue]]]
#     kill -9 at random moments of a run; what is there in the end must equal an undisturbed run, and
#     nothing may have been asked for without need.
#
# By default 2000 items and 50 kills, with a fault in every tenth attempt. A judge that
# always has to be asked a second time makes every verdict a conversation of two requests. With
# "interview" the items are sittings of 15 turns, with an examiner of the same kind; with "dialogue" they
# are dialogues of TURNS (50) turns with a user that a model plays, all of them side by side. The seed
# of the random moments is SEED, and printed. CHAOS_PG: a PostgreSQL database for the disturbed run.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
items=${1:-2000}
kills=${2:-50}
kind=${3:-single}
seed=${SEED:-$$}

if [ -z "${CHAOS_DIR-}" ]; then # by name: in a directory of its own, which a failure leaves behind
    CHAOS_DIR=$(mktemp -d "${TMPDIR:-/tmp}/audition-chaos.XXXXXX")
    export CHAOS_DIR
    cd "$CHAOS_DIR"
    status=0
    bash "$here/chaos.sh" "$@" || status=$?
    case $status in
    0 | 77) rm -rf "$CHAOS_DIR" ;;
    *) echo "what it left: $CHAOS_DIR" ;;
    esac
    exit $status
fi

# shellcheck source=tests/lib.sh
. "$here/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

jobs=8 user=examiner-once-bad
RANDOM=$seed
case $kind in
interview)
    answers=$((items * 21)) # 15 turns, two follow-ups and a verdict in two attempts each
    interview suite.yaml "$items"
    more="--examiner examiner"
    ;;
dialogue)
    jobs=$items
    answers=$((items * (${TURNS:-50} * 2 + 2))) # what each says, and a verdict in two attempts
    dialogues suite.yaml "$items" "${TURNS:-50}"
    more="--user examiner" user=chat-user
    ;;
*)
    answers=$((items * 3)) # a sample, and a verdict in two attempts
    suite suite.yaml "$items"
    more=
    ;;
esac

# run DATABASE MODELS COMMAND...: as a person would type it, after what shall go before
run()
{
    local db=$1 config=$2

    shift 2
    # shellcheck disable=SC2086 # no option, or one with its value
    "$@" "$AUDITION" run suite.yaml -m player --judge critic $more -j "$jobs" --json --quiet \
        --db "$db" --config "$config"
}

now_ms()
{
    echo "${EPOCHREALTIME/[.,]/}" | cut -c 1-13
}

# ---- undisturbed ----

mock calm --latency 2 --faults 0.10 --stop-after 3000
models calm.yaml "$port" chat judge-once-bad "$user"
run calm.db calm.yaml timeout -k 5 1500 >calm.out
is "$(twice calm.log)" 0 "requests answered twice without any kill"
complete calm.db "$items"
stop "$mock_pid"

# ---- disturbed ----

storm=${CHAOS_PG:-storm.db}

mock storm --latency 20 --jitter 20 --faults 0.10 --stop-after 3000
models storm.yaml "$port" chat judge-once-bad "$user"

lines()
{
    wc -l <storm.log
}

# Some moments are soon after the start, while rows are planned or leases taken over; the others
# follow from how far the run has come, so that all of them fall inside it.
wait_for_moment()
{
    local kill_number=$1 pid=$2 step target

    if [ $((kill_number % 5)) -eq 0 ]; then
        sleep "0.$(printf '%03d' $((RANDOM % 150)))"
        return
    fi
    step=$((answers / kills + 1))
    target=$(($(lines) + 1 + RANDOM % step))
    while [ "$(lines)" -lt "$target" ] && kill -0 "$pid" 2>/dev/null; do
        sleep 0.01
    done
    sleep "0.$(printf '%03d' $((RANDOM % 60)))"
}

: >kills
done_kills=0 status=1
limit=$((SECONDS + 400))
while [ "$done_kills" -lt "$kills" ]; do
    [ "$done_kills" -eq 0 ] || now_ms >>kills
    [ "$SECONDS" -lt "$limit" ] || fail "only $done_kills kills in 400 s"
    run "$storm" storm.yaml exec >storm.out 2>storm.err &
    victim=$!
    pids+=("$victim")
    wait_for_moment "$done_kills" "$victim"
    status=0
    kill -9 "$victim" 2>/dev/null || true
    wait "$victim" 2>/dev/null || status=$?
    if [ "$status" -eq 0 ]; then
        break
    fi
    if [ "$status" -ne 137 ]; then
        cat storm.err
        fail "after $done_kills kills it ended by itself with $status"
    fi
    printf '%s ' "$(now_ms)" >>kills
    done_kills=$((done_kills + 1))
done
now_ms >>kills
[ "$done_kills" -eq "$kills" ] || fail "the run was over after $done_kills kills (seed $seed)"
run "$storm" storm.yaml timeout -k 5 1500 >storm.out || {
    cat storm.out
    fail "the last start did not finish"
}

# ---- the same? ----

[ "$storm" = storm.db ] || audition 0 db copy storm.db --db "$storm"
complete storm.db "$items"
for db in calm storm; do
    sqlite3 -batch "$db.db" <"$here/chaos_dump.sql" >"$db.dump"
done
[ "$(wc -l <calm.dump)" -gt "$answers" ] || fail "nothing to compare"
cmp -s calm.dump storm.dump || {
    diff calm.dump storm.dump | head -40
    fail "the databases differ (seed $seed)"
}
is "$(sql storm.db 'SELECT count(*) FROM worker')" 0 "workers left behind"
run=$(sql storm.db 'SELECT name FROM run')
audition 0 verify "$run" --db "$storm"

# ---- nothing twice ----

# An answer that was given before may be asked for again only if a kill followed within a second, since
# results are committed at most 50 ms after they arrive and this machine may be busy, or if nobody was there
# to hear it: between a kill and the next start, both of which are on a line of `kills`. Of a dialogue no
# turn is asked for before the one before it is stored: whatever the clock says, a kill costs each one answer at most.
each=0
[ "$kind" != dialogue ] || each=$items
awk -v jobs="$jobs" -v kills="$kills" -v each="$each" '
    FILENAME == "kills" { killed[++k] = $1; started[k] = $2; next }
    $4 == "good" || $4 == "drip" || $4 == "utf8" || $4 == "surrogate" {
        if ($2 in last) {
            again++
            for (i = 1; i <= k && last[$2] > started[i];)
                i++
            if (i > k || (each ? ++lost[i] > each : killed[i] > last[$2] + 1000)) {
                print "asked again without need:", $0, "answered at", last[$2]
                bad++
            }
        }
        last[$2] = $1
        n++
    }
    END {
        for (i in lost)
            most = lost[i] > most ? lost[i] : most
        printf "%d answers, %d of them again, after %d kills", n, again, kills
        print each ? ", at most " most " after one" : ""
        if (again > kills * jobs * 2) {
            print "more than could be in flight or in the last group"
            bad++
        }
        exit bad > 0
    }' kills storm.log || fail "asked twice (seed $seed)"
echo "$items items, $kills kills, seed $seed: the same database"
