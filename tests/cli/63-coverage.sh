#!/usr/bin/env bash
# Intervals hold the truth as often as they say: a short form of `make coverage`, with room for chance. A hundred sets
# cannot tell 98 % from 100; what they tell well is how wide intervals are, which docs/COVERAGE.md has of two thousand.
set -u

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

page=$REPO/docs/COVERAGE.md

# columns: interval, regime, covers, mean width, refused, with a caution, a word
rows() { grep -E '^\| [^|]+\| [^|]+\| +[0-9]' "$1"; }

[ "$(rows "$page" | wc -l)" -gt 150 ] || fail "cells are missing in docs/COVERAGE.md"
rows "$page" | awk -F ' *[|] *' '($4 < 93 || $4 > 98.5) && $8 !~ /cautioned/ || $8 ~ /cautioned/ && $7 + 0 < 50 { print; bad = 1 } END { exit bad }' ||
    fail "docs/COVERAGE.md has a cell out of its band without a caution"

# The same numbers in every build, and long loops: the plain one computes them.
[ "$AUDITION" = "$REPO/build/audition" ] || { echo "the plain build measures coverage"; exit 77; }
"$REPO/build/tests/cover" --quick >table || { grep -E 'LOW|WIDE' table; fail "a cell has left its band"; }
awk -F ' *[|] *' 'NR == FNR { width[$2, $3] = $5; next }
    !(($2, $3) in width) { print $2, $3, "is not in docs/COVERAGE.md"; bad = 1; next }
    { n++ }
    $5 > 1.25 * width[$2, $3] || $5 < width[$2, $3] / 1.25 { print $2, $3, "is", $5, "wide, not", width[$2, $3]; bad = 1 }
    END { exit bad || n < 150 }' <(rows "$page") <(rows table) || fail "docs/COVERAGE.md is not what the program does"
