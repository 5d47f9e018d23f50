#!/usr/bin/env bash
# Workers 1, 2, 4 and 8 on one PostgreSQL: replies a second, what they cost, and whether the simulation
# of docs/SCALING.md, given what one worker costs, says the same. Then what it says of more, and what
# up to 20 workers hold where the endpoint answers at once.
set -euo pipefail

: "${AUDITION:?}" "${MOCKLLM:?}" "${MEASURE:?}" "${SIMULATE:?}"
[ -n "${AUDITION_TEST_PG-}" ] || exec "$REPO/tests/pg.sh" "$0"
[ -n "${AUDITION_TEST_PG-}" ] || { echo "bench_workers: needs PostgreSQL" >&2; exit 0; }
jobs=16 latency_ms=200
dir=$(mktemp -d)
mock=
trap '[ -z "$mock" ] || kill "$mock"; rm -rf "$dir"' EXIT
cd "$dir"
# shellcheck source=tests/bench/server.sh
. "$REPO/tests/bench/server.sh"
ticks=$(getconf CLK_TCK)

# endpoint MS: one that answers after so long, instead of that before
endpoint()
{
    [ -z "$mock" ] || kill "$mock"
    rm -f port
    "$MOCKLLM" --port 0 --port-file port --latency "$1" --stop-after 1800 >/dev/null &
    mock=$!
    for _ in $(seq 100); do [ -s port ] && break; sleep 0.05; done
    cat >models.yaml <<YAML
models:
  - {name: player, base_url: "http://127.0.0.1:$(cat port)", model: chat}
  - {name: critic, base_url: "http://127.0.0.1:$(cat port)", model: judge}
YAML
}

ask() { psql -qAtX -d "$AUDITION_TEST_PG" -c "$1"; }

# cpu PID...: microseconds that these have used
cpu()
{
    cat "${@/#//proc/}" 2>/dev/null | awk -v t="$ticks" '{ sub(/.*\) /, ""); s += $12 + $13 } END { printf "%.0f\n", s * 1e6 / t }'
}
# suite N ITEMS
suite()
{
    awk -v n="$2" -v name="$1" 'BEGIN { for (i = 0; i < n; i++) printf "{\"id\": \"i%d\", \"prompt\": \"Caller %d of %s: is the ferry running tonight?\"}\n", i, i, name }' >"items$1.jsonl"
    printf 'suite: w%s\nlanguage: en\nelicit: {kind: single}\ninstrument: {kind: dimensions, dimensions: [{id: quality, scale: 0..10}]}\nscore: {kind: mean-of-items}\nitems: items%s.jsonl\n' "$1" "$1" >"$1.yaml"
}

# items WORKERS JOBS: as many as keep them busy for 15 seconds
items() { echo $(($1 * $2 * 500 * 15 / latency_ms)); }

# work NAME WORKERS JOBS ITEMS: sets rate, worker_us, db_us, endpoint_us a reply, commits and rows
work()
{
    local i pids=() before_server before_mock before_commits

    suite "$1" "$4"
    "$AUDITION" run "$1.yaml" -m player --judge critic --detach --db "$AUDITION_TEST_PG" >/dev/null
    before_server=$(server_us) before_mock=$(cpu $mock/stat)
    before_commits=$(ask "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()")
    for ((i = 0; i < $2; i++)); do
        "$MEASURE" "used$i" "$AUDITION" work --once -j "$3" --db "$AUDITION_TEST_PG" >/dev/null 2>&1 &
        pids+=($!)
    done
    wait "${pids[@]}"
    rows=$(($4 * 2))
    commits=$(($(ask "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()") - before_commits))
    db_us=$(($(server_us) - before_server))
    endpoint_us=$((($(cpu $mock/stat) - before_mock) / rows))
    worker_us=$(cat used* | awk -v r=$rows '{ s += $2 + $3 } END { printf "%.0f", s * 1e6 / r }')
    rm -f used*
    # The middle of the run: neither its start nor its end.
    rate=$(ask "WITH e AS (SELECT ended_ms, percent_rank() OVER (ORDER BY ended_ms) AS p FROM (
            SELECT ended_ms FROM sample WHERE run = (SELECT max(id) FROM run)
            UNION ALL SELECT ended_ms FROM verdict WHERE run = (SELECT max(id) FROM run)) AS t)
        SELECT round(count(*) * 1000.0 / (max(ended_ms) - min(ended_ms))) FROM e WHERE p BETWEEN 0.2 AND 0.8")
}

