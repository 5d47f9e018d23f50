#!/usr/bin/env bash
# Workers on several machines, disturbed in every way: the long test (`make chaos`), shortened.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

# A worker is taken for dead after a minute; here sooner.
AUDITION_LOST_AFTER=5 STORM_DIR=$PWD exec "$REPO/tests/storm.sh" 600 14
