#!/usr/bin/env bash
# Items that ask the same make one draw for each repeat: asked once, however many requests are in
# flight, and repeats are asked for by themselves.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

suite suite.yaml 4
for i in 1 2 3 4 5 6; do
    printf '{"id": "same%d", "prompt": "Caller 0: is the ferry running tonight?"}\n' $i
done >>suite.jsonl
mock one --latency 20
models models.yaml "$port"

for jobs in 1 3 64; do
    : >one.log
    audition 0 run suite.yaml -m player --repeat 3 --db $jobs.db -j $jobs
    is "$(requests one.log)" 15 "requests with $jobs at a time"
    # draws, answers, answers that are there, requests that they took
    is "$(sql $jobs.db "SELECT COUNT(DISTINCT s.call), COUNT(*), SUM(s.state = 'done'), SUM(s.tries)
        FROM sample s JOIN item i ON i.id = s.item WHERE i.name LIKE 'same%'")" "3|18|18|3" \
        "what six items have of one question, with $jobs at a time"
done
