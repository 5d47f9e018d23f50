#!/usr/bin/env bash
# Intervals hold the truth as often as they say: a short form of `make coverage`, with room for chance.
set -u

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

# The same numbers in every build, and long loops: the plain one computes them.
[ "$AUDITION" = "$REPO/build/audition" ] || { echo "the plain build measures coverage"; exit 77; }
"$REPO/build/tests/cover" --quick >table || { grep -E 'LOW|WIDE' table; fail "a cell has left its band"; }
[ "$(grep -c '^| ' table)" -gt 100 ] || fail "cells are missing"
