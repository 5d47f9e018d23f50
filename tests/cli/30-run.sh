#!/usr/bin/env bash
# `audition run` and `audition judge` against the mock endpoint: all the ways in which a run ends.
set -eu

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

# value_is KEY VALUE: the JSON line in out says so
value_is()
{
    says out "\"$1\":$2"
}

# get KEY: a number or a string of the JSON line
get()
{
    sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p" out
}

# mock NAME FLAG...: start an endpoint; its port goes to the variable NAME
pids=
mock()
{
    name=$1
    shift
    "$MOCKLLM" --port 0 --port-file "port.$name" --stop-after 300 "$@" >"mock.$name" 2>&1 &
    pids="$pids $!"
    tries=0
    while [ ! -s "port.$name" ]; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] || { echo "mockllm does not start"; cat "mock.$name"; exit 1; }
        sleep 0.1
    done
}
# shellcheck disable=SC2086
trap 'kill $pids 2>/dev/null || true' EXIT

mock fast --log requests.log
mock slow --latency 300 --log requests.slow
mock locked --require-key sesame
mock shaky --faults 0.3 --fault-kinds 429,500,reset

cat >suite.yaml <<'END'
suite: small
language: en
seed: 1
elicit: {kind: single, repeats: 2}
instrument:
  kind: dimensions
  dimensions:
    - id: quality
      levels: {1: "Perfect", 0.75: "Good", 0.5: "Fair", 0.25: "Weak", 0: "Bad"}
items:
  - {id: hello, prompt: "Hello, who are you?"}
  - {id: rain, prompt: "It rains again."}
  - {id: song, prompt: "Sing me a song."}
  - {id: cat, prompt: "Do you have a cat?"}
END
cat >models.yaml <<END
models:
  - {name: echo, base_url: "http://127.0.0.1:$(cat port.fast)"}
  - {name: chat, base_url: "http://127.0.0.1:$(cat port.fast)/v1", family: mock}
  - {name: judge, base_url: "http://127.0.0.1:$(cat port.fast)"}
  - {name: cousin, model: judge, base_url: "http://127.0.0.1:$(cat port.fast)", family: mock}
  - {name: never, model: judge-never, base_url: "http://127.0.0.1:$(cat port.fast)"}
  - {name: once-bad, model: judge-once-bad, base_url: "http://127.0.0.1:$(cat port.fast)"}
  - {name: priced, model: chat, base_url: "http://127.0.0.1:$(cat port.fast)", price: {in: 1, out: 2}}
  - {name: slow, model: chat, base_url: "http://127.0.0.1:$(cat port.slow)"}
  - {name: locked, model: chat, base_url: "http://127.0.0.1:$(cat port.locked)", key: LOCKED_KEY}
  - {name: shaky, model: chat, base_url: "http://127.0.0.1:$(cat port.shaky)"}
  - {name: gone, base_url: "http://127.0.0.1:1"}
END

echo "== a dry run asks and stores nothing"
expect 0 run suite.yaml -m echo -m priced --judge judge --dry-run
says out '16 samples, 16 verdicts'
says out "http://127.0.0.1:$(cat port.fast)/v1/chat/completions"
expect 0 run suite.yaml -m priced --limit 2 --repeat 3 --dry-run --json
value_is samples 6
value_is verdicts 0
[ ! -e audition.db ]
[ ! -s requests.log ]

echo "== end to end"
expect 0 run suite.yaml -m echo -m chat --judge judge
says err "model echo: http://127.0.0.1:$(cat port.fast)/v1/chat/completions"
says err 'samples 16/16, verdicts 16/16'
says out 'model'
says out '16 samples'
says out 'audition report'
run=$(sed -n 's/^run \([0-9a-z]*\) .*/\1/p' out)
[ -n "$run" ]

