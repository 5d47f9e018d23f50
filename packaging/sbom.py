"""sbom.py TREE VERSION  a bill of materials (CycloneDX 1.5) of the tree of tree.sh, on standard output:
the libraries that lie beside the program, and the archives that are linked into it."""
import datetime
import json
import os
import subprocess
import sys
from pathlib import Path

tree, version = Path(sys.argv[1]), sys.argv[2]
# What is built with and not among the shared libraries is linked from archives; see LIBS in the Makefile.
SHARED = {"libc6-dev", "libcurl4-openssl-dev", "libpq-dev", "libgnutls28-dev"}
setup = Path(__file__).resolve().parent / "../scripts/setup.sh"
needed = subprocess.run([setup, "--list", "build"], capture_output=True, text=True, check=True).stdout.split()
LINKED = [package for package in needed if package.endswith("-dev") and package not in SHARED]


def component(package, number, source, how):
    purl = f"pkg:deb/debian/{package}@{number.replace('+', '%2B').replace(':', '%3A')}"
    return {"type": "library", "bom-ref": purl, "name": package, "version": number, "purl": purl,
            "properties": [{"name": "debian:source", "value": source}, {"name": "audition:linked", "value": how}]}


parts = [component(*line.split(), "bundled") for line in (tree / "share/doc/audition/libraries.txt").read_text().splitlines()]
for package in LINKED:
    found = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version} ${source:Package}", package],
                           capture_output=True, text=True)
    if found.returncode == 0 and found.stdout:
        parts.append(component(*found.stdout.split(), "static"))
when = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
json.dump({
    "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
    "metadata": {"timestamp": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
                 "component": {"type": "application", "bom-ref": "audition", "name": "audition", "version": version,
                               "licenses": [{"license": {"id": "MIT"}}]}},
    "components": sorted(parts, key=lambda part: part["bom-ref"]),
    "dependencies": [{"ref": "audition", "dependsOn": sorted(part["bom-ref"] for part in parts)}],
}, sys.stdout, indent=1, sort_keys=True)
print()
