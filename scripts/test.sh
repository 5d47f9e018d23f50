#!/usr/bin/env bash
# test.sh [unit|cli]  run every test, or one kind; the programs have been built (see `make test`).
#
# A line per test, the output of those that fail, and as the last line the three counts.
# A unit test is one cmocka test; a command test is one executable tests/cli/*.sh, which runs in
# an empty directory and ends with 0 (passed), 77 (skipped; its last line says why) or another.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

kind=${1:-all}
build=${BUILD:-build}
limit=600 # seconds; a test that hangs must not hang everything
passed=0 failed=0 skipped=0
work=$(mktemp -d "${TMPDIR:-/tmp}/audition-test.XXXXXX")
trap 'rm -rf "$work"' EXIT

# What is set on this machine must not decide a test.
unset "${!OPENAI_@}" "${!AUDITION_@}" http_proxy https_proxy all_proxy HTTPS_PROXY ALL_PROXY \
    CURL_CA_BUNDLE SSL_CERT_FILE NO_COLOR
mkdir "$work/home"
export HOME=$work/home LC_ALL=C.UTF-8 TZ=UTC TERM=xterm
export REPO=$PWD AUDITION=$PWD/$build/audition MOCKLLM=$PWD/$build/tests/mockllm
export UBSAN_OPTIONS=print_stacktrace=1:${UBSAN_OPTIONS-}

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

layers()
{
    if scripts/layers.sh >"$work/out" 2>&1; then
        pass layers
    else
        fail layers "$work/out"
    fi
}

# Count the TAP lines of one cmocka program that ended with status $2.
count_unit()
{
    local name=$1 status=$2 line planned=0 seen=0 before=$failed

    while IFS= read -r line; do
        case $line in
        1..*) planned=$((planned + ${line#1..})) ;;
        'ok '*' - '*) pass "$name: ${line#* - }" ;;
        'not ok '*' # SKIP '*) skip "$name: ${line#* # SKIP }" ;;
        'not ok '*' - '*) fail "$name: ${line#* - }" ;;
        *) continue ;;
        esac
        [ "${line#1..}" != "$line" ] || seen=$((seen + 1))
    done <"$work/out"
    # Why something was left out, the test itself has said.
    grep -hE '^(SKIPPED:|\*\*\* SKIP) ' "$work/out" "$work/err" | sort -u | sed 's/^/      | /'

    # A program that dies, hangs or runs nothing has not passed.
    if [ "$seen" -ne "$planned" ] || [ "$seen" -eq 0 ]; then
        fail "$name: ended with status $status after $seen of $planned tests"
    elif [ "$status" -ne 0 ] && [ "$failed" -eq "$before" ]; then
        fail "$name: every test passed, but the program ended with status $status"
    fi
    [ "$failed" -eq "$before" ] || sed 's/^/      | /' "$work/out" "$work/err"
}

unit()
{
    local source name program with

    for source in tests/unit/test_*.c; do
        [ -e "$source" ] || continue
        name=$(basename "$source" .c)
        program=$PWD/$build/tests/$name
        # Those that ask for a PostgreSQL server get a fresh one each.
        with=()
        ! grep -qs AUDITION_TEST_PG "$program" || with=(tests/pg.sh)
        CMOCKA_MESSAGE_OUTPUT=TAP timeout --foreground -k 10 $limit "${with[@]}" "$program" \
            >"$work/out" 2>"$work/err"
        count_unit "${name#test_}" $?
    done
}

cli()
{
    local script name status

    for script in tests/cli/*.sh; do
        [ -x "$script" ] || continue
        name=$(basename "$script" .sh)
        mkdir "$work/$name"
        (cd "$work/$name" && exec timeout --foreground -k 10 $limit "$REPO/$script") \
            >"$work/out" 2>&1 </dev/null
        status=$?
        case $status in
        0) pass "$name" ;;
        77) skip "$name" "$(tail -n 1 "$work/out")" ;;
        *) fail "$name: ended with status $status" "$work/out" ;;
        esac
        rm -rf "${work:?}/$name"
    done
}

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

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
