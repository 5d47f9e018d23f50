#!/bin/sh
# board, report, list and show on a small recorded run.
set -eu

fail() { echo "FAIL: $*"; exit 1; }
has() { grep -qF -- "$2" "$1" || { cat "$1"; fail "$1 does not hold: $2"; }; }
status() { want=$1; shift; got=0; "$@" >out 2>err || got=$?; [ "$got" = "$want" ] || { cat out err; fail "$* ended with $got, not $want"; }; }

status 1 "$AUDITION" board
has err "audition.db"
"$AUDITION" init . --language en >/dev/null
# A hostile answer: terminal escapes, HTML and a bidi override must not get through.
printf '%s\n' '{"item": "plank", "text": "\u001b[2Jboo <script>alert(1)</script> \u202Etxt"}' >more.jsonl
grep -v plank replies/understudy.jsonl >>more.jsonl
mv more.jsonl replies/understudy.jsonl
status 0 "$AUDITION" run suites/first.yaml -m understudy --judge prompter -q

status 0 "$AUDITION" list
has out first; has out understudy; has out 5/5
status 0 "$AUDITION" list --json
has out '"models":["understudy"]'
run=$(sed 's/.*"run":"\([0-9a-f]*\)".*/\1/' out)

status 0 "$AUDITION" board
has out "7.50"
status 0 "$AUDITION" board "$run" latest --json
[ "$(sqlite3 :memory: "SELECT json_array_length(CAST(readfile('out') AS TEXT))")" = 2 ] ||
    fail "board --json of two runs is not a list"
status 0 "$AUDITION" board --fail-under 7.5
status 100 "$AUDITION" board --fail-under 7.51
status 1 "$AUDITION" board feed

for form in html md json csv txt; do
    status 0 "$AUDITION" report "$run" -o "r.$form"
    has err "wrote r.$form ("
    [ -s "r.$form" ] || fail "r.$form is empty"
done
has r.html "&lt;script&gt;"
! grep -qF "<script>alert" r.html || fail "markup of a model got into the page"
status 2 "$AUDITION" report "$run" -o r.pdf
has err ".html, .md, .json, .csv or .txt"
status 0 "$AUDITION" report "$run"
has out "7.50"

# Scores are brought up to date by whoever reads them; a database that cannot be written is shown all
# the same when they are.
sqlite3 audition.db "UPDATE run SET stale = 1"
status 0 "$AUDITION" board
[ "$(sqlite3 audition.db 'SELECT stale FROM run')" = 0 ] || fail "still stale"

status 0 "$AUDITION" show "$run" --item plank
has out "boo <script>"
! grep -q "$(printf '\033')" out || fail "an escape reached the terminal"
has out "in-role = 0.75"
status 0 "$AUDITION" show --item plank --json
has out '\u001B[2Jboo'
status 0 "$AUDITION" show --limit 2
has err "3 more samples"
verdict=$(sqlite3 audition.db "SELECT v.id FROM verdict v JOIN sample s ON s.id = v.sample JOIN item i ON i.id = s.item WHERE i.name = 'sea'")
status 0 "$AUDITION" show --verdict "$verdict" --raw
has out "You must love the sea"
has out "the judge's words"
status 1 "$AUDITION" show --verdict 999
status 1 "$AUDITION" show --model nobody
