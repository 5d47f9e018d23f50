#!/usr/bin/env bash
# What a reply costs: a run of 10,000 items against the mock endpoint, held against a bare libcurl
# loop that sends the same number of requests and keeps nothing. Figures, no verdicts: run it on
# a quiet machine.
set -euo pipefail

: "${AUDITION:?}" "${MOCKLLM:?}" "${CURLLOOP:?}" "${MEASURE:?}"
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

run() # ITEMS
{
    suite "$1"
    measured "run-$1" "$AUDITION" run "$dir/suite-$1.yaml" -c "$dir/models.yaml" -m mock \
        --db "$dir/$1.db" -j "$jobs" --json
}

echo "10,000 requests, $latency_ms ms each, $jobs at a time"
"$CURLLOOP" "$url/v1/chat/completions" 10000 "$jobs" >"$dir/curl.json"
run 10000
bare_us=$(sed -n 's/.*"cpu_us_per_request":\([0-9.]*\).*/\1/p' "$dir/curl.json")
read -r _ user system rss <"$dir/run-10000.used"
wall=$(field "$dir/run-10000.out" wall_s)
awk -v wall="$wall" -v bare="$bare_us" -v user="$user" -v kernel="$system" -v rss="$rss" \
    -v ideal="$(awk -v j=$jobs -v l=$latency_ms 'BEGIN { print 10000 / j * l / 1000 }')" 'BEGIN {
    cpu = (user + kernel) / 10000 * 1e6
    printf "  wall          %.2f s, ideal %.2f s: %.2f x   (aim: 1.15 x)\n", wall, ideal, wall / ideal
    printf "  CPU a reply   %.0f us, bare libcurl %.0f us: %.2f x   (aim: 3 x)\n", cpu, bare, cpu / bare
    printf "  peak memory   %.1f MB   (aim: 60 MB)\n", rss / 1024
}'

echo "memory by number of items"
run 1000
run 100000
read -r _ _ _ small <"$dir/run-1000.used"
read -r _ _ _ large <"$dir/run-100000.used"
awk -v s="$small" -v l="$large" 'BEGIN {
    printf "  1,000 items %.1f MB, 100,000 items %.1f MB: %.1f MB more   (aim: 10 MB)\n", s / 1024, l / 1024, (l - s) / 1024
}'

echo "starting"
# shellcheck disable=SC2016 # expanded by the inner shell
measured start bash -c 'for _ in $(seq 100); do "$0" --version >/dev/null; done' "$AUDITION"
read -r wall _ <"$dir/start.used"
# shellcheck disable=SC2016
measured nothing bash -c 'for _ in $(seq 100); do /bin/true; done'
read -r wall0 _ <"$dir/nothing.used"
awk -v a="$wall" -v b="$wall0" 'BEGIN {
    printf "  audition --version %.1f ms, /bin/true %.1f ms   (aim: 10 ms)\n", a * 10, b * 10
}'
