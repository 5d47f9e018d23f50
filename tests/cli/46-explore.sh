#!/usr/bin/env bash
# The explorer in a real browser, at three widths, with scripts and without; and the same pages as files.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

db=$PWD/see.db
demo=$REPO/demo

# ---- marks, battles, interviews; a sensitive suite

for what in "suite examiner" "interview reader"; do
    "$AUDITION" run "$demo/${what% *}.yaml" -c "$demo/models.yaml" -m steady -m drifter -m parrot --judge "${what#* }" \
        -q --db "$db" >/dev/null 2>&1 || [ $? = 3 ]
done
"$AUDITION" run "$demo/battles.yaml" -c "$demo/models.yaml" -m steady -m parrot --judge editor --limit 3 -q --db "$db" >/dev/null 2>&1
"$AUDITION" run "$demo/dialogue.yaml" -c "$demo/models.yaml" -m talker --judge listener -q --db "$db" >/dev/null 2>&1
"$AUDITION" run "$demo/scene.yaml" -c "$demo/models.yaml" -m talker -q --db "$db" >/dev/null 2>&1
gate secret.yaml
sed -i 's/^suite: gate/suite: secret/; s/^language: en/language: en\nsensitive: true/; s/Who goes there/UNPRINTABLE/' secret.yaml
cat >secret.jsonl <<'E'
{"item": "one", "text": "UNSPEAKABLE"}
E
printf 'models:\n  - {name: quiet, kind: recorded, file: secret.jsonl}\n' >secret-models.yaml
"$AUDITION" run secret.yaml -m quiet -c secret-models.yaml --db "$db" -q >/dev/null 2>&1 || true
mkdir ferry
cat >ferry.yaml <<'E'
suite: ferry
title: {en: The ferry, zh: 渡船}
language: en
elicit: {kind: single}
instrument: {kind: dimensions, dimensions: [{id: quality, title: Quality, scale: 0..4}, {id: voice, title: Voice, scale: 0..4}]}
items: [{id: one, prompt: "Is it running?"}, {id: two, prompt: "Who holds the lamp?"}]
E
cat >ferry.jsonl <<'E'
{"item": "one", "text": "Not tonight; the river is up and so am I."}
{"item": "two", "text": "I hold it. A lantern is only heavy when you put it down, said the old one."}
E
cat >ferry-judge.jsonl <<'E'
{"model": "plain", "item": "one", "text": "{\"quality\": {\"analysis\": \"Dry.\", \"score\": 3}, \"voice\": {\"analysis\": \"Hers.\", \"score\": 4}}"}
{"model": "plain", "item": "two", "text": "{\"quality\": {\"analysis\": \"'A lantern is only heavy' is worth the crossing; it's hers.\", \"score\": 4}, \"voice\": {\"analysis\": \"x\", \"score\": 4}}"}
E
cat >ferry-models.yaml <<'E'
models:
  - {name: plain, kind: recorded, file: ferry.jsonl}
  - {name: critic, kind: recorded, file: ferry-judge.jsonl}
E
"$AUDITION" run ferry.yaml -c ferry-models.yaml -m plain --judge critic -q --db "$db" >out 2>err || { cat out err; fail "the ferry"; }

grep -v '"grand"' "$REPO/demo/ratings.jsonl" >ratings.jsonl
audition 0 campaign import ratings.jsonl "$REPO/demo/campaign.yaml" --run "$(sql "$db" "SELECT name FROM run WHERE suite = 'hobs-lock'")" --db "$db"
audition 0 campaign unmask hobs-lock-readers --db "$db"

echo "verify computes what lists are sorted by again"
"$AUDITION" publish pages --db "$db" >out
says out 'open pages/index.html'
run=$(sql "$db" "SELECT name FROM run WHERE suite = 'ferry'")
audition 0 verify "$run" --db "$db"
sql "$db" "UPDATE sample_value SET value = value + 1 WHERE run = (SELECT id FROM run WHERE suite = 'ferry')"
audition 1 verify "$run" --db "$db"
says err 'does not follow from its marks'
sql "$db" "UPDATE sample_value SET value = value - 1 WHERE run = (SELECT id FROM run WHERE suite = 'ferry')"
audition 0 verify "$run" --db "$db"

