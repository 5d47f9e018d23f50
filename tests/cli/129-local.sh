#!/usr/bin/env bash
# Models that are files: a server is started for each, waited for, asked and stopped; nothing of it is left
# whatever ends the program; files that do not fit together are served one after the other; one that fails
# says why. The server is the mock endpoint under the name and flags of llama-server; 34-live.sh has a model.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

items=6
suite suite.yaml $items
mkdir bin
export PATH=$PWD/bin:$PATH FAKE=$PWD/fake
cat >bin/llama-server <<'END'
#!/bin/bash
# FAKE.how says how it shall fare; FAKE.starts lists the files it was started for; FAKE.pids its processes;
# FAKE.keys what it wants to be asked with
while [ $# -gt 0 ]; do
    case $1 in
    --model) file=$2 && shift ;;
    --host) [ "$2" = 127.0.0.1 ] || exit 3; shift ;;
    --port) port=$2 && shift ;;
    --ctx-size) echo "context $2" >>"$FAKE.starts" && shift ;;
    *) echo "error: invalid argument: $1" >&2 && exit 1 ;;
    esac
    shift
done
echo "${file##*/}" >>"$FAKE.starts"
echo $$ >>"$FAKE.pids"
echo "$LLAMA_API_KEY" >>"$FAKE.keys"
mock=("$MOCKLLM" --port "$port" --log "$FAKE.log" --stop-after 580 --latency "${FAKE_LATENCY:-0}"
    --require-key "$LLAMA_API_KEY")
case $(cat "$FAKE.how" 2>/dev/null) in
dies)
    echo "load_model: error loading model: tensor 'output.weight' not found" >&2
    exit 1
    ;;
hangs) exec sleep 580 ;;
ends)
    "${mock[@]}" &
    until [ "$(wc -l <"$FAKE.log")" -ge 3 ]; do sleep 0.05; done
    kill -9 $!
    echo "ggml_abort: out of memory" >&2
    kill -9 $$
    ;;
taken)
    rm "$FAKE.how"
    # who has it says nothing: an answer would be taken for ours
    perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Listen => 9, LocalAddr => "127.0.0.1", LocalPort => shift) or die;
        open(F, ">", shift); print F "here"; close F; sleep 20' "$port" "$FAKE.port" >/dev/null 2>&1 &
    until [ -s "$FAKE.port" ]; do sleep 0.05; done
    echo "couldn't bind HTTP server socket" >&2
    exit 1
    ;;
crowded) # beside another there is no memory on the card
    ! pgrep -f "$MOCKLLM.*$FAKE.log" >/dev/null || { echo "cudaMalloc failed: out of memory" >&2 && exit 1; }
    ;;
slow) sleep 1 ;;
esac
exec "${mock[@]}"
END
chmod +x bin/llama-server

# gguf FILE BYTES: one that is as large as it says
gguf()
{
    printf 'GGUF%s' "$1" >"$1"
    truncate -s "$2" "$1"
}

# fares HOW: the server from now on
fares()
{
    echo "$1" >fake.how
    rm -f fake.starts fake.port fake.pids fake.keys
    : >fake.log
}

gone()
{
    local pid

    while read -r pid; do
        ! kill -0 "$pid" 2>/dev/null || return 1
    done <fake.pids
}

# on_terminal ARGUMENT...: what a person sees is in `screen`
on_terminal()
{
    COLUMNS=200 timeout -k 5 240 script -qec "stty cols 200; $AUDITION $*" /dev/null >screen </dev/null || fail "audition $*: $(tail -n 5 screen)"
}

gguf chat.gguf 1000000
gguf judge.gguf 2000000

echo "two files side by side, by their names alone"
fares slow
LLAMA_API_KEY=known on_terminal run suite.yaml -m ./chat.gguf --judge judge.gguf --db plain.db
complete plain.db $items
says screen 'llama-server is starting'
is "$(sort fake.starts | xargs)" "chat.gguf judge.gguf" "servers"
gone || fail "a server is left"
echo "... which nobody else on this machine can ask: each wants a key that was drawn for it, and that is not kept"
is "$(sort -u fake.keys | grep -cE '^[0-9a-f]{64}$')" 2 "keys"
! grep -qf fake.keys screen plain.db* || fail "a key is kept"
is "$(sql plain.db "SELECT name FROM model")" chat "name of the model"
audition 0 verify latest --db plain.db

