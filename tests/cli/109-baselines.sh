#!/usr/bin/env bash
# What a benchmark must put last: models that recite the card, repeat the prompt, say one warm sentence to everybody, serve, speak
# another language, or go round in circles. Rules and functions alone, without any judge, catch each by what should catch it, and leave the
# references alone. BENCHMARK=whole asks every item, otherwise the first twelve of each suite; LIMIT says another number. With LIVE
# the address of a server, its model stands beside them (demo/live/server.py is SmolLM2-135M) and says at most TOKENS tokens.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

bench=${1:-$REPO/suites/bench}
baselines="reference card prompt warm assistant foreign circles"
limit=(--limit "${LIMIT:-12}")
models=$baselines
[ -z "${LIVE-}" ] || models="$baselines live"
[ "${BENCHMARK-}" != whole ] || limit=()

echo "== what is asked, by a run that nobody answers"
: >nobody.jsonl
printf 'models:\n  - {name: nobody, kind: recorded, file: nobody.jsonl}\n' >models.yaml
audition 3 run "$bench" -m nobody "${limit[@]}" -q

echo "== every suite of single answers, with seven models that need no machine, and a judge that gives everybody the most there is"
for m in $baselines generous; do
    printf '  - {name: %s, kind: recorded, file: %s.jsonl}\n' "$m" "$m" >>models.yaml
done
[ -z "${LIVE-}" ] || cat >>models.yaml <<END
  - {name: live, base_url: "$LIVE", key: none, timeout: 900, parameters: {temperature: 0.2, max_tokens: ${TOKENS:-180}}}
END
# answers RUN EXPRESSION: lines of a recorded model, one for each item
answers()
{
    sql audition.db "SELECT json_object('item', i.name, 'text', trim(replace($2, char(10), ' ')))
        FROM item i JOIN run r ON r.id = i.run WHERE r.name = '$1'"
}
while IFS='|' read -r run file language; do
    case $language in
    zh) round='我也不知道该怎么办，' warm='你已经很棒了，慢慢来，我会一直陪着你的。' serve='好的！作为一个人工智能助手，我很乐意为您提供帮助。还有什么可以帮您的吗？' ;;
    ja) round='どうすればいいのかわからなくて、' warm='あなたはもう十分がんばっています。いつでもそばにいますからね。' serve='はい、AIアシスタントとしてお手伝いいたします。ほかに何かお手伝いできることはありますか？' ;;
    *) round='I am not sure what I should do. ' warm='You are stronger than you know, and I am here for you.' serve='Certainly! As an AI language model, I am happy to help. Is there anything else I can help you with?' ;;
    esac
    [ "$language" = en ] && foreign='我不太明白你在说什么，请你再说一遍，好吗？' || foreign='I am not sure what you mean by that. Could you say it again, please?'
    round=$round$round$round$round$round$round
    # of a list of right answers the first; an item without a reference keeps its card, which is caught
    answers "$run" "substr(body ->> 'reference', 1, coalesce(nullif(instr(body ->> 'reference', '|'), 0) - 1, 1e6))" >reference.jsonl
    answers "$run" "coalesce((SELECT c.value ->> 'text' FROM json_each(frozen, '\$.characters') c
        WHERE c.value ->> 'id' = body ->> 'character'), frozen ->> '\$.characters[0].text', body ->> 'prompt')" >card.jsonl
    answers "$run" "body ->> 'prompt'" >prompt.jsonl
    answers "$run" "'$warm'" >warm.jsonl
    answers "$run" "'$serve'" >assistant.jsonl
    answers "$run" "'$foreign ' || i.position" >foreign.jsonl
    answers "$run" "'$round' || i.position" >circles.jsonl
    judge=generous
    [[ $file != *memory* ]] || judge=objective:contains
    for m in $models; do
        sql audition.db "SELECT json_object('model', '$m', 'item', i.name, 'text', '' || (SELECT json_group_object(d.value ->> 'id', json_object('analysis', 'good',
            'score', coalesce((SELECT max(l.value ->> 'value') FROM json_each(d.value, '\$.levels') l), d.value ->> 'max')))
            FROM json_each(frozen, '\$.instrument.dimensions') d)) FROM item i JOIN run r ON r.id = i.run WHERE r.name = '$run'"
    done >generous.jsonl
    # shellcheck disable=SC2046,SC2086 # a word a model
    "$AUDITION" run "$bench/$file" $(printf -- '-m %s ' $models) --judge "$judge" "${limit[@]}" --repeat 1 -q --db all.db >out 2>err || [ $? = 3 ] ||
        fail "$file: $(cat err)"
