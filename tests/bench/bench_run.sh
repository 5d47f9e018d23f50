#!/usr/bin/env bash
# What a reply costs: a run of 10,000 items against the mock endpoint, held against a bare libcurl
# loop that sends the same number of requests and keeps nothing. Both take turns, and the least of
# five counts: whatever else the machine does can only add. Nothing is asserted. On PostgreSQL, which
# does not wait for the disk (tests/pg.sh), the server's processes are counted apart: they may be elsewhere.
set -euo pipefail

: "${AUDITION:?}" "${MOCKLLM:?}" "${CURLLOOP:?}" "${MEASURE:?}"
[ $# -gt 0 ] || exec "$REPO/tests/pg.sh" "$0" here
latency_ms=50
jobs=256
dir=$(mktemp -d)
trap 'kill "$mock" 2>/dev/null || true; rm -rf "$dir"' EXIT

[ -x "$MOCKLLM" ] || { echo "bench_run: no mock endpoint at $MOCKLLM" >&2; exit 1; }
"$MOCKLLM" --port 0 --port-file "$dir/port" --latency "$latency_ms" --stop-after 900 >/dev/null &
mock=$!
for _ in $(seq 100); do [ -s "$dir/port" ] && break; sleep 0.05; done
url=http://127.0.0.1:$(cat "$dir/port")

# suite N: N one-turn items with a prompt of about 1.3 kB
suite()
{
    awk -v n="$1" 'BEGIN {
        for (i = 0; i < 20; i++) text = text "The ferryman looks at you and waits for a word about the river. "
        for (i = 0; i < n; i++) printf "{\"id\": \"i%06d\", \"prompt\": \"Item %06d. %s\"}\n", i, i, text
    }' >"$dir/items-$1.jsonl"
    cat >"$dir/suite-$1.yaml" <<YAML
suite: bench-$1
language: en
elicit: {kind: single}
instrument: {kind: dimensions, dimensions: [{id: quality, scale: 0..10}]}
score: {kind: mean-of-items}
items: items-$1.jsonl
YAML
}

# measured NAME COMMAND...: NAME.used gets wall, user and system seconds and peak memory in kB
measured()
{
    local name=$1
    shift
    "$MEASURE" "$dir/$name.used" "$@" >"$dir/$name.out" 2>"$dir/$name.err"
}

field() # FILE KEY: a number of the closing JSON line
{
    tail -n 1 "$1" | sed -n "s/.*\"$2\": *\([0-9.]*\).*/\1/p"
}

cat >"$dir/models.yaml" <<YAML
models:
  - {name: mock, base_url: "$url", model: chat, limits: {concurrency: $jobs}}
YAML

run() # ITEMS [DB]
{
    [ $# -gt 1 ] || rm -f "$dir/$1.db"*
    measured "run-${2+pg-}$1" "$AUDITION" run "$dir/suite-$1.yaml" -c "$dir/models.yaml" -m mock \
        --db "${2-$dir/$1.db}" -j "$jobs" --json
}

# figure FORMAT VALUE UNIT AIM: the end of a line, and whether it is reached
figure()
{
    awk -v f="$1" -v v="$2" -v u="$3" -v aim="$4" 'BEGIN {
        printf f " %s   (aim: %s %s, %s)\n", v, u, aim, u, v <= aim ? "holds" : "MISSED"
    }'
}

least() # the smallest of the numbers on standard input
{
    sort -g | head -n 1
}

echo "10,000 requests, $latency_ms ms each, $jobs at a time"
suite 10000
for _ in 1 2 3 4 5; do
    "$CURLLOOP" "$url/v1/chat/completions" 10000 "$jobs" >"$dir/curl.json"
    sed -n 's/.*"cpu_us_per_request":\([0-9.]*\).*/\1/p' "$dir/curl.json" >>"$dir/bare"
    run 10000
    field "$dir/run-10000.out" wall_s >>"$dir/wall"
    awk '{ print ($2 + $3) * 100 }' "$dir/run-10000.used" >>"$dir/cpu" # seconds to us a reply
    awk '{ print $4 / 1024 }' "$dir/run-10000.used" >>"$dir/peak"
done
wall=$(least <"$dir/wall") bare=$(least <"$dir/bare") cpu=$(least <"$dir/cpu")
ideal=$(awk -v j=$jobs -v l=$latency_ms 'BEGIN { print 10000 / j * l / 1000 }')
printf '  wall         %.2f s, ideal %.2f s:' "$wall" "$ideal"
figure ' %.2f' "$(awk -v a="$wall" -v b="$ideal" 'BEGIN { print a / b }')" x 1.15
printf '  CPU a reply  %.0f us, bare libcurl %.0f us:' "$cpu" "$bare"
figure ' %.2f' "$(awk -v a="$cpu" -v b="$bare" 'BEGIN { print a / b }')" x 1.8
printf '  peak memory '
figure ' %.1f' "$(sort -g "$dir/peak" | tail -n 1)" MB 60

if [ -n "${AUDITION_TEST_PG-}" ]; then
    # shellcheck source=tests/bench/server.sh
    . "$REPO/tests/bench/server.sh"
    for _ in 1 2 3 4 5; do # the first makes the tables; what was answered is not asked again
        sed -i 's/"prompt": "/&Again. /' "$dir/items-10000.jsonl"
        before=$(server_us)
        run 10000 "$AUDITION_TEST_PG"
        awk '{ print ($2 + $3) * 100 }' "$dir/run-pg-10000.used" >>"$dir/pg"
        awk -v us=$(($(server_us) - before)) 'BEGIN { print us / 10000 }' >>"$dir/server"
    done
    pg=$(least <"$dir/pg") server=$(least <"$dir/server")
    printf '  PostgreSQL   %.0f us, and %.0f us of the server:' "$pg" "$server"
    figure ' %.2f' "$(awk -v a="$pg" -v b="$server" -v c="$cpu" 'BEGIN { print (a + b) / c }')" 'x SQLite' 1.5
fi

echo "growth with items"
printf '\n| items | CPU a reply | wall | peak memory | file, bytes a reply |\n|--:|--:|--:|--:|--:|\n'
for items in 1000 10000 100000; do
    [ $items -eq 10000 ] || { suite $items && run $items; }
    awk -v n=$items -v bytes="$(stat -c %s "$dir/$items.db")" '{ printf "| %d | %.0f us | %.1f s | %.1f MB | %.0f |\n",
        n, ($2 + $3) * 1e6 / n, $1, $4 / 1024, bytes / n }' "$dir/run-$items.used"
done
echo
read -r _ _ _ small <"$dir/run-1000.used"
read -r _ _ _ large <"$dir/run-100000.used"
awk -v s="$small" -v l="$large" \
    'BEGIN { printf "  memory: 1,000 items %.1f MB, 100,000 items %.1f MB:", s / 1024, l / 1024 }'
figure ' %.1f' "$(awk -v s="$small" -v l="$large" 'BEGIN { print (l - s) / 1024 }')" 'MB more' 10

echo "starting"
start_ms() # COMMAND...: the least of five times forty starts
{
    for _ in 1 2 3 4 5; do
        # shellcheck disable=SC2016 # expanded by the inner shell
        measured start bash -c 'for _ in $(seq 40); do "$@"; done' - "$@"
        awk '{ print $1 * 1000 / 40 }' "$dir/start.used"
    done | least
}
printf '  /bin/true %.1f ms, audition --version' "$(start_ms /bin/true)"
figure ' %.1f' "$(start_ms "$AUDITION" --version)" ms 10
