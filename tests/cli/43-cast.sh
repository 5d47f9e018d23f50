#!/usr/bin/env bash
# Scenes of several characters: who sees what, who speaks next, who plays whom, and who knows what it cannot know.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

cp -R "$REPO/tests/fixtures/dialogue" fixtures
mock calm --dimensions 'role-mara=1|3|5,role-tomas=1|3|5,role-iris=1|3|5,scene=1|3|5'
# shellcheck disable=SC2154 # mock() sets it
cat >models.yaml <<M
models:
  - {name: ann, base_url: "http://127.0.0.1:$port", model: chat-ann}
  - {name: bob, base_url: "http://127.0.0.1:$port", model: chat-bob}
  - {name: eve, base_url: "http://127.0.0.1:$port", model: chat-eve}
  - {name: tape, kind: recorded, file: tape.jsonl}
  - {name: critic, base_url: "http://127.0.0.1:$port", model: judge}
M
echo "{\"item\": \"x\", \"text\": \"y\"}" >tape.jsonl
variant() # FILE SED...: of the suite and its cast
{
    sed "$2" fixtures/casts/train.yaml >"fixtures/casts/$1.yaml"
    sed "s|casts/train.yaml|casts/$1.yaml|; ${3:-}" fixtures/train.yaml >"fixtures/$1-suite.yaml"
}
order()
{
    sql "$1" "SELECT group_concat(source, ' ') FROM (SELECT source FROM turn WHERE kind = 'answer' ORDER BY position)"
}

echo "== each with what happened in its presence"
audition 0 check fixtures/train.yaml
says out '4 dimensions'
sed 's/plays: each}/plays: each, takes: by-name}/' fixtures/train.yaml >fixtures/beside.yaml
audition 1 check fixtures/beside.yaml
says err "beside.yaml:11:47: error: beside 'file' only 'plays' may stand: write 'takes' in the file of the cast"
sed 's/plays: each}/&\n  user: {file: users\/tom.yaml, by: script}/' fixtures/train.yaml >fixtures/beside.yaml
audition 1 check fixtures/beside.yaml
says err "beside.yaml:12:3: error: a cast has no user: leave out 'user'"
sed 's/id: scene,/id: role-mara,/' fixtures/train.yaml >fixtures/beside.yaml
audition 1 check fixtures/beside.yaml
says err "two dimensions share the id 'role-mara'"
sed 's/turns: 8/turns: 8\n  user: {file: users\/tom.yaml, by: script}/; /cast:/d; 3a rules: {knowledge: note}' fixtures/train.yaml >fixtures/beside.yaml
audition 1 check fixtures/beside.yaml
says err "'each' is for the members of a cast" "warning: the rule 'knowledge' looks at the 'facts' of a cast"
audition 0 run fixtures/train.yaml -m ann --judge critic --db each.db
is "$(order each.db)" "mara tomas iris mara iris mara iris mara" "in turn, of those present"
is "$(sql each.db "SELECT group_concat(kind || part) FROM turn WHERE kind = 'event'")" "event2" "events"
is "$(sql each.db "SELECT state || ' ' || finish FROM sample")" "done limit" "end"
is "$(sql each.db "SELECT group_concat(dimension) FROM (SELECT DISTINCT dimension FROM mark ORDER BY dimension)")" \
    "role-iris,role-mara,role-tomas,scene" "marks"
audition 0 verify --db each.db
audition 0 report latest --db each.db -o each.html
says each.html 'Mara' 'Tomas' 'Iris' 'slips Mara a sealed letter'

sql each.db "UPDATE run SET frozen = replace(frozen, '\"context\":\"whole\"', '\"context\":{\"last\":2}')"
audition 0 board latest --db each.db # stored when nobody refused it

