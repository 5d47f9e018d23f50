#!/usr/bin/env bash
# Scene judging from file to report: weights, the judge's own overall, a repair, a user's own template,
# and slots that are misspelt or have nothing to fill them. The replies are in tests/fixtures/scene.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

# value PATH: of r.json
value()
{
    sqlite3 :memory: "SELECT json_extract(CAST(readfile('r.json') AS TEXT), '\$.$1')"
}

cp -r "$REPO"/tests/fixtures/scene/. .

echo "== what is shipped: three scenes in three languages, at least ten items each"
for scene in translation:4 extraction:5 creation:6; do
    for language in '' .ja .en; do
        audition 0 check "$REPO/suites/scenes/${scene%:*}$language.yaml"
        grep -qE "\.yaml: ok \([1-9][0-9]+ items, 1 repeat, ${scene#*:} dimensions\)" out || {
            cat out
            fail "${scene%:*}$language"
        }
    done
done

echo "== the weighted mean is ours; the judge's own overall is only compared"
audition 0 check suite.yaml
says out 'suite.yaml: ok (2 items, 1 repeat, 4 dimensions)'
audition 0 run suite.yaml -m clerk --judge strict --json
audition 0 report latest -o r.json
# Weights 4 3 2 1. kettle: 8 7 6 9, so (32 + 21 + 12 + 9) / 10; stamp: 3 5 6 7, so (12 + 15 + 12 + 7) / 10.
is "$(value 'suite.dimensions[0].weight') $(value 'suite.dimensions[3].weight')" "4.0 1.0" "weights"
is "$(value 'samples[0].item') $(value 'samples[0].value')" "kettle 7.4" "the first answer"
is "$(value 'samples[1].item') $(value 'samples[1].value')" "stamp 4.6" "the second answer"
is "$(value 'models[0].score.value')" 6.0 "the score"
# Its own words were 7 and 7: a rounded 7.4 agrees, a rounded 4.6 does not.
is "$(value 'judges[0].overall_differs') $(value 'judges[0].overall_compared')" "1 2" "own overall"
is "$(value 'samples[1].verdicts[0].overall')" 7.0 "the overall as it was said"
is "$(sql audition.db "SELECT value, n FROM score WHERE metric = 'overall-differs'")" "1.0|2" "the row"
audition 0 board latest
says out 'dimensions'
is "$(grep -c '^(1) ' out)" 1 "a note for the marks that refer to it, none below numbers that stand alone"
audition 0 report latest -o r.html
says r.html '自报总分不符'
says r.html '<td class="num" data-title="自报总分不符">1 / 2</td>'

is "$(value 'samples[1].verdicts[0].weighted_mean')" 4.6 "ours beside it"
audition 0 show latest --item stamp
says out "weighted mean = 4.6; the judge's own overall 7"
is "$(sed -n 's/^    \(.*) = [0-9]\)$/\1/p' out | tr '\n' ' ')" \
    "原意 (meaning) = 3 精确 (precision) = 5 地道 (idiom) = 6 语气 (tone) = 7 " "marks, as the scene lists them"
audition 0 export latest -o x.jsonl
says x.jsonl '"weighted_mean":4.6'
audition 0 verify latest

echo "== half a mark was sent back once, and came again whole"
is "$(value 'judges[0].repaired') $(value 'judges[0].unscored')" "1 0" "repairs"
is "$(sql audition.db "SELECT repairs FROM verdict v JOIN sample s ON s.id = v.sample
    JOIN item i ON i.id = s.item WHERE i.name = 'stamp'")" 1 "repairs of stamp"

