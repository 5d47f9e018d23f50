#!/usr/bin/env bash
# Requests and replies of finished runs are packed by `db vacuum` and in archives. Whoever reads them
# sees what was there before, on both databases; what somebody made up is refused.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

# field EXPRESSION: of `o`, the JSON in out
field()
{
    sqlite3 :memory: "SELECT $1 FROM (SELECT CAST(readfile('out') AS TEXT) AS o)"
}

# dictionaries: how many the last `db stats --json` tells of
dictionaries()
{
    field "(SELECT t.value ->> 'rows' FROM json_each(o, '\$.tables') t WHERE t.value ->> 'name' = 'dictionary')"
}

# names: of all runs
names()
{
    audition 0 list --json
    field "(SELECT group_concat(r.value ->> 'run', ' ') FROM json_each(o) r)"
}

# facts FILE: everything of the run that a reader sees, without when it was read
facts()
{
    audition 0 verify latest --json
    cp out "$1"
    audition 0 export latest
    cat out >>"$1"
    audition 0 show latest --raw --json
    cat out >>"$1"
    audition 0 board latest --traffic --json
    cat out >>"$1"
}

suite suite.yaml 60
mock one
models models.yaml "$port"
echo "  - {name: second, base_url: \"http://127.0.0.1:$port\", model: judge-b}" >>models.yaml
ask=(run suite.yaml -m player --judge critic -q)

# life URL: a run is packed, read, used again, archived, brought back and removed
life()
{
    export AUDITION_DB="$1"
    audition 0 "${ask[@]}"
    facts before
    first=$(names) first=${first%% *}
    asked=$(requests one.log)
    audition 0 db stats --json
    is "$(field "o ->> 'packed_calls'")" 0 "packed calls of a new run"

    echo "  packed, by two at once, it says the same"
    start "$AUDITION" db vacuum >/dev/null
    audition 0 db vacuum
    wait "$started" || true
    audition 0 db vacuum
    audition 0 db stats --json
    is "$(field "o ->> 'packed_calls' > 110 AND (o ->> 'packed_to') * 3 < o ->> 'packed_from'")" 1 "what was won: $(cat out)"
    is "$(dictionaries)" 1 "dictionaries"
    facts after
    cmp before after || fail "the run says something else"
    audition 0 db stats
    says out "requests with their replies are compressed"

    echo "  its replies answer another run"
    audition 0 "${ask[@]}" --limit 50
    is "$(requests one.log)" "$asked" "requests"
    audition 0 verify latest
    says out 'no differences'

    echo "  what comes later is packed with the same dictionary"
    audition 0 db stats --json
    calls=$(field "o ->> 'packed_calls'")
    audition 0 judge "$first" --judge second -q
    audition 0 db vacuum
    audition 0 db stats --json
    is "$(field "o ->> 'packed_calls' - $calls")" 60 "packed calls that came"
    is "$(dictionaries)" 1 "dictionaries"

    echo "  an archive is packed, from there and from here"
    audition 0 archive latest -o "$2.audition"
    audition 0 db stats --db "$2.audition" --json
    is "$(field "o ->> 'packed_calls' >= 100")" 1 "calls in the archive"
    back=(--db "$PWD/$2-back.db")
    audition 0 restore "$2.audition" "${back[@]}"
    audition 0 verify latest "${back[@]}"
    says out 'no differences'
    audition 0 show latest --raw "${back[@]}"
    says out 'Caller 5: is the ferry running'

    echo "  the run that asked goes, those that it answered can still be read"
    audition 0 rm "$first" --yes
    audition 0 verify latest
    says out 'no differences'
    audition 0 show latest --raw
    says out 'Caller 5: is the ferry running'
    for run in $(names); do
        audition 0 rm "$run" --yes
    done
    audition 0 db stats --json
    is "$(dictionaries)" 0 "dictionaries left"
}