echo "== one model for all; by name; by script; with another model; with a director"
variant all 's/x/x/' 's/plays: each/plays: all/'
audition 0 run fixtures/all-suite.yaml -m ann --db all.db
is "$(order all.db)" "mara tomas iris mara iris mara iris mara" "one for all"
variant script 's/takes: round-robin/takes: script\norder: [tomas, mara]/'
audition 0 run fixtures/script-suite.yaml -m ann --db script.db
is "$(order script.db)" "tomas mara tomas mara mara mara mara mara" "by script"
is "$(sql script.db "SELECT count(DISTINCT call) FROM turn WHERE kind = 'answer'")" 8 "each turn asked for by itself, with all lines before it"
variant passed 's/takes: round-robin/takes: script\norder: [mara, tomas, iris]/; s/from: 3/from: 1/'
audition 0 run fixtures/passed-suite.yaml -m ann --db passed.db
is "$(order passed.db)" "mara tomas iris mara iris mara iris mara" "who is absent is passed over"
variant lore 's/x/x/' 's/trusts nobody on trains./trusts nobody on trains., lorebook: {entries: [{keys: [compartment], content: The seal is red., insertion_order: 1}]}/'
audition 0 run fixtures/lore-suite.yaml -m ann --judge critic --db lore.db
audition 0 show latest --raw --db lore.db
says out '## Mara\n\nThe seal is red.' '## Tomas\n\nA student' '## Iris\n\nA doctor' # judges have all cards
audition 0 run fixtures/script-suite.yaml -m ann --seed 7 --db script.db
audition 0 archive latest --db script.db -o cast.audition
is "$(sql cast.audition "SELECT count(DISTINCT c.id) FROM turn t JOIN call c ON c.id = t.call WHERE t.kind = 'answer'")" 8 \
    "calls of another run that go along in an archive"
variant mixed 's/{character: tomas, to: 4}/{character: tomas, to: 4, by: other}/'
audition 2 run fixtures/mixed-suite.yaml -m ann
says err 'needs another model'
audition 0 run fixtures/mixed-suite.yaml -m ann --user bob --db mixed.db
is "$(sql mixed.db "SELECT group_concat(DISTINCT source || ' ' || speaker) FROM turn WHERE kind = 'answer' AND speaker = 'examiner'")" \
    "tomas examiner" "whom the other plays"
audition 0 check fixtures/mixed-suite.yaml
says out '3 dimensions' # nobody judges him
variant three 's/{character: tomas, to: 4}/{character: tomas, to: 4, by: other}/; s/{character: iris, from: 3}/{character: iris, from: 3, by: other}/'
audition 0 run fixtures/three-suite.yaml -m ann --user bob --user eve --dry-run
says out '3 requests' 'user bob' 'user eve'
audition 2 run fixtures/three-suite.yaml -m ann --user bob --user bob --user eve
says err '--user: bob is given twice'
audition 2 run fixtures/dialogue.yaml -m ann --user bob --user eve
says err 'give --user once'
: >calm.log
audition 0 run fixtures/three-suite.yaml -m ann --user bob --user eve --db three.db
is "$(awk '{ printf "%s ", $5 }' calm.log)" "chat-ann chat-bob chat-eve chat-ann chat-eve chat-ann chat-eve chat-ann " "a model for each"
audition 0 verify latest --db three.db
variant director 's/takes: round-robin/takes: director/'
audition 0 run fixtures/director-suite.yaml -m ann --user bob --db director.db
is "$(sql director.db "SELECT count(*) FROM turn WHERE kind = 'direction'")" 8 "directions"
is "$(sql director.db "SELECT count(*) FROM turn WHERE kind = 'answer'")" 8 "turns"

