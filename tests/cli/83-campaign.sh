#!/usr/bin/env bash
# `audition campaign`: made, opened, decided, closed, unmasked; ratings out and back; wrong use.
set -euo pipefail

# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

# get PATH: of the JSON in out, such as ['state'] or outcome(subject, metric)
get()
{
    python3 - "$1" <<'END'
import json, sys
j = json.load(open("out"))
def outcome(subject, metric):
    for o in j["outcomes"]:
        if o["subject"] == subject and o["metric"] == metric:
            return o["value"]
print(eval(sys.argv[1]))
END
}
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }

export AUDITION_DB=campaign.db

gate suite.yaml
for who in plain quick; do
    for item in one two three four; do
        echo "{\"item\": \"$item\", \"text\": \"The $who answer to $item.\"}"
    done >$who.jsonl
done
sed -i 's/The quick answer to two./As an AI language model I know no word./' quick.jsonl
cat >models.yaml <<'END'
models:
  - {name: plain-model, kind: recorded, file: plain.jsonl}
  - {name: quick-model, kind: recorded, file: quick.jsonl}
END
status 0 "$AUDITION" run suite.yaml -m plain-model -m quick-model -q

cat >c.yaml <<'END'
campaign: gate-1
passages_per_rater: 3
overlap: 2
reference: takes-part
exclude: {same_marks: 0.95}
END

echo "== a file with faults makes nothing, and says where each is"
expect 0 campaign list
says out 'no campaigns yet'
printf 'campaign: gate 1\noverlap: none\npassages: 3\n' >bad.yaml
expect 1 campaign new bad.yaml
says err 'bad.yaml:1:11: error:' 'bad.yaml:2:10: error:' 'bad.yaml:3:1: error:' 'passages_per_rater' '3 errors' \
    'bad.yaml: no campaign was made'
lacks err 'nothing was asked'
printf 'campaign: gate-1\n' >five.yaml
expect 2 campaign new five.yaml
says err 'each rater is to rate 5 passages' 'answers to only 4' 'lower passages_per_rater'
expect 1 campaign new absent.yaml
expect 1 campaign new c.yaml --run nosuchrun
expect 0 campaign list
says out 'no campaigns yet'
expect 1 check c.yaml
says err 'c.yaml:1:1: error: this is a campaign file' 'audition campaign new FILE --run RUN'

echo "== from draft to open"
expect 0 campaign new c.yaml --run latest
says out 'campaign gate-1 on run' 'is a draft' 'campaign open gate-1'
expect 2 campaign new c.yaml
says err "a campaign 'gate-1' already exists"
expect 0 campaign results gate-1
says out 'nobody has rated yet; open the campaign with: ' 'campaign open gate-1'
# a time as the list of runs shows it, and whole for programs
expect 0 campaign list
grep -qE 'draft +[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}$' out || fail "$(cat out)"
expect 0 campaign list --json
grep -qE '"created": ?"[0-9-]{10}T[0-9:.]+Z"' out || fail "$(cat out)"
expect 0 campaign show gate-1
says out 'gate-1' 'draft' '4 passages, none rated yet' '8 ratings of passages still wanted: about 3 more raters' \
    '1 waiting for a decision' 'an answer to two (self: As an AI language model'
says out "campaign decide gate-1 $(sed -n 's/^withheld: sample \([0-9]*\).*/\1/p' out) --show, or --hide"
lacks out "quick-model" "infit"
sample=$(sed -n 's/^withheld: sample \([0-9]*\).*/\1/p' out)
expect 2 campaign decide gate-1 "$sample"
expect 2 campaign decide gate-1 some --show
expect 1 campaign decide gate-1 999999 --hide
expect 0 campaign decide gate-1 "$sample" --hide
says out 'will not be shown'
expect 0 campaign show gate-1
lacks out 'withheld' 'waiting for a decision'
echo "== what cannot be logged is not done"
sql campaign.db "CREATE TRIGGER unlogged BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no log'); END"
expect 1 campaign open gate-1
expect 1 campaign decide gate-1 "$sample" --show
sql campaign.db "DROP TRIGGER unlogged"
is "$(sql campaign.db "SELECT state, decision FROM campaign, withheld")" "draft|hide" "what became of it"

expect 0 campaign open gate-1
expect 2 campaign open gate-1
says err 'is already open'
expect 2 campaign unmask gate-1
says err 'close it first'
expect 2 campaign unmask gate-1 --language zh
says err '请先关闭'

