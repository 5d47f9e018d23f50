#!/usr/bin/env bash
# db stats and db vacuum, on both databases: what takes the room, and getting it back.
set -eu

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

# field EXPRESSION: of `o`, the JSON in out
field()
{
    sqlite3 :memory: "SELECT $1 FROM (SELECT CAST(readfile('out') AS TEXT) AS o)"
}

# tables EXPRESSION: over the tables in out, each of them `t`
tables()
{
    field "(SELECT $1 FROM (SELECT value AS t FROM json_each(o, '\$.tables')))"
}

# look URL: a run is there; it is seen, removed, and its room given back
look()
{
    export AUDITION_DB="$1"
    status 0 "$AUDITION" run suites/first.yaml -m understudy --judge prompter -q
    status 0 "$AUDITION" list --json
    run=$(field "o ->> '\$[0].run'")
    "$AUDITION" export latest >before
    status 0 "$AUDITION" db stats
    says out call verdict "$run" bytes
    status 0 "$AUDITION" db stats --json
    is "$(tables "sum(t ->> 'rows') FILTER (WHERE t ->> 'name' = 'run')")" 1 "rows of run"
    is "$(field "json_array_length(o, '\$.runs') || ' ' || (o ->> '\$.runs[0].name')")" "1 $run" "runs"
    is "$(field "o ->> '\$.runs[0].bytes' > 1000 AND o ->> 'bytes' > 0")" 1 "bytes"
    is "$(tables "min(coalesce(t ->> 'bytes', -1)) >= 0")" 1 "bytes of tables"
    is "$(tables "sum(t ->> 'bytes') <= o ->> 'bytes'")" 1 "tables are no more than all"
    status 0 "$AUDITION" db vacuum
    says out "bytes before"
    status 0 "$AUDITION" verify latest
    "$AUDITION" export latest >after
    cmp before after || fail "the run changed"
    status 0 "$AUDITION" rm "$run" --yes
    status 0 "$AUDITION" db vacuum --json
    is "$(field "json_type(o, '\$.before') || ' ' || json_type(o, '\$.after')")" "integer integer" "vacuum"
    after=$(field "o ->> 'after'")
    status 0 "$AUDITION" db stats --json
    is "$(field "json_array_length(o, '\$.runs')")" 0 "runs left"
}

command -v sqlite3 >/dev/null || {
    echo "sqlite3 is not installed"
    exit 77
}
status 1 "$AUDITION" db stats
status 1 "$AUDITION" db vacuum
status 2 "$AUDITION" db stats extra
[ ! -e audition.db ] || fail "looking made a database"
"$AUDITION" init . --language zh >/dev/null

echo SQLite
look "$PWD/small.db"
is "$(field "o ->> 'unused'")" 0 "unused bytes"
is "$(field "o ->> 'bytes'")" "$after" "bytes"
is "$(wc -c <small.db | tr -d ' ')" "$after" "size of the file"
status 0 "$AUDITION" db stats --language zh
says out 字节

echo "a file that is damaged is left as it is"
status 0 "$AUDITION" run suites/first.yaml -m understudy --judge prompter -q
sqlite3 small.db "PRAGMA foreign_keys=OFF; UPDATE sample SET model = 999999 WHERE id = (SELECT MIN(id) FROM sample)"
cp small.db kept.db
status 1 "$AUDITION" db vacuum
says err "is damaged" "restore a backup"
cmp small.db kept.db || fail "the damaged file was rewritten"

if [ -n "${AUDITION_TEST_PG-}" ]; then
    echo PostgreSQL
    look "$AUDITION_TEST_PG"
fi