echo "== names are heeded, and a leak of knowledge is caught"
variant name 's/takes: round-robin/takes: by-name/'
line() # MODEL TURN TEXT
{
    echo "{\"model\": \"$1\", \"item\": \"midnight\", \"turn\": $2, \"text\": \"$3\"}"
}
{
    line tape 1 "It is late. Tomas, close the window."
    line tape 3 "Gladly, Mara. What have you got there?"
    line tape 4 "Nothing. Iris, is this seat yours? The maracas and the tomasina are mine."
    line tape 5 "It is. Is that letter for me, Mara?"
    for turn in 6 7 8 9; do
        line tape $turn "Good night."
    done
} >tape.jsonl
audition 0 run fixtures/name-suite.yaml -m tape --db leak.db
audition 0 report latest --db leak.db -o leak.html
is "$(order leak.db | cut -d' ' -f1-5)" "mara tomas mara iris mara" "by name"
is "$(sql leak.db "SELECT kind || ' ' || json_extract(evidence, '\$.where') || ' ' || json_extract(evidence, '\$.shared') FROM flag")" \
    "knowledge [5] Iris letter" "the leak"
audition 0 verify --db leak.db
variant full 's/takes: round-robin/takes: by-name/' 's/name: Mara/name: Mara Quill/; s/name: Tomas/name: Tomas Vale/; s/name: Iris/name: "Dr. Iris Vale"/'
{
    line full 1 "It is late. Tomas, close the window.\\nTomas: I will."
    line full 3 "Gladly, Mara. The vale is cold."
    line full 4 "Nothing. Iris, is this seat yours? I knew a Vale once, a Doctor."
    line full 5 "Mara Quill, is it?"
    for turn in 6 7 8 9; do
        line full $turn "Good night."
    done
} >full.jsonl
echo '  - {name: full, kind: recorded, file: full.jsonl}' >>models.yaml
audition 0 run fixtures/full-suite.yaml -m full --db full.db
is "$(order full.db | cut -d' ' -f1-5)" "mara tomas mara iris mara" "by the words of their names"
is "$(sql full.db "SELECT text || '|' || why FROM turn WHERE position = 1")" "It is late. Tomas, close the window.|speaks for others too" "lines of others"
for turn in 1 2 3 4 5 6 7 8 9; do
    line loop "$turn" "$(printf 'Tomas, Iris, Mara! %.0s' {1..2000})"
done >loop.jsonl
echo '  - {name: loop, kind: recorded, file: loop.jsonl}' >>models.yaml
(
    # A build with sanitizers needs terabytes of addresses to begin with.
    if (ulimit -v 400000 && "$AUDITION" help) >/dev/null 2>&1; then ulimit -v 400000; fi
    exec "$AUDITION" run fixtures/name-suite.yaml -m loop --db loop.db
) >out 2>err || fail "names without end: $(cat err)"
is "$(order loop.db)" "mara tomas mara tomas mara iris mara iris" "the last of many names"
says leak.html 'knows what it cannot know'
grep -q '<h4>\[5\] Iris <a class="badge flag" href="#f1">' leak.html || fail "the flag does not stand at its turn"
grep -q 'badge flag">knows what it cannot know</span> <a class="turn" href="#s1t5">' leak.html || fail "the flag does not lead to its turn"

echo "== judges confirm a leak or overrule it, with words that were said"
{ cat fixtures/name-suite.yaml && echo "rules: {knowledge: {then: zero, judge: knowledge.en}}"; } >fixtures/asked.yaml
ruling() # FILE SCORE TURN WORDS: what a judge writes; ~ stands for a quotation mark inside a text
{
    local mark='{~analysis~: ~a~, ~score~: 5}' line='{"model": "tape", "item": "midnight"'
    {
        for attempt in 0 1; do
            echo "$line, \"attempt\": $attempt, \"about\": \"knowledge\", \"text\": \"{~letter~: {~quotes~: [{~turn~: $3, ~text~: ~$4~}], ~analysis~: ~she was not there~, ~score~: $2}}\"}"
        done
        echo "$line, \"text\": \"{~role-mara~: $mark, ~role-tomas~: $mark, ~role-iris~: $mark, ~scene~: $mark}\"}"
    } | sed 's/~/\\"/g' >"$1"
}
ruling sure.jsonl 1 5 "letter for me"
ruling doubt.jsonl 0 5 "letter for me"
ruling liar.jsonl 1 5 "words that nobody said"
for judge in sure doubt liar; do
    echo "  - {name: $judge, kind: recorded, file: $judge.jsonl}" >>models.yaml