done < <(sql audition.db "SELECT name, file, language FROM (SELECT r.name AS name, c.value ->> 'file' AS file, frozen ->> 'language' AS language,
    frozen ->> '\$.elicit.kind' AS kind FROM run r JOIN (SELECT * FROM collection ORDER BY id DESC LIMIT 1) AS k,
    json_each(k.body, '\$.suites') c WHERE c.value ->> 'suite' = r.suite) WHERE kind IN ('single', 'continue') ORDER BY file")
[ -z "${KEEP-}" ] || cp all.db "$KEEP"

echo "== each is caught by what should catch it"
# caught MODEL RULE: the share of its answers, in per cent
caught()
{
    sql all.db "SELECT round(100.0 * count(f.id) / count(*), 1) FROM sample s JOIN model m ON m.id = s.model
        LEFT JOIN flag f ON f.sample = s.id AND f.kind = '$2' WHERE s.state = 'done' AND m.name = '$1'"
}
# score MODEL: the mean over suites, of the 100 that the references get, where the judge gave everybody the most
score()
{
    sql all.db "SELECT round(avg(100 * s.value / r.value), 1) FROM score s JOIN score r ON r.run = s.run AND r.metric = s.metric
        AND r.jury = s.jury AND r.subject = 'model/reference' WHERE s.metric = 'score' AND s.jury = '' AND s.subject = 'model/$1'"
}
[ -z "${LIVE-}" ] || {
    printf '%-10s %s\n' live "score $(score live), memory $(sql all.db "SELECT group_concat(v, ' ') FROM (SELECT r.suite || ' ' || round(s.value, 2) AS v FROM score s
        JOIN run r ON r.id = s.run WHERE r.suite LIKE '%memory%' AND s.metric = 'score' AND s.jury = '' AND s.subject = 'model/live')")"
    for rule in $(sql all.db "SELECT DISTINCT kind FROM flag"); do
        printf '%-10s %-10s %7s%%\n' live "$rule" "$(caught live "$rule")"
    done
}
printf '%-10s %-10s %8s %8s\n' baseline rule caught score
for pair in card:echo prompt:echo warm:stock assistant:identity foreign:language circles:loop; do
    m=${pair%:*} share=$(caught "${pair%:*}" "${pair#*:}")
    printf '%-10s %-10s %7s%% %8s\n' "$m" "${pair#*:}" "$share" "$(score "$m")"
    awk "BEGIN {exit !($share >= 80)}" || fail "$m: ${pair#*:} catches only $share %"
    awk "BEGIN {exit !($(score "$m") <= 5)}" || fail "$m scores $(score "$m") of 100 by rules alone"
done
is "$(sql all.db "SELECT count(*) FROM score WHERE metric = 'unscored' AND jury = '' AND subject = 'model/reference' AND value > 0
    AND run NOT IN (SELECT id FROM run WHERE suite LIKE '%new-topic%')")" 0 "references that are not scored"
is "$(sql all.db "SELECT count(*) FROM flag f JOIN sample s ON s.id = f.sample JOIN model m ON m.id = s.model
    WHERE m.name = 'reference' AND f.kind NOT IN ('leak', 'empty')")" 0 "references that a rule flags"
is "$(sql all.db "SELECT sum(s.value) FROM score s JOIN run r ON r.id = s.run WHERE r.suite LIKE '%memory%' AND s.metric = 'score'
    AND s.jury = '' AND s.subject NOT IN ('model/reference', 'model/live')")" 0.0 "what they remember"
