#!/usr/bin/env bash
# `audition batch`: a run asked by files ends as one asked over the network, whatever the order, the
# pieces and the errors in which the results come.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

mock fast
cat >models.yaml <<END
models:
  - {name: actor, base_url: "http://127.0.0.1:$port"}
  - {name: judge-once-bad, base_url: "http://127.0.0.1:$port"}
  - {name: poet, base_url: "http://127.0.0.1:$port/v1/messages"}
END
cat >suite.yaml <<'END'
suite: small
language: en
seed: 1
elicit: {kind: single, repeats: 2}
instrument:
  kind: dimensions
  dimensions: [{id: quality, levels: {1: "Perfect", 0.75: "Good", 0.5: "Fair", 0.25: "Weak", 0: "Bad"}}]
items:
  - {id: hello, prompt: "Hello, who are you?"}
  - {id: rain, prompt: "It rains again."}
  - {id: song, prompt: "Sing me a song."}
END

# answer FOLDER FILE [every Nth fails]: what a batch endpoint does, last request first
cat >answer.mjs <<'END'
import fs from 'node:fs'
const [, , base, folder, out, fails] = process.argv
const lines = fs.readdirSync(folder).flatMap(f =>
    fs.readFileSync(`${folder}/${f}`, 'utf8').trim().split('\n').map(l => JSON.parse(l)))
const results = []
for (const [i, r] of lines.entries()) {
    if (fails && i % fails === 0) {
        results.push({ custom_id: r.custom_id, response: null, error: { code: 'expired', message: 'The batch expired.' } })
        continue
    }
    const reply = await fetch(base + r.url, { method: r.method, body: JSON.stringify(r.body),
        headers: { 'content-type': 'application/json' } })
    results.push({ id: `r${i}`, custom_id: r.custom_id, response: { status_code: reply.status, body: await reply.json() }, error: null })
}
fs.writeFileSync(out, results.reverse().map(r => JSON.stringify(r) + '\n').join(''))
END
answer()
{
    node answer.mjs "http://127.0.0.1:$port" "$@"
}
export_batch()
{
    "$AUDITION" batch export latest "$1" >out
}
import_batch()
{
    local status=0

    "$AUDITION" batch import latest "$@" -q >out 2>err || status=$?
    [ $status -eq 0 ] || [ $status -eq 3 ] || fail "import ended with $status: $(cat err)"
}

echo "a run that is only planned asks nobody"
"$AUDITION" run suite.yaml -m actor --judge judge-once-bad --detach >out
says out "is queued"
[ ! -s fast.log ] || fail "somebody was asked"

echo "every request once, split by count"
"$AUDITION" batch export latest first --max-requests 4 >out
says out "requests: 6"
[ "$(cat first/*.jsonl | wc -l)" -eq 6 ] || fail "not six requests"
[ "$(find first -name 'actor-*.jsonl' | wc -l)" -eq 2 ] || fail "not two files"
expect 2 batch export latest first
says err "already exists"

echo "results in another order, in part, with errors, twice"
answer first half.jsonl 3
import_batch half.jsonl
says err "results: 6; taken: 4; without an answer: 2: The batch expired."
import_batch half.jsonl
says err "taken: 0"
export_batch second # what failed, and verdicts on what did not
[ "$(cat second/actor-*.jsonl | wc -l)" -eq 2 ] || fail "the two that failed are not asked again"
[ -s second/judge-once-bad-0001.jsonl ] || fail "what was answered is not judged"
answer second rest.jsonl
import_batch half.jsonl rest.jsonl # a good result counts, wherever it stands
for round in 3 4 5 6 7 8; do # replies that cannot be read are asked about once more
    export_batch round-$round
    ! grep -q "nothing is left to ask" out || break
    answer round-$round round-$round.jsonl
    import_batch round-$round.jsonl
done
says out "nothing is left to ask"
"$AUDITION" verify latest >out || fail "$(cat out)"

echo "it ends as a run over the network does"
"$AUDITION" run suite.yaml -m actor --judge judge-once-bad -q --db direct.db >out
for db in audition direct; do
    "$AUDITION" export latest --db $db.db | sed 's/"\(run\|elapsed_ms\|tries\|created\|at\)":[^,}]*,*//g' | sort >$db.lines
done
cmp audition.lines direct.lines

echo "files that are none, and endpoints that speak otherwise"
expect 1 batch import latest second/judge-once-bad-0001.jsonl
says err "second/judge-once-bad-0001.jsonl:1" "this is a request"
echo '{"custom_id": 7' >broken.jsonl
expect 1 batch import latest broken.jsonl
says err "broken.jsonl:1"
expect 2 batch import latest
"$AUDITION" run suite.yaml -m poet --detach --db poet.db >out
expect 2 batch export latest poems --db poet.db
says err "poet speaks anthropic"
