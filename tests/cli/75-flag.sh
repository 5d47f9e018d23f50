#!/usr/bin/env bash
# Facts about answers: found, shown with their evidence, applied as the suite says, overruled.
set -eu

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

sql() { sqlite3 -batch -cmd '.timeout 10000' audition.db "$1"; }
score() { sql "SELECT value FROM score WHERE subject = 'model/player' AND metric = 'score'"; }
# flag_of ITEM KIND: its id
flag_of() { sql "SELECT f.id FROM flag f JOIN sample s ON s.id = f.sample JOIN item i ON i.id = s.item WHERE i.name = '$1' AND f.kind = '$2'"; }
kinds() { sql "SELECT group_concat(i.name || '=' || f.kind, ' ') FROM (SELECT * FROM flag ORDER BY sample, kind) f JOIN sample s ON s.id = f.sample JOIN item i ON i.id = s.item"; }

cat >suite.yaml <<'END'
suite: facts
language: zh
character: {name: 灵汐, text: 灯塔守护人，话不多。}
instrument:
  dimensions:
    - id: quality
      levels: {1: 好, 0.75: 较好, 0.5: 中, 0.25: 差, 0: 坏}
rules:
  training: {file: train.jsonl, threshold: 0.80, near: cap 0.75, particles: cap 0.5}
  leak: note
  markup: cap 0.5
  malformed: zero
  language: cap 0.25
  identity: {then: note, words: [千语]}
score: {kind: mean-of-items, times: 1}
items:
  - {id: plain, prompt: 你好}
  - {id: learnt, prompt: 你最近在做什么}
  - {id: near, prompt: 你那边能看到月亮吗}
  - {id: known, prompt: 你是谁, reference: 我是守着灯塔的人。}
  - {id: tagged, prompt: 晚上好}
  - {id: broken, prompt: 早}
  - {id: foreign, prompt: 你在吗}
  - {id: leaky, prompt: 你是AI吗}
  - {id: worse, prompt: 唱首歌}
END
cat >models.yaml <<'END'
models:
  - {name: player, kind: recorded, file: player.jsonl}
  - {name: critic, kind: recorded, file: critic.jsonl}
END
cat >player.jsonl <<'END'
{"item": "plain", "text": "*挥手* 你来啦，外面风大（关上门）😊"}
{"item": "learnt", "text": "我最近在学做蛋糕，可是每次都会烤糊呀！"}
{"item": "near", "text": "唔，月亮今天特别圆，不知道你那边能不能看到呢？要不要一起看？"}
{"item": "known", "text": "我是守着灯塔的人呀！"}
{"item": "tagged", "text": "[情绪: 开心] 晚上好呀"}
{"item": "broken", "text": "}]}}||"}
{"item": "foreign", "text": "I am here, dear, watching the ships."}
{"item": "leaky", "text": "作为一个AI，我来自千语。"}
{"item": "worse", "text": "<reply>Happy birthday to you, my dear friend</reply>"}
END
printf '%s\n' '{"text": "我最近在学做蛋糕，可是每次都会烤糊。"}' \
    "$(printf '{"text": "\377"}')" \
    '{"messages": [{"role": "user", "content": "你好"}, {"role": "assistant", "content": "月亮今天特别圆，不知道你那边能不能看到呢？"}]}' \
    'not json' >train.jsonl
for i in plain learnt near known tagged broken foreign leaky worse; do
    printf '{"item": "%s", "model": "player", "text": "{\\"quality\\": {\\"analysis\\": \\"ok\\", \\"score\\": 1}, \\"overall\\": 1, \\"reason\\": \\"ok\\"}"}\n' $i
done >critic.jsonl

echo "found"
status 0 "$AUDITION" check suite.yaml
status 0 "$AUDITION" run suite.yaml -m player --judge critic -q
got=$(kinds)
want="learnt=training near=training-near known=leak tagged=markup broken=malformed foreign=language leaky=identity worse=language worse=markup"
[ "$got" = "$want" ] || fail "flags: $got"

echo "applied: the lowest cap and zero win"
[ "$(score)" = "$(sqlite3 :memory: 'SELECT (1 + 0.5 + 0.75 + 1 + 0.5 + 0 + 0.25 + 1 + 0.25) / 9.0')" ] || fail "score: $(score)"
status 0 "$AUDITION" verify latest

