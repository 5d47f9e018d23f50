#!/usr/bin/env bash
# coverage.sh PROGRAM  writes docs/COVERAGE.md: what is said above the table stays, the table is drawn anew.
set -euo pipefail
cd "$(dirname "$0")/.."

page=docs/COVERAGE.md
new=$(mktemp)
trap 'rm -f "$new"' EXIT
sed '/^| interval |/,$d' "$page" >"$new"
nice "$1" --sets "${SETS:-2000}" >>"$new"
cat "$new" >"$page"
