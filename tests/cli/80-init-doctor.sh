#!/usr/bin/env bash
# init writes projects that work; doctor says what does not.
set -eu

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

for language in en zh ja; do
    status 0 "$AUDITION" init "$language" --language "$language"
    says out "$(realpath "$AUDITION") check suites/first.yaml"
    (
        cd "$language"
        status 0 "$AUDITION" check suites/first.yaml
        ! grep -q warning out err || { cat out err; fail "$language: the suite has warnings"; }
        status 0 "$AUDITION" doctor
        says out "will be created by the first run"
        [ ! -e audition.db ] || fail "doctor made a database"
        status 0 "$AUDITION" run suites/first.yaml -m understudy --judge prompter -q
        status 0 "$AUDITION" board --fail-under 7.5
        says README.txt "audition run suites/first.yaml"
    )
done
cmp -s en/suites/first.yaml ja/suites/first.yaml && fail "every language got the same suite"

rm en/README.txt
status 1 "$AUDITION" init en --language en
says err "already exists; nothing was written"
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
says out "ok    database"
says out "ok    schema"
says out "ok    understudy"
grep -q '^fail  gone .*http://127.0.0.1:9' out || { cat out; fail "nobody listens there"; }
status 1 "$AUDITION" doctor --language zh
says out '连接被拒绝' '服务在运行吗'
status 1 "$AUDITION" doctor
grep -q '^fail  keyless .*the key is not set; put DOCTOR_TEST_KEY' out || { cat out; fail "the key is not set"; }
DOCTOR_TEST_KEY=sesame-open status 1 "$AUDITION" doctor --json
! grep -q sesame out err || fail "a key was shown"
says out '"status":"fail"'
printf 'models: [{nam: x}]\n' >models.yaml
status 1 "$AUDITION" doctor
says out "fail  models"
status 1 "$AUDITION" doctor --db /nowhere/at/all.db
says out "fail  database"

echo "the whole database, and one that is damaged"
status 0 "$AUDITION" init deep --language en
cd deep
status 0 "$AUDITION" run suites/first.yaml -m understudy --judge prompter -q
status 0 "$AUDITION" doctor --deep
says out "everything can be read"
# The last page: opening the database does not look at it.
page=8192
dd if=/dev/urandom of=audition.db bs=$page seek=$(($(wc -c <audition.db) / page - 1)) count=1 conv=notrunc 2>/dev/null
status 1 "$AUDITION" doctor --deep
says out "fail  integrity"
