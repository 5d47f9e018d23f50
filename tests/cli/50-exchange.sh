#!/usr/bin/env bash
# export and import: there and back, all or nothing.
set -eu

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

count() { sqlite3 "$1" "SELECT count(*) FROM $2"; }

"$AUDITION" init . --language ja >/dev/null
status 0 "$AUDITION" run suites/first.yaml -m understudy --judge prompter -q

status 0 "$AUDITION" export latest -o all.jsonl
says err "wrote all.jsonl"
[ "$(wc -l <all.jsonl)" = 10 ] || fail "expected 10 lines"
status 0 "$AUDITION" export latest --what samples
[ "$(grep -c '"kind":"sample"' out)" = 5 ] || fail "expected 5 samples"
! grep -q '"kind":"verdict"' out || fail "no verdict was asked for"
status 2 "$AUDITION" export latest --what battles
says err "has no battles"
status 2 "$AUDITION" export latest --what nothing

# Whoever reads only the beginning is no fault. (More than a pipe holds, so that it is noticed.)
sqlite3 audition.db "UPDATE sample SET thinking = hex(zeroblob(100000))"
{ "$AUDITION" export latest --what samples 2>err; echo $? >code; } | head -c 1 >/dev/null
is "$(cat code)$(cat err)" 0 "a reader who leaves"
sqlite3 audition.db "UPDATE sample SET thinking = ''"

# A new run elsewhere, from the suite and the file; a second time there is nothing to do.
status 0 "$AUDITION" import all.jsonl --suite suites/first.yaml --db other.db
says out "$AUDITION board" ' --db other.db'
says out "5 samples and 5 verdicts imported"
status 0 "$AUDITION" import all.jsonl --suite suites/first.yaml --db other.db -c mine.yaml
says out "10 already present" " --judge JUDGE -c mine.yaml --db other.db"
[ "$(count other.db run)" = 1 ] || fail "the same import made a second run"
status 0 "$AUDITION" export latest --db other.db -o back.jsonl
sed 's/"run":"[^"]*",//' all.jsonl >a
sed 's/"run":"[^"]*",//' back.jsonl >b
cmp a b || fail "what came back differs"
status 0 "$AUDITION" verify latest --db other.db
status 0 "$AUDITION" board --db other.db
says out "7.50"
# Judging again asks nobody on behalf of what was imported, even when its file is gone.
rm all.jsonl
status 0 "$AUDITION" judge latest --judge prompter --db other.db -q

# Another model for the run that is there, as a list, without its name and without repeats.
printf '[{"item": "fog", "output": "だめ。"},\n {"item": "fog", "output": "今夜は、だめ。"}]' >more.json
status 1 "$AUDITION" import more.json latest
says err 'more.json: entry 1: expected "model"'
status 0 "$AUDITION" import more.json latest --model guest
says out "2 samples and 0 verdicts imported"
says out "answers are missing"
[ "$(sqlite3 audition.db "SELECT group_concat(s.repeat) FROM sample s JOIN model m ON m.id = s.model WHERE m.name = 'guest' AND s.state = 'done'")" = 0,1 ] ||
    fail "repeats were not counted"

# One bad line, and nothing is imported.
before=$(count audition.db sample)
printf '%s\n' '{"model": "late", "item": "fog", "answer": "x"}' '{"model": "late", "item": "mist", "answer": "x"}' >bad.jsonl
status 1 "$AUDITION" import bad.jsonl latest
says err "bad.jsonl:2: the run has no item 'mist'"
[ "$(count audition.db sample)" = "$before" ] || fail "half of a file was imported"
status 1 "$AUDITION" import bad.jsonl --suite suites/first.yaml --db third.db
[ "$(count third.db run)" = 0 ] || fail "a run was left behind"

printf '%s\n' '{"model": "late", "item": "fog", "answer": ""}' >bad.jsonl
status 1 "$AUDITION" import bad.jsonl latest
says err 'bad.jsonl:1: expected "answer"' '"state": "failed"'
printf '%s\n' '{"model": "late", "item": "fog", "answer": "x"}' '{late}' >bad.jsonl
status 1 "$AUDITION" import bad.jsonl latest
says err 'audition import: bad.jsonl:2: column 2: expected a name in double quotes'

printf '%s\n' '{"judge": "kay", "model": "understudy", "item": "fog", "marks": {"in-role": 0.3}}' >bad.jsonl
status 1 "$AUDITION" import bad.jsonl latest
says err "bad.jsonl:1:"
says err "0.3 is not one of 0, 0.25, 0.5, 0.75, 1"
printf '%s\n' '{"model": "understudy", "item": "fog", "answer": "another"}' >bad.jsonl
status 1 "$AUDITION" import bad.jsonl latest
says err "the run has a different answer by 'understudy'"

# A person's verdicts stand beside the judge's, and do not mix with them.
printf '%s\n' '{"judge": "kay", "model": "understudy", "item": "fog", "marks": {"in-role": 1}}' >kay.jsonl
status 0 "$AUDITION" import kay.jsonl latest
status 0 "$AUDITION" board
says out "7.50"
says out "kay"
status 0 "$AUDITION" board --judge kay
says out "judge kay"
says out "10.00"
status 2 "$AUDITION" import kay.jsonl

echo "a score of some of the answers says that the others are not there yet"
printf '%s\n' '{"item": "fog", "answer": "x"}' >some.jsonl
status 0 "$AUDITION" import some.jsonl --suite suites/first.yaml --model some --db some.db
printf '%s\n' '{"judge": "kay", "model": "some", "item": "fog", "marks": {"in-role": 1}}' >some.jsonl
status 0 "$AUDITION" import some.jsonl latest --db some.db
status 0 "$AUDITION" board --db some.db
says out '10.00' '4 answers not there yet: the run is unfinished'
status 0 "$AUDITION" report latest -o some.md --db some.db
says some.md '不足している回答：4 件'
