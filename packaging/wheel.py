"""wheel.py TREE FOLDER [LEVEL]  the tree of tree.sh and the module of python/ as a wheel, byte for byte the same
every time. Prints its name. How much it is compressed, 1 to 9, is the latter unless told.

The tree goes to the prefix of the environment (bin/, lib/audition, share/), so that `audition` starts
without Python. It brings its own C library: one wheel for every Linux of its processor.
"""
import base64
import hashlib
import os
import platform
import re
import sys
import time
import zipfile
from pathlib import Path

tree, folder = Path(sys.argv[1]), Path(sys.argv[2])
level = int(sys.argv[3]) if len(sys.argv) > 3 else 9
here = Path(__file__).resolve().parent
version = re.search(r'VERSION "([^"]+)"', (here / "../src/base/version.h").read_text()).group(1)
machine = os.environ.get("MACHINE", platform.machine())
tags = [f"py3-none-{system}_{machine}" for system in ("manylinux_2_17", "musllinux_1_1")]
date = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
info, data = f"audition-{version}.dist-info", f"audition-{version}.data"

files = {}
for path in sorted((here / "python").rglob("*")):
    if path.is_file() and path.suffix != ".pyc":
        files[path.relative_to(here / "python").as_posix()] = (path.read_bytes(), 0o644)
for path in sorted(tree.rglob("*")):
    if path.is_file():
        name = path.relative_to(tree).as_posix()
        place = "scripts/audition" if name == "bin/audition" else "data/" + name
        files[f"{data}/{place}"] = (path.read_bytes(), path.stat().st_mode & 0o777)

readme = (here / "../README.md").read_text()
files[f"{info}/METADATA"] = (f"""Metadata-Version: 2.1
Name: audition
Version: {version}
Summary: Measures how well a language model plays a role
License: MIT
Requires-Python: >=3.9
Provides-Extra: frames
Requires-Dist: pandas; extra == "frames"
Requires-Dist: pyarrow; extra == "frames"
Description-Content-Type: text/markdown

{readme}""".encode(), 0o644)
files[f"{info}/WHEEL"] = ("Wheel-Version: 1.0\nGenerator: audition\nRoot-Is-Purelib: false\n"
                          + "".join(f"Tag: {tag}\n" for tag in tags)).encode(), 0o644
record = ""
for name, (content, _) in files.items():
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    record += f"{name},sha256={digest},{len(content)}\n"
files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode(), 0o644

name = f"audition-{version}-py3-none-manylinux_2_17_{machine}.musllinux_1_1_{machine}.whl"
folder.mkdir(parents=True, exist_ok=True)
with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as wheel:
    for inner, (content, mode) in files.items():
        entry = zipfile.ZipInfo(inner, date)
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        wheel.writestr(entry, content, compresslevel=level)  # of an entry of its own the level of the file does not count
print(folder / name)
