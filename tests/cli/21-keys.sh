#!/usr/bin/env bash
# The keys of files: what `help` says of them, and that documentation and schemas say the same.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

echo "== documentation and schemas are what the program says"
"$REPO/scripts/keys.sh" --check

echo "== a key, in three languages; a section; all; one that is not there"
audition 0 help suite dimension.weight
says out 'its weight in the mean' 'default 1'
lacks out 'title'
audition 0 help suite weight --language zh
says out '在均值里占的比重' '默认 1'
audition 0 help suite weight --language ja
says out '平均での重み'
audition 0 help suite score
says out 'times' 'divide' 'bradley-terry'
audition 0 help models timeout
says out 'seconds for one attempt' '0.1..86400; default 300'
audition 0 help campaign silent
says out '0..0.5; default 0.1'
audition 0 help campaign all
says out 'passages_per_rater' 'return_url'
audition 0 help campaign
says out 'usage: audition campaign'
audition 0 help suite
says out 'elicit' 'rules' 'lorebook'
audition 2 help suite wieght
says err "did you mean 'weight'?"

echo "== a schema that editors can use"
for file in suite models campaign; do
    "$AUDITION" help "$file" --schema >schema.json
    cmp schema.json "$REPO/share/schema/$file.schema.json"
done
