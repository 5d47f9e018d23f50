#!/usr/bin/env bash
# board, report, list and show on a small recorded run.
set -eu

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

status 1 "$AUDITION" board
says err "audition.db"
"$AUDITION" init . --language en >/dev/null
# A hostile answer: terminal escapes, HTML and a bidi override must not get through.
printf '%s\n' '{"item": "plank", "text": "\u001b[2Jboo <script>alert(1)</script> \u202Etxt"}' >more.jsonl
grep -v plank replies/understudy.jsonl >>more.jsonl
mv more.jsonl replies/understudy.jsonl
status 0 "$AUDITION" run suites/first.yaml -m understudy --judge prompter -q

status 0 "$AUDITION" list
says out first; says out understudy; says out 5/5
status 0 "$AUDITION" list --json
says out '"models":["understudy"]'
run=$(sed 's/.*"run":"\([0-9a-f]*\)".*/\1/' out)

status 0 "$AUDITION" board
says out "7.50"
status 0 "$AUDITION" board "$run" latest --json
[ "$(sqlite3 :memory: "SELECT json_extract(CAST(readfile('out') AS TEXT), '$.suites[0].runs')")" = "$run" ] ||
    fail "a run that is named twice counts twice"
status 0 "$AUDITION" board --fail-under 7.5
status 100 "$AUDITION" board --fail-under 7.51
says err "is below 7.51"
status 1 "$AUDITION" board feed

for form in html md json csv txt; do
    status 0 "$AUDITION" report "$run" -o "r.$form"
    says err "wrote r.$form ("
    [ -s "r.$form" ] || fail "r.$form is empty"
done
says r.html "&lt;script&gt;"
! grep -qF "<script>alert" r.html || fail "markup of a model got into the page"
status 2 "$AUDITION" report "$run" -o r.doc
says err ".html, .pdf, .png, .md, .json, .csv or .txt"
status 0 "$AUDITION" report "$run"
says out "7.50"

# Scores are brought up to date by whoever reads them; a database that cannot be written is shown all
# the same when they are.
sqlite3 audition.db "UPDATE run SET stale = 1"
status 0 "$AUDITION" board
[ "$(sqlite3 audition.db 'SELECT stale FROM run')" = 0 ] || fail "still stale"

status 0 "$AUDITION" show "$run" --item plank
says out "boo <script>"
! grep -q "$(printf '\033')" out || fail "an escape reached the terminal"
says out "(in-role) = 0.75"
status 0 "$AUDITION" show --item plank --json
says out '\u001B[2Jboo'
status 0 "$AUDITION" show --limit 2
says err "3 more samples"
"$AUDITION" show --limit 2 >both 2>&1
tail -n 1 both >last
says last "3 more samples"
verdict=$(sqlite3 audition.db "SELECT v.id FROM verdict v JOIN sample s ON s.id = v.sample JOIN item i ON i.id = s.item WHERE i.name = 'sea'")
status 0 "$AUDITION" show --verdict "$verdict" --raw
says out "You must love the sea"
says out "the judge's words"
status 1 "$AUDITION" show --verdict 999
status 1 "$AUDITION" show --model nobody
says err "has no model 'nobody'; \`audition board "
status 1 "$AUDITION" show --item nothing
says err "has no item 'nothing'; \`audition export "

# charts: well-formed, with a title on the axis, from the table that is also written as data
for kind in leaderboard dimensions items distribution; do
    status 0 "$AUDITION" chart "$kind" -o chart.svg
    says err "wrote chart.svg"
    python3 -c 'import sys, xml.dom.minidom as x; sys.exit(x.parse("chart.svg").documentElement.tagName != "svg")' ||
        fail "chart $kind is not well-formed"
    says chart.svg understudy 'class="tick'
    for form in md csv json; do
        status 0 "$AUDITION" chart "$kind" -o "chart.$form"
        says "chart.$form" understudy
    done
done
says chart.json '"model":"understudy"'
status 0 "$AUDITION" chart items
says out plank
! grep -qF '<script>alert' chart.svg || fail "markup of a suite got into the chart"
status 2 "$AUDITION" chart pie -o chart.svg
says err "available: leaderboard, dimensions, items, distribution"
status 2 "$AUDITION" chart items -o chart.gif
says err ".svg, .png, .md, .csv or .json"