echo "== invitations"
expect 0 campaign invite gate-1 -n 3 --url https://rate.example.org/ --days 2
[ "$(grep -cE '^https://rate.example.org/invite/[a-z0-9-]{64}$' out)" -eq 3 ] || fail "three links: $(cat out)"
[ "$(sort -u out | wc -l)" -eq 3 ] || fail "two links are the same"
expect 2 campaign invite gate-1 --url rate.example.org
expect 2 campaign invite gate-1 -n 0
expect 0 campaign show gate-1 --json
[ "$(get 'j["state"], j["wanted"], j["more_raters"], len(j["coverage"])')" = "('open', 8, 3, 4)" ] || fail "$(cat out)"
expect 0 campaign list --json
[ "$(get 'j[0]["campaign"]')" = gate-1 ] || fail "the list"

echo "== nobody has rated"
expect 0 campaign results gate-1
says out 'nobody has rated yet; invite raters with: ' 'campaign invite gate-1'
[ "$(wc -l <out)" -eq 1 ] || fail "more than one line: $(cat out)"
expect 0 campaign export gate-1
[ "$(wc -l <out)" -eq 1 ] || fail "only the header"
expect 2 campaign exclude gate-1 r1
expect 1 campaign exclude gate-1 r1 --why "asleep"
says err "has no rater 'r1'"

echo "== ratings from a file"
{
    echo rater,passage,system,dimension,value,comment
    for rater in r1 r2 r3; do
        for item in one two three four; do
            for system in plain-model quick-model reference; do
                case $system in plain-model) mark=3 ;; quick-model) mark=1 ;; *) mark=5 ;; esac
                [ $rater != r2 ] || mark=$((mark - 1))
                [ $rater != r3 ] || mark=2
                echo "$rater,$item,$system,overall,$mark,=HYPERLINK()"
                echo "$rater,$item,$system,fluent,1,"
            done
        done
    done
} >ratings.csv
expect 2 campaign import ratings.csv
says err '--name NAME'
expect 2 campaign import ratings.csv --name 'a b'
sed 's/^r1,one,plain-model,overall,3/r1,one,plain-model,overall,6/; s/^r2,two,/r2,nowhere,/' ratings.csv >bad.csv
expect 1 campaign import bad.csv --name bad
says err 'bad.csv:2: error: 6 is not allowed for' "bad.csv:32: error: passage: run" '7 errors' 'bad.csv: nothing was imported'
# What is no number is not taken for "cannot say", nor an unknown phase for the main one.
printf '{"rater": "r1", "passage": "one", "system": "plain-model", "dimension": "fluent", "value": %s}\n' true '[1]' '{"a": 1}' >bad.jsonl
expect 1 campaign import bad.jsonl --name bad
says err 'bad.jsonl:1: error: value' 'bad.jsonl:2: error: value' 'bad.jsonl:3: error: value' '3 errors'
printf 'rater,passage,system,dimension,value,phase\nr1,one,plain-model,overall,3,Practice\n' >bad.csv
expect 1 campaign import bad.csv --name bad
says err "bad.csv:2: error: phase: there is no phase 'Practice'"
printf 'rater,passage,system,dimension,value,value\nr1,one,plain-model,overall,3,4\n' >bad.csv
expect 1 campaign import bad.csv --name bad
says err 'bad.csv:1: a second column value'
# A line that is broken as a whole hides no other fault.
printf 'rater,passage,system,dimension,value\nr1,one,plain-model,overall,9\nr1,two,plain-model,overall\nr1,three,plain-model,overall,8\n' >bad.csv
expect 1 campaign import bad.csv --name bad
says err 'bad.csv:2: error: 9 is' 'bad.csv:3: error: 4 fields, but the header has 5' 'bad.csv:4: error: 8 is' '3 errors'
printf '[]\n{"rater": 1}\n{\n' >bad.jsonl
expect 1 campaign import bad.jsonl --name bad
says err 'bad.jsonl:1: error: expected an object' "bad.jsonl:2: error: the line has no 'passage'" 'bad.jsonl:3: error: ' '3 errors'
cp campaign.db "another one.db"
expect 0 campaign import ratings.csv c.yaml --run latest --name gate-2 --db "another one.db"
says out "campaign results gate-2 --db 'another one.db'"
expect 0 campaign import ratings.csv c.yaml --run latest --name gate-2
says out 'campaign gate-2 on run ' ', closed'
expect 2 campaign import ratings.csv c.yaml --name gate-2
says err 'already'
expect 0 campaign results gate-2
lacks out 'plain-model'
says out 'system-' 'campaign unmask gate-2'
expect 0 report latest --judge campaign:gate-2 -o board.csv
says board.csv ",planned,,,"
lacks board.csv ",planned,0" ",done,0" ",unscored,0"
expect 0 campaign export gate-2 -o masked.csv
lacks masked.csv plain-model
expect 1 campaign import masked.csv --name masked
says err 'after their campaign was unmasked'
expect 0 campaign exclude gate-2 r2 --why 'left early'
expect 0 campaign export gate-2 -o since.csv # what was decided since is computed first
says since.csv 'left early'
expect 0 campaign unmask gate-2
expect 0 campaign results gate-2 --json
# r3 gave one mark to everything: the rule of the file leaves it out. r2 was left out by hand.
[ "$(get 'outcome("system/plain-model", "total:overall")')" = 12.0 ] || fail "total of plain-model"
[ "$(get 'outcome("system/plain-model", "all:total:overall")')" = 28.0 ] || fail "total of everybody"
[ "$(get 'outcome("system/reference", "mean:overall")')" = 5.0 ] || fail "mean of the reference"
[ "$(get 'outcome("campaign", "excluded"), outcome("campaign", "excluded:rules")')" = "(1.0, 1.0)" ] || fail "excluded"
expect 0 campaign results gate-2
says out 'reference' 'plain-model' 'Everyone [95 %]' 'Everyone: including raters who did not finish'
expect 0 campaign show gate-2
awk '/^  / && length > 80 { exit 1 }' out || fail "a table is wider than the terminal: $(cat out)"