done
# asked DATABASE JUDGE CODE: run it, and look
asked()
{
    audition "$3" run fixtures/asked.yaml -m tape --judge "$2" --db "$1"
    audition 0 report latest --db "$1" -o "$2.html"
    audition 0 board latest --json --db "$1"
    cp out "$2.json"
    audition 0 verify latest --db "$1"
    says out 'no differences' 'flags     1'
    audition 0 flag latest --json --db "$1"
}
asked sure.db sure 0
says out '"judged":"confirmed"' '"quote":"[5] letter for me"' '"value":1.0'
says sure.json '"score":{"value":0'
says sure.html 'found by rule, confirmed by judges (sure)'
asked doubt.db doubt 0
says out '"judged":"overruled"' '"overruled_by":"doubt"' '"value":0.0'
says doubt.json '"score":{"value":5'
audition 0 publish overruled --db doubt.db
says overruled/runs/*/samples/*.html 'The scene' 'A compartment of the night train.' 'Mara, Tomas, Iris'
is "$(cat overruled/runs/*/samples.html | grep -c '1 flagged' || true)" 0 "samples whose flag judges overruled"
audition 2 flag latest 1 --overrule --by Kay --why "they said so" --db doubt.db
audition 0 flag latest 1 --restore --by Kay --why "she does name the letter" --db doubt.db
audition 0 flag latest --json --db doubt.db
says out '"judged":"overruled"' '"overruled_by":null'
audition 0 flag latest 1 --db doubt.db
says out 'overruled by judges (doubt)' 'restored by Kay: she does name the letter'
audition 0 publish restored --db doubt.db
says restored/runs/*/samples.html '1 flagged'
audition 0 report latest --db doubt.db -o restored.html
says restored.html 'overruled by judges (doubt)' 'restored by Kay: she does name the letter'
audition 0 board latest --json --db doubt.db
says out '"score":{"value":0'
audition 0 verify latest --db doubt.db
audition 0 flag latest 1 --overrule --by Kay --why "on second thoughts" --db doubt.db
audition 0 board latest --json --db doubt.db
says out '"score":{"value":5'
audition 0 flag latest --log --db doubt.db
says out 'she does name the letter' 'on second thoughts'
asked liar.db liar 3
says out '"judged":"unconfirmed"' '"value":null' '"overruled_by":null'
says liar.json '"score":{"value":0'
says liar.html 'found by rule, not confirmed'
audition 0 show latest --db sure.db --raw
says out 'about what characters know'
echo "== verify computes what casts are worth again"
spoilt() # SQL WORDS UNDO
{
    sql sure.db "$1"
    audition 1 verify latest --db sure.db
    says err "$2"
    sql sure.db "$3"
}
spoilt "UPDATE score SET value = 4 WHERE metric = 'mark:role-mara'" 'mark:role-mara: stored 4' \
    "UPDATE score SET value = 5 WHERE metric = 'mark:role-mara'"
spoilt "UPDATE mark SET value = 1 WHERE dimension = 'role-iris'" 'the judge wrote 5' \
    "UPDATE mark SET value = 5 WHERE dimension = 'role-iris'"
spoilt "UPDATE mark SET value = 0 WHERE dimension = 'letter'" 'the judge wrote 1' \
    "UPDATE mark SET value = 1 WHERE dimension = 'letter'"
spoilt "UPDATE turn SET source = 'tomas' WHERE position = 5" 'the turns of sample 1' \
    "UPDATE turn SET source = 'iris' WHERE position = 5"
spoilt "UPDATE flag SET value = 0" 'the answer gives 1' "UPDATE flag SET value = 1"
audition 0 verify latest --db sure.db
sed -i 's/Nothing. Iris, is this seat/A letter. Iris, is this seat/' tape.jsonl
audition 0 run fixtures/name-suite.yaml -m tape --db told.db
audition 0 report latest --db told.db -o told.html
is "$(sql told.db "SELECT count(*) FROM flag")" 0 "told in her presence"

echo "== a role that slips ends a scene"
sed 's/  cast:/  until: {broken: yes}\n  cast:/' fixtures/name-suite.yaml >fixtures/broken.yaml
{
    line tape 1 "It is late. Tomas, close the window."
    line tape 3 "As an AI language model, I cannot close windows."
} >tape.jsonl
audition 0 run fixtures/broken.yaml -m tape --db broken.db
is "$(sql broken.db "SELECT s.finish || ' ' || count(*) FROM sample s JOIN turn t ON t.sample = s.id WHERE t.kind = 'answer'")" "rule 2" "the end"

echo "== faults have their place"
variant bad 's/witnesses: \[mara\]/witnesses: [nobody]/'
audition 1 check fixtures/bad-suite.yaml
says err "the cast has no member 'nobody'"
sed 's/  cast:/  context: {last: 2}\n  cast:/' fixtures/train.yaml >fixtures/kept.yaml
audition 1 check fixtures/kept.yaml
says err 'kept.yaml:11:' "leave out 'context'"
sed 's/{id: midnight, /{id: midnight, turns: [{role: user, text: Hello.}], /' fixtures/train.yaml >fixtures/begun.yaml
audition 1 check fixtures/begun.yaml
says err "leave out 'turns'"
variant order 's/^events:/&\n  - {at: 5, text: The lamp goes out.}/'
audition 1 check fixtures/order-suite.yaml
says err 'order.yaml:9:5' 'list them in order'
variant never 's/^facts:/  - {at: 9, text: The lamp goes out.}\n&/'
audition 0 check fixtures/never-suite.yaml
says err 'never.yaml:9:5: warning: the scene ends after turn 8'
variant twice 's/{character: iris, from: 3}/{character: mara, from: 3, to: 2}/'
audition 1 check fixtures/twice-suite.yaml
says err "twice.yaml:5:5: error: the cast has the member 'mara' twice" "'to' comes before 'from'"
audition 2 run fixtures/train.yaml -m ann --user bob
says err 'needs --user: there is no director'
{ sed '/^  cast:/,$d' fixtures/train.yaml && echo '  cast:' && sed '/^cast:/d; s/^/    /' fixtures/casts/train.yaml && sed '1,/^  cast:/d' fixtures/train.yaml; } >fixtures/within.yaml
audition 0 run fixtures/within.yaml -m ann --db within.db
is "$(order within.db)" "mara tomas iris mara iris mara iris mara" "a cast that stands in the suite"
variant late 's/{character: mara}/{character: mara, from: 2}/; s/{character: tomas, to: 4}/{character: tomas, from: 3}/'
audition 1 check fixtures/late-suite.yaml
says err 'nobody in the cast is present in turn 1'
sed 's/^name: Tom/name: Wenna/' fixtures/users/tom.yaml >fixtures/users/namesake.yaml
sed 's/tom.yaml/namesake.yaml/' fixtures/dialogue.yaml >fixtures/namesake.yaml
audition 1 check fixtures/namesake.yaml
says err "the user 'tom' has the name of a character"

echo "== raters are shown everybody's card, too"
audition 0 run fixtures/train.yaml -m ann -q
opened train 'about: []' 'code: lantern'
serve raters
post 200 rita /join/train /join/train -d code=lantern
ask 200 rita /rate
ask 303 rita /rate/consent --data-urlencode "csrf=$(token)" -d agree=yes -d "version=$(field version)"
post 303 rita /rate /rate/next
ask 200 rita "$(grep -i '^location' head | tr -d '\r' | cut -d' ' -f2)"
says page 'A courier of forty' 'A student on his way home' 'A doctor who got on'
