#!/usr/bin/env bash
# The runner of these tests: what it counts, what it shows of failures, how it ends. It runs on a
# tree of tests that pass, fail, skip, die and run side by side.
set -eu
# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

export BUILD=build # whichever this one is tested in
mkdir -p scripts tests/unit tests/cli build/tests
cp "$REPO/scripts/test.sh" scripts/
printf '#!/bin/sh\nexec "$@"\n' >tests/pg.sh # no server here
printf '#!/bin/sh\n' >scripts/layers.sh
chmod +x tests/pg.sh scripts/layers.sh

# program NAME STATUS LINE...: a unit program that prints these
program()
{
    local name=$1 status=$2

    shift 2
    : >"tests/unit/test_$name.c"
    { printf '#!/bin/sh\ncat <<"END"\n' && printf '%s\n' "$@" END "exit $status"; } >"build/tests/test_$name"
    chmod +x "build/tests/test_$name"
}

# script NAME: a command test from the lines of standard input
script()
{
    { echo '#!/bin/sh' && cat; } >"tests/cli/$1.sh"
    chmod +x "tests/cli/$1.sh"
}

program good 0 1..2 'ok 1 - one' 'ok 2 - two'
program old 0 1..2 'ok 1 - one' 'not ok 2 # SKIP two'
program new 0 1..2 'ok 1 - one' 'ok 2 # SKIP two'
echo 'echo from the first; sleep 0.2; echo and on' | script 10-pass
echo 'echo there is no browser; exit 77' | script 20-skip
# shellcheck disable=SC2016 # the test expands them
echo 'test "$(ls -A)" = "" && test "$HOME" != "$PWD"' | script 30-alone

status 0 scripts/test.sh
says out 'ok    layers' 'ok    good: two' 'skip  old: two' 'skip  new: two' 'ok    10-pass' \
    'skip  20-skip (there is no browser)' 'ok    30-alone'
lacks out 'FAIL'
lacks out 'and on'
is "$(tail -n 1 out)" "7 passed, 0 failed, 3 skipped" "the last line"

program bad 1 1..2 'not ok 1 - one' '# why it failed' 'ok 2 - two'
program dies 139 1..3 'ok 1 - one'
program status 1 1..1 'ok 1 - one'
program empty 0
for i in 1 2 3 4; do
    echo "for n in 1 2 3; do echo words of $i; sleep 0.1; done; echo to stderr >&2; exit 5" | script "4$i-fails"
done
status 1 scripts/test.sh
says out 'FAIL  bad: one' '      | # why it failed' 'ok    bad: two' \
    'FAIL  dies: ended with status 139 after 1 of 3 tests' \
    'FAIL  status: every test passed, but the program ended with status 1' \
    'FAIL  empty: ended with status 0 after 0 of 0 tests'
for i in 1 2 3 4; do
    is "$(grep -A 4 "FAIL  4$i-fails: ended with status 5" out | tail -n 4 | tr -d '\n')" \
        "      | words of $i      | words of $i      | words of $i      | to stderr" "in one piece"
done
is "$(tail -n 1 out)" "10 passed, 8 failed, 3 skipped" "the last line"

status 1 scripts/test.sh unit
lacks out 10-pass
status 2 scripts/test.sh nonsense

echo "a signal ends what runs, and leaves nothing"
rm tests/unit/* tests/cli/*
# A signal in the moment in which timeout(1) has begun it, and does not know its number yet, leaves it running.
# shellcheck disable=SC2016 # expanded by the test
echo 'sleep 0.5; echo $$ >"$REPO/running"; exec sleep 300' | script 50-hangs
TMPDIR=$PWD scripts/test.sh cli >out 2>&1 &
until [ -s running ]; do sleep 0.05; done
kill "$!"
code=0
wait "$!" || code=$?
is "$code" 130 "the end by SIGTERM"
! kill -0 "$(cat running)" 2>/dev/null || fail "the test runs on"
is "$(echo audition-test.*)" 'audition-test.*' "directories left"
