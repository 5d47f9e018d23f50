#!/usr/bin/env bash
# With --json every command prints JSON and nothing else, the same in every language.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

printf 'model_a,model_b,winner\nfox,owl,a\nowl,fox,a\nfox,owl,tie\n' >battles.csv
printf 'unit,rater,value\na,x,1\na,y,1\nb,x,2\nb,y,3\n' >ratings.csv
printf '{"reply": "It rained all night.", "reference": "It rained the whole night."}\n' >pairs.jsonl
awk 'BEGIN { for (i = 1; i <= 40; i++) printf "{\"text\": \"%s %d\", \"label\": \"%s\"}\n",
    i % 2 ? "do come in, number" : "go away, number", i, i % 2 ? "kind" : "rude" }' >labels.jsonl
printf 'campaign: crew\npassages_per_rater: 1\npractice: no\n' >crew.yaml
printf '{"name": "Maren", "description": "keeps the lock", "first_mes": "Who goes there?"}\n' >card.json
cp -R "$REPO/share/init/en" first
cat >gate.yaml <<'END'
suite: gate
language: en
elicit: {kind: single}
instrument: {kind: dimensions, dimensions: [{id: overall, scale: 0..5}]}
score: {kind: totals}
items:
  - {id: one, prompt: "Who goes there?"}
  - {id: two, prompt: "What is the word?"}
END
printf '{"item": "one", "text": "Only the miller."}\n{"item": "two", "text": "As an AI language model I know no word."}\n' >plain.jsonl
printf 'models:\n  - {name: plain, kind: recorded, file: plain.jsonl}\n  - {name: late, kind: recorded, file: plain.jsonl}\n' >models.yaml
{
    echo rater,passage,system,dimension,value
    for r in ann bob; do printf '%s,one,plain,overall,3\n%s,two,plain,overall,4\n' $r $r; done
} >people.csv

# Status and command. What a command writes is read by the next ones.
cat >commands <<'END'
0 init mine
0 check gate.yaml first/suites/first.yaml
1 check ratings.csv
0 db migrate
0 run first/suites/first.yaml -c first/models.yaml -m understudy --dry-run
0 run first/suites/first.yaml -c first/models.yaml -m understudy
0 judge latest -c first/models.yaml --judge prompter
0 judge drop latest prompter
0 judge restore latest prompter
0 export latest --what verdicts
0 plan-size latest --half-width 0.1
0 board
0 show
0 flag latest
0 compare latest latest
0 compare latest --declare
0 report
0 chart leaderboard
0 publish pages
0 verify
0 items analyse latest
0 run gate.yaml -m plain
0 batch export latest post
0 campaign list
0 campaign new crew.yaml --run latest
0 campaign list
0 campaign show crew
0 campaign results crew
0 campaign open crew
0 campaign invite crew -n 2
0 campaign decide crew 7 --hide
0 campaign close crew
0 campaign unmask crew
0 campaign import people.csv --run latest --name deck
0 campaign results deck
0 campaign show deck
0 campaign export deck
0 campaign exclude deck ann --why asleep
0 campaign erase deck bob
0 campaign import people.csv --run latest --name crowd
0 campaign unmask crowd
0 show latest
0 report latest --samples 1
0 list
0 runs
0 export latest
0 run gate.yaml -m late --seed 4 --detach
0 workers
0 pause endpoint:late
0 resume endpoint:late
0 pause latest
0 resume latest
0 work --once
0 run gate.yaml -m plain -m late --seed 5 --detach
0 cancel latest
0 describe latest --name other --tag a
0 archive latest -o other.audition
1 submit check other.audition
0 compare latest latest
0 rm --yes other
0 restore other.audition
1 drain worker:here:1
0 import plain.jsonl --suite gate.yaml -m other
0 items pairs.jsonl --prompt-key reply --reference-key reference -o items.jsonl
0 card card.json -o maren.yaml
0 bank check bank
0 bench info gate.yaml
1 bench check gate.yaml
0 rank battles.csv
0 agree ratings.csv --level ordinal
0 metrics pairs.jsonl
0 overlap pairs.jsonl --corpus pairs.jsonl
0 classifier train labels.jsonl -o polite.model
0 classifier test labels.jsonl --model polite.model
0 classifier apply labels.jsonl --model polite.model
0 classifier rate latest --model polite.model
0 doctor
0 db info
0 db stats
0 db vacuum
0 db backup copy.db
0 db copy other.db
END

