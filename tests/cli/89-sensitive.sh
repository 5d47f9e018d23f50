#!/usr/bin/env bash
# sensitive: yes keeps items and answers out of pages, exports and transcripts unless asked for.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

answer="I oiled the lamp twice tonight"
audition 0 init . --language en
sed -i 's/"text": "[^"]*/&. '"$answer"'/' replies/understudy.jsonl
prompt=$(audition 0 run suites/first.yaml -m understudy --judge prompter -q --db open.db &&
    sqlite3 open.db "SELECT json_extract(body, '\$.prompt') FROM item LIMIT 1")
sed -i 's/^language:.*/&\nsensitive: yes/' suites/first.yaml
audition 0 check suites/first.yaml
audition 0 run suites/first.yaml -m understudy --judge prompter -q
is "$(sql audition.db "SELECT count(*) FROM sample WHERE answer LIKE '%$answer%'")" 5 "answers in the store"

echo "a suite that is not sensitive shows everything"
audition 0 report latest -o open.html --db open.db
says open.html "$answer"
audition 0 export latest --db open.db
says out "$answer"

echo "a sensitive one shows numbers"
for form in html md json csv txt; do
    audition 0 report latest -o "r.$form"
    lacks "r.$form" "$answer"
    lacks "r.$form" "$prompt"
    says "r.$form" understudy
done
says r.html "This suite is sensitive"
says r.md "This suite is sensitive"
says r.json '"withheld":true'
audition 0 report latest --json
says err "--sensitive"
lacks out "$answer"
audition 0 board --json
lacks out "$answer"
audition 2 export latest
says err "suite first is sensitive"
[ ! -s out ] || fail "something was exported"
audition 2 export latest -o answers.jsonl
[ ! -e answers.jsonl ] || fail "a file was written"
audition 2 show latest
lacks out "$answer"
audition 2 flag latest

echo "unless asked for"
audition 0 report latest -o asked.html --sensitive
says asked.html "$answer"
lacks asked.html "This suite is sensitive"
audition 0 export latest --sensitive
says out "$answer"
audition 0 show latest --sensitive
says out "$answer"
audition 0 flag latest --sensitive
audition 0 verify

echo passed
