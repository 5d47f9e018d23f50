#!/bin/sh
# db info, migrate, backup and copy.
set -eu

fail() { echo "FAIL: $*"; exit 1; }
has() { grep -qF -- "$2" "$1" || { cat "$1"; fail "$1 does not hold: $2"; }; }
status() { want=$1; shift; got=0; "$@" >out 2>err || got=$?; [ "$got" = "$want" ] || { cat out err; fail "$* ended with $got, not $want"; }; }

status 1 "$AUDITION" db info
[ ! -e audition.db ] || fail "looking made a database"
status 0 "$AUDITION" db migrate
has out "applied"
status 0 "$AUDITION" db migrate
has out "up to date"
"$AUDITION" init . --language zh >/dev/null
status 0 "$AUDITION" run suites/first.yaml -m understudy --judge prompter -q
status 0 "$AUDITION" db info
has out SQLite
has out "runs    1"
status 0 "$AUDITION" db info --json
has out '"runs":1'

status 0 "$AUDITION" db backup kept.db
status 0 "$AUDITION" verify latest --db kept.db
status 0 "$AUDITION" db copy copy.db
has out "copied"
status 0 "$AUDITION" verify latest --db copy.db
"$AUDITION" export latest >a
"$AUDITION" export latest --db copy.db >b
cmp a b || fail "the copy differs"
status 2 "$AUDITION" db copy copy.db
has err "not empty"

status 2 "$AUDITION" db
status 2 "$AUDITION" db vacuum
has err "info, migrate, backup or copy"
status 2 "$AUDITION" db backup
has err "audition db backup FILE"
status 2 "$AUDITION" db info extra