echo "== the same command again has nothing to do"
mkfifo pipe
before=$(wc -l <requests.log)
expect 0 run suite.yaml -m echo -m chat --judge judge
says out "run $run is complete: nothing left to ask"
expect 0 run suite.yaml -m echo -m chat --judge judge --json
[ "$(wc -l <out)" -eq 1 ]
value_is run "\"$run\""
value_is resumed true
value_is requests 0
value_is samples '{"planned":16,"done":16,"failed":0}'
value_is verdicts '{"planned":16,"done":16,"unscored":0,"failed":0}'
value_is exit 0
value_is scores '[{"model":'
expect 0 run - -m echo -m chat --judge judge --json <suite.yaml
value_is run "\"$run\""
cat suite.yaml >pipe & # nobody can look at it twice
expect 0 run pipe -m echo -m chat --judge judge --json
value_is run "\"$run\""
[ "$(wc -l <requests.log)" -eq "$before" ]

echo "== another model joins the run"
expect 0 run --resume "$run" -m priced --json
value_is run "\"$run\""
value_is samples '{"planned":24,"done":24,"failed":0}'
value_is verdicts '{"planned":24,"done":24,"unscored":0,"failed":0}'

echo "== another judge judges; no model is asked"
answers=$(grep -cv 'judge' requests.log)
expect 0 judge "$run" --judge once-bad --json
value_is verdicts '{"planned":24,"done":24,"unscored":0,"failed":0}'
value_is samples '{"planned":24,"done":24,"failed":0}'
expect 0 judge latest --judge judge --judge-template rubric.en --judge-repeat 2 --json
value_is verdicts '{"planned":48,"done":48,"unscored":0,"failed":0}'
[ "$(grep -cv 'judge' requests.log)" -eq "$answers" ]
[ "$(grep -c 'judge-once-bad' requests.log)" -eq 16 ] # eight different answers, each asked about twice
expect 2 judge latest --judge jugde
says err 'did you mean "judge"?'
expect 2 judge latest
says err 'never'

echo "== a judge leaves its own family alone, unless told otherwise"
expect 0 run suite.yaml -m chat --judge cousin --json
says err 'cousin does not judge chat'
value_is verdicts '{"planned":0,"done":0,"unscored":0,"failed":0}'
expect 0 board latest
lacks out 'own model or family'
expect 0 run suite.yaml -m chat --judge cousin --own-family --json
value_is verdicts '{"planned":8,"done":8,"unscored":0,"failed":0}'

echo "== a judge that never keeps to the form: unscored, not zero"
expect 3 run suite.yaml -m echo --seed 2 --judge never
says out '8 unscored'
says err 'audition run --resume'
says err '--retry-failed'
expect 3 run suite.yaml -m echo --seed 2 --judge never --json
value_is verdicts '{"planned":8,"done":0,"unscored":8,"failed":0}'
value_is requests 0
value_is score null
says out '"message":"8 verdicts are unscored'
expect 3 run --resume latest --retry-failed --json
value_is verdicts '{"planned":8,"done":0,"unscored":8,"failed":0}'
lacks out '"requests":0,'

echo "== a wrong key: the endpoint is given up, nothing counts as failed"
LOCKED_KEY=wrong
export LOCKED_KEY
expect 1 run suite.yaml -m locked --judge judge
says err 'locked'
says err '401'
says err 'audition run suite.yaml -m locked --judge judge'
expect 1 run suite.yaml -m locked --judge judge --json
value_is samples '{"planned":8,"done":0,"failed":0}'
value_is exit 1
unset LOCKED_KEY
echo "== the key from .env, and never shown"
printf 'LOCKED_KEY="sesame" # the right one\n' >.env
expect 0 run suite.yaml -m locked --judge judge --json -v
value_is samples '{"planned":8,"done":8,"failed":0}'
lacks out sesame
lacks err sesame
for f in audition.db*; do
    lacks "$f" sesame
done
rm .env
expect 2 run suite.yaml -m locked --seed 5
says err 'LOCKED_KEY'

echo "== nobody is listening"
expect 1 run suite.yaml -m gone --max-retries 0 --json
value_is samples '{"planned":8,"done":0,"failed":0}'
says out 'does not answer'
expect 0 judge latest --judge judge
says out ' has no answer to judge; ask the models with: ' ' run --resume '
lacks out 'is judged' 'not judged yet'

