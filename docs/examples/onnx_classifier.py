"""Serves a text classifier in ONNX form to `audition classifier rate --endpoint`.

    pip install onnxruntime tokenizers
    python onnx_classifier.py FOLDER [PORT]

FOLDER is what exporters of Hugging Face models write: model.onnx, tokenizer.json, and config.json,
whose id2label names the labels. Listens on 127.0.0.1, port 8080 by default, and answers POST /predict
as text-embeddings-inference does: [{"label", "score"}, ...]. One label: its logit goes through the
logistic function, else through softmax. The port is printed when it is ready; 0 takes a free one.
"""
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy
import onnxruntime
import tokenizers

TOKENS_MAX = 512
BYTES_MAX = 1 << 20


class Classifier:
    def __init__(self, folder):
        self.session = onnxruntime.InferenceSession(os.path.join(folder, "model.onnx"))
        self.inputs = [i.name for i in self.session.get_inputs()]
        self.tokenizer = tokenizers.Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        self.tokenizer.enable_truncation(TOKENS_MAX)
        with open(os.path.join(folder, "config.json"), encoding="utf-8") as config:
            names = json.load(config)["id2label"]
        self.labels = [names[str(i)] for i in range(len(names))]

    def scores(self, text):
        tokens = self.tokenizer.encode(text)
        known = {"input_ids": tokens.ids, "attention_mask": tokens.attention_mask, "token_type_ids": tokens.type_ids}
        logits = self.session.run(None, {name: numpy.array([known[name]], dtype=numpy.int64) for name in self.inputs})[0][0]
        if len(logits) == 1:
            values = 1 / (1 + numpy.exp(-logits))
        else:
            values = numpy.exp(logits - logits.max())
            values /= values.sum()
        return [{"label": label, "score": float(value)} for label, value in zip(self.labels, values)]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def reply(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        size = int(self.headers.get("Content-Length", 0))
        if self.path != "/predict" or size > BYTES_MAX:
            self.close_connection = True
            self.reply(404 if size <= BYTES_MAX else 413, {"error": "POST /predict, of at most a megabyte"})
            return
        try:
            text = json.loads(self.rfile.read(size))["inputs"]
            self.reply(200, self.server.classifier.scores(str(text)))
        except (ValueError, KeyError, TypeError):
            self.reply(422, {"error": 'expected {"inputs": "a text"}'})

    def log_message(self, format, *args):
        pass  # answers are not to be seen in a log


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 8080), Handler)
    server.classifier = Classifier(sys.argv[1])
    print(server.server_port, flush=True)
    server.serve_forever()
