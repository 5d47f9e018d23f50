#!/usr/bin/env bash
# test.sh [unit|cli]  run every test, or one kind; the programs have been built (see `make test`).
#
# A line per test, the output of those that fail, and as the last line the three counts.
# A unit test is one cmocka test; a command test is one executable tests/cli/*.sh, which runs in
# an empty directory and ends with 0 (passed), 77 (skipped; its last line says why) or another.
# Programs and scripts run side by side; each is reported in one piece when it has ended. One that
# fails runs once more at the end, with nothing beside it: a server that began late on a busy machine
# is told from a mistake, and both tries are shown. What a sanitizer finds counts at once.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

# What is set on this machine must not decide a test. One PostgreSQL server serves all of them.
if [ "${1-}" != --with-server ]; then
    unset "${!OPENAI_@}" "${!AUDITION_@}" http_proxy https_proxy all_proxy HTTPS_PROXY ALL_PROXY \
        CURL_CA_BUNDLE SSL_CERT_FILE NO_COLOR
    # Databases are made and thrown away by the hundred: in memory, where there is room and programs may run.
    room=$({ awk '/^MemAvailable/ { print $2 }' /proc/meminfo; df --output=avail -k /dev/shm | tail -n 1; } 2>/dev/null | sort -n | head -n 1)
    if [ "${room:-0}" -gt 8000000 ] && ! findmnt -no OPTIONS /dev/shm | grep -q noexec; then
        export IN_MEMORY=/dev/shm TMPDIR=${TMPDIR:-/dev/shm}
    fi
    exec tests/pg.sh scripts/test.sh --with-server "$@"
fi
shift

kind=${1:-all}
build=${BUILD:-build}
limit=600 # seconds; a test that hangs must not hang everything
# Most tests wait for an endpoint, a server or a browser most of the time.
at_once=$((5 * $(nproc 2>/dev/null || echo 2)))
passed=0 failed=0 skipped=0
declare -A running=() # process id to the name of the test
declare -A told=()    # name of a test that failed to the files that hold what it printed
declare -A begun=()   # name of a test to its directory and command, as begin() takes them
work=$(mktemp -d "${TMPDIR:-/tmp}/audition-test.XXXXXX")