echo "a suite is called what its reader calls it"
says pages/runs.html '>The ferry</a>'
"$AUDITION" publish read --language zh --db "$db" >out
says read/runs.html '>渡船</a>'
lacks read/runs.html 'The ferry'
audition 0 board "$run" --language zh --db "$db"
says out '渡船'
audition 0 board "$run" --language ja --db "$db"
says out 'The ferry'

echo "what is shown of an interview is what the model said"
says pages/model--name-steady.html 'dir="auto">I do, skipper. Wenna Pask, thirty-four years on this bench.'
lacks pages/model--name-steady.html 'auto">[1] '

echo "a sensitive suite is not published"
[ -f pages/index.html ] || fail "there is no index.html"
! grep -rqE 'UNPRINTABLE|UNSPEAKABLE|secret' pages || fail "published: $(grep -rlE 'UNPRINTABLE|UNSPEAKABLE|secret' pages)"

echo "links lead to places that are there"
python3 - <<'END' || fail "links that lead nowhere"
import os, re, sys, urllib.parse
texts = {os.path.join(d, f): open(os.path.join(d, f)).read() for d, _, files in os.walk("pages") for f in files if f.endswith(".html")}
places = {f: set(re.findall(r'\bid="([^"]+)"', text)) for f, text in texts.items()}
lost = []
for f, text in texts.items():
    for to, place in re.findall(r'href="([^"#:]*)#([^"]+)"', text):
        there = os.path.normpath(os.path.join(os.path.dirname(f), urllib.parse.unquote(to))) if to else f
        if urllib.parse.unquote(place) not in places.get(there, ()):
            lost.append(f"{f}: {to}#{place}")
print("\n".join(lost))
sys.exit(bool(lost))
END

need_browser

start "$AUDITION" serve --port 0 --db "$db" >serve.out 2>&1
until_true "the server" 20 grep -q code serve.out
BASE=$(sed -n 's/^serving .* at \(http[^ ]*\).*/\1/p' serve.out)
export BASE
code=$(sed -n 's/.*code \([A-Z0-9-]*\)$/\1/p' serve.out)

one() { sql "$db" "SELECT $1 FROM run r JOIN sample s ON s.run = r.id WHERE r.suite = '$2' ORDER BY s.id LIMIT 1"; }
marks=$(one "r.name" hobs-lock) sample=$(one "s.id" hobs-lock) talk=$(one "r.name" hobs-lock-interview) dialogue=$(one "r.name" hobs-lock-dialogue)
battles=$(one "r.name" hobs-lock-battles) secret=$(one "r.name" secret)
pair=$(sql "$db" "SELECT sample || '/' || other FROM verdict WHERE other > 0 LIMIT 1")
slipped=$(sql "$db" "SELECT s.id FROM sample s JOIN model m ON m.id = s.model JOIN run r ON r.id = s.run WHERE r.suite = 'hobs-lock-interview' AND m.name = 'drifter'")
scene=$(sql "$db" "SELECT '/runs/' || r.name || '/samples/' || f.sample FROM flag f JOIN run r ON r.id = f.run WHERE f.kind = 'knowledge'")
dir=$PWD/pages people=/campaigns/hobs-lock-readers
browse explore "$code" "$dir" "$scene" /leaderboard "/leaderboard?suite=hobs-lock" "/runs?words=lock" "/runs?words=nothing-at-all" "/runs/$marks" "/runs/$marks/samples" \
    "/runs/$marks/samples?order=low&flag=any" "/runs/$marks/samples/$sample" "/runs/$marks/items" "/runs/$marks/item?id=widow" "/runs/$marks/judges" \
    "/runs/$marks/flags" "/runs/$marks/method" "/runs/$talk" "/runs/$talk/samples/$slipped" "/runs/$dialogue" "/runs/$battles" "/runs/$battles/battles" \
    "/runs/$battles/battles/$pair" "/runs/$secret" "/runs/$run" "/compare?a=$marks&b=$marks" /models "/model?name=steady" /judges "/judge?name=examiner" "/search?words=lock" /style \
    /campaigns /new-campaign $people $people/raters $people/invitations $people/held $people/results $people/log $people/people /accounts /teams /audit /me /workers ||
    fail "the explorer"
