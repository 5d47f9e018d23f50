#!/usr/bin/env bash
# Messages in three languages: complete, and never where programs read.
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

echo "every message of the program has its translations, and no translation is idle"
(cd "$REPO" && scripts/messages.pl) || fail "share/words/messages"

echo "the language comes from the environment or an option"
LC_ALL=zh_CN.UTF-8 "$AUDITION" run >out 2>err && fail "a run of nothing"
says err '哪个测试集'
LANG=ja_JP.UTF-8 LC_ALL='' LC_MESSAGES='' "$AUDITION" run >out 2>err && fail "a run of nothing"
says err 'どのスイート'
LC_ALL=zh_CN.UTF-8 "$AUDITION" run --language en >out 2>err && fail "a run of nothing"
says err 'which suite?'
"$AUDITION" check x --language xx >out 2>err && fail "a language that is not there"
says err 'expected en, zh or ja'
LC_ALL=ja_JP.UTF-8 "$AUDITION" help run >out
says out '使い方：'
says out 'シード値'
"$AUDITION" init --language en begun >/dev/null
(cd begun && "$AUDITION" run suites/first.yaml -m understudy --judge prompter --language zh >../out 2>../err)
says out '  报告     '
(cd begun && "$AUDITION" run suites/first.yaml -m understudy --judge objective:regex --language zh >../out 2>../err)
says err '根据参考答案计算'
says out '没有正则表达式'
(cd begun && "$AUDITION" judge latest --language ja >../out 2>../err) && fail "a judge without a name"
says err 'models.yaml にあるもの：understudy, prompter'
lacks err 'has:'
(cd begun && "$AUDITION" run suites/first.yaml -m understudy --db none/a.db --language zh >../out 2>../err) && fail "no such folder"
says err '请创建它'

echo "so do tables, their heads and notes"
printf 'model_a,model_b,winner\nfox,owl,a\nowl,fox,a\nfox,owl,tie\n' >battles.csv
"$AUDITION" rank battles.csv --language zh >out || fail "rank"
says out '对战积分' '胜/负/平' '平局各计半胜' '注意：'
"$AUDITION" rank battles.csv --language ja >out || fail "rank"
says out 'レーティング' '勝/敗/分' '引き分けは半勝' '注意：'
printf 'model_a,model_b,winner,prompt\nfox,owl,a,1\nowl,fox,a,2\nfox,owl,tie,2\n' >prompts.csv
"$AUDITION" rank prompts.csv --language zh >out || fail "rank"
says out '只有 2 个 prompts，'
"$AUDITION" rank prompts.csv --system glicko2 --language zh >out || fail "rank"
says out '对战积分' '打乱顺序' '胜/负/平'
"$AUDITION" list --db begun/audition.db --language ja >out || fail "list"
says out 'スイート' '完了'

printf 'suite: x\nlanguage: en\nitems: none.jsonl\n' >bad.yaml
"$AUDITION" check bad.yaml --language zh >out 2>&1 && fail "items that are not there"
says out 'bad.yaml:3:8: 错误：没有题目文件“none.jsonl”' ' 个错误'

printf 'suite: x\n---\nsuite: y\n' >two.yaml
printf 'suite: \xc4\xe3\n' >gbk.yaml
"$AUDITION" check two.yaml gbk.yaml --language zh >out 2>&1 && fail "two documents, and what is not UTF-8"
says out '此处开始了第二个文档' '请把文件另存为 UTF-8 编码'
printf '{"a": ""}\n3\n' >none.jsonl
"$AUDITION" overlap none.jsonl --corpus none.jsonl --language ja >out 2>&1 && fail "no replies"
says out 'オブジェクトでも文字列でもありません' '既知のキーに文章がありません'

echo "results for programs, exit codes and files do not change with it"
"$AUDITION" init --language en demo >/dev/null
printf 'suite: x\nlanguage: en\nitems: 1\n' >bad.yaml
for language in en zh ja; do
    mkdir "$language"
    for command in "check --json bad.yaml" "check --json demo/suites/first.yaml" \
        "run demo/suites/first.yaml -c demo/models.yaml -m understudy --judge prompter --json -q" \
        "board --json" "verify --json" "list --json" "export" "report -o $language/report.json" \
        "show --json" "rank --json battles.csv" "flag --json latest" "run demo/suites/none.yaml -m x"; do
        # shellcheck disable=SC2086
        "$AUDITION" $command --db "$language/a.db" --language "$language" 2>"$language/err"
        echo "exit $?"
    done >"$language/out"
    # Times are facts of a run, and the digest of its facts is as new as they are.
    sed -i -e 's/"[a-z_]*_s": *[0-9.e-]*//g' -e 's/20[0-9][0-9]-[0-9-]*T[0-9:.]*Z//g' \
        -e 's/"digest":"[0-9a-f]\{64\}"/"digest"/' \
        -e 's/"\(created\|elapsed_ms\|at\|ms\)": *"\{0,1\}[0-9.]*"\{0,1\}//g' "$language/out"
done
says en/out '"scores"'
for language in zh ja; do
    cmp en/out "$language/out" || { diff en/out "$language/out" | head -20; fail "$language differs"; }
done