echo "listed, with what could not be read of the training lines"
status 0 "$AUDITION" flag latest
says out "training-near"
says out "[情绪: 开心]"
says err "2 of 4 training lines were passed over, the first is line 2: not UTF-8"
status 0 "$AUDITION" flag latest --kind markup --json
says out '"shared":"<reply>"'
lacks out '"kind":"language"'
status 2 "$AUDITION" flag latest --kind duplicates
says err "did you mean 'duplicate'?"

echo "shown with its evidence"
status 0 "$AUDITION" flag latest "$(flag_of learnt training)"
says out "equal but for particles"
says out "answer         [我最近在学做蛋糕，可是每次都会烤糊]呀！"
says out "[我最近在学做蛋糕，可是每次都会烤糊]。"
says out "train.jsonl:1"
status 0 "$AUDITION" flag latest "$(flag_of near training-near)"
says out "train.jsonl:3"
says out "唔，[月亮今天特别圆，不知道你那边能不能看到呢]？要不要一起看？"
status 0 "$AUDITION" show latest --item tagged
says out "flag not plain text"
status 0 "$AUDITION" report latest -o report.html
says report.html "见于训练语料"
says report.html "<mark>我最近在学做蛋糕，可是每次都会烤糊</mark>"
says report.html "自带分类"
says report.html "train.jsonl:3"
says report.html "最多计 0.75 分"
for k in language markup; do # an answer shows all of its flags
    says report.html "class=\"badge flag\" href=\"#f$(flag_of worse $k)\""
done
status 0 "$AUDITION" report latest -o report.md
says report.md "自称程序"
for form in md json html; do # what flags quote are answers too
    status 0 "$AUDITION" report latest --samples 0 -o none.$form
    lacks none.$form "可是每次都会烤糊"
done
status 0 "$AUDITION" report latest --samples 2 -o few.html
is "$(grep -o '<article id="f[0-9]*"' few.html | wc -l)" 2 "flags in a report of two answers"

echo "overruled: who and why are required and kept"
id=$(flag_of broken malformed)
status 2 "$AUDITION" flag latest "$id" --overrule --why "art"
says err "--by NAME"
status 2 "$AUDITION" flag latest "$id" --overrule --by Kay --why "  "
says err "--why TEXT"
status 2 "$AUDITION" flag latest "$id" --overrule --by Kay --why $'art\xff'
says err "--why: not valid UTF-8"
status 2 "$AUDITION" flag latest --overrule --by Kay --why art
says err "which flag?"
status 1 "$AUDITION" flag latest 9999 --overrule --by Kay --why art
status 2 "$AUDITION" flag latest "$id" --restore --by Kay --why "again"
says err "already in force"
[ -z "$(sql 'SELECT * FROM flag_log')" ] || fail "logged what was not done"
status 0 "$AUDITION" flag latest "$id" --overrule --by Kay --why "a poem of brackets"
says out "overruled by Kay: a poem of brackets"
[ "$(score)" = "$(sqlite3 :memory: 'SELECT (1 + 0.5 + 0.75 + 1 + 0.5 + 1 + 0.25 + 1 + 0.25) / 9.0')" ] || fail "overruled: $(score)"
status 0 "$AUDITION" verify latest
status 2 "$AUDITION" flag latest "$id" --overrule --by Kay --why "twice"
says err "already overruled"
# of two caps one is left
status 0 "$AUDITION" flag latest "$(flag_of worse language)" --overrule --by Kay --why "a song"
[ "$(score)" = "$(sqlite3 :memory: 'SELECT (1 + 0.5 + 0.75 + 1 + 0.5 + 1 + 0.25 + 1 + 0.5) / 9.0')" ] || fail "one cap left: $(score)"

echo "an overruling survives looking again"
sql "UPDATE run SET stale = 1"
status 0 "$AUDITION" board latest
[ "$(sql "SELECT overruled_by FROM flag WHERE id = $id")" = Kay ] || fail "the overruling is gone"

