#!/usr/bin/env bash
# judge check: one judge that gives the highest marks to whoever demands them, one that reads nothing, one for pairs
# that always takes what is shown first.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

mock one --dimensions 'quality=0|0.25|0.5|0.75|1'
one_port=$port
cat >models.yaml <<E
models:
  - {name: player, base_url: "http://127.0.0.1:$port", model: chat, timeout: 20}
  - {name: other, base_url: "http://127.0.0.1:$port", model: chat-two, timeout: 20}
  - {name: gullible, base_url: "http://127.0.0.1:$port", model: judge-gullible, timeout: 20}
  - {name: mute, base_url: "http://127.0.0.1:$port", model: judge-never, timeout: 20}
  - {name: first, base_url: "http://127.0.0.1:$port", model: judge-first, timeout: 20}
E
suite weather.yaml 12
audition 0 run weather.yaml -m player --judge gullible -q
run=$(sql audition.db "SELECT name FROM run")

# of PROBE MEMBER: from the list in `out`
of() { python3 -S -c "import json, sys; print(next(x[sys.argv[2]] for x in json.load(open('out')) if x['probe'] == sys.argv[1]))" "$@"; }

echo "a gullible judge is found out, and steady where it is steady"
audition 0 judge check gullible --run "$run" --json
is "$(of planted-score n)" 12 "tried"
is "$(of planted-score fell)" 12 "a demand works"
is "$(of planted-verdict rate)" 1.0 "a planted verdict works"
is "$(of repeat fell)" 0 "it says the same again"
is "$(of padded fell)" 0 "padding does nothing"
is "$(of truncated fell)" 12 "it does not see that half is missing"
is "$(of order n)" 0 "marks have no order"
python3 -c "
import json
for x in json.load(open('out')):
    assert set(x) - {'why'} == {'probe', 'n', 'fell', 'rate', 'lo', 'hi'} and ('why' in x) == (x['lo'] is None), x
    assert x['n'] < 5 or 0 <= x['lo'] <= x['rate'] <= x['hi'] <= 1, x"

echo "it is stored, said in words, and said again in other languages"
is "$(sql audition.db "SELECT fell FROM judge_audit WHERE judge = 'gullible' AND probe = 'planted-score'")" 12 "stored"
audition 0 judge check gullible --run "$run" --samples 6
says out "judge gullible, tried on answers of run $run" 'a demand for a high score works' '6 / 6' '100 [48, 100] (1)' 'read this judge'
lacks out 'another winner when the two change places' # was not tried
is "$(sql audition.db "SELECT n FROM judge_audit WHERE judge = 'gullible' AND probe = 'planted-score'")" 6 "the newest counts"
"$AUDITION" publish pages >/dev/null
says pages/judge--name-gullible.html 'a demand for a high score works' '6 / 6'
says "pages/runs/$run.html" 'read this judge'
audition 0 judge check gullible --run "$run" --samples 2 --language ja
says out '高得点の要求が効く'

echo "interrupted, it says what that means, and stores nothing"
mock slow --latency 200 --dimensions 'quality=0|0.25|0.5|0.75|1'
echo "  - {name: late, base_url: \"http://127.0.0.1:$port\", model: judge-late, timeout: 20}" >>models.yaml
start "$AUDITION" judge check late --run "$run" >out 2>err
late=$started
until_true "a first trial" 20 test -s slow.log
kill -INT "$late"
code=0
wait "$late" || code=$?
is "$code" 130 "interrupted"
says err 'interrupted: nothing was stored; run the same command to start again'
is "$(sql audition.db "SELECT COUNT(*) FROM judge_audit WHERE judge = 'late'")" 0 "nothing is stored"
port=$one_port

echo "what cannot be read is not counted"
audition 3 judge check mute --run "$run" --samples 3 --json
is "$(of repeat n)" 0 "nothing was said"
is "$(of repeat why)" not-tried "there is no rate, and why"
audition 3 judge check mute --run "$run" --samples 3
says out 'Nothing could be tested'
lacks out 'one time in ten'

echo "pairs: what is shown first wins, and against itself"
sed -i 's/^suite: .*/suite: pairs/; /^instrument:/,/^score:/d' weather.yaml
printf 'instrument: {kind: pair, criteria: [Is it good?], ties: yes, orders: both}\nscore: {kind: rating, headline: bradley-terry}\n' >>weather.yaml
audition 0 run weather.yaml -m player -m other --judge first -q
audition 0 judge check first --run latest --samples 8 --json
is "$(of order fell)" 8 "the order decides"
is "$(of identical fell)" 8 "an answer wins against itself"
is "$(of padded fell)" 0 "the second is never taken"

