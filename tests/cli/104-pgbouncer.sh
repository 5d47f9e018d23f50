#!/usr/bin/env bash
# PostgreSQL behind pgbouncer in transaction mode: every transaction may be served by another
# connection. Two workers share a run, one is killed, and everything is done once.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

pgbouncer=$(PATH=$PATH:/usr/sbin command -v pgbouncer) || skip "pgbouncer is not installed"
[ -n "${AUDITION_TEST_PG-}" ] || skip "PostgreSQL is not installed"

# postgresql:///NAME?host=DIRECTORY&user=OWNER, as tests/pg.sh gives it
name=${AUDITION_TEST_PG#postgresql:///} name=${name%%\?*}
socket=${AUDITION_TEST_PG#*host=} socket=${socket%%&*}
owner=${AUDITION_TEST_PG#*user=}

dir=$(mktemp -d /tmp/audition-pool.XXXXXX)
end_pool()
{
    end_all
    rm -rf "$dir"
}
trap end_pool EXIT

# Three connections for all: fewer than there are clients, so that none keeps its own.
cat >"$dir/pool.ini" <<END
[databases]
$name = host=$socket dbname=$name user=$owner
[pgbouncer]
listen_addr =
unix_socket_dir = $dir
auth_type = any
admin_users = $owner
pool_mode = transaction
default_pool_size = 3
server_round_robin = 1
logfile = $dir/pool.log
END
# It refuses to run as root.
as=()
if [ "$(id -u)" -eq 0 ]; then
    chown -R postgres "$dir"
    as=(setpriv --reuid postgres --regid postgres --clear-groups)
fi
start "${as[@]}" "$pgbouncer" -q "$dir/pool.ini"
until_true "pgbouncer" 20 test -S "$dir/.s.PGSQL.6432"
chmod 755 "$dir"
url="postgresql:///$name?host=$dir&port=6432&user=$owner"

query()
{
    psql -X -A -t -d "$AUDITION_TEST_PG" -c "$1"
}

answered()
{
    [ "$(query "SELECT count(*) FROM sample WHERE state = 'done'")" -ge "$1" ]
}

n=200
suite suite.yaml $n
mock pool --latency 20 --faults 0.05
models models.yaml "$port"

echo "two workers, one of them killed"
set -- run suite.yaml -m player --judge critic -j 8 --db "$url"
start "$AUDITION" "$@" >1.out 2>1.err
first=$started
start "$AUDITION" "$@" >2.out 2>2.err
second=$started
until_true "the first answers" 60 answered 20
stop "$first" KILL
code=0
wait "$second" || code=$?
[ "$code" -eq 0 ] || { cat 2.err && fail "ended with $code"; }
audition 0 "$@"
is "$(query "SELECT count(*) FROM run")" 1 "runs"
is "$(query "SELECT count(*), sum((state = 'done')::int) FROM sample")" "$n|$n" "samples"
is "$(query "SELECT count(*), sum((state = 'done')::int) FROM verdict")" "$n|$n" "verdicts"
is "$(query "SELECT count(*) FROM mark")" "$n" "marks"
is "$(query "SELECT count(*) FROM worker")" 0 "workers left"
run=$(query 'SELECT name FROM run')
audition 0 verify "$run" --db "$url"

echo "a pool that hangs up is waited for"
suite cut.yaml $n
sed -i 's/^suite: .*/suite: cut/; s/ferry/tram/' cut.*
start "$AUDITION" run cut.yaml -m player --judge critic -j 8 --db "$url" >cut.out 2>cut.err
until_true "the first answers" 60 answered $((n + 20))
for i in 1 2 3 4 5 6; do
    psql -q -X -d "postgresql:///pgbouncer?host=$dir&port=6432&user=$owner" -c "KILL $name" -c "RESUME $name"
    until_true "more answers" 60 answered $((n + 20 + 20 * i))
done
wait "$started" || fail "ended with $?: $(cat cut.err)"

echo "reading leaves nothing behind that would keep others from writing"
audition 0 list --db "$url"
audition 0 export "$run" --db "$url"
audition 0 db stats --db "$url"
audition 0 db vacuum --db "$url"
audition 0 report "$run" --db "$url"
echo 'description: another run' >>suite.yaml
audition 0 "$@"
is "$(query "SELECT count(*) FROM run")" 3 "runs"
