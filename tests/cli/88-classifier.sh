#!/usr/bin/env bash
# audition classifier: train, test and apply one of our own, and rate the answers of a run with it
# and with endpoints of both dialects.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

labels=$REPO/suites/politeness/labels.jsonl

# member PATH: of the JSON in out
member()
{
    sqlite3 :memory: "SELECT json_extract(CAST(readfile('out') AS TEXT), '$.$1')"
}

# holds EXPRESSION WHAT: arithmetic on numbers
holds()
{
    is "$(sqlite3 :memory: "SELECT $1")" 1 "$2 ($1)"
}

echo "train: what cross-validation says, and a file; the same for the same seed"
is "$(wc -l <"$labels" | tr -d ' ')" 240 "labelled lines"
audition 0 classifier train "$labels" -o polite.model
says out "240 lines, 120 polite, 120 plain"
says out "5-fold cross-validation"
says out "accuracy"
says out "log loss"
says out "calibration"
says out "0.9–1.0"
says err "wrote polite.model"
says err 'it counts "polite"; --positive plain counts the other'
cp out first
audition 0 classifier train "$labels" -o again.model
cmp out first || fail "the same command, other numbers"
cmp polite.model again.model || fail "the same command, another classifier"
audition 0 classifier train "$labels" -o again.model --seed 5 --folds 10 --json
cmp polite.model again.model || fail "folds must not change the classifier"
holds "$(member accuracy.value) > 0.8" "accuracy on lines not seen"
holds "$(member accuracy.lo) > 0.7" "its lower end"
holds "$(member log_loss) < 0.5" "log loss"
for share in precision recall; do
    holds "$(member ${share}_interval.lo) < $(member $share)" "$share, its lower end"
    holds "$(member ${share}_interval.hi) > $(member $share)" "$share, its upper end"
done
is "$(member positive)" polite "the positive label"
is "$(member 'calibration[9].from')" 0.9 "the last bin"
audition 0 classifier train "$labels" -o plain.model --positive plain --json
is "$(member positive)" plain "--positive"

printf '{"text":"Would you mind, please?","label":"zealous"}\n{"text":"Shut it.","label":"blunt"}\n{"text":"Kindly wait here.","label":"zealous"}\n{"text":"Go.","label":"blunt"}\n{"text":"If you please, sir.","label":"zealous"}\n{"text":"Move.","label":"blunt"}\n' >seen.jsonl
audition 0 classifier train seen.jsonl -o seen.model --folds 2
says err 'it counts "zealous"'
echo '{"text":"Move.","label":"blunt"}' >>seen.jsonl
audition 0 classifier train seen.jsonl -o seen.model --folds 2
says out '1 repeated line left out'

echo "test: lines of its own, as CSV"
cat >held.csv <<'END'
text,label
"夕方から雨になるそうです。",polite
"その鞄、重くないですか。",polite
"こちらで靴をお脱ぎください。",polite
"夕方から雨になるらしいぞ。",plain
"その鞄、重くない？",plain
"そこで靴を脱いで。",plain
END
audition 0 classifier test held.csv -m polite.model --json
is "$(member lines)" 6 "lines"
holds "$(member accuracy.value) > 0.6" "accuracy"
is "$(member precision_interval.why)" few-items "precision of fewer than five"
audition 0 classifier test held.csv -m polite.model
says out "  recall     1.00 (no interval: fewer than 5 items or battles)"
printf '{"text":"a","label":"polite"}\n{"text":"b","label":"rude"}\n' >other.jsonl
audition 1 classifier test other.jsonl -m polite.model
says err 'other.jsonl has the label "rude"'

