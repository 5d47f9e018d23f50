#!/usr/bin/env bash
# verify finds what was changed behind the program's back.
set -eu

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

# spoil SQL WORDS: in a copy of the database
spoil() {
    rm -f spoilt.db
    sqlite3 audition.db ".backup spoilt.db"
    sqlite3 spoilt.db "$1"
    status 1 "$AUDITION" verify latest --db spoilt.db
    says err "$2"
}

"$AUDITION" init . --language en >/dev/null
status 0 "$AUDITION" run suites/first.yaml -m understudy --judge prompter -q
status 0 "$AUDITION" verify latest
says out "5 judge replies parsed again"
says out "no differences"
status 0 "$AUDITION" run suites/first.yaml -m understudy --judge prompter -q --limit 1 --db one.db
status 0 "$AUDITION" verify latest --db one.db
says out "verdicts  1 checked, 1 judge reply parsed again"
status 0 "$AUDITION" verify latest --json
says out '"differences":0'

# Scored again, the run has the digest that it had; what has come since gets its seal.
digest() { "$AUDITION" verify latest | sed -n 's/^ *digest *//p'; }
seals() { sqlite3 audition.db "SELECT COUNT(*) FROM seal WHERE kind <> 'unscored'"; }
before=$(digest) sealed=$(seals)
again() { sqlite3 audition.db "UPDATE run SET stale = 1, sealed = ''"; status 0 "$AUDITION" board; }
again
[ "$(digest)" = "$before" ] && [ "$(seals)" = "$sealed" ]
sqlite3 audition.db "DELETE FROM seal WHERE kind = 'item'; UPDATE run SET facts = ''"
again
[ "$(digest)" = "$before" ] && [ "$(seals)" = "$sealed" ]
sqlite3 audition.db "DELETE FROM seal WHERE kind = 'verdict';
    UPDATE verdict SET state = 'failed' WHERE id = (SELECT MAX(id) FROM verdict); UPDATE run SET facts = ''"
again
sqlite3 audition.db "UPDATE verdict SET state = 'done' WHERE state = 'failed'"
again
[ "$(digest)" = "$before" ] && [ "$(seals)" = "$sealed" ]

spoil "UPDATE score SET value = value * (1 + 1e-15) WHERE metric = 'score'" "score model/understudy score: stored"
spoil "UPDATE mark SET value = 0.5 WHERE verdict = (SELECT min(verdict) FROM mark)" "the judge wrote 1"
spoil "UPDATE verdict SET reply = 'nothing' WHERE id = (SELECT min(id) FROM verdict)" "cannot be read"
spoil "DELETE FROM mark WHERE verdict = (SELECT min(verdict) FROM mark)" "no mark for 'in-role'"
spoil "UPDATE sample SET answer = NULL WHERE id = (SELECT min(id) FROM sample)" "without an answer"
spoil "DELETE FROM score WHERE metric = 'cost'" "not stored"
spoil "UPDATE score SET version = 0 WHERE metric = 'cost'" "scores: rows of versions 0 to"
spoil "UPDATE score SET version = version - 1 WHERE metric = 'cost'" "scores: rows of versions"
status 1 "$AUDITION" verify latest --db spoilt.db --language zh
says err "各行的版本"
spoil "UPDATE score SET version = 6 WHERE metric = 'cost'; UPDATE score SET lo = lo - 1, method = 'x' WHERE metric = 'score'" \
    "score model/understudy score: stored"
spoil "UPDATE score SET version = 6; UPDATE score SET value = 9e999 WHERE metric = 'score'" "score model/understudy score: stored inf"
# What has no interval is shown without one.
spoil "UPDATE score SET n = n + 1, lo = NULL, hi = NULL" "score judge/prompter verdicts: stored 5 n=6, the verdicts give 5 n=5"
lacks err "nan"
# Who gave an answer is a fact too: exchange two names, score again, and the first is last.
spoil "UPDATE model SET name = name || '2'; UPDATE run SET stale = 1, sealed = ''" "the name of model 1: not what was stored"
spoil "UPDATE run SET key = 'abc'" "its key is not a hash"
status 1 "$AUDITION" verify beef

# Which panel a judge sits on.
spoil "UPDATE seat SET panel = 'other'; UPDATE run SET stale = 1, sealed = ''" "judge's seat 1: not what was stored"
spoil "DELETE FROM seat; UPDATE run SET stale = 1, sealed = ''" "judge's seat 1: gone"