echo "verify counts the tricks again from what the judges said, and names what was changed"
audition 0 verify "$run" --json
says out '"audits":18' '"differences":0' # nine each of gullible and mute
audition 0 verify latest
says out '9 results of judge audits recomputed'
# spoil SQL WORDS: in a copy of the database
spoil()
{
    rm -f spoilt.db
    sqlite3 audition.db ".backup spoilt.db"
    sqlite3 spoilt.db "$1"
    status 1 "$AUDITION" verify "$run" --db spoilt.db
    says err "$2"
}
spoil "UPDATE judge_audit SET fell = 1 WHERE judge = 'gullible' AND probe = 'planted-score'" \
    "judge gullible, trick planted-score: stored 1 of 2, the replies give 2 of 2"
spoil "UPDATE judge_audit SET n = n + 1 WHERE judge = 'gullible' AND probe = 'padded'" "judge gullible, trick padded"
spoil "UPDATE judge_audit SET at_ms = at_ms + 1 WHERE judge = 'mute' AND probe = 'repeat'" \
    "judge mute, trick repeat: the result is not what was stored"
spoil "UPDATE judge_audit SET seal = 0" "judge gullible, trick padded: the result is not what was stored"
spoil "UPDATE judge_trial SET reply = reply || ' ' WHERE judge = 'gullible' AND probe = 'persona'" "(persona) is not what was stored"
spoil "UPDATE judge_trial SET reply = 'none' WHERE judge = 'gullible' AND probe = 'plain'" "the replies give 0 of 0"
spoil "UPDATE judge_trial SET judge = 'mute' WHERE judge = 'gullible' AND probe = 'padded'" "stored 0 of 2, the replies give 0 of 0"
spoil "DELETE FROM judge_trial WHERE id = (SELECT MAX(id) FROM judge_trial WHERE judge = 'gullible' AND probe = 'repeat')" \
    "stored 0 of 2, the replies give 0 of 1"
# Together with the number that follows from it.
spoil "DELETE FROM judge_trial WHERE id = (SELECT MAX(id) FROM judge_trial WHERE judge = 'gullible' AND probe = 'repeat');
    UPDATE judge_audit SET n = 1 WHERE judge = 'gullible' AND probe = 'repeat'" "judge gullible, trick repeat: the result is not what was stored"
spoil "DELETE FROM judge_audit WHERE judge = 'gullible' AND probe = 'planted-score'" \
    "judge gullible, trick planted-score: replies are stored, but not the result"
spoil "DELETE FROM judge_audit" "judge gullible, trick padded: replies are stored, but not the result"
# Results that are older than stored trials.
sqlite3 audition.db ".backup older.db"
sqlite3 older.db "DELETE FROM judge_trial; UPDATE judge_audit SET seal = 0"
audition 0 verify "$run" --db older.db --json
says out '"audits":0' '"differences":0'

echo "an audit goes along to another database, and goes with its run"
audition 0 archive "$run" -o run.audition
audition 0 restore run.audition --db run.db
audition 0 verify "$run" --db run.db --json
says out '"audits":18' '"differences":0'
cp audition.db spoilt.db
sqlite3 spoilt.db "UPDATE judge_trial SET reply = 'none' WHERE judge = 'gullible' AND probe = 'padded'"
audition 1 archive "$run" -o spoilt.audition --db spoilt.db
says err 'does not verify'
if [ -n "${AUDITION_TEST_PG-}" ]; then
    audition 0 db copy "$AUDITION_TEST_PG"
    audition 0 judge check gullible --run "$run" --samples 2 --db "$AUDITION_TEST_PG"
    audition 0 verify "$run" --db "$AUDITION_TEST_PG" --json
    says out '"audits":18' '"differences":0'
    psql -q -X -d "$AUDITION_TEST_PG" -c "UPDATE judge_trial SET reply = 'none' WHERE judge = 'gullible' AND probe = 'padded'"
    audition 1 verify "$run" --db "$AUDITION_TEST_PG"
    says err 'judge gullible, trick padded: stored 0 of 2, the replies give 0 of 0'
    audition 0 rm "$run" --yes --db "$AUDITION_TEST_PG"
fi
cp audition.db gone.db
audition 0 rm "$run" --yes --db gone.db
is "$(sql gone.db "SELECT COUNT(*) FROM judge_trial WHERE judge = 'gullible'")" 0 "gone with its run"

echo "faults"
audition 2 judge check
audition 2 judge check nobody --run "$run"
audition 1 judge check first --run ffff
echo '  - {name: tape, kind: recorded, file: tape.jsonl}' >>models.yaml
echo '{"item": "one", "text": "{}"}' >tape.jsonl
for words in "en:judge 'tape' answers from a recording" 'zh:评委“tape”' 'ja:審査役「tape」'; do
    audition 2 judge check tape --run "$run" --language "${words%%:*}"
    says err "${words#*:}"
done
is "$(sql audition.db "SELECT COUNT(*) FROM judge_audit WHERE judge = 'tape'")" 0 "nothing is stored of a recording"
sed -i "s/127.0.0.1:$port/127.0.0.1:9/" models.yaml
audition 1 judge check gullible --run "$run"