echo "restored, and nothing is lost"
status 0 "$AUDITION" flag latest "$id" --restore --by Ida --why "no, it is not"
lacks out "overruled by"
status 0 "$AUDITION" flag latest --log
[ "$(grep -c "" out)" = 4 ] || { cat out; fail "the log has not three lines below its head"; }
grep -Eq 'overrule +Kay +a poem of brackets +malformed +player +broken +1$' out || fail "no overruling"
grep -Eq 'restore +Ida +no, it is not +malformed +player +broken +1$' out || fail "no restoring"
status 0 "$AUDITION" flag latest --log --json
says out '"act":"restore","who":"Ida","why":"no, it is not","kind":"malformed","model":"player","item":"broken"'

echo "the file is known by its content, not by its place"
runs=$(sql "SELECT count(*) FROM run")
mkdir elsewhere && cp suite.yaml models.yaml player.jsonl critic.jsonl train.jsonl elsewhere/
(cd elsewhere && "$AUDITION" run suite.yaml -m player --judge critic -q --db ../audition.db >/dev/null 2>&1)
[ "$(sql "SELECT count(*) FROM run")" = "$runs" ] || fail "a moved training file made another run"
echo '{"text": "新的一行"}' >>train.jsonl
status 0 "$AUDITION" run suite.yaml -m player --judge critic -q
[ "$(sql "SELECT count(*) FROM run")" = $((runs + 1)) ] || fail "changed training lines made no new run"

echo "lines that are gone or changed keep what was found, and say so"
sql "UPDATE look SET key = 'old'; UPDATE run SET stale = 1"
echo '{"text": "再一行"}' >>train.jsonl
status 0 "$AUDITION" flag latest
says err "the training data has changed since the run was planned"
says out "training-near"
rm train.jsonl
status 0 "$AUDITION" flag latest
says err "the training lines were not searched"
says out "training-near"
status 1 "$AUDITION" check suite.yaml
says err "no file of training lines 'train.jsonl'"

echo "looked for again by verify: what was tampered with is found"
rm audition.db*
cp elsewhere/train.jsonl .
status 0 "$AUDITION" run suite.yaml -m player --judge critic -q
status 0 "$AUDITION" verify latest
says out "flags     9 detected again"
cp audition.db kept.db
flags=$(kinds)
sql "UPDATE flag SET evidence = replace(evidence, '情绪', '心情') WHERE kind = 'markup' AND evidence LIKE '%情绪%'"
status 1 "$AUDITION" verify latest
says err "(markup, sample 5): its evidence does not match the answer"
sql "DELETE FROM flag WHERE kind = 'training'"
status 1 "$AUDITION" verify latest
says err "sample 2: its answer warrants 'training', but no such flag is stored"
mv kept.db audition.db

# interrupt_reading: end $pid, which reads the pipe train.jsonl, while there are more lines
interrupt_reading()
{
    exec 3>train.jsonl # waits until the file is being read
    kill -INT $pid
    for ((i = 0; i < 600; i++)); do
        echo '{"text": "a line"}'
    done >&3 2>/dev/null || true
    exec 3>&-
}

echo "a search of training lines can be interrupted; nothing is lost, and the next look searches"
rm -f audition.db-wal audition.db-shm
sql "UPDATE look SET key = 'old'; UPDATE run SET stale = 1"
mv train.jsonl kept.jsonl
mkfifo train.jsonl
"$AUDITION" board latest >out 2>err &
pid=$!
interrupt_reading
code=0
wait $pid || code=$?
[ $code -eq 130 ] || fail "interrupted: $code"
says err "interrupted at line 256 of the training data; answers and verdicts are kept"

echo "what was interrupted is not searched once more by the same command"
"$AUDITION" run --resume latest --until half-width=0.1 >out 2>err &
pid=$!
interrupt_reading
i=0
while kill -0 $pid 2>/dev/null && [ $i -lt 300 ]; do
    sleep 0.1
    i=$((i + 1))
done
kill -KILL $pid 2>/dev/null && fail "it searches again"
code=0
wait $pid || code=$?
[ $code -eq 130 ] || fail "interrupted: $code"
says err "interrupted at line 256 of the training data; answers and verdicts are kept"
lacks err "half-width"
rm train.jsonl
mv kept.jsonl train.jsonl
status 0 "$AUDITION" board latest
[ "$(kinds)" = "$flags" ] || fail "flags after all: $(kinds)"
status 0 "$AUDITION" verify latest

