#!/usr/bin/env bash
# Logs of other tools: Inspect's zip and JSON, promptfoo's results, lm-eval's samples become a suite
# and a run that can be looked at here. The files have the shape of theirs; the words are ours.
set -eu
# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

echo "== Inspect: a zip of JSON, with NaN, letters as marks, messages as input, two epochs"
mkdir -p samples
cat >header.json <<'END'
{"version": 2, "status": "success", "eval": {"task": "manners", "model": "mock/a"}}
END
sample()
{
    cat >"samples/$1_epoch_$2.json" <<END
{"id": "$1", "epoch": $2, "input": $3, "target": ["Good evening."],
 "output": {"model": "mock/a", "choices": [{"message": {"role": "assistant", "content": "$4"}, "stop_reason": "stop"}], "completion": "$4"},
 "scores": {"match": {"value": "$5", "explanation": "because"}, "judge": {"value": $6}}, "metadata": {"loss": NaN}}
END
}
sample greet 1 '"Say \"NaN\" and good evening."' 'Good evening.' C 0.75
sample greet 2 '"Say \"NaN\" and good evening."' 'Evening.' P NaN
sample leave 1 '[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Leave."}]' 'Goodbye.' I 0
perl -MIO::Compress::Zip=:all -e 'zip([glob("header.json samples/*.json")] => "run.eval") or die $ZipError'
expect 0 import run.eval -o inspect --json
says out '"samples":3,"verdicts":5'
says inspect/suite.yaml 'suite: log-run' 'scale: 0..1'
says inspect/items.jsonl 'Say \"NaN\" and good evening.' 'Be brief.\nLeave.' '"reference":"Good evening."'
expect 0 board latest
says out mock/a
expect 0 show latest --limit 10
says out 'Evening.' 'Goodbye.'
expect 2 import run.eval -o inspect
says err 'already exists'
cp run.eval 2026-11-15_MyTask_AB.eval
expect 0 import 2026-11-15_MyTask_AB.eval -o capitals --db capitals.db
says capitals/suite.yaml 'suite: log-2026-11-15-mytask-ab'
cp run.eval 礼.eval
expect 0 import 礼.eval -o script --db script.db
says script/suite.yaml 'suite: log'

echo "== Inspect: one JSON file"
{
    echo '{"eval": {"model": "mock/a"}, "samples": ['
    cat samples/greet_epoch_1.json
    echo ']}'
} >run.json
expect 0 import run.json -o inspect-json --json --db json.db
says out '"samples":1,"verdicts":2'

echo "== promptfoo: rows in any order, assertions as judges, an error"
cat >foo.json <<'END'
{"results": {"version": 3, "results": [
 {"testIdx": 1, "prompt": {"raw": "Sing."}, "provider": {"id": "openai:b"}, "response": {"output": "La."}, "success": true, "score": 1,
  "gradingResult": {"pass": true, "score": 1, "reason": "fine", "componentResults": [
   {"pass": true, "score": 0.5, "assertion": {"type": "llm-rubric", "value": "sings"}},
   {"pass": true, "score": 1, "assertion": {"type": "contains", "metric": "la", "value": "La"}}]}},
 {"testIdx": 0, "prompt": {"raw": "Greet."}, "provider": {"id": "openai:b", "label": "b"}, "response": {"output": {"text": "Hi."}}, "success": false, "score": 0},
 {"testIdx": 2, "prompt": {"raw": "Weep."}, "provider": {"id": "openai:b"}, "error": "timeout", "success": false, "score": 0}]}}
END
expect 0 import foo.json -o foo --db foo.db
says out 'promptfoo log: 2 items, 2 answers, 3 verdicts; 1 entry without text'
says foo/answers.jsonl '"judge":"llm-rubric"' '"judge":"la"' '"judge":"promptfoo"'

echo "== lm-eval: the model is named by the user; log-likelihoods are no answers"
cat >samples_task.jsonl <<'END'
{"doc_id": 0, "doc": {}, "target": "4", "arguments": {"gen_args_0": {"arg_0": "Two and two?", "arg_1": {}}}, "resps": [["4", "four"]], "filtered_resps": ["4"], "metrics": ["exact_match"], "exact_match": 1.0}
{"doc_id": 1, "doc": {}, "target": "0", "arguments": {"gen_args_0": {"arg_0": "Pick", "arg_1": " a"}}, "resps": [[["-0.1", "False"]]], "metrics": ["acc"], "acc": 0.0}
END
expect 2 import samples_task.jsonl -o lm --db lm.db
says err '--model NAME'
expect 0 import samples_task.jsonl -o lm --model tiny --json --db lm.db
says out '"samples":2,"verdicts":1'

echo "== broken files"
head -c 300 run.eval >cut.eval
expect 1 import cut.eval -o cut
says err cut.eval
echo '{"a": 1}' >other.json
expect 1 import other.json -o other
says err 'nor a log of Inspect'
echo 'not json' >words.jsonl
expect 1 import words.jsonl -o words
says err 'line 1'
for folder in cut other words; do
    [ ! -e $folder ] || fail "a folder was left behind: $folder"
done
