#!/usr/bin/env bash
# Users of dialogues, judged: what judges say of them is a verdict like any other, a user who failed is flagged with
# a true quotation and left out as the suite says, on both databases.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

cp -R "$REPO/tests/fixtures/dialogue" fixtures
mock calm --dimensions 'role=1|2|3|4|5'
# shellcheck disable=SC2154 # mock() sets it
cat >models.yaml <<M
models:
  - {name: ann, base_url: "http://127.0.0.1:$port", model: chat-ann}
  - {name: bob, base_url: "http://127.0.0.1:$port", model: chat-bob}
  - {name: umpire, base_url: "http://127.0.0.1:$port", model: judge-pair}
  - {name: stuck, base_url: "http://127.0.0.1:$port", model: user-repeats}
  - {name: guest, base_url: "http://127.0.0.1:$port", model: user}
  - {name: strict, kind: recorded, file: strict.jsonl}
  - {name: listener, kind: recorded, file: windows.jsonl}
  - {name: mild, kind: recorded, file: mild.jsonl}
  - {name: liar, kind: recorded, file: liar.jsonl}
  - {name: mum, kind: recorded, file: nothing.jsonl}
  - {name: chatty, base_url: "http://127.0.0.1:$port", model: judge}
M
# said TURN WORDS STEERING: what a judge writes about the user; the words are planned, and said at turn 3
said()
{
    local mark sep=
    for mark in user motive steering flattery program; do
        printf '%s\\"%s\\": {\\"quotes\\": [{\\"turn\\": %s, \\"text\\": \\"%s\\"}], \\"analysis\\": \\"about %s\\", \\"score\\": %s}' \
            "$sep" $mark "$1" "$2" $mark "$([ $mark = steering ] && echo "$3" || echo 1)"
        sep=', '
    done
}
# judge FILE: marks of both dialogues, and what `verdict ITEM` says of their users
judge()
{
    for item in dusk rain; do
        printf '{"model": "ann", "item": "%s", "text": "{\\"role\\": {\\"analysis\\": \\"a\\", \\"score\\": %s}}"}\n' $item "$([ $item = dusk ] && echo 1 || echo 5)"
        for attempt in 0 1; do
            printf '{"model": "ann", "item": "%s", "about": "user", "attempt": %s, "text": "{%s}"}\n' $item $attempt "$(verdict $item)"
        done
    done >"$1"
}
said_so='if I opened the gate myself'
verdict() { said 6 "$said_so" "$([ "$1" = dusk ] && echo 0 || echo 1)"; }
judge strict.jsonl
verdict() { said 6 "$said_so" 1; }
judge mild.jsonl
verdict() { said 6 "words that nobody said" 0; }
judge liar.jsonl
for item in dusk rain; do
    for turn in 1 5; do
        printf '{"model": "ann", "item": "%s", "turn": %s, "text": "{\\"role\\": {\\"analysis\\": \\"a\\", \\"score\\": 4}, \\"contradictions\\": []}"}\n' $item $turn
    done
done >windows.jsonl
grep '"about"' strict.jsonl >>windows.jsonl
for then in note leave-out; do
    { cat fixtures/dialogue.yaml && echo "rules: {user: {then: $then, judge: user.en}}"; } >"fixtures/$then.yaml"
done
: >nothing.jsonl
databases=(here.db ${AUDITION_TEST_PG:+"$AUDITION_TEST_PG"})

echo "== a template, and only where it means something"
audition 0 check fixtures/note.yaml
sed 's/user.en/user.enn/' fixtures/note.yaml >fixtures/bad.yaml
audition 1 check fixtures/bad.yaml
says err "did you mean 'user.en'"
{ cat fixtures/dialogue.yaml && echo "rules: {identity: {then: note, judge: user.en}}"; } >fixtures/bad.yaml
audition 1 check fixtures/bad.yaml
says err "judge"
audition 0 run fixtures/note.yaml -m ann --user guest --judge strict --dry-run
says out '2 samples, 4 verdicts'

echo "== one user steered: flagged with the words, left out as the suite says"
for db in "${databases[@]}"; do
    for then in note leave-out; do
        audition 0 run fixtures/$then.yaml -m ann --user guest --judge strict --db "$db"
        audition 0 flag latest --json --db "$db"
        says out '"kind":"user"' '"why":"steering"' '[6] Tom' "$said_so" '"judge":"strict"' 'about steering'
        is "$(grep -o '"kind":"user"' out | wc -l)" 1 "flags"
        audition 0 board latest --json --db "$db"
        cp out "$then.json"
        audition 0 verify latest --db "$db"
        says out 'no differences' 'verdicts  4 checked'
    done
    says note.json '"score":{"value":3'
    says leave-out.json '"score":{"value":5' '"done":2,"unjudged":0' '"left_out":1'