echo "== no judge: what waits for one is counted at once"
expect 0 run suite.yaml -m echo --seed 6
says out '8 answers not judged yet'
lacks out 'nothing left'

echo "== a budget is kept, and a larger one goes on"
expect 3 run suite.yaml -m priced --seed 3 --no-cache --judge judge --budget 1500tok --json
says out 'the budget is used up'
[ "$(get total)" -le 1500 ]
expect 0 run suite.yaml -m priced --seed 3 --no-cache --judge judge --budget 900000tok --json
value_is resumed true
value_is samples '{"planned":8,"done":8,"failed":0}'
value_is verdicts '{"planned":8,"done":8,"unscored":0,"failed":0}'
expect 2 run suite.yaml -m priced -m echo --seed 4 --budget 1usd
says err 'echo has no price'

echo "== faults on the way are passed"
expect 0 run suite.yaml -m shaky --judge judge --repeat 5 --json
value_is samples '{"planned":20,"done":20,"failed":0}'
value_is verdicts '{"planned":20,"done":20,"unscored":0,"failed":0}'

echo "== Ctrl-C drains; the same command goes on"
"$AUDITION" run suite.yaml -m slow --judge judge --repeat 20 -j 2 >out 2>err &
pid=$!
# The first answer has come: it works, and there is much to do yet.
tries=0
until grep -q . requests.slow 2>/dev/null; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || { cat err; exit 1; }
    sleep 0.1
done
kill -INT $pid
code=0
wait $pid || code=$?
[ "$code" -eq 130 ] || { echo "ended with $code"; cat out err; exit 1; }
says err 'stopping'
says err 'interrupted: '
says err 'audition run suite.yaml -m slow --judge judge --repeat 20 -j 2'
expect 0 run suite.yaml -m slow --judge judge --repeat 20 -j 64 --json
value_is resumed true
value_is samples '{"planned":80,"done":80,"failed":0}'
value_is verdicts '{"planned":80,"done":80,"unscored":0,"failed":0}'

echo "== without models.yaml: everything from the environment"
mkdir bare
cd bare
code=0
OPENAI_BASE_URL="http://127.0.0.1:$(cat ../port.fast)" OPENAI_API_KEY=any \
    "$AUDITION" run ../suite.yaml -m echo --judge judge --limit 1 --json >../out 2>../err || code=$?
nowhere=0
env -u OPENAI_BASE_URL -u OPENAI_API_BASE -u OPENAI_API_KEY HTTPS_PROXY="http://127.0.0.1:$(cat ../port.fast)" \
    "$AUDITION" run ../suite.yaml -m echo --limit 1 >../bare.out 2>../bare.err || nowhere=$?
"$AUDITION" run ../suit.yaml -m echo 2>../typo.err && exit 1
cd ..
says typo.err '../suit.yaml: No such file or directory'
! grep -q models.yaml typo.err || { cat typo.err; exit 1; }
[ "$nowhere" -eq 2 ] || { echo "no file, no address: $nowhere"; cat bare.out bare.err; exit 1; }
says bare.err 'no model "echo": there is no models.yaml, and neither OPENAI_BASE_URL nor OPENAI_API_KEY is set'
[ "$code" -eq 0 ] || { cat out err; exit 1; }
value_is samples '{"planned":2,"done":2,"failed":0}'

echo "== what no model writes: the address is in question, not the length of answers"
mock half --faults 1 --fault-kinds truncated
printf 'models: [{name: half, base_url: "http://127.0.0.1:%s", key: none}]\n' "$(cat port.half)" >half.yaml
expect 3 run suite.yaml -m half -c half.yaml --limit 1 --max-retries 0 --db half.db
says out "the response is not a model's reply: check"

echo "== doctor: refused without a key, in the reader's language throughout"
printf 'models: [{name: locked, base_url: "http://127.0.0.1:%s", key: none}]\n' "$(cat port.locked)" >locked.yaml
expect 1 doctor -c locked.yaml
says out 'refused the request (401), and no key was sent: name the variable that holds it with'
expect 1 doctor -c locked.yaml --language zh
says out '拒绝了请求（401），而且没有发送密钥'
