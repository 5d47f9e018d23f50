#!/bin/sh
# Run a command with a PostgreSQL database of its own.
#
#     tests/pg.sh COMMAND...
#
# The command finds it through AUDITION_TEST_PG. If that is set already, the database is a new one
# on the same server, a copy of AUDITION_TEST_MADE where that names one; otherwise the server is a new
# one too: it lives in a temporary directory, listens on a Unix socket only, and is gone afterwards.
# Without PostgreSQL the command runs without the variable, and a line says so. Exits with the
# command's status.
set -u

if [ $# -eq 0 ]; then
    echo "usage: tests/pg.sh COMMAND..." >&2
    exit 2
fi

bin=
for dir in /usr/lib/postgresql/*/bin; do
    [ -x "$dir/pg_ctl" ] && bin=$dir
done
if [ -z "$bin" ]; then
    echo "*** SKIP PostgreSQL: not installed (apt-get install postgresql); testing SQLite only ***" >&2
    unset AUDITION_TEST_PG
    exec "$@"
fi

# Debian's psql is a script that looks for the server's version before every call.
PATH=$bin:$PATH
export PATH

if [ -n "${AUDITION_TEST_PG-}" ]; then
    name=d$$_$(date +%s%N) # of one process there may be several: each may exec the next
    psql -q -X -d "$AUDITION_TEST_PG" \
        -c "CREATE DATABASE $name TEMPLATE ${AUDITION_TEST_MADE:-template1} STRATEGY file_copy" || exit 1
    AUDITION_TEST_PG="postgresql:///$name?${AUDITION_TEST_PG#*\?}"
    export AUDITION_TEST_PG
    exec "$@"
fi

dir=$(mktemp -d "${IN_MEMORY:-/tmp}/audition-pg.XXXXXX") || exit 1
owner=$(id -un)
child=

# The server refuses to run as root.
as_owner() {
    if [ "$(id -u)" -eq 0 ]; then
        (cd / && exec runuser -u postgres -- "$@")
    else
        "$@"
    fi
}

# shellcheck disable=SC2317 # the trap calls it
stop() {
    trap '' INT TERM HUP
    [ -n "$child" ] && kill "$child" 2>/dev/null
    if [ -f "$dir/data/postmaster.pid" ]; then
        as_owner "$bin/pg_ctl" -D "$dir/data" -m immediate -w stop >/dev/null 2>&1
    fi
    rm -rf "$dir"
}
trap stop EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

if [ "$(id -u)" -eq 0 ]; then
    owner=postgres
    chown postgres "$dir" || exit 1
fi

# Nothing of it must outlive a crash, and nobody is to look after hundreds of databases every minute.
{
    as_owner "$bin/initdb" -D "$dir/data" -U "$owner" -A trust -E UTF8 --locale=C -N &&
        as_owner "$bin/pg_ctl" -D "$dir/data" -l "$dir/server.log" -w -o "-c listen_addresses='' \
            -c unix_socket_directories=$dir -c unix_socket_permissions=0777 -c fsync=off \
            -c synchronous_commit=off -c full_page_writes=off -c shared_buffers=32MB -c wal_level=minimal \
            -c max_wal_senders=0 -c checkpoint_timeout=1h -c autovacuum_naptime=1h -c jit=off" start &&
        as_owner createdb -h "$dir" -U "$owner" audition
} >"$dir/setup.log" 2>&1 || {
    echo "tests/pg.sh: PostgreSQL did not start:" >&2
    cat "$dir/setup.log" "$dir/server.log" >&2 2>/dev/null
    exit 1
}
# The command may run as another user than the server.
chmod 0755 "$dir"

AUDITION_TEST_PG="postgresql:///audition?host=$dir&user=$owner"
export AUDITION_TEST_PG

# In the background, so that a signal ends the wait and the trap runs at once.
"$@" <&0 &
child=$!
wait "$child"
status=$?
child=
exit "$status"
