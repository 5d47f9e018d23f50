#!/usr/bin/env bash
# People's marks are scored like anybody's, on SQLite and PostgreSQL: bands with sub-scores, quotations and
# comments in a candidate's report, beside those of a judge; battles; sums and totals.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v python3 >/dev/null || skip "python3 is not installed"

get()
{
    python3 -S -c "import json; j = json.load(open('out')); print($1)"
}
# of MODEL: its row
of()
{
    echo "[m for m in j['models'] if m['name'] == '$1'][0]"
}

# ---- an interview of two models, a recorded judge, and three people who quote ----

cp -R "$REPO/tests/fixtures/interview" fixtures
cat >interview.yaml <<'END'
suite: band-en
title: A short interview
language: en
seed: 5
elicit: {kind: interview, bank: fixtures/bank/en, sittings: 2, part1: 4, follow_ups: 2, part3: 4, examiner: script}
instrument: {use: interview.en}
score: {kind: band}
END
for item in 1-tolliver 2-tolliver; do
    for turn in 3 5 7 9 11 13 16 18 20 23 25 27 29 31 33; do
        printf '{"item": "%s", "turn": %d, "text": "Twenty-six years at the lock (%s, %d)."}\n' $item $turn $item $turn >>ann.jsonl
        printf '{"item": "%s", "turn": %d, "text": "Aye, the lock is mine (%s, %d)."}\n' $item $turn $item $turn >>bob.jsonl
    done
done
python3 - <<'END'
import json
said = {"ann": "Twenty-six years at the lock", "bob": "the lock is mine"}
with open("jo.jsonl", "w") as f:
    for model, marks in (("ann", [4, 4, 4, 4]), ("bob", [2, 2, 2, 2])):
        for item in ("1-tolliver", "2-tolliver"):
            verdict = {d: {"quotes": [{"turn": 3, "text": said[model]}], "analysis": "so the judge thinks",
                           "advice": "take more time", "score": s} for d, s in zip(("RC", "LA", "CQ", "IC"), marks)}
            f.write(json.dumps({"model": model, "item": item, "text": json.dumps(verdict)}) + "\n")
# ann: 5 4 4 4 by two and 4 4 4 4 by one; bob 3 throughout
with open("sittings.jsonl", "w") as f:
    for rater in ("r1", "r2", "r3"):
        for model in ("ann", "bob"):
            for item in ("1-tolliver", "2-tolliver"):
                for d in ("RC", "LA", "CQ", "IC"):
                    value = 3 if model == "bob" else 5 if d == "RC" and rater != "r3" else 4
                    f.write(json.dumps({"rater": rater, "passage": item, "system": model, "repeat": 0, "dimension": d, "value": value,
                                        "comment": f"{rater} finds it sound" if d == "RC" else "",
                                        "quotes": json.dumps([{"text": said[model], "turn": 3, "found": True}]) if d == "RC" else ""}) + "\n")
# battles: ann beats bob beats cid; one tie
with open("battles.jsonl", "w") as f:
    for rater in ("r1", "r2"):
        for i in range(6):
            for a, b, v in (("ann", "bob", 1 if i else 0.5), ("cid", "bob", 0 if i % 3 else 1), ("ann", "cid", 1 if i % 5 else 0)):
                f.write(json.dumps({"rater": rater, "passage": f"i{i}", "system": a, "other_system": b, "repeat": 0,
                                    "dimension": "choice", "value": v}) + "\n")
for model in ("ann", "bob", "cid"):
    with open(f"{model}-fights.jsonl", "w") as f:
        for i in range(6):
            f.write(json.dumps({"item": f"i{i}", "text": f"{model} says number {i} of his own"}) + "\n")
# ten marks of 3 (sum) and two scales (totals)
with open("sums.jsonl", "w") as f:
    for rater in ("r1", "r2"):
        for i in range(10):
            for model, value in (("ann", 3), ("bob", 2)):
                f.write(json.dumps({"rater": rater, "passage": f"i{i}", "system": model, "repeat": 0, "dimension": "right", "value": value}) + "\n")
for model in ("ann", "bob"):
    with open(f"{model}-sums.jsonl", "w") as f:
        for i in range(10):
            f.write(json.dumps({"item": f"i{i}", "text": f"{model} answers question {i} in words of his own, {chr(97 + i) * 3}"}) + "\n")
END
cat >models.yaml <<'END'
models:
  - {name: ann, kind: recorded, file: ann.jsonl}
  - {name: bob, kind: recorded, file: bob.jsonl}
  - {name: jo, kind: recorded, file: jo.jsonl}
