#!/usr/bin/env bash
# Reports as PDF, charts as PNG: by a browser of this machine; without one the fault says what to do.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

audition 0 init . --language ja
audition 0 run suites/first.yaml -m understudy --judge prompter -q

echo "no browser"
mkdir empty
PATH=$PWD/empty "$AUDITION" report latest -o r.pdf >out 2>err && fail "printed by nothing"
says err 'install chromium'
[ ! -e r.pdf ] || fail "a file is left behind"

echo "a browser that fails"
mkdir bad
printf '#!/bin/sh\nexit 3\n' >bad/chromium
chmod +x bad/chromium
PATH=$PWD/bad:$PATH "$AUDITION" chart leaderboard latest -o c.png >out 2>err && fail "a failure was not told"
says err 'could not print'

command -v chromium >/dev/null || skip "there is no chromium"
echo "one that works"
audition 0 report latest -o r.pdf
is "$(head -c 5 r.pdf)" %PDF- "a PDF"
audition 0 chart leaderboard latest -o c.png
is "$(head -c 4 c.png | tail -c 3)" PNG "a PNG"
