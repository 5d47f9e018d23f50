#!/usr/bin/env bash
# The server on PostgreSQL: what strangers try, what staff and raters do, single sign-on, the API, practice
# and the interview room, by the same scripts as on SQLite, each with a database of its own.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
[ -n "${AUDITION_TEST_PG-}" ] || skip "no PostgreSQL"
command -v psql >/dev/null || skip "psql is not installed"

declare -A names=()
for name in 11-sso 66-api 68-limits 69-people 82-practice 95-serve 97-room; do
    mkdir "$name"
    # shellcheck disable=SC2016 # the inner shell has a database of its own
    (cd "$name" && exec "$REPO/tests/pg.sh" sh -c 'AUDITION_DB=$AUDITION_TEST_PG exec "$@"' sh \
        "$REPO/tests/cli/$name.sh" >../"$name.log" 2>&1 </dev/null) &
    names[$!]=$name
    pids+=($!)
done
bad=
for pid in "${!names[@]}"; do
    name=${names[$pid]} status=0
    wait "$pid" || status=$?
    [ "$status" -ne 77 ] || echo "$name: $(tail -n 1 "$name.log")"
    [ "$status" = 0 ] || [ "$status" = 77 ] || { bad+=" $name" && tail -n 40 "$name.log"; }
done
[ -z "$bad" ] || fail "on PostgreSQL:$bad"

# Whoever reads the log of a service is not given its database.
start "$AUDITION" serve --port 0 --db "$AUDITION_TEST_PG&password=sesame" 2>said
until_true "the server" 20 grep -q "^serving postgresql:" said
lacks said sesame