END
printf 'models:\n' >fights.yaml
for m in ann bob cid; do echo "  - {name: $m, kind: recorded, file: $m-fights.jsonl}" >>fights.yaml; done
printf 'models:\n' >sums.yaml
for m in ann bob; do echo "  - {name: $m, kind: recorded, file: $m-sums.jsonl}" >>sums.yaml; done
{
    printf 'suite: fights\nlanguage: en\ninstrument: {kind: pair, criteria: [better], ties: yes}\nscore: {kind: rating, also: [glicko2]}\nitems:\n'
    for i in 0 1 2 3 4 5; do echo "  - {id: i$i, prompt: 'Number $i?'}"; done
} >fights-suite.yaml
for kind in sum totals; do
    printf 'suite: %s\nlanguage: en\ninstrument: {dimensions: [{id: right, scale: 0..5}]}\nscore: {kind: %s%s}\nitems:\n' $kind $kind "$([ $kind = totals ] || echo ', divide: 10')"
    for i in 0 1 2 3 4 5 6 7 8 9; do echo "  - {id: i$i, prompt: 'Number $i?'}"; done
done >both.txt
awk '/^suite:/ { f = $2 ".yaml-suite" } { print > f }' both.txt
old=$REPO/tests/fixtures/old/files
cp "$old/hush.yaml" .
printf 'campaign: people\npassages_per_rater: 2\noverlap: 3\n' >c.yaml

# bring RUN FILE NAME: people's marks of a file, unmasked
bring()
{
    audition 0 campaign import "$2" c.yaml --run "$1" --name "$3" --db "$db"
    audition 0 campaign unmask "$3" --db "$db"
}

# the battles of the board that was printed through a file, and rank
ranks_as_the_board()
{
    cp out board.json
    audition 0 export latest --what battles -o battles.csv --db "$db"
    audition 0 rank battles.csv --json
    python3 - <<'END' || fail "rank and the board differ"
import json
board = {m["name"]: m["score"]["value"] for m in json.load(open("board.json"))["models"]}
rank = {m["model"]: m["rating"] for m in json.load(open("out"))["ratings"]}
assert all(abs(board[k] - rank[k]) < 0.01 for k in board), (board, rank)
END
}

walk()
{
    local db=$1

    echo "== bands: four sub-scores, quotations and comments, whoever is asked for"
    audition 0 run interview.yaml -m ann -m bob --judge jo --db "$db" -q
    audition 0 campaign import sittings.jsonl c.yaml --run latest --name examiners --db "$db"
    audition 2 report latest --judge jo --judge campaign:examiners -o early.md --db "$db"
    says err 'not unmasked yet'
    audition 0 campaign unmask examiners --db "$db"
    audition 0 board latest --judge campaign:examiners --json --db "$db"
    # 50 of 12 marks, 4.17 a mean of four: band 4.0; sub-scores 4.67, 4, 4, 4
    [ "$(get "$(of ann)['score']['value'], $(of bob)['score']['value']")" = "4.0 3.0" ] || fail "people's bands: $(cat out)"
    [ "$(get "[round(v['value'], 2) for v in $(of ann)['marks'].values()]")" = "[4.67, 4.0, 4.0, 4.0]" ] ||
        fail "people's sub-scores: $(get "$(of ann)['marks']")"
    [ "$(get "[x['name'] for x in j['judges']], j['judge']")" = "['campaign:examiners'] campaign:examiners" ] || fail "whose"
    for form in md html; do
        audition 0 report latest --judge campaign:examiners -o people.$form --db "$db"
        says people.$form 'Role consistency 4.67' 'r1 finds it sound' 'Twenty-six years at the lock' 'campaign:examiners/'
        lacks people.$form 'so the judge thinks' 'not found'
        audition 0 report latest --judge jo -o judge.$form --db "$db"
        says judge.$form 'so the judge thinks' 'take more time'
        lacks judge.$form 'finds it sound'
        audition 0 report latest --judge campaign:examiners --judge jo -o both.$form --db "$db"
        says both.$form 'campaign:examiners: band 4.0 · Role consistency 4.67' 'jo: band 4.0 · Role consistency 4' \
            'r1 finds it sound' 'so the judge thinks' 'take more time'
    done
    audition 0 report latest --judge jo --judge campaign:examiners --json --db "$db"
    [ "$(get "[x['name'] for x in j['judges']]")" = "['jo', 'campaign:examiners']" ] || fail "judges of both"
    audition 0 show latest --item 1-tolliver --model ann --db "$db"
    says out 'campaign:examiners/' 'r2 finds it sound' 'so the judge thinks'
    audition 0 compare latest latest --model ann --against bob --judge campaign:examiners --db "$db"
    audition 0 export latest --what verdicts -o verdicts.jsonl --db "$db"
    says verdicts.jsonl 'campaign:examiners'
    audition 0 verify latest --db "$db"

    echo "== battles: Bradley-Terry and Glicko-2 of people"
    audition 0 run fights-suite.yaml -m ann -m bob -m cid -c fights.yaml --db "$db" -q
    bring latest battles.jsonl crowd
    audition 0 board latest --judge campaign:crowd --json --db "$db"
    [ "$(get "[m['name'] for m in j['models']]")" = "['ann', 'bob', 'cid']" ] || fail "the order of battles: $(cat out)"
    [ "$(get "[tuple(m['battles'][k] for k in ('wins', 'losses', 'ties')) for m in j['models']]")" = "[(18, 4, 2), (8, 14, 2), (8, 16, 0)]" ] ||
        { cat out; fail battles; }
    [ "$(get "all(m['battles']['glicko2']['value'] > 0 for m in j['models'])")" = True ] || fail "no Glicko-2: $(cat out)"
    ranks_as_the_board
    says battles.csv 'campaign:crowd/'
    audition 0 verify latest --db "$db"

    echo "== silence loses before people as before judges, also in the file of battles"
    audition 3 run hush.yaml -m ann -m hush -c "$old/models.yaml" --db "$db" -q
    bring latest "$old/choices.jsonl" heard
    audition 0 board latest --judge campaign:heard --json --db "$db"
    # three raters a battle: hush won 4 of 6 that were seen, and lost 6 in silence
    [ "$(get "[(m['name'], m['battles']['wins'], m['battles']['losses']) for m in j['models']]")" = "[('ann', 8, 4), ('hush', 4, 8)]" ] ||
        fail "silence before people: $(cat out)"
    ranks_as_the_board
    audition 0 verify latest --db "$db"

    echo "== sums and totals, and a gate in the units of the board"
    for kind in sum totals; do
        audition 0 run $kind.yaml-suite -m ann -m bob -c sums.yaml --db "$db" -q
        bring latest sums.jsonl "counted-$kind"
        audition 0 board latest --judge "campaign:counted-$kind" --json --db "$db"
        get "($(of ann)['score']['value'], $(of bob)['score']['value'])" >"$kind.scores"
        audition 0 compare latest latest --model ann --against bob --judge "campaign:counted-$kind" --json --db "$db"
        audition 100 compare latest latest --model bob --against ann --judge "campaign:counted-$kind" --fail-under 0.5 --db "$db"
        audition 0 verify latest --db "$db"
    done
    [ "$(cat sum.scores)" = "(3.0, 2.0)" ] || fail "sums: $(cat sum.scores)"
}