# A model that comes later is sealed then, with the rest of what came.
echo '[{"item": "sea", "output": "As an AI language model, I cannot."}]' >more.json
status 0 "$AUDITION" import more.json latest --model guest
status 0 "$AUDITION" board latest
status 0 "$AUDITION" verify latest
spoil "UPDATE model SET name = 'host' WHERE name = 'guest'; UPDATE run SET stale = 1, sealed = ''" "the name of model 2: not what was stored"

# Also one that nobody has asked yet.
sed -i 's/^  - {name: understudy,\(.*\)/&\n  - {name: second,\1/' models.yaml
status 0 "$AUDITION" run --resume latest -m second --detach
status 0 "$AUDITION" verify latest
status 0 "$AUDITION" board latest
status 0 "$AUDITION" verify latest
spoil "UPDATE model SET name = 'last' WHERE name = 'second'; UPDATE run SET stale = 1, sealed = ''" "the name of model 3: not what was stored"

# A flag that somebody overruled without the log.
flag=$(sqlite3 audition.db "SELECT MIN(id) FROM flag")
overruled="UPDATE run SET stale = 1, sealed = ''; UPDATE flag SET overruled_by = 'me', overruled_why = 'so', overruled_ms = 1 WHERE id = $flag"
spoil "$overruled" "overruled, but its log does not end with that"
status 0 "$AUDITION" flag latest "$flag" --overrule --why "it is the part" --by Ann
status 0 "$AUDITION" verify latest
spoil "$overruled" "overruled, but its log does not end with that"
spoil "DELETE FROM flag_log; UPDATE run SET stale = 1, sealed = ''" "overruled, but its log does not end with that"
status 0 "$AUDITION" flag latest "$flag" --restore --why "it is not" --by Ann
status 0 "$AUDITION" verify latest
spoil "$overruled" "overruled, but its log does not end with that"

# Killed before it was scored: what follows from the answers is not there yet, and nothing is wrong with that.
sqlite3 audition.db "SELECT kind FROM flag" | grep -q identity
sqlite3 audition.db "DELETE FROM flag; DELETE FROM score; DELETE FROM seal; UPDATE run SET stale = 1, sealed = '', facts = ''"
status 0 "$AUDITION" verify latest
says out "not compared"
lacks out "detected again"

# A verdict that could not be read is what was stored; asked for again, it is another.
prose() {
    sed -i '1s/"text": ".*"/"text": "'"$1"'"/' replies/prompter.jsonl
    { sed '1s/"text"/"attempt": 1, "text"/;q' replies/prompter.jsonl; sed '1!{/"attempt"/d}' replies/prompter.jsonl; } >replies/again.jsonl
}
sed -i 's|replies/prompter|replies/again|' models.yaml
prose "Rather well."
status 3 "$AUDITION" run suites/first.yaml -m understudy --judge prompter -q --db unscored.db
for again in no yes; do
    status 0 "$AUDITION" verify latest --db unscored.db
    cp unscored.db audition.db
    for change in "reply = 'Badly.'" "why = 'x'" "tokens_in = 7" "tries = 9"; do
        spoil "UPDATE verdict SET $change WHERE state = 'unscored'; UPDATE run SET stale = 1, sealed = ''" "unscored verdict 1: not what was stored"
    done
    if [ $again = no ]; then
        prose "Not at all well."
        status 3 "$AUDITION" run --resume latest --retry-failed -q --db unscored.db
    fi
done

# Of a judge that was dropped nothing is asked again, and nothing forgotten.
printf '  - name: third\n    kind: recorded\n    file: replies/again.jsonl\n' >>models.yaml
status 3 "$AUDITION" run suites/first.yaml -m understudy --judge prompter --judge third -q --db dropped.db
status 0 "$AUDITION" judge drop latest prompter --db dropped.db
sqlite3 dropped.db "UPDATE verdict SET reply = 'Badly.' WHERE state = 'unscored' AND judge = (SELECT id FROM judge WHERE name = 'prompter')"
status 3 "$AUDITION" run --resume latest --retry-failed -q --db dropped.db
status 1 "$AUDITION" verify latest --db dropped.db
says err "unscored verdict" "not what was stored"

# So is one that is imported where an endpoint failed.
sed -i '/"price"/d' replies/again.jsonl
status 3 "$AUDITION" run suites/first.yaml -m understudy --judge prompter -q --db failed.db
echo '{"judge": "prompter", "model": "understudy", "item": "price", "repeat": 0, "state": "unscored", "reply": "Middling."}' >one.jsonl
status 0 "$AUDITION" import one.jsonl latest --db failed.db
says out "1 verdict imported"
status 0 "$AUDITION" board latest --db failed.db
status 0 "$AUDITION" verify latest --db failed.db
