#!/usr/bin/env bash
# Battles of conversations; dialogues under kills and faults; how much a dialogue stores.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

cp -R "$REPO/tests/fixtures/dialogue" fixtures
mock calm --reply-bytes 600
# shellcheck disable=SC2154 # mock() sets it
cat >models.yaml <<M
models:
  - {name: ann, base_url: "http://127.0.0.1:$port", model: chat-ann}
  - {name: bob, base_url: "http://127.0.0.1:$port", model: chat-bob}
  - {name: guest, base_url: "http://127.0.0.1:$port", model: chat-guest}
  - {name: critic, base_url: "http://127.0.0.1:$port", model: judge-pair}
M

echo "== a judge compares two transcripts of the same user"
sed '/^instrument:/,$d' fixtures/dialogue.yaml >fixtures/battle.yaml
cat >>fixtures/battle.yaml <<'Y'
instrument: {kind: pair, criteria: [stays in the role, moves the talk on], orders: both, ties: yes}
items:
  - {id: dusk, prompt: "A lock on a canal, after dark."}
  - {id: rain, prompt: "The same lock, in pouring rain."}
Y
audition 0 check fixtures/battle.yaml
audition 0 run fixtures/battle.yaml -m ann -m bob --user script --judge critic --db battle.db
is "$(sql battle.db "SELECT count(*) FROM verdict WHERE state = 'done'")" 4 "verdicts"
is "$(sql battle.db "SELECT count(*) FROM call WHERE request LIKE '%[2] Tom: Evening.%[2] Tom: Evening.%'")" 4 "both transcripts shown"
audition 0 report latest --db battle.db -o battle.html
audition 0 verify --db battle.db

echo "== fifty turns store no more than three times their transcript"
sed 's/turns: 8/turns: 50/' fixtures/dialogue.yaml >fixtures/long.yaml
audition 0 run fixtures/long.yaml -m ann --user guest --limit 1 --db long.db
is "$(sql long.db "SELECT count(*) FROM turn WHERE kind = 'answer'")" 50 "turns"
transcript=$(sql long.db "SELECT length(CAST(answer AS BLOB)) FROM sample")
stored=$(sql long.db "SELECT (SELECT sum(length(CAST(text AS BLOB)) + length(CAST(thinking AS BLOB)) + length(why) + length(quote)) FROM turn)
    + (SELECT sum(length(CAST(request AS BLOB)) + length(CAST(response AS BLOB)) + length(key) + length(url)) FROM call)
    + (SELECT sum(length(CAST(answer AS BLOB))) FROM sample)")
[ "$stored" -le $((3 * transcript)) ] || fail "$stored bytes for a transcript of $transcript"

echo "== killed again and again, with faults: nothing asked twice but what was in flight, and the same transcripts"
{ sed '/^  - {id: /d' fixtures/dialogue.yaml && for i in $(seq 24); do echo "  - {id: e$i, prompt: \"Evening $i at the lock.\"}"; done; } >fixtures/many.yaml
audition 0 run fixtures/many.yaml -m ann --user guest --db calm.db
mock rough --reply-bytes 600 --faults 0.1 --fault-kinds 500,cut,empty --latency 5
sed "s/127.0.0.1:[0-9]*/127.0.0.1:$port/" models.yaml >rough.yaml
for i in $(seq 8); do
    start "$AUDITION" run fixtures/many.yaml -m ann --user guest -c rough.yaml --db rough.db -q
    sleep "0.$((RANDOM % 6 + 2))"
    stop "$started" KILL
done
until timeout -k 5 120 "$AUDITION" run fixtures/many.yaml -m ann --user guest -c rough.yaml --db rough.db --retry-failed -q >out 2>err; do
    i=$((i + 1))
    [ "$i" -lt 60 ] || fail "the dialogues come to no end"
done
is "$(sql rough.db "SELECT count(*), sum(state = 'done') FROM sample")" "24|24" "dialogues"
is "$(sql rough.db "SELECT group_concat(answer, char(10)) FROM (SELECT answer FROM sample ORDER BY item)" | md5sum)" \
    "$(sql calm.db "SELECT group_concat(answer, char(10)) FROM (SELECT answer FROM sample ORDER BY item)" | md5sum)" "transcripts"
is "$(sql rough.db "SELECT count(*) - count(DISTINCT sample || ' ' || position) FROM turn")" 0 "turns twice"
audition 0 verify --db rough.db