# byte DATABASE TABLE COLUMN WHERE WORDS: one character of a stored fact is another; verify names it
byte()
{
    echo "   $2.$3"
    cp "$1" forged.db
    sql forged.db "UPDATE $2 SET $3 = substr($3, 1, length($3) / 2) ||
        char(unicode(substr($3, length($3) / 2 + 1, 1)) + 1) || substr($3, length($3) / 2 + 2)
        WHERE rowid = (SELECT min(rowid) FROM $2 WHERE length($3) > 0 AND $4)"
    cmp -s "$1" forged.db && fail "nothing was changed: $2.$3"
    audition 1 verify "$run" --db forged.db
    says err "$5"
}
# forge SQL WORDS
forge()
{
    echo "   $1"
    cp people.db forged.db
    sql forged.db "$1"
    audition 1 verify "$run" --db forged.db
    says err "$2"
}

echo "SQLite"
walk people.db

echo "== show: titles, what an answer counts, and the turns of an interview that is not over"
audition 0 show "$(sql people.db "SELECT name FROM run WHERE suite = 'band-en'")" --item 1-tolliver --model ann --db people.db
says out 'Role consistency (RC) = 4' 'counts 4  (jo)' 'counts 4.16667  (campaign:examiners)' 'so the judge thinks'
head -n 4 ann.jsonl >cut.jsonl
printf 'models:\n  - {name: ann, kind: recorded, file: cut.jsonl}\n' >cut.yaml
audition 3 run interview.yaml -m ann -c cut.yaml --limit 1 --db cut.db -q
audition 0 show latest --db cut.db
says out '[3] Abel Tolliver' 'Twenty-six years at the lock (1-tolliver, 3).'