echo "== out and back"
expect 2 campaign export gate-2 -o ratings.xlsx
expect 0 campaign export gate-2 -o full.csv --codebook codebook.md
is "$(stat -c %a full.csv)" 600 "the mode of an export"
says full.csv "'=HYPERLINK()" "by the rule 'same_marks'" 'left early'
says codebook.md 'value' 'overall' ': Overall, 0 to 5' 'Your age'
expect 0 campaign export gate-2 --json
says out '"comment":"=HYPERLINK()"'
cp out full.jsonl
expect 0 campaign results gate-2 --json
python3 -c 'import json; print(sorted(map(str, json.load(open("out"))["outcomes"])))' >before
for form in csv jsonl; do
    expect 0 campaign import full.$form c.yaml --name back-$form
    expect 0 campaign unmask back-$form
    expect 0 campaign results back-$form --json
    # whom the rule excluded has been excluded by the import; otherwise all is the same
    python3 -c 'import json; print(sorted(map(str, json.load(open("out"))["outcomes"])))' >after
    sed "s/'metric': 'excluded', 'value': [12].0, 'lo': None, 'hi': None, 'why': 'not-computed', 'n': [12]/EXCLUDED/" before >want
    sed "s/'metric': 'excluded', 'value': [12].0, 'lo': None, 'hi': None, 'why': 'not-computed', 'n': [12]/EXCLUDED/" after >got
    cmp -s want got || fail "the results of $form are others"
done
"$AUDITION" campaign export gate-2 2>pipe.err | head -1 >/dev/null
[ ! -s pipe.err ] || fail "a closed pipe: $(cat pipe.err)"
expect 2 campaign invite gate-2
says err 'nobody could rate in it'

echo "== the suite that is shipped: its campaign, with practice texts"
sed -n 's/^- id: \(.*\)/{"item": "\1", "text": "甲：好。\\n乙：行。"}/p' "$REPO/suites/comic-dialogue/items.yaml" "$REPO"/suites/bench/zh/items/comic-*.yaml >comic.jsonl
cat >comic-models.yaml <<'END'
models:
  - {name: mine, kind: recorded, file: comic.jsonl}
  - {name: theirs, kind: recorded, file: comic.jsonl}
END
expect 0 run "$REPO/suites/comic-dialogue/suite.yaml" -m mine -m theirs -c comic-models.yaml -q
says out 'campaign new FILE.yaml --run'
lacks out 'totals' # nothing was scored
expect 0 report latest -o unjudged.html
says unjudged.html '目前没有；还有回答尚未评分。'
lacks unjudged.html '所有回答均已取得并评分'
expect 0 campaign new "$REPO/suites/comic-dialogue/campaign.yaml" --run latest
expect 0 campaign open comic-dialogue
expect 0 campaign invite comic-dialogue -n 20 --url https://rate.example.org
expect 0 campaign results comic-dialogue
expect 0 campaign show comic-dialogue
says out '50 passages' 'about 60 more raters'

