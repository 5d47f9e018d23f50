#!/usr/bin/env bash
# The demo, as `make demo` shows it: it says what it does, and what it says is so.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

unset LANGUAGE
mkdir scripts
cp "$REPO/scripts/demo.sh" scripts/
cp -r "$REPO/demo" .
status 0 scripts/demo.sh
lacks out 'demo: '

echo "== the rubric test: what is unscored, zeroed and capped"
says out "An evening at Hob's Lock"
says out '2 unscored'
is "$(grep -c '^no differences$' out)" 3 "verified runs"
[ -s build/demo/report.html ] || fail "no report"

# guide FILE FIRST LAST: what it begins with is printed by the demo that has just run
guide()
{
    sed -n "/^    $2/,/^    $3/{s/^    //;p}" "$REPO/$1" >shown
    [ -s shown ] || fail "$1 shows no table"
    while IFS= read -r line; do
        grep -qxF -e "$line" out || fail "$1: the demo does not print '$line'"
    done <shown
}

echo "== the guide begins with it"
guide docs/GUIDE.md "An evening at Hob's Lock" '95 % interval over items'

echo "== the readers: seven, six of whom finished"
says out 'raters who finished and are not excluded; totals, then means' '7 raters, 7 began, 6 finished' 'PPI++' 'AI minus human'
is "$(sql build/demo/demo.db "SELECT count(*), count(DISTINCT assignment) FROM rating")" "128|32" "ratings"
is "$(sql build/demo/demo.db "SELECT value FROM outcome WHERE subject = 'campaign' AND metric = 'finished'")" 6.0 \
    "who finished"

echo "== people's marks are the number of the rubric test and of the interview"
says out "An evening at Hob's Lock · run 9a80 · 8 items × 3 repeats · judge campaign:hobs-lock-readers"
is "$(sql build/demo/demo.db "SELECT round(value, 2) FROM score WHERE jury = 'campaign:hobs-lock-readers' AND subject = 'model/steady' AND metric = 'score'")" 9.04 \
    "the rubric test by people"
is "$(sql build/demo/interview.db "SELECT group_concat(subject || ' ' || value, ', ') FROM (SELECT * FROM score
    WHERE jury = 'campaign:hobs-lock-examiners' AND metric = 'score' ORDER BY subject)")" \
    "model/drifter 2.5, model/grand 2.5, model/parrot 2.5, model/steady 4.5" "the interview by people"
says build/demo/interview.html 'campaign:hobs-lock-examiners: band 4.5' 'reader: band 4.5' 'the best plum tree in the valley' 'I could hear where she left.'
lacks build/demo/interview.html 'campaign:hobs-lock-examiners/r'
cp "$REPO/docs/board.svg" shown.svg
cmp build/demo/board.svg shown.svg || fail "docs/board.svg is not what the demo draws: copy build/demo/board.svg"

echo "== the battles: both tables, and why the first"
cp out said
sed -n "/Hob's Lock in battles/,/And one interview each/p" out >battles
grep -qE '^ +steady +1[0-9]{3} ' battles || fail "no ratings"
says battles 'Bradley-Terry, jackknife by item (5)'
says battles 'Glicko-2'
says battles 'other orders'
says battles 'trust the first: Bradley-Terry gives the same ratings in whatever order'
# One is unreadable even when asked again, one turns with the order; every other verdict counts.
says battles '59 verdicts · 1 unscored'
is "$(sql build/demo/battles.db "SELECT value, n FROM score WHERE metric = 'inconsistent'")" "1.0|29" "ties by order"
is "$(sql build/demo/battles.db "SELECT max(repairs), sum(repairs) FROM verdict")" "1|2" "asked again"
audition 0 verify latest --db build/demo/battles.db
says out '60 judge replies parsed again'
audition 0 verify latest --db build/demo/interview.db

echo "== the dialogue drifts, and the scene leaks"
[ -s build/demo/drift.svg ] || fail "no chart"
says build/demo/dialogue.html 'id="drift"' '↔' 'Miss Marsh'
is "$(sql build/demo/talks.db "SELECT group_concat(value) FROM (SELECT value FROM score WHERE metric IN ('drift:1-6', 'drift:19-24') ORDER BY metric)")" "5.0,1.0" "drift"
is "$(sql build/demo/talks.db "SELECT group_concat(value) FROM (SELECT value FROM score WHERE metric IN ('recall:0', 'recall:8', 'recall:12', 'contradictions') ORDER BY metric)")" \
    "1.0,0.0,1.0,1.0" "contradictions, and recall at 0, 12 and 8"
is "$(sql build/demo/talks.db "SELECT kind || ' ' || json_extract(evidence, '\$.shared') FROM flag")" "knowledge box" "the leak"

echo "== the interviews: bands, whole marks, signs, and a judge who quotes from memory"
sed -n "/An hour before dusk/,\$p" said >interviews
grep -qE '^ +steady +4\.5 ' interviews || fail "no band"
grep -qE '^ +drifter +3\.0 ' interviews || fail "no band"
says interviews 'whole marks' "$PWD/build/demo/interview.html"
is "$(sql build/demo/interview.db "SELECT subject, value, n FROM score WHERE jury = '' AND metric IN ('score', 'unbroken') ORDER BY subject, metric" | tr '\n' ' ')" \
    "model/drifter|3.0|1 model/drifter|8.0|1 model/grand|2.5|1 model/grand|12.0|1 model/parrot|2.5|1 model/parrot|12.0|1 model/steady|4.5|1 model/steady|12.0|1 " "bands"
is "$(sql build/demo/interview.db "SELECT sum(repairs), sum(state = 'done') FROM verdict")" "1|4" "asked again"
is "$(sql build/demo/interview.db "SELECT count(*) FROM mark WHERE evidence LIKE '%:false%'")" 1 "false words kept"
for words in 'Here are some tips' 'cannot know this word' 'As an AI language model' 'not found in that turn' 'Advice'; do
    says build/demo/interview.html "$words"
done

echo "== the smaller ones, each in its own language with its own character"
# What each says of itself: one verdict mended, one unscored, five repeats, one answer that was read before, one tie by order.
small()
{
    local db=build/demo/$1

    LANGUAGE=$1 status 0 scripts/demo.sh
    lacks out 'demo: '
    shift
    says out "$@"
    is "$(sql "$db/demo.db" "SELECT sum(repairs), sum(state = 'done'), count(*) FROM verdict")" "2|39|40" "verdicts"
    is "$(sql "$db/demo.db" "SELECT sum(kind = 'duplicate'), sum(kind = 'training') FROM flag")" "5|1" "flags"
    is "$(sql "$db/battles.db" "SELECT value, n FROM score WHERE metric = 'inconsistent'")" "1.0|30" "ties by order"
    [ -s "$db/report.html" ] || fail "no report"
    [ -s "$db/board.svg" ] || fail "no picture"
}
small zh 白守田 晒场电影 没有差异 先给编辑看谁
guide docs/GUIDE.zh-CN.md '晒场电影 · ' '按题计算的 95% 区间'
small ja 梶井辰三 鈴懸活版の夜 相違はありません 先に見たほうを採った
guide docs/GUIDE.ja.md '鈴懸活版の夜 · ' '項目を単位とした 95 % 区間'
