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
is "$(sqlite3 hup.db "SELECT count(*) FROM sample WHERE state = 'leased'")" 0 "samples still leased"
is "$(sqlite3 hup.db "SELECT count(*) FROM worker")" 0 "workers"
