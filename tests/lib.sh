# shellcheck shell=bash
# lib.sh - what scripts share: endpoints, suites, runs, assertions. Sourced by them.
#
# A script that sources this runs in a directory of its own, with AUDITION and MOCKLLM set.
# Everything that it starts is ended by its process id when the script ends.

: "${AUDITION:?is the program; see scripts/test.sh}" "${MOCKLLM:?is the mock endpoint}"
# shellcheck source=tests/say.sh
. "${BASH_SOURCE[0]%/*}/say.sh"

pids=()

skip()
{
    echo "$*"
    exit 77
}

# The shell of Chromium without windows needs half the processor time.
CHROMIUM=${CHROMIUM-$(command -v chromium-headless-shell || command -v chromium || true)}
export CHROMIUM

# need_browser: skip where pages cannot be looked at
need_browser()
{
    [ -n "$CHROMIUM" ] || skip "there is no chromium-headless-shell, nor chromium"
    command -v node >/dev/null || skip "there is no node"
    [ -d "$REPO/tests/browser/node_modules/html-validate" ] ||
        skip "there is no html-validate: scripts/setup.sh test fetches it, where npm can"
}

# browse NAME ARGUMENT...: a script of tests/browser, for the server at BASE; by the process that runs them for all tests, if there is one
browse()
{
    local status

    if [ -z "${BROWSER-}" ]; then
        node "$REPO/tests/browser/server.mjs" "$@"
        return
    fi
    status=$(printf '%s\0' "$1" "$BASE" "${@:2}" |
        curl -sS --unix-socket "$BROWSER" --data-binary @- -o browsed -w '%{http_code}' http://browser/)
    [ "$status" = 200 ] || {
        cat browsed >&2
        return 1
    }
    cat browsed
}

# Nothing that is installed beside it is needed; to look for that can take longer than the work.
python3()
{
    command python3 -S "$@"
}

# start COMMAND...: in the background; its process id goes to `started`
start()
{
    "$@" &
    started=$!
    pids+=("$started")
}

# stop PID [SIGNAL]: end a process of ours, and wait until it is gone
stop()
{
    kill -s "${2:-TERM}" "$1" 2>/dev/null || true
    wait "$1" 2>/dev/null || true
}

end_all()
{
    local p

    for p in "${pids[@]}"; do
        stop "$p" KILL
    done
}
trap end_all EXIT
trap 'exit 130' INT TERM

# until_true WHAT SECONDS COMMAND...: wait until the command succeeds; three times as long, should the machine be busy
until_true()
{
    local what=$1 left=$(($2 * 60))

    shift 2
    [ -n "${silence-}" ] || exec {silence}<> <(:) # a pipe of which nothing ever comes
    until "$@" 2>/dev/null; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || fail "waited in vain: $what"
        read -r -t 0.05 <&"$silence" || true # sleep, without a process
    done
}

# mock NAME OPTION...: an endpoint; sets `port` and `mock_pid`, logs to NAME.log
mock()
{
    local name=$1

    shift
    rm -f "$name.port"
    : >"$name.log"
    start "$MOCKLLM" --port 0 --port-file "$name.port" --log "$name.log" --stop-after 580 "$@" \
        >"$name.mock" 2>&1
    until_true "mockllm $*" 10 test -s "$name.port"
    # shellcheck disable=SC2034 # both are for those who source this
    port=$(<"$name.port") mock_pid=$started
}

# gate FILE: a suite for people, of four passages and two scales
gate()
{
    cat >"$1" <<'END'
suite: gate
title: The gate
language: en
elicit: {kind: single}
instrument:
  kind: dimensions
  dimensions:
    - {id: overall, title: Overall, scale: 0..5}
    - {id: fluent, title: Fluent, scale: 0..1}
score: {kind: totals}
items:
  - {id: one, prompt: "Who goes there?", reference: "A friend, and cold."}
  - {id: two, prompt: "What is the word?", reference: "Lantern."}
  - {id: three, prompt: "Where do you come from?", reference: "From the ferry."}
  - {id: four, prompt: "What have you seen?", reference: "Nothing but rain."}
END
}

# replies LAST: a run of the suite, with a model that gives the same answer to all items of gate() but the last
replies()
{
    local item

    for item in one two three; do
        printf '{"item": "%s", "text": "Only the miller."}\n' $item
    done >plain.jsonl
    printf '{"item": "four", "text": "%s"}\n' "$1" >>plain.jsonl
    echo 'models: [{name: plain, kind: recorded, file: plain.jsonl}]' >models.yaml
    audition 0 run suite.yaml -m plain
}

# answered: a run of the suite of gate(), with a model that always gives the same answer
answered()
{
    gate suite.yaml
    replies "Only the miller."
}

# noted: such a run, but its last answer says what gave it, and the suite notes that
noted()
{
    gate suite.yaml
    echo 'rules: {identity: note}' >>suite.yaml
    replies "As an AI language model I have seen nothing."
}

# opened NAME LINE...: an open campaign on the newest run; the lines are more of its file
opened()
{
    printf '%s\n' "campaign: $1" 'passages_per_rater: 1' 'practice: no' "${@:2}" >campaign.yaml
    audition 0 campaign new campaign.yaml
    audition 0 campaign open "$1"
}

# suite FILE ITEMS: a suite of distinct items, one dimension
suite()
{
    local file=$1 n=$2

    cat >"$file" <<END
suite: weather
title: Weather
language: en
elicit: {kind: single}
instrument:
  kind: dimensions
  dimensions:
    - id: quality
      levels: {0: none, 0.25: little, 0.5: some, 0.75: much, 1: all}
score: {kind: mean-of-items, times: 10}
items: ${file%.yaml}.jsonl
END
    awk -v n="$n" 'BEGIN { for (i = 1; i <= n; i++)
        printf "{\"id\": \"i%05d\", \"prompt\": \"Caller %d: is the ferry running tonight?\"}\n", i, i
    }' >"${file%.yaml}.jsonl"
}

