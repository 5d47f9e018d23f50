#!/usr/bin/env bash
# Reports as PDF, charts as PNG: by a browser of this machine; without one the fault says what to do.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

audition 0 init . --language ja
audition 0 run suites/first.yaml -m understudy --judge prompter -q

echo "no browser"
mkdir empty
PATH=$PWD/empty "$AUDITION" report latest -o r.pdf >out 2>err && fail "printed by nothing"
says err 'install chromium'
[ ! -e r.pdf ] || fail "a file is left behind"

echo "a browser that fails"
mkdir bad
printf '#!/bin/sh\nexit 3\n' >bad/chromium-headless-shell
chmod +x bad/chromium-headless-shell
PATH=$PWD/bad:$PATH "$AUDITION" chart leaderboard latest -o c.png >out 2>err && fail "a failure was not told"
says err 'could not print'

echo "a folder that is not there is named"
status 1 "$AUDITION" report latest -o nowhere/r.pdf
says err 'nowhere/r.part.pdf: No such file or directory'

echo "whoever ends it keeps the report that was there, and leaves nothing else"
mkdir slow
cat >slow/chromium-headless-shell <<END
#!/bin/sh
for at; do case \$at in --print-to-pdf=*) echo half >"\${at#*=}" ;; --user-data-dir=*) dir=\${at#*=} ;; esac; done
echo "\${dir%/*}" >"$PWD/printing" && exec sleep 600
END
chmod +x slow/chromium-headless-shell
echo whole >kept.pdf
mkdir tmp
TMPDIR=$PWD/tmp PATH=$PWD/slow:$PATH start "$AUDITION" report latest -o kept.pdf 2>err
until_true "it prints" 20 test -s printing
code=0
kill -s TERM "$started"
wait "$started" || code=$?
is "$code" 130 "how it ended"
says err "kept.pdf was not written"
is "$(cat kept*)" whole "the report of before"
says printing "$PWD/tmp/"
[ ! -e "$(cat printing)" ] || fail "what was to be printed stays in $(cat printing)"

[ -n "$CHROMIUM" ] || skip "there is no chromium-headless-shell, nor chromium"
echo "one that works"
audition 0 report latest -o r.pdf
is "$(head -c 5 r.pdf)" %PDF- "a PDF"
audition 0 chart leaderboard latest -o c.png
is "$(head -c 4 c.png | tail -c 3)" PNG "a PNG"

echo "of a run that nobody has judged"
audition 0 run suites/first.yaml -m understudy --seed 2 -q
audition 0 report latest -o unjudged.pdf
is "$(head -c 5 unjudged.pdf)" %PDF- "a PDF of it"

echo "what is too high for one picture becomes several, and nothing is cut"
for i in $(seq 400); do
    echo "{\"id\": \"i$i\", \"prompt\": \"Question $i?\"}" >>many.jsonl
    echo "{\"item\": \"i$i\", \"text\": \"Answer $i.\"}" >>one.jsonl
    echo "{\"model\": \"one\", \"item\": \"i$i\", \"text\": \"{\\\"q\\\": 5}\"}" >>jo.jsonl
done
printf 'models:\n  - {name: one, kind: recorded, file: one.jsonl}\n  - {name: jo, kind: recorded, file: jo.jsonl}\n' >many.yaml
printf 'suite: many\nlanguage: en\ninstrument: {dimensions: [{id: q, scale: 0..10}]}\nscore: {kind: mean-of-items}\nitems: many.jsonl\n' >many-suite.yaml
audition 0 run many-suite.yaml -c many.yaml -m one --judge jo -q
audition 0 chart items latest -o high.png
says err 'high-1.png … -2.png'
audition 0 chart items latest -o high.svg
high() { od -A n -t u1 -j 20 -N 4 "$1" | awk '{ print ($1 * 16777216 + $2 * 65536 + $3 * 256 + $4) / 2 }'; }
is "$(($(high high-1.png) + $(high high-2.png)))" "$(grep -o ' height="[0-9]*' high.svg | head -n 1 | tr -dc 0-9)" "the whole height"
echo "a printed report holds as many answers as one prints, and says where the others are"
seen=seen/chromium-headless-shell
mkdir seen
# shellcheck disable=SC2016 # for the script
printf '#!/bin/sh\nfor at; do case $at in file://*) cp "${at#file://}" "%s/seen/page.html";; esac; done\nexec "%s" "$@"\n' "$PWD" "$CHROMIUM" >"$seen"
chmod +x "$seen"
PATH=$PWD/seen:$PATH audition 0 report latest -o printed.pdf
is "$(grep -o '<article id="s[0-9]*"' seen/page.html | wc -l)" 200 "answers in print"
says seen/page.html '200 more are left out' 'pages show all of them'
# Once is enough to print so many: this one only looks.
# shellcheck disable=SC2016 # for the script
sed -i 's/^exec .*/for at; do case $at in --print-to-pdf=*) echo %PDF- >"${at#*=}" ;; esac; done/' "$seen"
PATH=$PWD/seen:$PATH audition 0 report latest --samples 230 -o printed.pdf
is "$(grep -o '<article id="s[0-9]*"' seen/page.html | wc -l)" 230 "as many as were asked for"
audition 0 report latest -o whole.png
[ -s whole.png ] || fail "a report without answers is not one picture"
[ "$(high whole.png)" -lt 8000 ] || fail "such a picture is higher than one can be"
audition 0 report latest --samples 20 -o long.png
[ "$(high long-1.png)" = 8000 ] || fail "a long report is one picture"