echo "who scores can be ended at once: only a search says where it stopped"
sql "UPDATE run SET stale = 1"
mkfifo hold
sqlite3 -batch audition.db <hold >held &
holder=$!
exec 3>hold
echo "BEGIN IMMEDIATE; SELECT 'held';" >&3
until [ -s held ]; do sleep 0.05; done
"$AUDITION" board latest >out 2>err &
pid=$!
until readlink /proc/$pid/fd/* | grep -q 'audition\.db$'; do sleep 0.05; done
sleep 0.5 # now it waits for its turn to write
kill -TERM $pid
code=0
wait $pid || code=$?
exec 3>&-
wait $holder
[ $code -eq 143 ] || fail "ended while scoring: $code"
status 0 "$AUDITION" board latest
status 0 "$AUDITION" verify latest

echo "no answer: a flag that stays unscored, or counts 0 where the suite says so, until a person overrules it"
cat >quiet.yaml <<'END'
suite: quiet
language: en
instrument: {dimensions: [{id: quality, scale: 0..1}]}
score: {kind: mean-of-items, times: 1}
items: [{id: plain, prompt: Hello}, {id: mute, prompt: Well}, {id: lost, prompt: "?"}]
END
sed 's/^score/rules: {empty: zero}\nscore/; s/quiet/strict/' quiet.yaml >strict.yaml
printf '%s\n' '{"item": "plain", "text": "Good evening."}' '{"item": "mute", "text": " "}' >player.jsonl
# model_score RUN METRIC
model_score() { sql "SELECT value || ' of ' || n FROM score WHERE run = (SELECT MAX(id) FROM run WHERE suite = '$1') AND subject = 'model/player' AND metric = '$2'"; }
status 3 "$AUDITION" run quiet.yaml -m player --judge critic -q
[ "$(model_score quiet score)" = "1.0 of 1" ] || fail "noted: $(model_score quiet score)"
[ "$(model_score quiet flag:empty)" = "1.0 of 3" ] || fail "counted: $(model_score quiet flag:empty)"
status 0 "$AUDITION" flag latest
says out "the recorded reply is empty"
status 3 "$AUDITION" run strict.yaml -m player --judge critic -q
[ "$(model_score strict score)" = "0.5 of 2" ] || fail "zero: $(model_score strict score)" # the lost one is no 0
[ "$(model_score strict failed)" = "2.0 of 3" ] || fail "failed: $(model_score strict failed)"
status 0 "$AUDITION" verify latest
status 0 "$AUDITION" report latest -o report.html
says report.html "no answer"
says report.html "counts as 0"
id=$(sql "SELECT MAX(id) FROM flag")
status 0 "$AUDITION" flag latest "$id" --overrule --by Kay --why "the line was dead"
[ "$(model_score strict score)" = "1.0 of 1" ] || fail "overruled: $(model_score strict score)"
status 1 "$AUDITION" check /dev/stdin <<'END'
suite: capped
language: en
instrument: {dimensions: [{id: quality, scale: 0..1}]}
rules: {empty: cap 0.5}
items: [{prompt: Hello}]
END
says err "there is nothing to cap"

echo "training lines: plain text may begin with a quotation; a JSON list is refused, not read as text"
cat >quoted.yaml <<'END'
suite: quoted
language: en
instrument: {dimensions: [{id: quality, scale: 0..1}]}
rules: {training: {file: said.txt}}
items: [{id: a, prompt: Hello}]
END
printf '"Good evening," said he.\nThe tide was early this morning.\n' >said.txt
echo '{"item": "a", "text": "The tide was early this morning."}' >said.jsonl
printf 'models:\n  - {name: said, kind: recorded, file: said.jsonl}\n' >models.yaml
status 0 "$AUDITION" run quoted.yaml -m said -q --db said.db
status 0 "$AUDITION" flag latest --db said.db
says out 'training'
printf '[{"answer": "The tide was early this morning."}]\n' >said.txt
status 1 "$AUDITION" check quoted.yaml
says err 'said.txt is a JSON list'