echo "apply: each line, the rate, the curve"
printf '窓を閉めてください。\n窓を閉めて。\n今から行きます。\n今から行く。\n' >texts
audition 0 classifier apply texts -m polite.model
says out "polite  窓を閉めてください。"
says out "plain  今から行く。"
says out "rate 0.50 (no interval: fewer than 5 items or battles): share of 4 texts with a logit above 0"
audition 0 classifier apply texts -m polite.model --json
is "$(member rate.value)" 0.5 "rate"
is "$(member rate.n)" 4 "texts"
is "$(member 'lines[2].line')" 3 "line"
is "$(member 'lines[2].label')" polite "label"
is "$(member 'curve[5].threshold')" 0.0 "threshold of the curve"
is "$(member 'curve[5].value')" 0.5 "the curve at 0"
audition 0 classifier apply texts -m polite.model --json --threshold 1000
is "$(member rate.value)" 0.0 "nothing is above 1000"
is "$(member 'lines[2].label')" plain "label above 1000"
printf '{"text": "行きます"}\n{"other": 1}\n["x"]\n' >some.jsonl
audition 3 classifier apply some.jsonl -m polite.model --json
says err "some.jsonl:2: no text in it"
is "$(member rate.n)" 1 "texts that could be used"

echo "what is damaged, missing or meaningless is refused"
head -c 3000 polite.model >cut.model
audition 1 classifier apply texts -m cut.model
says err "cut.model: damaged"
sed '2{s/9$/1/;t;s/.$/9/;}' polite.model >changed.model
audition 1 classifier apply texts -m changed.model
says err "changed.model: damaged"
audition 1 classifier apply texts -m texts
says err "texts: not a classifier"
audition 1 classifier apply texts -m nowhere.model
audition 1 classifier train other.jsonl -o x.model
says err "too few for 5 folds"
[ ! -e x.model ] || fail "a classifier of nothing"
audition 2 classifier train "$labels"
audition 2 classifier apply texts
says err "-m MODEL"
audition 2 classifier apply texts -m polite.model --folds 3
says err "--folds goes with train, not with apply"
audition 2 classifier guess texts
says err "expected train, test, apply or rate"
audition 2 classifier rate latest
says err "-m MODEL or --endpoint NAME"

echo "a run: rates beside the scores, which they do not move"
audition 0 init . --language ja
sed 's/"text": ".*"/"text": "それはとても嬉しいです。"/' replies/understudy.jsonl >replies/lead.jsonl
sed 's/"understudy"/"lead"/; s/\(score[^0-9]*\)[0-9.]*/\10/' replies/prompter.jsonl >more.jsonl
cat more.jsonl >>replies/prompter.jsonl
sed -i 's|^models:|&\n  - {name: lead, kind: recorded, file: replies/lead.jsonl}|' models.yaml
audition 0 run suites/first.yaml -m understudy,lead --judge prompter -q
audition 0 board --json
cp out before.json
order=$(sqlite3 :memory: "SELECT group_concat(json_extract(value, '$.name'))
    FROM json_each(CAST(readfile('before.json') AS TEXT), '$.models')")
says out '"score"'
lacks out '"rates"'
audition 0 classifier rate latest -m polite.model
says out "10 answers classified now, 0 before"
audition 0 classifier rate latest -m plain.model --json
holds "$(member classified) = 10 AND $(member before) = 0" "classified"
holds "$(member rates.lead.lo) <= $(member rates.lead.value)" "an interval"
audition 0 classifier rate latest -m polite.model --json
holds "$(member classified) = 0 AND $(member before) = 10" "nothing twice"
rate=$(member rates.lead.value)
is "$(sql audition.db "SELECT count(*) FROM class_mark WHERE classifier = 'polite'")" 10 "marks"
is "$(sql audition.db "SELECT sum(logit > 0) / 5.0 FROM class_mark k JOIN sample s ON s.id = k.sample
    JOIN model m ON m.id = s.model WHERE m.name = 'lead' AND classifier = 'polite'")" "$rate" "the rate"
audition 0 board
says out polite
says out plain
audition 0 board --json
is "$(sqlite3 :memory: "SELECT group_concat(json_extract(value, '$.name'))
    FROM json_each(CAST(readfile('out') AS TEXT), '$.models')")" "$order" "the order of the board"
is "$(member 'models[0].score.value')" \
    "$(sqlite3 :memory: "SELECT json_extract(CAST(readfile('before.json') AS TEXT), '$.models[0].score.value')")" "the score"
for form in html md csv txt; do
    audition 0 report latest -o "r.$form"
    says "r.$form" polite
done
says r.csv "rate:polite"
says r.csv "M, by item"
audition 0 verify
says out "no differences"

sql audition.db "UPDATE class_mark SET logit = 2 * logit WHERE sample = 3 AND classifier = 'plain'"
audition 1 verify
says err "what classifiers say about sample 3: not what was stored"
lacks err "sample 4"
audition 1 verify --language zh
says err "分类器对样本 3 的判断：与存储时不同"
audition 1 classifier rate latest -m polite.model # to classify again would seal it
says err "'audition verify' lists what was changed"
sql audition.db "UPDATE class_mark SET logit = logit / 2 WHERE sample = 3 AND classifier = 'plain'"
audition 0 verify

echo "another classifier of that name begins anew; a model that was not evaluated has a dash"
audition 0 classifier train "$labels" -o polite.model --positive plain
audition 0 classifier rate latest -m polite.model --json
holds "$(member classified) = 10" "classified again"
sql audition.db "DELETE FROM class_mark WHERE sample IN (SELECT s.id FROM sample s JOIN model m
    ON m.id = s.model WHERE m.name = 'lead'); UPDATE run SET stale = 1"
