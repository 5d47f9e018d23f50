#!/usr/bin/env bash
# db info, migrate, backup and copy.
set -eu

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

status 1 "$AUDITION" db info
[ ! -e audition.db ] || fail "looking made a database"
status 1 "$AUDITION" db info --db .
says err "is a directory"
: >empty.db
status 1 "$AUDITION" list --db empty.db
says err "is empty;"
lacks err older
if command -v sqlite3 >/dev/null; then
    sqlite3 other.db 'create table t(a)'
    cp other.db other.copy
    for c in list 'db migrate' doctor 'run suites/first.yaml -m a'; do
        # shellcheck disable=SC2086 # words, not one word
        status 1 "$AUDITION" $c --db other.db
        cmp other.db other.copy || fail "$c changed another program's database"
    done
fi
status 0 "$AUDITION" db migrate
says out "applied"
status 0 "$AUDITION" db migrate
says out "up to date"
"$AUDITION" init . --language zh >/dev/null
status 0 "$AUDITION" run suites/first.yaml -m understudy --judge prompter -q
status 0 "$AUDITION" db info
says out SQLite
says out "runs    1"
status 0 "$AUDITION" db info --json
says out '"runs":1'

status 0 "$AUDITION" db backup kept.db
status 0 "$AUDITION" verify latest --db kept.db
status 0 "$AUDITION" db copy copy.db
says out "copied"
status 0 "$AUDITION" verify latest --db copy.db
"$AUDITION" export latest >a
"$AUDITION" export latest --db copy.db >b
cmp a b || fail "the copy differs"
status 2 "$AUDITION" db copy copy.db
says err "not empty"

status 1 "$AUDITION" db backup kept/too.db
says err "kept/too.db: cannot write the backup: kept:" "create it, or name another file"
lacks err "--db"
status 1 "$AUDITION" db backup kept/too.db --language zh
says err "无法写入备份"

status 2 "$AUDITION" db
status 2 "$AUDITION" db shrink
says err "info, stats, migrate, vacuum, backup or copy"
status 2 "$AUDITION" db backup
says err "audition db backup FILE"
status 2 "$AUDITION" db info extra
