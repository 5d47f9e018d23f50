#!/usr/bin/env bash
# A classifier in ONNX form, served by the script of the documentation: a model of two words is made here, and
# rates the answers of a run as its weights say.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"
# What they import here, and nothing that they would bring along for other purposes.
packages=(onnxruntime==1.31.1 tokenizers==0.23.1 onnx==1.23.2 numpy==2.4.6 protobuf==7.36.2 ml_dtypes==0.6.0
    typing_extensions==4.16.0)
python=$("$REPO/scripts/python.sh" "$REPO/build/onnx" "${packages[@]}" 2>setup.log) ||
    skip "the packages ${packages[*]} cannot be had here"

# A word has an embedding of two numbers, the logits are their means: "sorry" is polite, "no" is plain.
mkdir model
"$python" - <<'END'
import json
import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper
import tokenizers

words = {"[UNK]": 0, "sorry": 1, "no": 2}
weights = numpy.array([[0, 0], [0, 6], [6, 0]], dtype=numpy.float32)
graph = helper.make_graph(
    [helper.make_node("Gather", ["table", "input_ids"], ["words"]),
     helper.make_node("ReduceMean", ["words"], ["logits"], axes=[1], keepdims=0)],
    "polite",
    [helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, None])],
    [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, 2])],
    [numpy_helper.from_array(weights, "table")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
model.ir_version = 8
onnx.save(model, "model/model.onnx")
tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))
tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
tokenizer.normalizer = tokenizers.normalizers.Lowercase()
tokenizer.save("model/tokenizer.json")
json.dump({"id2label": {"0": "plain", "1": "polite"}}, open("model/config.json", "w"))
END
start "$python" "$REPO/docs/examples/onnx_classifier.py" model 0 >onnx.port 2>onnx.log
until_true "the classifier: $(tail -n 3 onnx.log)" 60 test -s onnx.port

suite suite.yaml 4
cat >said.jsonl <<END
{"item": "i00001", "text": "Sorry, sorry."}
{"item": "i00002", "text": "No!"}
{"item": "i00003", "text": "sorry, no sorry"}
{"item": "i00004", "text": "The ferry lies in the harbour."}
END
cat >models.yaml <<END
models:
  - {name: said, kind: recorded, file: said.jsonl}
classifiers:
  - {name: polite, dialect: predict, base_url: "http://127.0.0.1:$(cat onnx.port)", label: polite, key: none}
  - {name: astray, dialect: predict, base_url: "http://127.0.0.1:$(cat onnx.port)", label: kind, key: none}
END
audition 0 run suite.yaml -m said --db onnx.db
audition 0 classifier rate latest --endpoint polite --json --db onnx.db
# Two answers of four: the third has more of the one word than of the other, the last has neither.
says out '0.5'
audition 1 classifier rate latest --endpoint astray --db onnx.db
says err '"plain", "polite"'

ask()
{
    curl -s -o reply -w '%{http_code}' -H 'Content-Type: application/json' -d "$1" "http://127.0.0.1:$(cat onnx.port)/$2"
}
is "$(ask '{"inputs": "Sorry"}' predict)" 200 "a text"
perl -MJSON::PP -0777 -ne 'my ($p) = map { $_->{score} } grep { $_->{label} eq "polite" } @{ decode_json($_) };
    die "polite: $p\n" if abs($p - 1 / (1 + exp(-6))) > 1e-6' reply
is "$(ask '{"text": 3}' predict)" 422 "no text"
is "$(ask 'no JSON' predict)" 422 "no JSON"
is "$(ask '{}' elsewhere)" 404 "another address"
