#!/bin/sh
# init writes projects that work; doctor says what does not.
set -eu

fail() { echo "FAIL: $*"; exit 1; }
has() { grep -qF -- "$2" "$1" || { cat "$1"; fail "$1 does not hold: $2"; }; }
status() { want=$1; shift; got=0; "$@" >out 2>err || got=$?; [ "$got" = "$want" ] || { cat out err; fail "$* ended with $got, not $want"; }; }

for language in en zh ja; do
    status 0 "$AUDITION" init "$language" --language "$language"
    (
        cd "$language"
        status 0 "$AUDITION" check suites/first.yaml
        ! grep -q warning out err || { cat out err; fail "$language: the suite has warnings"; }
        status 0 "$AUDITION" doctor
        has out "will be made by the first run"
        [ ! -e audition.db ] || fail "doctor made a database"
        status 0 "$AUDITION" run suites/first.yaml -m understudy --judge prompter -q
        status 0 "$AUDITION" board --fail-under 7.5
        has README.txt "audition run suites/first.yaml"
    )
done
cmp -s en/suites/first.yaml ja/suites/first.yaml && fail "every language got the same suite"

rm en/README.txt
status 1 "$AUDITION" init en --language en
has err "is in the way; nothing was written"
[ ! -e en/README.txt ] || fail "something was written"
status 2 "$AUDITION" init xx --language tlh
[ ! -e xx ] || fail "a folder was made"
LC_ALL=ja_JP.UTF-8 "$AUDITION" init from-lang >/dev/null
cmp from-lang/suites/first.yaml ja/suites/first.yaml || fail "LC_ALL was not looked at"

# Something is wrong with each of these.
cd en
cat >>models.yaml <<'Y'
  - {name: gone, kind: chat, base_url: "http://127.0.0.1:9", key: none}
  - {name: keyless, base_url: "http://127.0.0.1:9", key: DOCTOR_TEST_KEY}
Y
status 1 "$AUDITION" doctor
has out "ok    database"
has out "ok    schema"
has out "ok    understudy"
grep -q '^fail  gone .*http://127.0.0.1:9' out || { cat out; fail "nobody listens there"; }
grep -q '^fail  keyless .*DOCTOR_TEST_KEY is not set' out || { cat out; fail "the key is not set"; }
DOCTOR_TEST_KEY=sesame-open status 1 "$AUDITION" doctor --json
! grep -q sesame out err || fail "a key was shown"
has out '"status":"fail"'
printf 'models: [{nam: x}]\n' >models.yaml
status 1 "$AUDITION" doctor
has out "fail  models"
status 1 "$AUDITION" doctor --db /nowhere/at/all.db
has out "fail  database"
