#!/usr/bin/env bash
# Bad weather: endpoints that fail in every way they know, judges that cannot be read. Nothing may
# be lost, asked for twice or scored that was not answered.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

items=20
suite suite.yaml $items

# run DATABASE [OPTION...]: the arguments of the run that every part makes
run()
{
    local db=$1

    shift
    echo run suite.yaml -m player --judge critic --db "$db" "$@"
}

values()
{
    sql "$1" "SELECT i.name, s.state, s.answer, k.value FROM sample s JOIN item i ON i.id = s.item
        LEFT JOIN verdict v ON v.sample = s.id LEFT JOIN mark k ON k.verdict = v.id ORDER BY i.name"
}

# ---- faults that pass ----

mock calm
models models.yaml "$port"
# shellcheck disable=SC2046 # run() makes words
audition 0 $(run calm.db)
complete calm.db $items
values calm.db >calm.values
stop "$mock_pid"

for kind in 429 429-after 429-ms 500 503 html reset cut truncated empty drip silence utf8 surrogate; do
    echo "a third of all attempts: $kind"
    mock "$kind" --faults 0.33 --fault-kinds $kind
    models models.yaml "$port"
    # shellcheck disable=SC2046
    audition 0 $(run $kind.db --timeout 2)
    complete $kind.db $items
    is "$(twice $kind.log)" 0 "$kind: answered twice"
    grep -q " $kind " $kind.log || fail "no $kind occurred"
    case $kind in
    surrogate)
        is "$(sql $kind.db "SELECT count(*) > 0 FROM sample WHERE instr(answer, char(65533))")" 1 \
            "$kind: answers with a replaced character"
        ;;
    *)
        values $kind.db >storm.values
        cmp -s calm.values storm.values || {
            diff calm.values storm.values
            fail "$kind changed an answer or a value"
        }
        ;;
    esac
    stop "$mock_pid"
done

echo "a real limit of requests per second"
mock limited --rps 20
models models.yaml "$port"
# shellcheck disable=SC2046
audition 0 $(run limited.db)
complete limited.db $items
is "$(twice limited.log)" 0 "answered twice"
stop "$mock_pid"

# ---- faults that do not ----

echo "a server that always fails"
mock broken --faults 1 --fault-kinds 500
models models.yaml "$port"
# shellcheck disable=SC2046
audition 1 $(run broken.db)
says err "nothing good in the last"
is "$(sql broken.db "SELECT count(*) FROM sample WHERE state = 'planned'")" $items "samples kept"
is "$(sql broken.db 'SELECT count(*) FROM verdict')" 0 "verdicts on nothing"
is "$(sql broken.db "SELECT count(*) FROM score WHERE subject = 'model/player' AND metric = 'score'
    AND value IS NOT NULL")" 0 "scores of nothing"
stop "$mock_pid"
mock mended
models models.yaml "$port"
# shellcheck disable=SC2046
audition 0 $(run broken.db)
complete broken.db $items
stop "$mock_pid"

echo "an address at which nobody is"
models models.yaml 9
# shellcheck disable=SC2046
audition 1 $(run nobody.db --max-retries 2)
says err "does not answer"
is "$(sql nobody.db "SELECT count(*) FROM sample WHERE state = 'planned'")" $items "samples kept"

echo "a server that is starting, and one that wants to be waited for"
# shellcheck disable=SC2046
audition 2 $(run starting.db --wait-for-endpoint soon)
[ ! -e starting.db ] || fail "a run was planned for a command that cannot be"
says err "90s, 10m or 1h"
mock early
early=$port
stop "$mock_pid"
models models.yaml "$early"
# shellcheck disable=SC2046
start "$AUDITION" $(run starting.db --wait-for-endpoint 2m) >starting.out 2>starting.err
waiting=$started
sleep 3
start "$MOCKLLM" --port "$early" --log late.log --stop-after 580 >late.mock 2>&1
mock_pid=$started
wait "$waiting" || fail "did not wait: $(cat starting.err)"
complete starting.db $items
stop "$mock_pid"

echo "a judge that is asked for the first time when the run has lasted longer than that"
mock deaf
judge=$port
stop "$mock_pid"
mock dull --latency 5500
models models.yaml "$port"
sed -i "/critic/s/127.0.0.1:$port/127.0.0.1:$judge/" models.yaml
start "$AUDITION" run suite.yaml -m player --judge critic --limit 1 --max-retries 0 --wait-for-endpoint 5s -q --db late.db >late.out 2>late.err
waiting=$started
until_true "it is the judge's turn" 60 grep -q good dull.log
sleep 1 # nobody answers the first request
start "$MOCKLLM" --port "$judge" --log deaf.log --stop-after 580 >deaf.mock 2>&1
wait "$waiting" || fail "did not wait: $(cat late.err)"
complete late.db 1
stop "$mock_pid"
stop "$started"

echo "a judge that cannot be read"
mock judge
models models.yaml "$port" chat judge-never
# shellcheck disable=SC2046
audition 3 $(run judge.db)
says err "$items verdicts are unscored"
says err "--retry-failed"
is "$(sql judge.db "SELECT count(*) FROM verdict WHERE state = 'unscored' AND repairs = 1
    AND reply <> '' AND fault <> '' AND why <> ''")" $items "unscored verdicts, repaired once"
is "$(sql judge.db 'SELECT count(*) FROM mark')" 0 "marks"
is "$(requests judge.log)" $((items * 3)) "requests"
stop "$mock_pid"

# ---- one prompt that a gateway refuses ----

echo "a prompt that is refused, by a server that quotes the key"
cat >refused.yaml <<'YAML'
suite: refused
language: en
instrument: {kind: dimensions, dimensions: [{id: quality, scale: 0..5}]}
items:
  - {id: first, prompt: Good evening.}
  - {id: second, prompt: Say the unspeakable.}
  - {id: third, prompt: Good night.}
YAML
mock refused
printf 'models:\n  - {name: player, base_url: "http://127.0.0.1:%s", model: chat, key: PLAYER_KEY, limits: {concurrency: 1}}\n' \
    "$port" >refused.models.yaml
PLAYER_KEY=plain-words-only audition 3 run refused.yaml -c refused.models.yaml -m player --db refused.db -j 1
is "$(sql refused.db "SELECT group_concat(state || coalesce(' ' || fault, '')) FROM sample")" \
    "done,failed forbidden,done" "only the refused one fails"
if grep -aq plain-words-only refused.db* out err; then
    fail "the key was kept"
fi
stop "$mock_pid"