# shellcheck disable=SC2317 # the trap calls it
finish()
{
    kill "${!running[@]}" ${BROWSING_PID:+"$BROWSING_PID"} 2>/dev/null
    wait
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

# Behind the name may be a script that looks for a version before every call.
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
[ "${python:-none}" = "$(command -v python3 || echo none)" ] || PATH=${python%/*}:$PATH

mkdir "$work/home"
export HOME=$work/home LC_ALL=C.UTF-8 TZ=UTC TERM=xterm
export CMOCKA_MESSAGE_OUTPUT=TAP
export REPO=$PWD AUDITION=$PWD/$build/audition MOCKLLM=$PWD/$build/tests/mockllm
# What is undefined traps. Of a text that is searched step by step all the rest would be looked at each time.
export ASAN_OPTIONS=handle_sigill=2:intercept_memmem=0:${ASAN_OPTIONS-}

pass()
{
    passed=$((passed + 1))
    echo "ok    $1"
}

skip()
{
    skipped=$((skipped + 1))
    echo "skip  $1${2:+ ($2)}"
}

# fail NAME [FILE...]: the files hold what the test printed
fail()
{
    failed=$((failed + 1))
    echo "FAIL  $1"
    shift
    [ $# -eq 0 ] || sed 's/^/      | /' "$@"
}

# Count the TAP lines of one cmocka program: NAME STATUS OUT ERR
unit_ended()
{
    local name=$1 status=$2 line planned=0 seen=0 before=$failed

    while IFS= read -r line; do
        case $line in
        1..*)
            planned=$((planned + ${line#1..}))
            continue
            ;;
        # cmocka 1.1.8 calls what was skipped ok, versions before it not ok.
        'ok '*' # SKIP '* | 'not ok '*' # SKIP '*) skip "$name: ${line#* # SKIP }" ;;
        'ok '*' - '*) pass "$name: ${line#* - }" ;;
        'not ok '*' - '*) fail "$name: ${line#* - }" ;;
        *) continue ;;
        esac
        seen=$((seen + 1))
    done <"$3"
    # Why something was left out, the test itself has said.
    grep -hE '^(SKIPPED:|\*\*\* SKIP) ' "$3" "$4" | sort -u | sed 's/^/      | /'

    # A program that dies, hangs or runs nothing has not passed.
    if [ "$seen" -ne "$planned" ] || [ "$seen" -eq 0 ]; then
        fail "$name: ended with status $status after $seen of $planned tests"
    elif [ "$status" -ne 0 ] && [ "$failed" -eq "$before" ]; then
        fail "$name: every test passed, but the program ended with status $status"
    fi
    [ "$failed" -eq "$before" ] || sed 's/^/      | /' "$3" "$4"
}

# The same for one script.
script_ended()
{
    case $2 in
    0) pass "$1" ;;
    77) skip "$1" "$(tail -n 1 "$3")" ;;
    *) fail "$1: ended with status $2" "$3" "$4" ;;
    esac
}

# Wait for one of those that run, and report it; one that failed for the first time, later.
end_one()
{
    local pid=0 status=0 name out err

    wait -n -p pid "${!running[@]}" || status=$?
    name=${running[$pid]}
    unset "running[$pid]"
    out=$work/$pid.out err=$work/$pid.err
    if [ "$status" -ne 0 ] && [ "$status" -ne 77 ] && [ -z "${told[$name]-}" ] &&
        ! grep -q Sanitizer "$out" "$err"; then
        told[$name]="$out $err"
        echo "again ${name#* }: ended with status $status beside others"
    else
        "${name%% *}_ended" "${name#* }" "$status" "$out" "$err"
        rm -f "$out" "$err"
    fi
    rm -rf "${work:?}/${name#* }"
}

# begin KIND NAME DIRECTORY COMMAND...
begin()
{
    local kind=$1 name=$2 dir=$3

    begun["$kind $name"]=${*@Q}
    shift 3
    [ ${#running[@]} -lt $at_once ] || end_one
    mkdir -p "$dir"
    (
        exec >"$work/$BASHPID.out" 2>"$work/$BASHPID.err" </dev/null
        [ "$kind" = unit ] || exec 2>&1
        cd "$dir" && exec timeout --foreground -k 10 $limit "$@"
    ) &
    running[$!]="$kind $name"
}

wait_for_all()
{
    while [ ${#running[@]} -gt 0 ]; do
        end_one
    done
}

# Those that failed, one by one.
try_again()
{
    local name files

    for name in "${!told[@]}"; do
        read -ra files <<<"${told[$name]}"
        echo "again ${name#* }; the first time it said:"
        sed 's/^/      | /' "${files[@]}"
        eval "begin ${begun[$name]}"
        wait_for_all
    done
}

layers()
{
    begin script layers . scripts/layers.sh
}

# One browser for all tests of pages; where there is none, they say so.
browser()
{
    CHROMIUM=$(command -v chromium-headless-shell || command -v chromium) &&
        [ -d tests/browser/node_modules ] || return
    export CHROMIUM
    coproc BROWSING { exec node tests/browser/server.mjs "$work/browser"; }
    read -r <&"${BROWSING[0]}" && export BROWSER=$work/browser
}

# The tables of PostgreSQL are made once; each test gets a copy of them.
tables()
{
    [ -n "${AUDITION_TEST_PG-}" ] && [ -x "$AUDITION" ] || return
    # shellcheck disable=SC2016 # expanded by the inner shell
    AUDITION_TEST_MADE=$(tests/pg.sh sh -c '"$AUDITION" db migrate --db "$AUDITION_TEST_PG" >&2 && echo "$AUDITION_TEST_PG"')
    AUDITION_TEST_MADE=${AUDITION_TEST_MADE#postgresql:///}
    export AUDITION_TEST_MADE=${AUDITION_TEST_MADE%%\?*}
}

# each SOURCE...: begin those tests that have not begun. One that asks for PostgreSQL gets a fresh database.
each()
{
    local source name with

    for source in "$@"; do
        [ -e "$source" ] || continue
        name=${source##*/}
        name=${name%.*}
        with=()
        ! grep -qs AUDITION_TEST_PG "$source" "$build/tests/$name" || with=("$REPO/tests/pg.sh")
        case $source in
        *.sh) [ -n "${begun[script $name]-}" ] || begin script "$name" "$work/$name" "${with[@]}" "$REPO/$source" ;;
        *.c) [ -n "${begun[unit ${name#test_}]-}" ] || begin unit "${name#test_}" . "${with[@]}" "$PWD/$build/tests/$name" ;;
        esac
    done
}

# Those that take longest begin first, so that nothing is waited for in the end.
cli()
{
    browser
    each tests/cli/{144,47,45,90,28,106,64,131,91,140,19,23,81,17,34,93,110,63,98,99,101}-*.sh tests/cli/*.sh
}

unit()
{
    each tests/unit/test_{web_server,run_mock}.c tests/unit/test_*.c
}

tables
case $kind in
all)
    layers
    unit
    cli
    ;;
unit | cli) "$kind" ;;
*)
    echo "usage: test.sh [unit|cli]" >&2
    exit 2
    ;;
esac
wait_for_all
try_again

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