audition 0 report latest -o dash.md
grep -q '^| lead .* – | – |$' dash.md || { cat dash.md; fail "no dash"; }
# All five are of one class: the interval carries a note that says so.
grep -Eq '^\| understudy .*( [01]\.[0-9]{2} \[[01]\.[0-9]{2}, [01]\.[0-9]{2}\] \([0-9]\) \|){2}$' dash.md || fail "not two decimals, with a note"
audition 1 classifier rate nosuchrun -m polite.model

echo "endpoints: both dialects, through hard weather, and only what is missing is asked"
mock weather --faults 0.3 --fault-kinds 429-ms,500,503,reset,truncated --seed 3
suite ferry.yaml 40
cat >models.yaml <<END
models:
  - {name: player, base_url: "http://127.0.0.1:$port", model: chat, timeout: 20}
classifiers:
  - {name: tei, dialect: predict, base_url: "http://127.0.0.1:$port", label: even, timeout: 20}
  - {name: openai, dialect: moderation, base_url: "http://127.0.0.1:$port", label: odd, model: mod}
  - {name: astray, dialect: predict, base_url: "http://127.0.0.1:$port", label: purple}
  - {name: nobody, dialect: predict, base_url: "http://127.0.0.1:$port", label: even, key: CLASS_KEY}
END
audition 0 --help
audition 0 run ferry.yaml -m player -q --db ferry.db
export AUDITION_DB=ferry.db
even=$(sql ferry.db "SELECT sum(length(CAST(answer AS BLOB)) % 2 = 0) / 40.0 FROM sample")
audition 0 classifier rate latest --endpoint tei --json
holds "$(member classified) = 40 AND $(member failed) = 0" "all were asked"
is "$(member rates.player.value)" "$even" "share of even answers"
: >weather.log
sql ferry.db "DELETE FROM class_mark WHERE sample % 10 = 0"
audition 0 classifier rate latest --endpoint tei --json
holds "$(member classified) = 4 AND $(member before) = 36" "only the missing ones"
is "$(grep -c ' good ' weather.log)" 4 "good replies"
is "$(member rates.player.value)" "$even" "the rate is the same"
audition 0 classifier rate latest --endpoint openai --json
holds "abs($(member rates.player.value) + $even - 1) < 1e-9" "what is not even is odd"
audition 0 board
says out 'even (tei)'
says out 'odd (openai)'
audition 1 classifier rate latest --endpoint astray
says err 'no label "purple"; it has "even", "odd"'
audition 2 classifier rate latest --endpoint nobody
says err "CLASS_KEY"
audition 2 classifier rate latest --endpoint nosuch
says err 'no classifier "nosuch" in models.yaml'
audition 0 verify
says out "no differences"
stop "$mock_pid"

