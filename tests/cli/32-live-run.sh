#!/usr/bin/env bash
# A run at work on its page: events while it runs, so many listeners and no more, an end when its state turns; pause,
# resume and cancel by those who may; the page by itself without a script.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v curl >/dev/null || skip "curl is not installed"

db=$PWD/live.db
password="correct horse battery"
suite suite.yaml 5000 # more than anybody waits for: it ends by order
mock slow --latency 100
models models.yaml "$port"
head -n 4990 suite.jsonl | sed 's/"prompt.*/"text": "Not tonight."}/; s/"id"/"item"/' >gone.jsonl
printf '  - {name: gone, kind: recorded, file: gone.jsonl}\n' >>models.yaml
work()
{
    start "$AUDITION" work -j 2 --db "$db" >work.out 2>work.err
    worker=$started
}
"$AUDITION" run suite.yaml -m player --judge critic --limit 1 -q --db "$db" >out
"$AUDITION" run suite.yaml -m player -m gone --judge critic --detach --db "$db" >out
finished=$("$AUDITION" list --state "done" --json --db "$db" | grep -o '"run":"[0-9a-f]*' | cut -d '"' -f 4)
run=$("$AUDITION" list --json --db "$db" | grep -o '"run":"[0-9a-f]*' | head -n 1 | cut -d '"' -f 4)
serve site --db "$db"
post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode "password=$password"
for who in ana:analyst cora:coordinator; do
    post 303 ada /accounts /accounts -d "name=${who%:*}" -d "role=${who#*:}" --data-urlencode "password=$password"
    post 303 "${who%:*}" /login /login -d "name=${who%:*}" --data-urlencode "password=$password"
done

# events JAR PHASE FILE: until they end
events()
{
    curl -sN -m 120 -b "$1" "$url/runs/$run/events?phase=$2" >"$3"
}
shows()
{
    ask 200 "$1" "/runs/$run"
    grep -q "data-events=\"/runs/$run/events?phase=$2\"" page
}

echo "queued: it waits for a worker, and the page comes again without a script"
shows ada queued || fail "it does not wait"
says page 'waiting for a worker' '<noscript><meta http-equiv="refresh"' 'value="pause"' "/runs/$run/order?act=cancel"
ask 200 ada /runs
says page 'waiting for a worker'

echo "at work: events bring the card again while it changes"
work
until_true "the worker began" 60 shows ada running
start events ada running seen
listening=$started
until_true "a failure came" 60 grep -q 'gone · i0' seen
# shellcheck disable=SC2016 # the inner shell expands it
until_true "it moved" 60 sh -c '[ "$(grep -o "Answers [0-9]*" seen | sort -u | wc -l)" -gt 1 ]'
says seen 'Retries' 'Time left' 'a minute' 'Recent failures' 'gone · i0' ' / 10000'
lacks seen '<form' # its token is none of the events' business
stop "$listening"

echo "only for those who look at results; orders are for administrators"
shows ana running || fail "an analyst sees nothing"
lacks page 'value="pause"' 'act=cancel'
ask 403 ana "/runs/$run/order?act=cancel"
ask 200 ana /me
ask 403 ana "/runs/$run/order" --data-urlencode "csrf=$(token)" -d act=cancel
ask 403 cora "/runs/$run/events"
ask 404 ada "/runs/ffffffff/events"
post 400 ada "/runs/$run" "/runs/$run/order" -d act=burn
ask 403 ada "/runs/$run/order" -d act=pause # no token

echo "so many listeners; the next one is told so, and all pages go on"
listeners=()
for i in $(seq 20); do
    start events ada running "l$i"
    listeners+=("$started")
done
for i in $(seq 20); do
    until_true "listener $i hears" 60 grep -qE '^(data: <|event: full)' "l$i"
done
[ "$(cat l? l?? | grep -c 'event: full')" -ge 4 ] || fail "more than 16 listen"
[ "$(grep -l '^data: <' l? l?? | wc -l)" -ge 8 ] || fail "few of them hear"
ask 200 ada /runs

echo "pause: whoever works obeys, and listeners end"
post 303 ada "/runs/$run" "/runs/$run/order" -d act=pause
for i in $(seq 20); do
    wait "${listeners[i - 1]}" || fail "listener $i ended with $?"
done
until_true "it is paused" 60 shows ada paused
says page 'value="resume"' 'paused'
events ada running late # a page that was loaded before
says late 'event: over'
until_true "the worker has left it" 60 sh -c "\"$AUDITION\" workers --json --db '$db' | grep -vq '$run'"
stop "$worker"

echo "resume, then cancel, which asks first"
post 303 ada "/runs/$run" "/runs/$run/order" -d act=resume
work
until_true "it goes on" 60 shows ada running
ask 200 ada /runs
says page '>running<'
stop "$worker" KILL # whatever it held: the list says what the page does
sql "$db" "UPDATE worker SET beat_ms = beat_ms - 60000"
shows ada queued || fail "a worker without a sign of life is at work"
ask 200 ada /runs
says page '>waiting for a worker<'
lacks page '>running<'
work
until_true "it goes on" 60 shows ada running
ask 200 ada "/runs/$run/order?act=cancel"
says page 'Cancel this run' 'class="btn danger"'
ask 303 ada "/runs/$run/order" --data-urlencode "csrf=$(token)" -d act=cancel
until_true "it is cancelled" 60 shows ada cancelled
ask 200 ada /runs
says page 'cancelled'
post 303 ada "/runs/$finished" "/runs/$finished/order" -d act=cancel # too late
is "$(sql "$db" "SELECT orders FROM run WHERE name = '$finished'")" "" "orders to a run that is over"
ask 200 ada /audit
says page "paused run $run" "resumed run $run" "cancelled run $run"
lacks page "cancelled run $finished"

if [ -n "$CHROMIUM" ] && [ -d "$REPO/tests/browser/node_modules/playwright-core" ]; then
    echo "in a browser, with scripts and without"
    post 303 ada "/runs/$run" "/runs/$run/order" -d act=resume
    until_true "it goes on" 60 shows ada running
    export BASE=$url
    browse live "$run" "$password" || fail "the walk"
fi

echo "a server that stops does not wait for listeners"
post 303 ada "/runs/$run" "/runs/$run/order" -d act=resume
until_true "it goes on" 60 shows ada running
start events ada running last
until_true "it hears" 60 grep -q '^data: <' last
stop "$serve_pid"
wait "$started" || true