# interview FILE SITTINGS: a suite of interviews, each with a character of its own; bank/ beside it
interview()
{
    local file=$1 n=$2 i

    cat >"$file" <<END
suite: weather-interview
language: en
elicit: {kind: interview, bank: bank, sittings: $n}
instrument:
  kind: dimensions
  dimensions:
    - id: quality
      levels: {0: none, 0.25: little, 0.5: some, 0.75: much, 1: all}
END
    mkdir -p bank
    for ((i = 1; i <= n; i++)); do
        sed "s/^id: .*/id: keeper$i/; s/Abel Tolliver/Abel Tolliver the $i./" \
            "$REPO/tests/fixtures/interview/bank/en/tolliver.yaml" >"bank/keeper$i.yaml"
    done
}

# dialogues FILE N TURNS: a suite of dialogues that last so many turns, each in a scene of its own; wenna.yaml and
# users/ beside it
dialogues()
{
    cp -R "$REPO/tests/fixtures/dialogue/users" "$REPO/tests/fixtures/dialogue/wenna.yaml" .
    cat >"$1" <<END
suite: weather-talk
language: en
character: wenna.yaml
elicit: {kind: dialogue, turns: $3, user: {file: users/tom.yaml, by: model}, context: whole}
instrument:
  kind: dimensions
  dimensions:
    - id: quality
      levels: {0: none, 0.25: little, 0.5: some, 0.75: much, 1: all}
items: ${1%.yaml}.jsonl
END
    awk -v n="$2" 'BEGIN { for (i = 1; i <= n; i++)
        printf "{\"id\": \"i%05d\", \"prompt\": \"Evening %d at the lock. The gate is shut.\"}\n", i, i
    }' >"${1%.yaml}.jsonl"
}

# battles FILE: a suite whose conversations are compared, in two scenes
battles()
{
    sed -i '/^instrument:/,$d' "$1"
    cat >>"$1" <<'END'
instrument: {kind: pair, criteria: [stays in the role], ties: yes}
items:
  - {id: dusk, prompt: "A lock on a canal, after dark."}
  - {id: rain, prompt: "The same lock, in pouring rain."}
END
}

# models FILE PORT [MODEL [JUDGE [EXAMINER]]]: model "player", judge "critic", "examiner" at the
# endpoint
models()
{
    cat >"$1" <<END
models:
  - {name: player, base_url: "http://127.0.0.1:$2", model: ${3:-chat}, timeout: 20}
  - {name: critic, base_url: "http://127.0.0.1:$2", model: ${4:-judge}, timeout: 20}
  - {name: examiner, base_url: "http://127.0.0.1:$2", model: ${5:-examiner}, timeout: 20}
END
}

# audition CODE ARGUMENT...: run the program to its end, but never for ever; output in out and err
audition()
{
    local want=$1 code

    shift
    status "$want" timeout -k 5 240 "$AUDITION" "$@"
}

# sql DATABASE QUERY; where the tests are about PostgreSQL (AUDITION_DB), of that
sql()
{
    case ${AUDITION_DB-} in
    postgresql:*)
        psql -qAtX -d "$AUDITION_DB" -c "$2"
        return
        ;;
    esac
    sqlite3 -batch -cmd '.timeout 10000' "$1" "$2"
}

# requests LOG: how many were received, answered or not
requests()
{
    wc -l <"$1"
}

# twice LOG: how many requests were answered (and would be paid for) more than once
twice()
{
    awk '$4 == "good" || $4 == "drip" || $4 == "surrogate" { n[$2]++ }
        END { for (d in n) if (n[d] > 1) m++; print m + 0 }' "$1"
}

# complete DATABASE SAMPLES: all of them answered and judged, nothing else left behind
complete()
{
    is "$(sql "$1" "SELECT count(*) FROM sample WHERE state = 'done'")" "$2" "samples done"
    is "$(sql "$1" "SELECT count(*) FROM sample")" "$2" "samples"
    is "$(sql "$1" "SELECT count(*) FROM verdict WHERE state = 'done'")" "$2" "verdicts done"
    is "$(sql "$1" "SELECT count(*) FROM verdict")" "$2" "verdicts"
    is "$(sql "$1" "SELECT count(*) FROM mark")" "$2" "marks"
    is "$(sql "$1" "SELECT count(*) FROM worker")" 0 "workers left"
    is "$(sql "$1" "PRAGMA integrity_check")" ok "the file"
}