echo "workers on one machine with PostgreSQL and the endpoint, $latency_ms ms a reply, $jobs at a time"
endpoint $latency_ms
work narrow 1 4 "$(items 1 4)"
n_db=$db_us n_commits=$commits n_rows=$rows
work one 1 $jobs "$(items 1 $jobs)"
one=$rate wus=$worker_us eus=$endpoint_us
# What a reply takes here, on a machine that may be busy: the endpoint's delay and the way to it.
reply_us=$(ask "SELECT round(avg(elapsed_ms) * 1000) FROM (
    SELECT elapsed_ms FROM sample WHERE run = (SELECT max(id) FROM run)
    UNION ALL SELECT elapsed_ms FROM verdict WHERE run = (SELECT max(id) FROM run)) AS t")
read -r row_us commit_us <<<"$(awk -v d1="$n_db" -v c1="$n_commits" -v r1="$n_rows" -v d2="$db_us" -v c2="$commits" -v r2="$rows" 'BEGIN {
    row = (d2 * c1 - d1 * c2) / (r2 * c1 - r1 * c2); if (row < 0) row = 0
    com = (d2 - row * r2) / c2; if (com < 0) com = 0; printf "%.0f %.0f\n", row, com }')"
costs=("latency_us=$reply_us" "worker_us=$wus" "endpoint_us=$eus" "row_us=$row_us" "commit_us=$commit_us")
printf '  a reply takes %d ms and costs: worker %d us, database %d us and %d us a commit, endpoint %d us\n' $((reply_us / 1000)) "$wus" "$row_us" "$commit_us" "$eus"
printf '\n| workers | replies/s | times one | simulated | off |\n|--:|--:|--:|--:|--:|\n'
for w in 1 2 4 8; do
    [ $w -eq 1 ] || work "w$w" $w $jobs "$(items $w $jobs)"
    said=$("$SIMULATE" "${costs[@]}" jobs=$jobs workers=$w cores="$(nproc)" shared=1)
    awk -v w=$w -v r="$rate" -v o="$one" -v s="$said" 'BEGIN { off = (s / r - 1) * 100; if (off < 0) off = -off
        printf "| %d | %d | %.2f | %d | %.0f %% |\n", w, r, r / o, s, off
        printf "  simulation of %d workers: %.0f %% off   (aim: 15 %%, %s)\n", w, off, off <= 15 ? "holds" : "MISSED" >>"aims"
        if (w == 4) printf "  four workers: %.2f times one   (aim: at least 3.2, %s)\n", r / o, (r >= 3.2 * o ? "holds" : "MISSED") >>"aims" }'
done
echo
cat aims

echo "on machines of their own, by the simulation: a database of 16 cores, 500 us away, 2 s a reply, 64 at a time"
for w in 10 100 1000 3000; do
    printf '  %d workers: %d replies/s\n' $w "$("$SIMULATE" "${costs[@]}" latency_us=2000000 jobs=64 workers=$w cores=16 shared=0 network_us=500 seconds=30 idle_us="${IDLE_US:-600}" peer_us="${PEER_US:-0.1}")"
done

printf '\nan endpoint that answers at once, all on this machine\n\n| workers, requests each | replies/s | worker | PostgreSQL | endpoint | replies a transaction, reads included |\n|--:|--:|--:|--:|--:|--:|\n'
endpoint 0
for n in 1,64 4,64 20,16; do
    work "at_once_${n/,/_}" "${n%,*}" "${n#*,}" 30000
    printf '| %s | %d | %d us | %d us | %d us | %d |\n' "${n/,/, }" "$rate" "$worker_us" $((db_us / rows)) "$endpoint_us" $((rows / commits))
done
awk -v r="$rate" 'BEGIN { printf "\n  20 workers: %d replies/s   (aim: at least 5000, %s)\n", r, (r >= 5000 ? "holds" : "MISSED") }'
