"""sbom.py TREE VERSION  a bill of materials (CycloneDX 1.5) of the tree of tree.sh, on standard output:
the libraries that lie beside the program, and the archives that are linked into it."""
import datetime
import json
import os
import sys
from pathlib import Path

tree, version = Path(sys.argv[1]), sys.argv[2]


def component(package, number, source, how):
    purl = f"pkg:deb/debian/{package}@{number.replace('+', '%2B').replace(':', '%3A')}"
    return {"type": "library", "bom-ref": purl, "name": package, "version": number, "purl": purl,
            "properties": [{"name": "debian:source", "value": source}, {"name": "audition:linked", "value": how}]}


parts = [component(*line.split()) for line in (tree / "share/doc/audition/libraries.txt").read_text().splitlines()]
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