echo SQLite
life "$PWD/small.db" lite
if [ -n "${AUDITION_TEST_PG-}" ]; then
    echo PostgreSQL
    life "$AUDITION_TEST_PG" server
    echo "  a packed database is copied there"
    export AUDITION_DB=$PWD/copy.db
    audition 0 "${ask[@]}"
    audition 0 db vacuum
    facts before
    # shellcheck disable=SC2016 # expanded by the inner shell
    empty=$("$REPO/tests/pg.sh" sh -c 'echo "$AUDITION_TEST_PG"')
    audition 0 db copy "$empty"
    export AUDITION_DB="$empty"
    facts after
    cmp before after || fail "the copy says something else"
    echo "  bytes in the place of text are no text there"
    cp lite.audition bytes.audition
    sqlite3 bytes.audition "DELETE FROM seal; UPDATE run SET sealed = '', facts = '', digest = '';
        UPDATE model SET family = CAST(replace(hex(zeroblob(300000)), '0', 'A') AS BLOB)"
    "$AUDITION" restore bytes.audition >out 2>err || true # what matters: sanitizers find nothing
fi

echo "a run that is not finished stays as it is"
export AUDITION_DB=$PWD/part.db
audition 0 run suite.yaml -m player -q --detach
audition 0 db vacuum
audition 0 db stats --json
is "$(field "o ->> 'packed_calls'")" 0 "packed calls"

echo "calls whose words stand in the turns of a talk teach nothing"
export AUDITION_DB=$PWD/talk.db
mock talks --reply-bytes 3000
models models.yaml "$port"
dialogues talk.yaml 1 9
audition 0 run talk.yaml -m player --user script --judge critic -q
is "$(sql talk.db "SELECT count(*), sum(length(request) + length(response) = 0) FROM call")" "10|9" "calls and those without words"
audition 0 db vacuum
audition 0 verify latest
says out 'no differences'
audition 0 archive latest -o talk.audition
audition 1 archive latest -o nowhere/talk.audition
says err "archive: nowhere/talk.audition: "
audition 0 submit check talk.audition

# hostile SQL MESSAGE: an archive that was changed by hand is refused
hostile()
{
    cp lite.audition bad.audition
    sql bad.audition "DELETE FROM seal; UPDATE run SET sealed = '', facts = '', digest = ''; $1"
    rm -f none.db*
    audition 1 restore bad.audition --db "$PWD/none.db"
    says err "$2"
    audition 0 list --db "$PWD/none.db" --json
    is "$(field 'json_array_length(o)')" 0 "runs that came of it"
}

# frame TEXT: one that is made of TEXT in hexadecimal digits, less than 256 bytes, as it is
frame()
{
    local n=$((${#1} / 2))

    printf "X'28B52FFD20%02X%02X%02X00%s'" "$n" $((n * 8 % 256 + 1)) $((n * 8 / 256)) "$1"
}

one="UPDATE call SET dictionary = 0, packed = "
first="WHERE id = (SELECT MIN(id) FROM call WHERE packed IS NOT NULL)"
echo "made up: a terabyte, less than it says, no length, no zero between, two, no UTF-8"
hostile "$one X'28B52FFDE000000000000100000300004100' $first" "unpacks to more than"
hostile "$one X'28B52FFD20FF03000041' $first" damaged
hostile "$one X'28B52FFD0058030000410000' $first" damaged
hostile "$one $(frame 4142), plain = 2 $first" damaged
hostile "$one $(frame 41004200), plain = 4 $first" damaged
hostile "$one $(frame 4100FF), plain = 3 $first" damaged
hostile "$one $(frame 410042), plain = 9223372036854775807 $first" damaged
hostile "UPDATE dictionary SET bytes = zeroblob(2000000)" "missing or damaged"
hostile "DELETE FROM dictionary" "missing or damaged"
hostile "UPDATE dictionary SET bytes = X'00'" damaged