# each TEXT: a line for every JSON value that it consists of, sorted by key, without what differs from run to run
cat >each.py <<'END'
import json, re, sys
FACTS = {"created", "saved", "begun", "submitted", "at", "digest", "elapsed_ms", "active_ms", "wall_s", "links", "bytes", "unused", "before", "after"}
def plain(x):
    if isinstance(x, dict):
        return {k: plain(v) for k, v in sorted(x.items()) if k not in FACTS and not k.endswith("_s")}
    if isinstance(x, list):
        return [plain(v) for v in x]
    return re.sub("characters/.*|system-.*", "", x) if isinstance(x, str) else x
text, at = sys.stdin.read(), 0
while text[at:].strip():
    at += len(text[at:]) - len(text[at:].lstrip())
    value, at = json.JSONDecoder().raw_decode(text, at)
    print(json.dumps(plain(value)))
END

echo "every command prints JSON, and the same in every language"
for language in en zh ja; do
    mkdir $language
    cp -R -- *.csv *.jsonl *.json *.yaml first "$REPO/tests/fixtures/interview/bank" $language
    (
        cd $language
        while read -r want line; do
            echo "# $line"
            # shellcheck disable=SC2086 # words, not one word
            status "$want" env LC_ALL=$language.UTF-8 "$AUDITION" $line --json -q </dev/null >&2
            python3 ../each.py <out || fail "audition $line --json printed: $(head -c 300 out)" >&2
        done <../commands >../said.$language
    ) 2>said.err || { cat said.err; exit 1; }
    [ $language = en ] || diff said.en said.$language >differs || { cut -c 1-2000 differs; fail "$language differs"; }
done
sed -n 's/^# \([a-z-]*\).*/\1/p' said.en | sort -u >tried

echo "a number that is not known is null, and its key is there"
# null COMMAND KEY...: somewhere in what it printed
null()
{
    local key

    for key in "${@:2}"; do
        sed "1,/^# $1\$/d; /^#/,\$d" said.en | grep -qF "\"$key\": null" || fail "$1: no \"$key\": null"
    done
}
null 'show latest' id
null 'report latest --samples 1' id
null 'compare latest latest' form_now form_before
null 'export latest' tokens_in tokens_out cost
null 'export latest --what verdicts' overall

echo "names that are not UTF-8 are shown as people see them, and no link is lost"
odd=$'\xffodd'
shown=$(printf '\xef\xbf\xbdodd')
# valid TEXT...: out holds JSON and these texts
valid()
{
    python3 each.py <out >/dev/null || fail "$(head -c 300 out)"
    says out "$@"
}
status 0 "$AUDITION" init "$odd" --json
valid "\"$shown/models.yaml\""
status 0 "$AUDITION" db backup "$odd.db" --db en/audition.db --json
valid "{\"file\":\"$shown.db\"}"
status 0 "$AUDITION" archive other -o "$odd.audition" --db en/audition.db --json
valid "{\"file\":\"$shown.audition\"}"
status 2 "$AUDITION" campaign invite crew --url "http://$odd" --db en/audition.db
says err '--url: not valid UTF-8'

echo "what was done before something failed is told"
mkdir half
touch half/suites
status 1 "$AUDITION" init half --json
valid '"half/models.yaml"'
lacks out first.yaml

echo "none is left out but what writes pages, scripts and help"
"$AUDITION" help | sed -n 's/^  \([a-z-]\{2,\}\)  .*/\1/p' | grep -vxE 'serve|paper|completion|help' | sort >all
diff all tried || fail "commands that were not tried"
