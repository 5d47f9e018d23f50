# shellcheck shell=bash disable=SC2154 # lib.sh and pgserver.sh set started, bin, dir and owner
# cluster.sh - machines on one machine. Sourced after lib.sh; then: cluster_enter "$0" "$@".
#
# The script itself goes on in a network of its own, with PostgreSQL and the endpoint at $hub. A machine
# is a host name and a network with one link to it, so that a process there is on another machine as
# far as the program can tell. Where namespaces are not allowed all of them are this machine, there are
# no links to cut, and a line says so.

hub=10.9.0.1
machines=()

# cluster_enter SCRIPT ARGUMENT...: begin again, in namespaces
cluster_enter()
{
    if [ -n "${CLUSTER-}" ]; then
        [ "$CLUSTER" = no ] || cluster_network
    elif unshare -n -m true 2>/dev/null && command -v ip >/dev/null; then
        CLUSTER=yes exec unshare -n -m "$@"
    else
        echo "*** no network namespaces here: no links are cut or delayed ***"
        CLUSTER=no hub=127.0.0.1
    fi
    # shellcheck disable=SC2034 # pgserver.sh reads it
    pg_listen=$hub
}

cluster_network()
{
    ip link set lo up
    ip link add hub type bridge
    ip addr add $hub/24 dev hub
    ip link set hub up
}

# machine NUMBER: its namespaces are those of a process that sleeps
machine()
{
    local i=$1 holder

    [ "$CLUSTER" = yes ] || return 0
    start unshare -n -u sleep 86400
    holder=$started
    machines[i]=$holder
    until_true "namespaces of machine $i" 10 sh -c \
        "[ \$(readlink /proc/$holder/ns/net) != $(readlink /proc/self/ns/net) ]"
    ip link add "m$i" type veth peer name net netns "$holder"
    ip link set "m$i" master hub up
    nsenter -t "$holder" -n -u sh -c "hostname m$i; ip addr add 10.9.0.1$i/24 dev net;
        ip link set lo up; ip link set net up"
}

# on NUMBER COMMAND...: run it on that machine
on()
{
    local i=$1

    shift
    if [ "$CLUSTER" = yes ]; then
        exec nsenter -t "${machines[i]}" -n -u "$@"
    fi
    exec "$@"
}

# cut NUMBER, mend NUMBER: nothing goes through its link
cut_link()
{
    [ "$CLUSTER" = yes ] && ip link set "m$1" down
}
mend_link()
{
    ip link set "m$1" up
    tc qdisc del dev "m$1" root 2>/dev/null || true
}

# slow NUMBER: every packet comes late; without netem through a link that is too narrow
slow_link()
{
    [ "$CLUSTER" = yes ] || return 1
    tc qdisc add dev "m$1" root netem delay 100ms 50ms 2>/dev/null ||
        tc qdisc add dev "m$1" root tbf rate 400kbit burst 4kb latency 300ms 2>/dev/null
}

# dump DATABASE FILE: everything that does not depend on when or how often it was asked
dump()
{
    "$bin/psql" -X -A -t -h "$dir" -U "$owner" -d "$1" -f "$REPO/tests/chaos_dump.sql" >"$2"
}

# far DATABASE: rows of samples and verdicts that are done
far()
{
    query "$1" "SELECT (SELECT count(*) FROM sample WHERE state = 'done')
        + (SELECT count(*) FROM verdict WHERE state = 'done')"
}
