#!/usr/bin/env bash
# What a run says into a file while it works: time so far, an estimate that does not rise and follows from
# the counts beside it, turns of interviews, no line twice.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

mock keeper --latency 500 --dimensions 'role=1|2|3|4|5'
models talk.yaml "$port"
mock slow --latency 500
models models.yaml "$port"
suite suite.yaml 30
interview sit.yaml 2
cp -R "$REPO/tests/fixtures/dialogue" fixtures
sed 's/  kind: dimensions/  kind: dimensions\n  over: turn/' fixtures/dialogue.yaml >fixtures/turn.yaml
start "$AUDITION" run suite.yaml -m player --judge critic -j 2 --db items.db >items.out 2>items.err
items=$started
start "$AUDITION" run fixtures/turn.yaml -c talk.yaml -m player --user script --judge critic -j 2 --db turn.db >turn.out 2>turn.err
talks=$started
start "$AUDITION" run sit.yaml -m player --examiner script -j 2 --db sit.db >sit.out 2>sit.err
wait "$started" || fail "the interviews ended with $?: $(cat sit.err)"
wait "$talks" || fail "the dialogues ended with $?: $(cat turn.err)"
wait "$items" || fail "the items ended with $?: $(cat items.err)"

grep '^samples' items.err >lines
[ "$(wc -l <lines)" -ge 3 ] || fail "hardly a line: $(cat lines)"
is "$(uniq -d lines)" "" "lines that were said twice"
is "$(grep -vc 'so far' lines || true)" 0 "lines without the time so far"
sed -n 's/.* \([0-9]*\):\([0-9]*\) left.*/\1 \2/p' lines | awk '{ print $1 * 60 + $2 }' >left
[ -s left ] || fail "nothing is estimated"
sort -rnc left || fail "the estimate rises: $(tr '\n' ' ' <left)"
# Each answer still has its verdict before it, counted once: what is left takes no longer than what is done took.
sed -n 's|^samples \([0-9]*\)/30, verdicts \([0-9]*\)/30, .* \([0-9]*\):\([0-9]*\) left, \([0-9]*\):\([0-9]*\) so far.*|\1 \2 \3 \4 \5 \6|p' \
    lines >estimates
[ -s estimates ] || fail "no estimate with verdicts: $(cat lines)"
awk '{ most = ($5 * 60 + $6 + 1) * (60 - $1 - $2) / ($1 + $2) + 1; if ($3 * 60 + $4 > most) { print; bad = 1 } }
    END { exit bad }' estimates || fail "more is left than the counts say"
grep -Eq '^samples [0-9]+/2, [1-9][0-9]* turns' sit.err || fail "turns are not counted: $(cat sit.err)"
is "$(tail -n 1 turn.err | grep -o '[0-9]* turns')" "16 turns" "turns, and not what judges were asked"
is "$(sed -n 's|^samples.*verdicts [0-9]*/\([0-9]*\).*|\1|p' turn.err | sort -u)" 16 "verdicts, one for each of the turns to come"
lacks items.err "planning" "scoring"

# A terminal is told what takes its time before the first request and after the last; nothing of it stays.
command -v script >/dev/null || skip "there is no script: a terminal could not be looked at"
mock fast
models models.yaml "$port"
suite few.yaml 2
script -qec "$AUDITION run few.yaml -m player --judge critic --db few.db" /dev/null >screen </dev/null || fail "$(cat screen)"
says screen $'  planning ...\r\033[K' $'  scoring ...\r\033[K'

# A server that cannot answer yet is waited for with its reason.
mock busy --faults 1 --fault-kinds 503
models models.yaml "$port"
script -qec "stty cols 200; $AUDITION run few.yaml -m player --max-retries 1 --db busy.db" /dev/null >screen </dev/null || true
says screen 'waiting: player is not ready: The engine is overloaded' 'busy ×'

# What only reads says so, too, and so does a run that gets another model.
for command in "check few.yaml" "run few.yaml -m player --dry-run"; do
    script -qec "$AUDITION $command --db few.db" /dev/null >screen </dev/null || fail "$(cat screen)"
    says screen $'  reading items ...\r\033[K'
done
mock again
models models.yaml "$port"
echo "  - {name: second, base_url: \"http://127.0.0.1:$port\", model: chat}" >>models.yaml
script -qec "$AUDITION run --resume latest -m second --db few.db" /dev/null >screen </dev/null || fail "$(cat screen)"
says screen $'  planning ...\r\033[K'

echo "whoever ends a command that watches nothing is told that it was ended"
mkfifo never
exec 9<>never
for signal in INT TERM; do
    code=0
    timeout -s $signal 1 "$AUDITION" rank - <&9 >out 2>err || code=$?
    is "$code" 124 "it waits for its input"
    is "$(cat err)" "audition: interrupted" "its last words"
done
timeout -s INT 1 "$AUDITION" rank - --language zh <&9 2>err || true
is "$(cat err)" "audition：已中断" "its last words"
