#!/usr/bin/env bash
# A run whose machine fails it: disks that are full, databases that are locked or may not be written,
# a second process, people who press Ctrl-C. Nothing may be lost or asked for twice.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

items=20
suite suite.yaml $items

# run DATABASE [OPTION...]: the arguments of the run that every part makes
run()
{
    local db=$1

    shift
    echo run suite.yaml -m player --judge critic --db "$db" "$@"
}

answered()
{
    local n

    n=$(sql "$1" "SELECT count(*) FROM sample WHERE state = 'done'" 2>/dev/null) && [ "${n:-0}" -ge "$2" ]
}

# ---- a database that cannot be written ----

# full DIRECTORY: leave no room there
full()
{
    cat /dev/zero >"$1/filler" 2>/dev/null || true
}

disk_full()
{
    local full=$1 n=150 pid code=0

    suite long.yaml $n
    mock disk --latency 20
    models models.yaml "$port"
    # shellcheck disable=SC2046
    set -- run long.yaml -m player --judge critic -j 4 --db "$full/t.db"
    start "$AUDITION" "$@" >disk.out 2>disk.err
    pid=$started
    until_true "the first answers" 60 answered "$full/t.db" 20
    full "$full"
    until_true "a word about the disk" 60 grep -q "disk is full" disk.err
    kill -0 "$pid" || fail "it did not wait for room"
    rm "$full/filler"
    wait "$pid" || code=$?
    is "$code" 0 "the run after there was room again"
    complete "$full/t.db" $n
    is "$(twice disk.log)" 0 "answered twice"
    stop "$mock_pid"

    echo "no room for longer than we wait"
    rm -f "$full"/t.db*
    mock disk --latency 20
    models models.yaml "$port"
    start "$AUDITION" "$@" --store-wait 1 >disk.out 2>disk.err
    pid=$started
    until_true "the first answers" 60 answered "$full/t.db" 20
    full "$full"
    code=0
    wait "$pid" || code=$?
    is "$code" 1 "the run on a full disk"
    says disk.err "the disk is full; free some space"

    echo "no room to begin with: it says that it waits"
    start "$AUDITION" "$@" >disk.out 2>disk.err
    pid=$started
    until_true "a word about the disk" 60 grep -q "disk is full.*waiting for it" disk.err
    rm "$full/filler"
    wait "$pid"
    complete "$full/t.db" $n
    # What could not be saved was asked for again: at most what was in flight or in one group.
    [ "$(twice disk.log)" -le 100 ] || fail "$(twice disk.log) answered twice"
    stop "$mock_pid"

    echo "an export that finds no room says which file"
    cp "$full/t.db" copy.db
    full "$full"
    audition 1 export latest --db copy.db -o "$full/out.jsonl"
    says err "$full/out.jsonl: cannot write"
}

mkdir small
if mount -t tmpfs -o size=32m tmpfs small 2>/dev/null; then
    echo "a full disk"
    trap 'end_all; umount small' EXIT
    disk_full small
    umount small
    trap end_all EXIT
else
    echo "a full disk: left out, because nothing can be mounted here"
fi

echo "a database that may not be written"
mock readonly
models models.yaml "$port"
# shellcheck disable=SC2046
audition 0 $(run ro.db --limit 1)
seen=$(requests readonly.log)
if [ "$(id -u)" -eq 0 ]; then # root may write everything: be nobody, in a place nobody can reach
    place=$(mktemp -d /tmp/audition-ro.XXXXXX)
    cp "$AUDITION" suite.yaml suite.jsonl models.yaml ro.db "$place"
    chmod 755 "$place"
    chmod 644 "$place/ro.db" # a new one is for its owner alone
    code=0
    # shellcheck disable=SC2046
    (cd "$place" && exec setpriv --reuid 65534 --regid 65534 --clear-groups \
        ./"$(basename "$AUDITION")" $(run ro.db)) >out 2>err || code=$?
    rm -rf "$place"
    is "$code" 1 "a run on a database that is not ours"
else
    chmod 444 ro.db
    # shellcheck disable=SC2046
    audition 1 $(run ro.db)
fi
says err "cannot write the database"
is "$(requests readonly.log)" "$seen" "requests although nothing can be stored"
stop "$mock_pid"

echo "a database that somebody else has locked"
mock locked --latency 50
models models.yaml "$port"
# shellcheck disable=SC2046
start "$AUDITION" $(run locked.db -j 2) >locked.out 2>locked.err
pid=$started
until_true "the first answers" 60 answered locked.db 4
{
    echo '.timeout 10000'
    echo 'BEGIN EXCLUSIVE;'
    sleep 8
    echo 'COMMIT;'
} | sqlite3 -batch locked.db
code=0
wait "$pid" || code=$?
is "$code" 0 "the run, after it was let in again"
complete locked.db $items
is "$(twice locked.log)" 0 "answered twice"
stop "$mock_pid"

# ---- several processes, and people ----

echo "two processes, one run"
suite long.yaml 200
mock two --latency 20
models models.yaml "$port"
set -- run long.yaml -m player --judge critic -j 4 --db two.db
start "$AUDITION" "$@" >two.1 2>two.1.err
first=$started
start "$AUDITION" "$@" >two.2 2>two.2.err
second=$started
for pid in "$first" "$second"; do
    code=0
    wait "$pid" || code=$?
    [ "$code" -eq 0 ] || { cat two.1.err two.2.err && fail "one of two ended with $code"; }
done
complete two.db 200
audition 0 "$@"
says out "is complete: nothing left to ask"
is "$(twice two.log)" 0 "answered twice"
is "$(requests two.log)" 400 "requests"
stop "$mock_pid"

for signal in INT TERM; do
    echo "SIG$signal"
    mock signal --latency 100
    models models.yaml "$port"
    rm -f signal.db*
    # shellcheck disable=SC2046
    start "$AUDITION" $(run signal.db -j 4) >signal.out 2>signal.err
    pid=$started
    until_true "the first answers" 60 answered signal.db 4
    kill -s $signal "$pid"
    code=0
    wait "$pid" || code=$?
    is "$code" 130 "the end by SIG$signal"
    says signal.err "audition run suite.yaml"
    is "$(sql signal.db "SELECT count(*) FROM sample_lease")" 0 "leases left"
    # shellcheck disable=SC2046
    audition 0 $(run signal.db)
    complete signal.db $items
    is "$(twice signal.log)" 0 "answered twice"
    is "$(requests signal.log)" $((items * 2)) "requests"
    stop "$mock_pid"
done