echo "== a name of two Chinese characters tells, as one of four letters does"
mkdir named
cd named || exit
gate suite.yaml
sed 's/The plain answer to one./豆包觉得今天很冷。/' ../plain.jsonl >plain.jsonl
echo 'models: [{name: 豆包, kind: recorded, file: plain.jsonl}]' >models.yaml
audition 0 run suite.yaml -m 豆包
printf '%s\n' 'campaign: named' 'passages_per_rater: 1' >named.yaml
audition 0 campaign new named.yaml
audition 0 campaign show named
says out '(name: 豆包)'

echo "== a model that is called as the references are is none of them"
sed 's/豆包/reference/' models.yaml >m.yaml && mv m.yaml models.yaml
audition 0 run suite.yaml -m reference
printf '%s\n' 'campaign: mixed' 'passages_per_rater: 1' 'reference: takes-part' >mixed.yaml
audition 2 campaign new mixed.yaml
says err "a model called 'reference'"
printf 'rater,passage,system,dimension,value\nr1,two,reference,overall,5\n' >r.csv
audition 0 campaign import r.csv --name theirs
is "$(sql campaign.db "SELECT COUNT(*) FROM rating g JOIN assignment a ON a.id = g.assignment JOIN campaign c ON c.id = a.campaign
    WHERE c.name = 'theirs' AND g.sample > 0")" 1 "marks of the model"

echo "== after the deadline nobody is invited"
printf '%s\n' 'campaign: late' 'passages_per_rater: 1' 'practice: no' "deadline: $(date -u -d '+1 hour' '+%Y-%m-%d %H:%M')" >late.yaml
audition 0 campaign new late.yaml
audition 0 campaign open late
audition 0 campaign invite late
sql campaign.db "UPDATE campaign SET spec = REPLACE(spec, '\"deadline\":\"$(date -u -d '+1 hour' '+%Y')', '\"deadline\":\"2020') WHERE name = 'late'"
audition 2 campaign invite late
says err 'the deadline of campaign' 'has passed'
cd .. || exit

echo "== wrong use"
expect 2 campaign
expect 2 campaign opne gate-1
says err "did you mean 'open'"
expect 2 campaign open
says err 'expected: audition campaign open NAME'
expect 2 campaign list gate-1
expect 1 campaign show nosuch
expect 1 campaign import nosuch.csv --name x

echo "== what a rule of the suite leaves out is hidden, and can be shown"
mkdir ruled
cd ruled || exit
answered
sed -i 's/"Only the miller."/"# Only the miller"/; 2,$s/# //' plain.jsonl
sed -i 's/^score:/rules: {markup: leave-out}\nscore:/' suite.yaml
audition 0 run suite.yaml -m plain
printf '%s\n' 'campaign: four' 'passages_per_rater: 4' >four.yaml
audition 2 campaign new four.yaml
says err 'answers to only 3'
opened ruled
audition 0 campaign show ruled
says out "hidden by a rule of the suite: sample" "an answer to one"
lacks out "an answer to two"
sample=$(sed -n 's/.*decide ruled \([0-9]*\) --show$/\1/p' out)
audition 0 campaign decide ruled "$sample" --show
audition 0 campaign show ruled
lacks out "hidden by a rule"
is "$(sql campaign.db "SELECT count(*) FROM passage p JOIN campaign c ON c.id = p.campaign WHERE c.name = 'ruled'")" 4 "passages"
is "$(sql campaign.db "SELECT what, CASE WHEN what = 'campaign.new' THEN '' ELSE detail END FROM audit WHERE subject = 'ruled' AND who LIKE '%command line%' ORDER BY id" | tr '\n' ' ')" \
    "campaign.new| campaign.state|open campaign.show|$sample " "what was done to one"
cd .. || exit

echo "== what was done here is in the log, as what is done on pages"
is "$(sql campaign.db "SELECT what, detail FROM audit WHERE subject = 'gate-2' AND (what = 'campaign.exclude' OR detail IN ('since.csv', 'unmasked')) ORDER BY id" | tr '\n' ' ')" \
    "campaign.exclude|rater/$(sql campaign.db "SELECT r.id FROM rater r JOIN campaign c ON c.id = r.campaign WHERE c.name = 'gate-2' AND r.pseudonym = 'r2'") campaign.export|since.csv campaign.state|unmasked " "what was done to the other"

echo "== whoever was imported is called as in the file; that goes with them, and is in no log"
first=$(sql campaign.db "SELECT r.pseudonym FROM rater r JOIN campaign c ON c.id = r.campaign WHERE c.name = 'back-csv' ORDER BY r.id LIMIT 1")
expect 0 campaign erase back-csv "$first"
expect 0 campaign show back-csv
lacks out "$first "
says out gone-
is "$(sql campaign.db "SELECT COUNT(*) FROM audit WHERE subject = 'back-csv' AND detail = '$first'")" 0 "the name in the log"

