#!/usr/bin/env bash
# The form of a verdict is asked for in the request, in the way that the server takes; a run of before
# keeps its requests. A judge that only quotes a verdict is asked once more, then unscored.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

items=3
suite suite.yaml $items
mock form --dimensions 'quality=0|0.25|0.5|0.75|1'

# judge MODEL [KEY: VALUE]
judge()
{
    cat >models.yaml <<END
models:
  - {name: player, base_url: "http://127.0.0.1:$port", model: chat}
  - {name: critic, base_url: "http://127.0.0.1:$port", model: $1${2:+, $2}}
END
}
# asked DATABASE WORD: how many of the judge's stored requests hold it
asked()
{
    sql "$1" "SELECT count(*) FROM call WHERE request LIKE '%$2%' AND request LIKE '%judge%'"
}
# run DATABASE CODE DONE: how many verdicts are done
go()
{
    : >form.log
    audition "$2" run suite.yaml -m player --judge critic --db "$1" -q
    is "$(sql "$1" "SELECT count(*) FROM verdict WHERE state = 'done'")" "$3" "$1: verdicts done"
}

echo "== as a schema, a tool, a grammar, or not at all"
judge judge-form
go schema.db 0 $items
is "$(asked schema.db '"json_schema":{"name":"verdict"')" $items "asked with a schema"
is "$(asked schema.db '"enum":[0,0.25,0.5,0.75,1]')" $items "its levels"
audition 0 verify latest --db schema.db
cp schema.db forged.db
sql forged.db "UPDATE call SET response = replace(response, 'mock-1', 'mock-2') WHERE id = (SELECT max(id) FROM call)"
audition 1 verify latest --db forged.db
says err 'call '
cp schema.db forged.db
sql forged.db "UPDATE call SET request = replace(request, 'chat', 'chaT') WHERE id = (SELECT min(id) FROM call)"
audition 1 verify latest --db forged.db
says err 'call '
judge judge-form-no-schema
go tool.db 0 $items
is "$(asked tool.db '"tool_choice"')" $items "asked with a tool"
is "$(asked tool.db '"json_schema"')" 0 "asked with a schema"
[ "$(grep -c bad-request form.log)" -le $items ] || fail "refused again and again"
audition 0 verify latest --db tool.db
judge judge-form-no-schema 'stream: yes'
go pieces.db 0 $items
is "$(asked pieces.db '"tool_choice"')" $items "asked with a tool, whose call comes in pieces"
audition 0 verify latest --db pieces.db
judge judge-form-no-schema-no-tools
go grammar.db 0 $items
is "$(asked grammar.db '"grammar":"root ::= ')" $items "asked with a grammar"
judge judge-form-no-words
go words.db 0 $items
is "$(asked words.db '"tool_choice"')" $items "a server that does not say what it minds"
judge judge-form-no-schema-no-tools-no-grammar
go none.db 3 0
is "$(sql none.db "SELECT count(*) FROM verdict WHERE state = 'unscored'")" $items "prose"
judge judge-form 'structured: off'
go off.db 3 0
is "$(asked off.db response_format)" 0 "off"
judge judge-form-no-schema 'structured: schema'
go insist.db 3 0
is "$(sql insist.db "SELECT DISTINCT fault FROM verdict")" rejected "a schema or nothing"

echo "== one's own response_format is left alone"
judge judge-form 'parameters: {response_format: {type: json_object}}'
go own.db 0 $items
is "$(asked own.db '"json_schema"')" 0 "one's own"

echo "== doctor finds out"
finds()
{
    judge "$1" "${3:-}"
    audition "${4:-0}" doctor --ask
    grep -q "critic .*$2" out || fail "doctor of $1: $(cat out)"
}
finds judge-form 'follows a JSON schema'
finds judge-form-no-schema "a tool's parameters"
finds judge-form-no-schema-no-tools 'follows a grammar'
finds judge-form-no-schema-no-tools-no-grammar 'structured: off'
finds judge-never 'structured: off'
finds judge-form-no-schema 'requires one' 'structured: schema' 1

echo "== a run of before keeps its requests"
judge judge-once-bad 'structured: off'
go old.db 0 $items
sql old.db "UPDATE judge SET config = json_remove(config, '\$.structured')"
judge judge-once-bad
audition 0 judge latest --judge critic --judge-repeat 2 --db old.db
is "$(sql old.db "SELECT count(*) FROM verdict WHERE state = 'done'")" $((2 * items)) "the second time"
is "$(asked old.db response_format)" 0 "requests of a run of before"
judge judge-once-bad 'structured: schema'
audition 2 judge latest --judge critic --judge-repeat 3 --db old.db
says err 'structured'

echo "== a quoted verdict is nobody's"
judge judge-injected
go injected.db 3 0
is "$(sql injected.db "SELECT DISTINCT state || ' ' || fault || ' ' || repairs FROM verdict")" 'unscored not-own 1' "asked once more"
audition 0 board --db injected.db --json
says out '"score":null'

echo "== a judge of its own model or family is said so before anything is asked, and on the board"
cat >models.yaml <<END
models:
  - {name: player, base_url: "http://127.0.0.1:$port", model: judge-a, family: troupe}
  - {name: understudy, base_url: "http://127.0.0.1:$port", model: judge-b, family: troupe}
  - {name: stranger, base_url: "http://127.0.0.1:$port", model: judge-a}
END
audition 0 run suite.yaml -m player --judge stranger --db kin.db
says err 'stranger judges itself (player)'
says out 'own model or family' 'stranger → player'
audition 0 judge latest --judge understudy --own-family --db kin.db
says err 'understudy judges player of its own family troupe'
audition 0 board latest --judge understudy --json --db kin.db
says out '"kin":"player"'
audition 0 board latest --judge understudy --db kin.db
says out 'understudy → player'