echo "== another judge, a template of one's own: titles, texts for numbers, a fence, a remark"
audition 0 judge latest --judge plain --template own.yaml --panel --json
audition 0 report latest -o r.json
is "$(value 'judges[1].name') $(value 'judges[1].done')" "plain:own 2" "the second judge"
is "$(value 'judges[1].overall_differs') $(value 'judges[1].overall_compared')" "0 2" "own overall"
# kettle: 6 6 7 5 is 6.1, with 7.4 on average 6.75; stamp: 2 4 6 8 is 4.0, with 4.6 on average 4.3.
is "$(value 'samples[0].value') $(value 'samples[1].value')" "6.75 4.3" "both judges"
is "$(value 'models[0].score.value')" 5.525 "the score of both"

echo "== what such a template becomes: a judge that only repeats it is unscored, and shows it"
mock mirror
echo "  - {name: mirror, model: echo, base_url: \"http://127.0.0.1:$port\", key: none}" >>models.yaml
audition 3 judge latest --judge mirror --judge-template own.yaml --json
says out '"unscored":2'
audition 0 show latest --item stamp --raw
sed -n '/mirror:own/,/sent to/p' out >prompt
says prompt '场景：翻译（'
says prompt '1. 原意 (meaning): '
says prompt '4. 语气 (tone): '
says prompt '每个维度给 0 到 10 的整数：'
says prompt '8～10 分，上档：'
says prompt '0～3 分，下档：'
says prompt '4. 最后合看'
says prompt '（无）'
# What the model wrote is not looked at for slots.
says prompt '但这封里面有邮票。{{steps}}'
is "$(grep -c '{{' prompt)" 1 "lines with braces"

echo "== a slot that does not exist, at its place"
sed 's/{{max_score}}/{{max_scor}}/' own.yaml >typo.yaml
sed 's/template: scene.zh/template: typo.yaml/' suite.yaml >misspelt.yaml
audition 1 check misspelt.yaml
line=$(grep -n typo.yaml misspelt.yaml | cut -d: -f1)
grep -qE "^(misspelt\.yaml:$line|typo\.yaml:7):[0-9]+: error: .*\{\{max_scor\}\}" err || {
    cat err
    fail "the misspelt slot has no place"
}
says err 'did you mean {{max_score}}?'
audition 1 judge latest --judge plain --judge-template typo.yaml
says err '{{max_scor}}'

echo "== a slot that nothing fills, at its place"
cat >bare.yaml <<'END'
suite: bare
language: zh
instrument:
  scene_title: 翻译
  scene_description: 短句
  max: 10
  bands: [{from: 5, text: 好}, {from: 0, text: 差}]
  dimensions: [{id: meaning}, {id: tone}]
judge: {template: own.yaml}
items: [{prompt: "译成中文：Mind the third plank."}]
END
audition 1 check bare.yaml
grep -qE '^bare\.yaml:9:[0-9]+: error: .*\{\{steps\}\}' err || {
    cat err
    fail "the unfilled slot has no place"
}
is "$(grep -c 'error: ' err)" 1 "errors"
sed -i 's/^  max: 10/&\n  steps: [读, 想, 打分]/' bare.yaml
audition 0 check bare.yaml

echo "== a scene that is not there"
sed 's/translation\.zh/translaton.zh/' suite.yaml >nowhere.yaml
audition 1 check nowhere.yaml
says err "did you mean 'translation.zh'?"

echo "== rounded, and what rounding took away is kept"
sed 's/round: none/round: down/' suite.yaml >down.yaml
audition 0 run down.yaml -m clerk --judge strict --json
audition 0 report latest -o r.json
is "$(value 'samples[0].value') $(value 'samples[0].unrounded')" "7.0 7.4" "the first answer"
is "$(value 'models[0].score.value') $(value 'models[0].score_unrounded.value')" "5.5 6.0" "the score"
is "$(sql audition.db "SELECT value FROM score WHERE metric = 'score-unrounded'")" 6.0 "the row"
audition 0 show latest --item kettle
says out "weighted mean = 7.4, rounded 7; the judge's own overall 7"
audition 0 report latest -o r.csv
says r.csv ',score-unrounded,6,'
audition 0 verify latest