echo "after kill -9 the same command goes on"
mock slow --latency 150
sed -i "s|127.0.0.1:[0-9]*|127.0.0.1:$port|; s|label: even, timeout: 20|label: even, limits: {concurrency: 2}|" models.yaml
marks()
{
    sql ferry.db "SELECT count(*) FROM class_mark WHERE classifier = 'tei'"
}
some() { [ "$(marks)" -gt 0 ]; }
# as if nobody had asked
unasked() { sql ferry.db "DELETE FROM class_mark WHERE $1; DELETE FROM seal WHERE kind = 'class'"; }
unasked "classifier = 'tei'"
start "$AUDITION" classifier rate latest --endpoint tei
until_true "marks of a slow endpoint" 20 some
stop "$started" KILL
kept=$(marks)
holds "$kept > 0 AND $kept < 40" "killed in the middle"
audition 0 classifier rate latest --endpoint tei --json
holds "$(member before) = $kept AND $(member classified) = 40 - $kept" "the rest"
is "$(member rates.player.value)" "$even" "the rate is the same"

echo "Ctrl-C waits for what is in flight, saves it and says how to go on"
for signal in INT TERM; do
    unasked "classifier = 'tei'"
    : >slow.log
    start "$AUDITION" classifier rate latest --endpoint tei >out 2>err
    until_true "marks of a slow endpoint" 20 some
    code=0
    kill -s $signal "$started"
    wait "$started" || code=$?
    is $code 130 "the end after SIG$signal"
    kept=$(marks)
    holds "$kept > 0 AND $kept < 40" "stopped in the middle"
    is "$(grep -c ' good ' slow.log)" "$kept" "answers that were classified, and kept"
    grep -Eq '^stopping: (waiting for [12] answers? in progress; press|no requests in progress)' err || fail "not said to be stopping"
    grep -Eq "^answers $kept/40" err || fail "no progress"
    says err "interrupted: $((40 - kept)) answers left; resume with: $AUDITION classifier rate latest --endpoint tei"
    audition 0 classifier rate latest --endpoint tei --json
    holds "$(member before) = $kept AND $(member classified) = 40 - $kept AND $(member left) = 0" "the rest"
done
stop "$mock_pid"

echo "a refused key ends it at once; what was classified before stays"
mock locked --require-key sesame
sed -i "s|127.0.0.1:[0-9]*|127.0.0.1:$port|" models.yaml
unasked "classifier = 'openai' AND sample % 10 = 0"
CLASS_KEY=wrong audition 1 classifier rate latest --endpoint nobody
says err "Incorrect API key"
is "$(sql ferry.db "SELECT count(*) FROM class_mark WHERE classifier = 'nobody'")" 0 "marks of a refused key"
CLASS_KEY=sesame audition 0 classifier rate latest --endpoint nobody --json
holds "$(member classified) = 40" "with the key"

echo "faults in the list of classifiers are shown at their place"
cat >bad.yaml <<'END'
classifiers:
  - {name: a, dialect: predcit, base_url: "http://localhost", label: x}
  - {name: b, dialect: predict, base_url: "localhost", label: x}
  - {name: c, dialect: predict, base_url: "http://localhost"}
  - {name: c, base_url: "http://localhost", label: x}
END
audition 1 classifier rate latest --endpoint a -c bad.yaml
says err "bad.yaml:2:"
says err "bad.yaml:3:"
says err "no 'label'"
says err "no 'dialect'"
says err "two classifiers share the name 'c'"

echo passed
