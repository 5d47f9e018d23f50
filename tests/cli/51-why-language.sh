#!/usr/bin/env bash
# Why an answer or a verdict is missing is stored in English, and read by everybody in their own language.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v curl >/dev/null || skip "curl is not installed"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

gate suite.yaml
sed -i 's/^language: .*/language: ja/' suite.yaml
for item in one two three; do
    printf '{"item": "%s", "text": "Only the miller."}\n' $item
done >part.jsonl
: >nothing.jsonl
printf 'models: [{name: %s, kind: recorded, file: %s}, {name: %s, kind: recorded, file: %s}]\n' \
    part part.jsonl silent nothing.jsonl >models.yaml
audition 3 run suite.yaml -m part --judge silent -q
why='the file has no reply for this item and repeat' zh='文件中没有这道题这次重复的回复' ja='ファイルにこの項目・この回の返答がありません'
is "$(sql audition.db "SELECT DISTINCT why FROM sample WHERE state = 'failed'")" "$why" "what is stored"

echo "reports are in the language of their suite"
for form in html md; do
    audition 0 report latest -o "r.$form"
    says "r.$form" "$ja"
    lacks "r.$form" "$why"
done
audition 0 report latest -o r.json # for programs
says r.json "$why"

echo "pages and commands in that of their reader"
audition 0 show latest --language zh
says out "$zh"
serve one
# shellcheck disable=SC2154 # set by serve
post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode 'password=correct horse battery'
run=$(sql audition.db 'SELECT name FROM run')
failed=$(sql audition.db "SELECT id FROM sample WHERE state = 'failed'")
unjudged=$(sql audition.db "SELECT MIN(sample) FROM verdict WHERE state = 'failed'")
for path in "/runs/$run/method" "/runs/$run/samples/$failed" "/runs/$run/samples/$unjudged"; do
    ask 200 ada "$path" -H 'Accept-Language: zh-CN'
    says page "$zh"
    lacks page "$why"
    ask 200 ada "$path" -H 'Accept-Language: en'
    says page "$why"
done
stop "$serve_pid"

echo "what is wrong with a judge's reply is said to the judge in the language of the suite, and to readers in theirs"
for item in one two three four; do
    printf '{"item": "%s", "text": "Only the miller."}\n' $item
done >whole.jsonl
for attempt in 0 1 2 3; do
    at='"model": "whole", "repeat": 0, "attempt": '$attempt
    printf '{%s, "item": "one", "text": "{\\"overall\\": 9, \\"fluent\\": 1}"}\n' "$at"
    printf '{%s, "item": "two", "text": "I like it."}\n' "$at"
    printf '{%s, "item": "three", "text": "{\\"overall\\": 3}"}\n' "$at"
    printf '{%s, "item": "four", "text": "{\\"overall\\": \\"out of range\\", \\"fluent\\": 1}"}\n' "$at"
done >wrong.jsonl
echo 'models: [{name: whole, kind: recorded, file: whole.jsonl}, {name: wrong, kind: recorded, file: wrong.jsonl}]' >models.yaml
declare -A says=(
    [en]="9 is out of range; allowed is a whole number from 0 to 5/no JSON object that scores overall/has no score; allowed is a whole number from 0 to 1/is not a number; allowed"
    [zh]="9 超出范围；允许的取值：0 到 5/回复中没有为 overall/没有分数；允许的取值：0 到 1/不是数字；允许的取值"
    [ja]="9 は範囲外です。使える値：0 から 5 までの整数/を採点した JSON オブジェクトが返答にありません/点数がありません。使える値：0 から 1 までの整数/」は数値ではありません")
for language in en zh ja; do
    sed -i "s/^language: .*/language: $language/; s/^suite: .*/suite: gate-$language/" suite.yaml
    audition 3 run suite.yaml -m whole --judge wrong -q
    run=$(sql audition.db 'SELECT name FROM run ORDER BY id DESC LIMIT 1')
    serve "in-$language"
    for reader in en zh ja; do
        post 303 "$language$reader" /login /login -d name=ada --data-urlencode 'password=correct horse battery'
        ask 200 "$language$reader" "/runs/$run/method?lang=$reader"
        IFS=/ read -ra want <<<"${says[$reader]}"
        says page "${want[@]}" 'out of range'
        for other in en zh ja; do
            IFS=/ read -ra want <<<"${says[$other]}"
            [ $other = $reader ] || lacks page "${want[@]}"
        done
        sample=$(sql audition.db "SELECT MIN(s.id) FROM sample s JOIN run r ON r.id = s.run WHERE r.name = '$run'")
        IFS=/ read -ra want <<<"${says[$reader]}"
        ask 200 "$language$reader" "/runs/$run/samples/$sample?lang=$reader"
        says page "${want[0]}"
        audition 0 show "$run" --language $reader
        says out "${want[0]}"
    done
    stop "$serve_pid"
done
