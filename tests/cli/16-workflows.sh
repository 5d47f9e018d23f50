#!/usr/bin/env bash
# The workflow files of docs/ci: the commands in them do what they promise, on recorded replies. A
# baseline is declared, a change is compared with it and written down, and a worse model fails the job.
set -eu
# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

cp -R "$REPO/demo" project
cd project
mkdir bin
ln -s "$AUDITION" bin/audition
PATH=$PWD/bin:$PATH

# command FILE WORD: the line of the workflow that begins with `audition WORD`
command_of()
{
    grep -o "audition $2.*" "$REPO/docs/ci/$1" | head -n 1
}

export MODEL=steady JUDGE=examiner
for file in github.yml gitlab.yml; do
    echo "== $file installs what is at hand: the name is nobody's yet"
    grep -q 'pip install --no-index' "$REPO/docs/ci/$file" || fail "$file: pip install"
    echo "== $file"
    rm -f audition.db compare.md report.html
    eval "$(command_of $file run)" >/dev/null 2>&1 || fail "the run of the main branch"
    eval "$(command_of $file report)" >/dev/null
    test -s report.html || fail "no report"
    eval "$(command_of $file 'compare --declare')" >/dev/null

    cp judge.jsonl kept.jsonl
    sed -i -E 's/(score\\*": *)(1|0\.75)\b/\10.25/g' judge.jsonl # the judge finds it worse
    eval "$(command_of $file run)" >/dev/null 2>&1 || fail "the run of the change"
    code=0
    (eval "$(command_of $file 'compare latest' | sed 's/ || status=.*//')") >out 2>&1 || code=$?
    is "$code" 100 "the comparison with a worse model"
    says compare.md steady
    mv kept.jsonl judge.jsonl
done
