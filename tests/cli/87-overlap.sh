#!/bin/bash
# `audition overlap`: replies that stand in a training set. Files alone, of any form and size.
set -euo pipefail

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

cat >replies.jsonl <<'END'
{"item": "a", "answer": "早上好呀，今天也要元气满满哦！"}
{"item": "b", "answer": "好呀"}
{"item": "c", "answer": "月亮今天特别圆，不知道你那边能不能看到呢？"}
{"item": "d", "answer": "私は剣よりも本が好きな騎士です。"}
{"item": "e", "answer": "The lighthouse keeper said nothing and simply lit another lamp."}
END
cat >train.txt <<'END'
早上好呀~今天也要元气满满哦
好

唔，月亮今天特别圆，不知道你那边能不能看到呢？要不要一起看？
私は本よりも剣が好きな姫です。
The lighthouse keeper said nothing; he simply lit another lamp.
[smiles] The lighthouse keeper said nothing; he lit a lamp.
END

echo "tiers, evidence, counts"
expect 0 overlap replies.jsonl --corpus train.txt
says out 'replies.jsonl:1  exact  train.txt:1  S 1.00'
says out 'replies.jsonl:2  particles  train.txt:2  S 0.67'
says out 'replies.jsonl:3  near  train.txt:4  S 1.00 (indel 0.84, 2-grams contained 1.00)'
says out 'training    唔，[月亮今天特别圆，不知道你那边能不能看到呢]？要不要一起看？'
says out 'replies.jsonl:5  near  train.txt:6  S 0.96'
says out 'reply       [The lighthouse keeper said nothing] and simply'
lacks out 'replies.jsonl:4'
says out '5 replies, 6 training lines: 1 exact, 1 but for particles, 2 near (S >= 0.8), 1 without'
[ ! -s err ]
expect 0 overlap replies.jsonl --corpus train.txt --language ja
says out '学習データ  唔，'

counts='"counts":{"replies":5,"lines":6,"pairs":4,"exact":1,"particles":1,"near":2,"none":1,"skipped_replies":0,"skipped_lines":0}'
expect 0 overlap replies.jsonl --corpus train.txt --json
says out "$counts"
says out '"training":{"line":4,"record":3,"text":"唔，月亮'
says out '"common_at":2}'
if command -v python3 >/dev/null; then
    python3 -c 'import json; assert len(json.load(open("out"))["matches"]) == 4'
fi

echo "the threshold"
expect 0 overlap replies.jsonl --corpus train.txt --threshold 0.75
says out 'replies.jsonl:4  near  train.txt:5  S 0.76'
expect 0 overlap replies.jsonl --corpus train.txt --threshold 1 --json
says out '"pairs":3'
for bad in 0 -1 1.01 x; do
    expect 2 overlap replies.jsonl --corpus train.txt --threshold "$bad"
done
expect 2 overlap replies.jsonl
says err '--corpus'
expect 2 overlap - --corpus -

echo "every form gives the same"
# shellcheck disable=SC2016 # the dollar is awk's
quote='{ gsub(/"/, "\\\""); printf "%s{\"n\": %d, \"output\": \"%s\"}\n", c, NR, $0; if (sep) c = "," }'
awk "NF $quote" train.txt >train.jsonl
awk -v sep=1 "BEGIN { print \"[\" } NF $quote END { print \"]\" }" train.txt >train.json
tr -d '\n' <train.json >line.json
awk 'BEGIN { print "[" } NF { printf "%s\"%s\"", c, $0; c = ",\n" } END { print "]" }' train.txt >strings.json
for corpus in train.jsonl train.json line.json strings.json; do
    expect 0 overlap replies.jsonl --corpus $corpus --json
    says out "$counts"
done
printf '\xEF\xBB\xBF' | cat - train.txt >bom.txt
expect 0 overlap replies.jsonl --corpus bom.txt --json
says out "$counts"
sed 's/$/\r/' train.txt >crlf.txt
expect 0 overlap replies.jsonl --corpus crlf.txt --json
says out "$counts"
expect 0 overlap replies.jsonl --corpus - --json <train.txt
says out "$counts"
sed 's/output/line/' train.jsonl >keyed.jsonl
expect 3 overlap replies.jsonl --corpus keyed.jsonl --json
says err 'keyed.jsonl:1: no text under a known key (see --key); skipped'
says err 'keyed.jsonl: 1 more skipped'
expect 0 overlap replies.jsonl --corpus keyed.jsonl --key line,answer --json
says out "$counts"

echo "invalid UTF-8 is named, skipped and counted"
{ printf 'broken \377\n'; cat train.txt; printf '\300\257\n'; } >broken.txt
expect 3 overlap replies.jsonl --corpus broken.txt --json
says out '"skipped_lines":2'
says out '"pairs":4'
says err 'broken.txt:1: not UTF-8; skipped'
says err 'broken.txt:9: not UTF-8; skipped'
printf '{"answer": "\377"}\n{"answer": "好"}\n' >r.jsonl
expect 3 overlap r.jsonl --corpus train.txt --json
says out '"skipped_replies":1'
says err 'r.jsonl:1: not UTF-8; skipped'
printf '\377\n' >r.txt
expect 1 overlap r.txt --corpus train.txt
says err 'no reply could be read'

echo "a megabyte of one character, marks of direction, a text too long to compare"
head -c 1000000 /dev/zero | tr '\0' a >r.txt
printf '\n\342\200\217\342\200\256Never \342\200\254again\n' >>r.txt
printf 'aaaa\nnever again\n' >t.txt
expect 0 overlap r.txt --corpus t.txt
says out '2 exact'
printf '\342\200\256' >mark
! grep -qF -f mark out || { echo "a mark of direction reached the terminal"; exit 1; }
awk 'BEGIN { for (i = 0; i < 40000; i++) printf "ab"; print ""; print "never again" }' >r.txt
expect 3 overlap r.txt --corpus t.txt
says err 'r.txt:1: too long to compare; skipped'
head -c 5000000 /dev/zero | tr '\0' a >t.txt
expect 1 overlap replies.jsonl --corpus t.txt
says err 't.txt:1: a text of more than 4 MB'
printf '["a", "b"' >t.txt
expect 1 overlap replies.jsonl --corpus t.txt
says err 'the file ends inside the array'
expect 1 overlap replies.jsonl --corpus absent.txt
says err 'absent.txt'
expect 1 overlap . --corpus train.txt

echo "a corpus many times the memory"
small()
{
    # shellcheck disable=SC3045
    (ulimit -v 400000 && timeout -k 5 300 "$AUDITION" "$@")
}
# a chat is searched for what the assistant says in it, as by the rule
printf '%s\n' '{"messages": [{"role": "user", "content": "the kettle sings by itself at night"}, {"role": "assistant", "content": "The bridge is out beyond the third milestone."}]}' >chat.jsonl
printf '%s\n' '{"text": "The bridge is out beyond the third milestone."}' '{"text": "the kettle sings by itself at night"}' >said.jsonl
"$AUDITION" overlap said.jsonl --corpus chat.jsonl --json >out
says out '"replies":2,"lines":1,"pairs":1'
if small help >/dev/null 2>&1; then
    pad=$(head -c 8000 /dev/zero | tr '\0' x)
    set +o pipefail
    {
        yes "{\"pad\": \"$pad\", \"text\": \"something else\"}" | head -n 100000
        cat train.jsonl
    } | small overlap replies.jsonl --corpus - --json >out
    set -o pipefail
    says out '"lines":100006,"pairs":4'
else
    echo "(not with this build: it reserves more address space than the test allows)"
fi
