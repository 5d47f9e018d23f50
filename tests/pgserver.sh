# shellcheck shell=bash
# pgserver.sh - a PostgreSQL server that a script may stop and kill. Sourced after lib.sh.
#
# It lives in a temporary directory, `dir`, listens on a socket there (and at $pg_listen), and ends with
# the script. The program may be run by another user than the server, which refuses to run as root.

bin=
for dir in /usr/lib/postgresql/*/bin; do
    [ ! -x "$dir/pg_ctl" ] || bin=$dir
done
[ -n "$bin" ] || skip "PostgreSQL is not installed"

dir=$(mktemp -d "${IN_MEMORY:-/tmp}/audition-pg.XXXXXX")
owner=$(id -un)
if [ "$(id -u)" -eq 0 ]; then
    owner=postgres
    chown postgres "$dir"
fi

as_owner()
{
    if [ "$(id -u)" -eq 0 ]; then
        (cd / && exec runuser -u postgres -- "$@")
    else
        "$@"
    fi
}

# server start|stop|restart: as if it had crashed
server()
{
    as_owner "$bin/pg_ctl" -D "$dir/data" -l "$dir/server.log" -m immediate -w -o \
        "-c listen_addresses='${pg_listen-}' -c unix_socket_directories=$dir \
        -c unix_socket_permissions=0777 ${pg_options-}" \
        "$1" >>"$dir/ctl.log" 2>&1
}

# server_new: a cluster in data/, and the server
server_new()
{
    as_owner "$bin/initdb" -D "$dir/data" -U "$owner" -A trust -E UTF8 --locale=C -N >/dev/null
    [ -z "${pg_listen-}" ] || echo "host all all samenet trust" >>"$dir/data/pg_hba.conf"
    server start || fail "PostgreSQL did not start: $(cat "$dir/server.log")"
    chmod 755 "$dir"
}

end_server()
{
    end_all
    server stop || true
    ! mountpoint -q "$dir" || umount -l "$dir"
    rm -rf "$dir"
}
trap end_server EXIT

# query DATABASE SQL
query()
{
    "$bin/psql" -X -A -t -h "$dir" -U "$owner" -d "$1" -c "$2"
}

# database NAME: a new one; its URL goes to `url`
database()
{
    as_owner "$bin/createdb" -h "$dir" -U "$owner" "$1"
    # shellcheck disable=SC2034 # for those who source this
    url="postgresql:///$1?host=${pg_listen:-$dir}&user=$owner"
}
