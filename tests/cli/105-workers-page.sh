#!/usr/bin/env bash
# The page of workers: who works, where, on what and how fast; evicted by administrators alone. On both databases.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"

if [ $# -eq 0 ]; then
    "$0" "$PWD/work.db"
    [ -n "${AUDITION_TEST_PG-}" ] || exit 0
    mkdir pg && cd pg
    # shellcheck disable=SC2016 # the inner shell expands it
    exec "$REPO/tests/pg.sh" sh -c '"$0" "$AUDITION_TEST_PG"' "$0"
fi
db=$1
password="correct horse battery"
suite suite.yaml 2000
mock slow --latency 100
models models.yaml "$port"
host=$(hostname)
serve site --db "$db"
post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode "password=$password"
post 303 ada /accounts /accounts -d name=ana -d role=analyst --data-urlencode "password=$password"
post 303 ana /login /login -d name=ana --data-urlencode "password=$password"

echo "nobody: the page says what to do"
ask 200 ana /workers
says page 'No workers are running' 'audition work'

echo "a worker, with its rows and its speed"
"$AUDITION" run suite.yaml -m player --judge critic --detach --db "$db" >out
start "$AUDITION" work -j 4 --db "$db" >work.out 2>work.err
worker=$started
listed()
{
    ask 200 "$1" /workers
    grep -q "$host:$worker" page
}
fast()
{
    "$AUDITION" workers --json --db "$db" >list.json
    grep -q '"rate":[0-9.]*[1-9]' list.json && grep -q '"rows":[1-9]' list.json
}
until_true "it is listed" 60 listed ana
lacks page 'evict='
until_true "it says how fast it is" 60 fast
listed ada
says page "$host:$worker" '/runs/' 'evict=' 'A minute'

echo "evicting asks first, is for administrators, and is written down"
ask 200 ana /me
ask 403 ana /workers --data-urlencode "csrf=$(token)" --data-urlencode "evict=$host:$worker"
ask 200 ada "/workers?evict=$host:$worker"
says page "Evict $host:$worker"
before=$("$AUDITION" workers --json --db "$db")
ask 303 ada /workers --data-urlencode "csrf=$(token)" --data-urlencode "evict=$host:$worker"
[ -n "$before" ] || fail "nobody was there"
post 404 ada /audit /workers -d "evict=nobody:1"
ask 200 ada /audit
says page "evicted worker $host:$worker"
until_true "it goes on as somebody else" 60 fast