echo "nothing is left to ask: no server is started"
fares well
audition 0 run suite.yaml -m ./chat.gguf --judge ./judge.gguf --db plain.db
[ ! -e fake.starts ] || fail "a server was started"
says out chat

echo "another file under the same name is another model"
cp chat.gguf before.gguf
printf x | dd of=chat.gguf bs=1 seek=500000 conv=notrunc status=none
audition 0 run suite.yaml -m ./chat.gguf --db plain.db
is "$(cat fake.starts)" chat.gguf "servers"
is "$(sql plain.db "SELECT count(*) FROM run")" 2 "runs"

cat >models.yaml <<END
models:
  - {name: cool, kind: local, file: chat.gguf, arguments: [--ctx-size, "4096"], parameters: {temperature: 0}}
  - {name: warm, kind: local, file: chat.gguf, arguments: [--ctx-size, "4096"], parameters: {temperature: 1}}
  - {name: large, kind: local, file: huge.gguf}
  - {name: critic, kind: local, file: judge.gguf, server: bin/llama-server}
END
gguf huge.gguf 900G

echo "one file under two names is served once; doctor asks"
fares well
audition 0 doctor
says out 'served by llama-server'
[ ! -e fake.starts ] || fail "doctor has started a server unasked"
audition 0 doctor --ask
says out 'cool' 'dialect: openai'
fares well
audition 0 run suite.yaml -m cool -m warm --judge critic --budget 1usd --db names.db
complete names.db $((2 * items))
is "$(sort fake.starts | xargs)" "chat.gguf context 4096 judge.gguf" "servers"

echo "files that do not fit into memory together"
fares well
FAKE_LATENCY=300 on_terminal run suite.yaml -m large -m cool --judge critic --db large.db
complete large.db $((2 * items))
says screen 'does not fit into memory'
grep -q huge.gguf fake.starts || fail "the large file was not served"
gone || fail "a server is left"
echo "... which only the second server finds out"
fares crowded
audition 0 run suite.yaml -m cool --judge critic --db crowded.db
complete crowded.db $items

echo "a server that dies at its start, or never answers"
fares dies
audition 1 run suite.yaml -m cool --db dies.db
says err "cool: llama-server ended with status 1" "tensor 'output.weight' not found" '6 samples left'
[ ! -s out ] || fail "results of nothing"
audition 1 run suite.yaml -m cool --db dies.db --language zh
says err '还剩 6 个样本'
fares hangs
audition 1 run suite.yaml -m cool --db dies.db --wait-for-endpoint 1s
says err 'not ready after 1 s'
gone || fail "a server is left"
echo "... and in the middle: the same command goes on"
fares ends
FAKE_LATENCY=100 audition 1 run suite.yaml -m cool --db dies.db -j 1
says err 'llama-server was ended by signal 9' 'ggml_abort: out of memory'
done_before=$(sql dies.db "SELECT count(*) FROM sample WHERE state = 'done'")
[ "$done_before" -gt 0 ] || fail "what was answered is lost"
fares well
audition 0 run suite.yaml -m cool --db dies.db
is "$(sql dies.db "SELECT count(*) FROM sample WHERE state = 'done'")" $items "answers"

echo "somebody else has taken its port"
fares taken
audition 0 run suite.yaml -m cool --db taken.db # alone: whichever of two began first would find it taken
is "$(grep -c chat.gguf fake.starts)" 2 "starts"

echo "an interrupt waits for what is in flight; nothing is left of the server, nor after a kill"
for signal in INT TERM KILL; do
    fares well
    rm -f kill.db
    FAKE_LATENCY=400 start setsid "$AUDITION" run suite.yaml -m cool --db kill.db -j 1 2>err >out
    until_true "a request" 60 test -s fake.log
    stop "$started" $signal
    until_true "no server after $signal" 10 gone
done
is "$(sql kill.db "SELECT count(*) FROM sample WHERE state = 'done' AND length(answer) = 0")" 0 "half answers"

echo "what cannot be used"
audition 1 run suite.yaml -m ./nowhere.gguf --db no.db
says err nowhere.gguf
cp suite.yaml text.gguf
audition 1 run suite.yaml -m text.gguf --db no.db
says err 'is not a GGUF file'
rm bin/llama-server
PATH=/usr/bin:/bin audition 1 doctor -c models.yaml
says out "there is no 'llama-server'"
PATH=/usr/bin:/bin audition 1 run suite.yaml -m ./chat.gguf -c models.yaml --db no.db
says err 'install llama.cpp'