echo "== one changed byte in any stored fact is found, and named"
run=$(sql people.db "SELECT name FROM run WHERE suite = 'band-en'")
audition 0 verify "$run" --db people.db
mine="run = (SELECT id FROM run WHERE name = '$run')"
sample="sample IN (SELECT id FROM sample WHERE $mine)"
verdict="verdict IN (SELECT id FROM verdict WHERE $mine)"
byte people.db run frozen "name = '$run'" 'the frozen suite of run'
byte people.db item body "$mine" 'item '
byte people.db judge template "$mine" 'the template of judge'
byte people.db sample answer "$mine" 'the answer of sample'
byte people.db turn text "$sample" 'the turns of sample'
byte people.db verdict reply "$mine" 'verdict '
byte people.db mark analysis "$verdict" 'the marks of verdict'
byte people.db mark evidence "$verdict" 'the marks of verdict'
byte people.db mark advice "$verdict" 'the marks of verdict'
byte people.db rating comment "$sample" 'the ratings of assignment'
byte people.db rating quotes "$sample" 'the ratings of assignment'
forge "UPDATE rating SET value = value - 1 WHERE rowid = (SELECT min(rowid) FROM rating WHERE value = 4 AND $sample)" 'the ratings of assignment'
forge "UPDATE run SET stale = 1 WHERE name = '$run'" 'marked as stale'
# Also where the run and its campaigns are to be computed anew, as if somebody had decided otherwise.
again="UPDATE run SET stale = 1, sealed = '', facts = '' WHERE name = '$run'; UPDATE campaign SET stale = stale + 1"
forge "UPDATE judge SET dropped = 1 - dropped WHERE $mine; $again" ' counts: not what was stored'
forge "UPDATE rating SET marked = 0 WHERE $sample; $again" 'what counts in assignment'
forge "UPDATE assignment SET phase = 'repeat' WHERE phase = 'main' AND state = 'done'; $again" 'what counts in assignment'
forge "UPDATE campaign SET spec = spec || ' '; $again" 'the frozen file of campaign'
audition 1 verify "$run" --db forged.db --language zh
says err '冻结的文件：与存储时不同'
forge "UPDATE run SET seed = seed + 1 WHERE name = '$run'" 'the frozen suite of run'
forge "UPDATE seal SET hash = hash + 1 WHERE kind = 'answer' AND $mine" 'not what was stored'
forge "DELETE FROM seal WHERE kind = 'item' AND $mine" 'the seals of the run'
forge "UPDATE outcome SET value = value + 1 WHERE metric LIKE 'mean%' AND campaign = (SELECT id FROM campaign WHERE name = 'examiners')" 'examiners'
forge "UPDATE verdict SET state = 'unscored' WHERE $mine" 'verdict'
theirs="campaign = (SELECT id FROM campaign WHERE name = 'examiners')"
forge "UPDATE outcome SET version = 6 WHERE metric = 'raters' AND $theirs" 'outcomes of campaign examiners: rows of versions 6 to'
forge "UPDATE outcome SET version = 6 WHERE metric = 'raters' AND $theirs; UPDATE outcome SET lo = lo - 1 WHERE metric LIKE 'mean%' AND $theirs" \
    'outcome system/ann mean:RC of campaign examiners: stored'
forge "UPDATE outcome SET version = 6 WHERE metric = 'raters' AND $theirs; DELETE FROM outcome WHERE metric = 'began' AND $theirs" 'not stored'
forge "UPDATE outcome SET version = 6 WHERE $theirs; UPDATE outcome SET value = 9e999 WHERE metric = 'mean:RC' AND $theirs" 'stored inf'

echo "== a judge dropped or a rater erased: what follows is computed before it is verified"
cp people.db other.db
audition 0 judge drop "$run" jo --db other.db
audition 0 board "$run" --db other.db
audition 0 verify "$run" --db other.db
audition 0 judge restore "$run" jo --db other.db
audition 0 board "$run" --db other.db
audition 0 verify "$run" --db other.db
audition 0 campaign erase examiners "$(sql other.db "SELECT pseudonym FROM rater WHERE $theirs LIMIT 1")" --db other.db
audition 0 verify "$run" --db other.db

echo "== results by an older version: told, and made anew with the board; a look at them leaves the run's scores alone"
cp people.db older.db
sql older.db "UPDATE outcome SET version = 6, lo = lo - 1 WHERE $theirs"
audition 0 verify "$run" --db older.db
says out 'scored by an older version'
audition 0 verify "$run" --json --db older.db
says out '"older":false' '"outcomes_older":true' '"differences":0'
audition 0 board "$run" --db older.db
audition 0 verify "$run" --json --db older.db
says out '"outcomes_older":false' '"stale":false' '"differences":0'
sql older.db "UPDATE outcome SET version = 6 WHERE $theirs"
audition 0 campaign results examiners --db older.db
[ "$(sql older.db "SELECT stale FROM run WHERE name = '$run'")" = 0 ] || fail "a look at results made the run stale"

if [ -n "${AUDITION_TEST_PG:-}" ]; then
    echo "PostgreSQL"
    walk "$AUDITION_TEST_PG"
fi