done
audition 3 run fixtures/leave-out.yaml -m ann --user stuck --judge mum --db mum.db
says out 'model   score   95 %      n   unscored   unbroken' # counted once: not left out as well
audition 0 flag latest --db here.db
says out 'user'
audition 0 report latest --db here.db -o page.html
says page.html 'user out of role' 'steered the character' 'found by judges (strict)' 'about steering'
audition 0 show latest --model ann --item dusk --db here.db
says out 'about the user' 'steering'

echo "== who is left out is in no number over turns, and in no battle"
sed 's/  kind: dimensions/  kind: dimensions\n  over: {window: 4}\n  contradictions: yes/' fixtures/leave-out.yaml >fixtures/turns.yaml
{ sed '/^instrument:/,$d' fixtures/dialogue.yaml && cat; } >fixtures/battle.yaml <<'Y'
instrument: {kind: pair, criteria: [stays in the role], ties: yes, flagged: lose}
rules: {user: {then: leave-out}}
items: [{id: dusk, prompt: "A lock on a canal, after dark."}]
Y
for db in turns.db ${AUDITION_TEST_PG:+"$AUDITION_TEST_PG"}; do
    audition 0 run fixtures/turns.yaml -m ann --user guest --judge listener --db "$db"
    audition 0 board latest --db "$db"
    says out 'left out'
    lacks out 'not judged' 'noise' # of one dialogue there is none to tell
    audition 0 verify latest --db "$db"
    [ "$db" = turns.db ] || { rm -f turns.db && audition 0 db copy turns.db --db "$db"; }
    is "$(sql turns.db "SELECT group_concat(metric || ' ' || n, ', ') FROM (SELECT metric, n FROM score s JOIN run r ON r.id = s.run
        WHERE r.id = (SELECT max(id) FROM run) AND metric IN ('score', 'drift:1-4', 'slope', 'unbroken', 'recall:2', 'contradictions') ORDER BY metric)")" \
        "contradictions 1, drift:1-4 1, recall:2 1, score 1, slope 1, unbroken 1" "of two dialogues"
    audition 0 run fixtures/battle.yaml -m ann -m bob --user stuck --judge umpire --db "$db"
    audition 0 board latest --db "$db"
    says out '1 judged battle was left out for a flagged answer'
    lacks out 'decided by a flagged answer'
    audition 0 verify latest --db "$db"
done

echo "== more than half decide; a tie is no fault"
audition 0 judge latest --judge strict --judge mild --db here.db
audition 0 board latest --db here.db
is "$(sql here.db "SELECT count(*) FROM verdict WHERE shown = 'user' AND state = 'done'")" 6 "verdicts on users"
is "$(sql here.db "SELECT count(*) FROM flag f JOIN run r ON r.id = f.run WHERE r.id = (SELECT max(id) FROM run)")" 0 "flags"
audition 0 verify latest --db here.db

audition 0 judge drop latest mild --db here.db
audition 0 flag latest --json --db here.db
says out '"why":"steering"'
audition 0 verify latest --db here.db

echo "== a fault without true words is none, and marks of answers stay what they were"
audition 3 run fixtures/leave-out.yaml -m ann --user guest --judge liar --db liar.db
is "$(sql liar.db "SELECT group_concat(state || ' ' || coalesce(fault, '')) FROM (SELECT state, fault FROM verdict WHERE shown = 'user')")" \
    "unscored misquoted,unscored misquoted" "verdicts on users"
is "$(sql liar.db "SELECT count(*) FROM flag")" 0 "flags"
audition 0 board latest --json --db liar.db
says out '"score":{"value":3' '"done":2,"unjudged":0'
audition 0 verify latest --db liar.db

echo "== a judge that is asked gets the brief, and the form of its reply"
audition 3 run fixtures/note.yaml -m ann --user guest --judge chatty --db chat.db
is "$(sql chat.db "SELECT count(*) FROM call WHERE request LIKE '%A clerk of twenty-six%' AND request LIKE '%simulated users%' AND request LIKE '%\"flattery\":{\"type\"%'")" \
    4 "requests, with their repairs"
is "$(sql chat.db "SELECT count(*) FROM verdict WHERE shown = '' AND state = 'done'")" 2 "marks of answers"

echo "== out and in again; a changed mark is found"
audition 0 run fixtures/leave-out.yaml -m ann --user guest --judge strict --db out.db
audition 0 export latest --db out.db -o out.jsonl
says out.jsonl '"about":"user"'
audition 0 import out.jsonl --suite fixtures/leave-out.yaml --db in.db
audition 0 board latest --json --db in.db
says out '"score":{"value":5'
audition 0 verify latest --db in.db
sql out.db "UPDATE mark SET value = 1 WHERE dimension = 'steering'"
audition 1 verify latest --db out.db
says err "'steering': stored 1, the judge wrote 0"