echo "== when a command has erased somebody, their words are neither in the file nor in its log, though the database is in use"
# copies WORDS: leave them where no row stands for them, as SQLite does when it moves rows
copies()
{
    sql campaign.db "PRAGMA secure_delete = OFF; CREATE TABLE moved (words TEXT);
        INSERT INTO moved VALUES ('$1'); DROP TABLE moved" >moved
}
# stands WORDS: in how many files of the database
stands()
{
    cat campaign.db campaign.db-wal | grep -acF "$1" | sed 's/[1-9][0-9]*/some/'
}
run=$(sql campaign.db "SELECT r.name FROM run r JOIN campaign c ON c.run = r.id WHERE c.name = 'gate-2'")
sed 's/^\(r[0-9]\)\(,.*,\)=HYPERLINK()$/\1\2words of \1/' ratings.csv >words.csv
{ cat c.yaml && echo 'retention: {days: 1, delete: everything}'; } >due.yaml
expect 0 campaign import words.csv --run "$run" --name leaving
exec {idle}> >(exec sqlite3 -batch campaign.db >idle.out) # whoever leaves last would take the log away
echo "SELECT name FROM campaign;" >&"$idle"
until_true "the database is in use" 10 test -s idle.out
copies "words of r1"
expect 0 campaign exclude leaving r1 --why "words of r1 as staff has them"
is "$(stands 'words of r1')" some "words that nobody erased"
expect 0 campaign erase leaving r1
says out 'erased: everything that rater r1 '
is "$(stands 'words of r1') $(stands 'words of r2')" "0 some" "words of one who was erased and one who was not"
expect 0 campaign import words.csv due.yaml --run "$run" --name due
copies "words of r3"
sql campaign.db "UPDATE campaign SET closed_ms = 1 WHERE name = 'due'"
sql campaign.db "DELETE FROM rating WHERE comment = 'words of r3' AND assignment IN (SELECT a.id FROM assignment a JOIN campaign c ON c.id = a.campaign WHERE c.name = 'leaving')"
is "$(stands 'words of r3')" some "words whose time is not over"
expect 0 campaign show due
is "$(stands 'words of r3')" 0 "words whose time is over"
exec {idle}>&-
# A large file would take too long; its size stands in bytes 28 to 31, or is that of the file.
cp campaign.db large.db
truncate -s 257M large.db
printf '\0\0\0\0' | dd of=large.db bs=1 seek=28 conv=notrunc status=none
expect 0 campaign erase leaving r2 --db large.db
says err 'audition db vacuum'

echo "== words of a rater do nothing to a terminal"
sql campaign.db "UPDATE rating SET comment = 'red' || char(27) || '[31m'" >/dev/null
for form in out full.jsonl; do
    expect 0 campaign export gate-2 -o "${form/out/-}"
    says $form 'red�[31m'
    lacks $form $'\033' '\\u001B'
done

echo "== the published study: 40 cells of 40"
study=$REPO/../shared/reference/crosstalk
[ -d "$study" ] || { echo "not there: $study"; exit 0; }
expect 0 campaign import "$study"
name=$(sed -n 's/^campaign \([^ ]*\) on run .*, closed.*/\1/p' out)
expect 2 campaign import "$study"
expect 0 campaign unmask "$name"
expect 0 campaign results "$name" --json
right=$(python3 - "$study/expected_human.json" <<'END'
import json, sys
want = json.load(open(sys.argv[1]))["totals"]
got = {(o["subject"], o["metric"]): o["value"] for o in json.load(open("out"))["outcomes"]}
print(sum(got[("system/" + ("reference" if one["model_id"] == 1 else name), "total:" + d)] == v
          for name, one in want.items()
          for d, v in zip(("overall", "humour", "fluent", "discriminatory"), one["published"])))
END
)
[ "$right" -eq 40 ] || fail "$right cells of 40"
# what people wrote themselves is better than everything else, beyond chance
python3 - <<'END' || fail "differences of systems"
import json
rows = json.load(open("out"))["outcomes"]
above = {o["subject"]: (o["value"], o["n"]) for o in rows if o["metric"] == "above:overall"}
assert above["system/reference"] == (9, 9), above
over = [o for o in rows if o["metric"] == "over:overall"]
assert len(over) == 45 and all(o["value"] >= 0 and o["lo"] < o["value"] < o["hi"] for o in over)
assert {o["other"] for o in over if o["subject"] == "system/reference"} == {s[7:] for s in above} - {"reference"}
assert all(0 <= o["value"] <= 1 for o in rows if o["metric"] == "over-p:overall")
END
