#!/usr/bin/env bash
# `audition metrics`: text metrics of a file of pairs, against numbers computed elsewhere.
set -eu

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

# value NAME: of the JSON object in out, to six digits
value()
{
    sed 's/.*"'"$1"'":\([^,}]*\).*/\1/' out | awk '{ printf "%.6f", $1 }'
}

value_is()
{
    [ "$(value "$1")" = "$2" ] || { echo "$1 is $(value "$1"), not $2"; cat out; exit 1; }
}

cat >pairs.jsonl <<'END'
{"id": 1, "hypothesis": "今天天气真不错啊", "reference": "今天的天气真好啊"}
{"id": 2, "hypothesis": "哈哈哈你可真会开玩笑", "reference": "你可真会说笑话"}

{"id": 3, "hypothesis": "我不知道", "reference": "我怎么知道呢"}
END

check_pairs()
{
    value_is pairs 3.000000
    value_is bleu_1 63.636364
    value_is bleu_2 48.420012
    value_is bleu_3 35.662095
    value_is bleu_4 24.114426
    value_is gleu 32.051282
    value_is rouge_1 66.031746
    value_is rouge_2 36.904761
    value_is rouge_l 66.031746
    value_is distinct_1 77.272727
    value_is distinct_2 94.736842
}

echo "JSON lines"
expect 0 metrics pairs.jsonl --json
check_pairs
says out '"chrf":'
says out '"hypothesis_key":"hypothesis"'
expect 0 metrics pairs.jsonl
says out 'BLEU-1       63.64'
says out 'Distinct-2   94.74'

echo "an array, on many lines and on one; standard input"
awk 'BEGIN { print "[" } NF { printf "%s%s\n", c, $0; c = "," } END { print "]" }' pairs.jsonl >pairs.json
expect 0 metrics pairs.json --json
check_pairs
tr -d '\n' <pairs.json >line.json
expect 0 metrics line.json --json
check_pairs
"$AUDITION" metrics - --json <line.json >out
check_pairs

echo "names: guessed, or given"
sed 's/hypothesis/answer/;s/reference/ref_answer/' pairs.jsonl >named.jsonl
expect 0 metrics named.jsonl --json
check_pairs
sed 's/hypothesis/prediction/;s/reference/answer/' pairs.jsonl >named.jsonl
expect 0 metrics named.jsonl --json
check_pairs
says out '"reference_key":"answer"'
sed 's/hypothesis/mine/;s/reference/yours/' pairs.jsonl >named.jsonl
expect 1 metrics named.jsonl
says err '--hypothesis-key'
expect 1 metrics named.jsonl --hypothesis-key mine
says err '--reference-key'
expect 0 metrics named.jsonl --hypothesis-key mine --reference-key yours --json
check_pairs

echo "what cannot be used is named, left out and counted"
{
    cat pairs.jsonl
    printf '{"hypothesis": "\377", "reference": "x"}\n{"hypothesis": "x"}\n{"hypothesis": \n[]\n'
    awk 'BEGIN { printf "{\"reference\": \"x\", \"hypothesis\": \""
        for (i = 0; i < 20000; i++) printf "a"; print "\"}" }'
} >bad.jsonl
expect 3 metrics bad.jsonl --json
check_pairs
says out '"skipped":5'
says err 'bad.jsonl:5: not UTF-8; skipped'
says err 'bad.jsonl:6: no text "hypothesis" or "reference"; skipped'
says err 'bad.jsonl:7: not JSON; skipped'
says err 'bad.jsonl:8: neither an object nor a text; skipped'
says err 'bad.jsonl:9: a text of 20000 characters'

echo "a text of full stops is empty to ROUGE, and left out of its mean"
{
    cat pairs.jsonl
    echo '{"hypothesis": "...", "reference": "x"}'
} >stops.jsonl
expect 0 metrics stops.jsonl --json
value_is pairs 4.000000
value_is rouge_pairs 3.000000
value_is rouge_1 66.031746
expect 0 metrics stops.jsonl
says out "4 pairs" "ROUGE leaves out 1 pair in which a text is empty"
expect 0 metrics pairs.jsonl
lacks out "leaves out"

echo "by word where words have spaces between them, unless told otherwise"
echo '{"hyp": "the cat sat on the mat", "ref": "the cat is on the mat"}' >cat.jsonl
expect 0 metrics cat.jsonl --json
says out '"by":"word"'
value_is bleu_1 83.333333
value_is bleu_2 70.710678
value_is distinct_1 83.333333
value_is rouge_1 80.000000
word=$(value chrf)
expect 0 metrics cat.jsonl --by char --json
says out '"by":"char"'
is "$(value chrf)" "$word" "chrF, by character always"
[ "$(value bleu_1)" != 83.333333 ] || fail "characters are counted as words"
expect 0 metrics pairs.jsonl --json
says out '"by":"char"'
expect 0 metrics cat.jsonl
says out 'against "ref", by word'
expect 2 metrics cat.jsonl --by line
says err "expected char or word"

echo "files without pairs"
printf 'just a text\n' >plain.txt
expect 1 metrics plain.txt
says err 'neither JSON Lines nor a JSON array'
printf '[]\n' >empty.json
expect 1 metrics empty.json
says err 'contains no pairs'
printf '[{"hyp": "a", "ref": "b"}, {"hyp": "c", ' >cut.json
expect 1 metrics cut.json
says err 'the file ends inside the array'
printf '[{"hyp": "a", "ref": "b"}] more' >behind.json
expect 1 metrics behind.json
says err 'text after the end of the array'
expect 1 metrics absent.json
says err 'absent.json'
expect 2 metrics

echo "the published tables"
ref=${AUDITION_REFERENCE:-$REPO/../shared/reference}/crosstalk
[ -f "$ref/expected_machine.json" ] || { echo "no $ref/expected_machine.json"; exit 77; }
command -v python3 >/dev/null || { echo "no python3 to read the expected numbers"; exit 77; }
python3 - "$ref/expected_machine.json" <<'END' >expected
import json, sys
for model in json.load(open(sys.argv[1])).values():
    for name, value in model["reproduced"].items():
        print(model["file"], name, "%.6f" % value)
    print(model["file"], "pairs", "%.6f" % model["n_pairs"])
    print(model["file"], "rouge_pairs", "%.6f" % model["rouge_pairs_used"])
END
[ "$(wc -l <expected)" -ge 36 ]
last=
while read -r file name wanted; do
    [ "$file" = "$last" ] || expect 0 metrics "$ref/machine/$file" --json
    last=$file
    value_is "$name" "$wanted"
done <expected
