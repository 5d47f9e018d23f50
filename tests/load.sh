#!/usr/bin/env bash
# load.sh: 200 raters at once on a server built with sanitizers; any word of theirs is a failure.
#
# AUDITION is that server, LOAD the raters (tests/bench/load.c, a plain build). Run by `make load-test`. RATERS and
# SAVES (200 and 20) say how many, and how many marks each.
set -euo pipefail
: "${AUDITION:?}" "${LOAD:?}"
dir=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$dir"' EXIT
cd "$dir"

fail()
{
    echo "FAILED: $*" >&2
    tail -n 60 server.log >&2
    exit 1
}

awk 'BEGIN {
    for (i = 0; i < 60; i++) {
        printf "{\"id\": \"i%02d\", \"prompt\": \"Passage %02d.\"}\n", i, i >"items.jsonl"
        printf "{\"item\": \"i%02d\", \"text\": \"Passage %02d goes on.\"}\n", i, i >"replies.jsonl"
    }
    print "models:" >"models.yaml"
    for (m = 0; m < 4; m++) printf "  - {name: system%d, kind: recorded, file: replies.jsonl}\n", m >"models.yaml"
}'
cat >suite.yaml <<'END'
suite: ferry
language: en
elicit: {kind: single}
instrument:
  kind: dimensions
  dimensions: [{id: voice, scale: 0..5}, {id: wit, scale: 0..5}]
score: {kind: mean-of-items}
items: items.jsonl
END
printf 'campaign: ferry\npassages_per_rater: 10\noverlap: 50\ncode: FERRY-26\n' >campaign.yaml
"$AUDITION" run suite.yaml -m system0,system1,system2,system3 -q >/dev/null 2>&1
"$AUDITION" campaign new campaign.yaml >/dev/null
"$AUDITION" campaign open ferry >/dev/null

ASAN_OPTIONS=handle_sigill=2 "$AUDITION" serve --port 0 >/dev/null 2>server.log &
server=$!
for _ in $(seq 300); do
    ! grep -q '^serving' server.log || break
    sleep 0.1
done
port=$(sed -n 's/^serving .*://p' server.log)
[ -n "$port" ] || fail "the server does not begin"
timeout 900 "$LOAD" "$port" rate ferry FERRY-26 "${RATERS:-200}" "${SAVES:-20}" 2 50 >load.out || fail "the raters"
kill "$server"
code=0
wait "$server" || code=$?
server=
[ $code = 0 ] || fail "the server ended with $code"
! grep -q Sanitizer server.log || fail "a sanitizer has something to say"
sed -n '/"what":"saves"/p' load.out
