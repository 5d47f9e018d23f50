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
  - {name: critic, base_url: "http://127.0.0.1:$port", model: judge}
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

echo "an empty reply is no answer"
sed -n '1s/^{\("custom_id":"[^"]*"\).*/{\1,"response":{"status_code":200,"body":{"choices":[{"message":{"content":""},"finish_reason":"stop"}]}}}/p' \
    first/actor-0001.jsonl >empty.jsonl
import_batch empty.jsonl
says err "results: 1; taken: 0; without an answer: 1: the reply contains no text"

echo "what the provider withheld has failed, and nobody pays for it again"
"$AUDITION" run suite.yaml -m actor --detach --limit 1 --repeat 1 --db held.db >out
"$AUDITION" batch export latest held --db held.db >out
sed -n 's/^{\("custom_id":"[^"]*"\).*/{\1,"response":{"status_code":200,"body":{"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]}}}/p' \
    held/actor-0001.jsonl >held.jsonl
import_batch held.jsonl --db held.db
says err "taken: 0; without an answer: 1: the server withheld the answer (content filter)"
[ "$(sqlite3 held.db "SELECT state, fault FROM sample")" = "failed|filtered" ] || fail "$(sqlite3 held.db "SELECT state, fault FROM sample")"

echo "results in another order, in part, with errors, twice"
answer first half.jsonl 3
import_batch half.jsonl
says err "results: 6; taken: 4; without an answer: 2: The batch expired."
says err "2 samples and 4 verdicts left; write their requests to files with: " " batch export $(sqlite3 audition.db 'SELECT name FROM run') FOLDER"
lacks err "another process"
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

echo "results of another run, and those that were taken before"
import_batch rest.jsonl
says err "taken: 0; without an answer: 0" "no result answers a request that run $(sqlite3 audition.db 'SELECT name FROM run') still waits for: they were taken before, or belong to another run"

echo "it ends as a run over the network does"
"$AUDITION" run suite.yaml -m actor --judge judge-once-bad -q --db direct.db >out
for db in audition direct; do
    "$AUDITION" export latest --db $db.db | sed 's/"\(run\|elapsed_ms\|tries\|created\|at\)":[^,}]*,*//g' | sort >$db.lines
done
cmp audition.lines direct.lines

echo "names that differ in one character are two files; orders hold up those who ask, not files"
sed 's|name: actor|name: org/actor|; s|name: poet.*}|name: org_actor, base_url: "http://127.0.0.1:1"}|' models.yaml >alike.yaml
expect 0 run suite.yaml -c alike.yaml -m org/actor -m org_actor --detach --json --db alike.db
says out '{"run":"' '","state":"queued"}'
expect 0 pause latest --db alike.db
expect 0 pause endpoint:org_actor --db alike.db
expect 0 batch export latest alike --json --db alike.db
says out '"requests":12,"files":2}'
is "$(wc -l <alike/org%2Factor-0001.jsonl) $(wc -l <alike/org_actor-0001.jsonl)" "6 6" "requests in two files"
answer alike alike.jsonl
expect 0 batch import latest alike.jsonl -q --db alike.db
says err "results: 12; taken: 12"

echo "handed to an endpoint that takes files, and fetched, with kills and refusals on the way"
cat >batches.mjs <<'END'
// An endpoint for files, as OpenAI has it, which lets the mock answer. The first look finds a batch at
// work; of every third request the result is an error. `drop` closes the connection after the batch was made.
import http from 'node:http'
import fs from 'node:fs'
const [, , mock, port, log] = process.argv
const files = new Map(), batches = new Map()
const note = line => fs.appendFileSync(log, line + '\n')
const put = text => { const id = `file-${files.size + 1}`; files.set(id, text); return id }
async function work(b) {
    const good = [], bad = []
    for (const [i, line] of files.get(b.input_file_id).trim().split('\n').entries()) {
        const r = JSON.parse(line)
        if (r.url !== b.endpoint) throw new Error(`${r.url} in a batch for ${b.endpoint}`)
        if (i % 3 === 0 && b.id === 'batch_1') { bad.push({ custom_id: r.custom_id, response: null, error: { message: 'Expired.' } }); continue }
        const reply = await fetch(mock + r.url, { method: 'POST', body: JSON.stringify(r.body), headers: { 'content-type': 'application/json' } })
        good.unshift({ custom_id: r.custom_id, response: { status_code: reply.status, body: await reply.json() }, error: null })
    }
    const text = list => list.map(x => JSON.stringify(x) + '\n').join('')
    Object.assign(b, { status: bad.length ? 'expired' : 'completed', output_file_id: good.length ? put(text(good)) : null,
        error_file_id: bad.length ? put(text(bad)) : null,
        request_counts: { total: good.length + bad.length, completed: good.length, failed: bad.length } })
}
http.createServer(async (q, r) => {
    const parts = []
    for await (const p of q) parts.push(p)
    const body = Buffer.concat(parts).toString('utf8'), path = new URL(q.url, 'http://x').pathname
    const say = (status, j) => { r.writeHead(status, { 'content-type': 'application/json' }); r.end(typeof j === 'string' ? j : JSON.stringify(j)) }
    if (q.headers.authorization !== 'Bearer sesame') return say(401, { error: { message: 'no such key: ' + q.headers.authorization } })
    if (path === '/v1/files') {
        const [, type] = /boundary=(\S+)/.exec(q.headers['content-type'])
        const sections = body.split(`--${type}`)
        if (!/name="purpose"\r\n\r\nbatch\r\n/.test(sections[1])) return say(400, { error: { message: 'no purpose' } })
        note('file')
        return say(200, { id: put(sections[2].slice(sections[2].indexOf('\r\n\r\n') + 4, -2)) })
    }
    if (path === '/v1/batches' && q.method === 'POST') {
        const b = { id: `batch_${batches.size + 1}`, status: 'validating', looks: 0, ...JSON.parse(body), request_counts: { total: 0, completed: 0, failed: 0 } }
        batches.set(b.id, b)
        note(`batch ${b.id}`)
        if (fs.existsSync('drop')) { fs.unlinkSync('drop'); return r.destroy() }
        return say(200, b)
    }
    if (path === '/v1/batches') return say(200, { object: 'list', data: [...batches.values()] })
    if (path.startsWith('/v1/batches/')) {
        const b = batches.get(path.split('/')[3])
        if (b.looks++ === 1) await work(b)
        return say(200, { ...b, status: b.looks === 1 ? 'in_progress' : b.status })
    }
    return say(200, files.get(path.split('/')[3]))
}).listen(port, '127.0.0.1', function () { fs.writeFileSync('batches.port', String(this.address().port)) })
END
node batches.mjs "http://127.0.0.1:$port" 0 "$PWD/batches.log" &
pids+=($!)
for _ in $(seq 100); do [ ! -s batches.port ] || break; sleep 0.1; done
sed "s|^models:|models:\n  - {name: posted, base_url: \"http://127.0.0.1:$(cat batches.port)\", model: actor, key: POST_KEY, stream: yes}|" models.yaml >posted.yaml
"$AUDITION" run suite.yaml -c posted.yaml -m posted --detach --db posted.db >out
expect 2 batch submit latest nowhere --db posted.db
says err "nowhere contains no requests"
"$AUDITION" batch export latest post --max-requests 4 --db posted.db >out
"$AUDITION" run suite.yaml -m actor --detach --db elsewhere.db >out
"$AUDITION" batch export latest elsewhere --db elsewhere.db >out
expect 1 batch submit latest elsewhere --db elsewhere.db
says err "actor takes no batch files: there is no http://127.0.0.1:$port/v1/files" "batch import"
! grep -q '"stream"' post/*.jsonl || fail "a file asks for a stream"
POST_KEY=wrong-key expect 0 batch poll latest post --db posted.db
says out "post/posted-0001.jsonl: not submitted yet" "files not submitted: 2; send them with: " "batch submit"
lacks out "try again later"
POST_KEY=wrong-key expect 1 batch submit latest post --db posted.db
says err "status 401" "[key]"
lacks err wrong-key
export POST_KEY=sesame
touch drop # the batch was made, and we did not hear of it
expect 1 batch submit latest post --db posted.db
"$AUDITION" batch submit latest post --db posted.db >out
says out "submitted as batch_1" "submitted as batch_2" "batch poll"
"$AUDITION" batch submit latest post --db posted.db >out
is "$(sort batches.log | tr '\n' ' ')" "batch batch_1 batch batch_2 file file " "files and batches that were made"
"$AUDITION" batch poll latest post --db posted.db >out
says out "in_progress, 0 of 0 done" "files without results: 2"
poll() { "$AUDITION" batch poll latest "$@" -q --db posted.db >out 2>err || [ $? -eq 3 ] || fail "poll: $(cat err)"; }
poll post
says out "expired, 2 of 4 done, 2 failed" "completed, 2 of 2 done"
says err "results: 6; taken: 4; without an answer: 2: Expired."
"$AUDITION" batch export latest again --db posted.db >out
says out "requests: 2"
"$AUDITION" batch export latest apart --max-requests 1 --db posted.db >out
echo junk >apart/posted-0002.batch.json
expect 1 batch submit latest apart --db posted.db --json
says err apart/posted-0002.batch.json
says out '"files":[{"file":"apart/posted-0001.jsonl","batch":"batch_' '"state":"submitted"'
expect 1 batch poll latest apart --db posted.db --json
says out '"files":[{"file":"apart/posted-0001.jsonl","batch":"batch_' '"state":"in_progress"'
"$AUDITION" batch submit latest again --db posted.db --json >out
says out '"files":[{"file":"again/posted-0001.jsonl","batch":"batch_' '"state":"submitted","done":null,"total":null,"failed":null,"why":null}]'
"$AUDITION" batch poll latest again --db posted.db --json >out
says out '"files":[{"file":"again/posted-0001.jsonl","batch":"batch_' '"state":"in_progress","done":0,"total":0,"failed":0,"why":null}]'
poll again --json
says out '"samples":{"planned"' '"files":[{"file":"again/posted-0001.jsonl"' '"state":"completed","done":2'
is "$(wc -l <out)" 1 "lines of JSON"
says err "taken: 2"
"$AUDITION" batch export latest ended --db posted.db >out
says out "nothing is left to ask"
"$AUDITION" verify latest --db posted.db >out || fail "$(cat out)"
is "$(find post again -perm /077 -type f | wc -l)" 0 "files that others may read"

echo "battles that are chosen, where every answer is known from another run"
sed -e '/^instrument:/,/dimensions:/d' suite.yaml >pair.yaml
echo 'instrument: {kind: pair, criteria: [stays in the role]}' >>pair.yaml
expect 0 run pair.yaml -m actor -m judge-once-bad -q --db pair.db
expect 0 run pair.yaml -m actor -m judge-once-bad --judge critic --budget-battles 3 --seed 2 --detach --db pair.db
expect 0 batch export latest pairs --db pair.db
says out "once there are results"
expect 2 run pair.yaml -m actor --until half-width=1 --detach --db pair.db
says err "--until cannot be combined with --detach"

echo "files that are none, and endpoints that speak otherwise"
expect 1 batch import latest second/judge-once-bad-0001.jsonl
says err "second/judge-once-bad-0001.jsonl:1" "this is a request"
expect 1 batch import latest second/judge-once-bad-0001.jsonl --language zh
says err "；这是一个请求"
echo '{"custom_id": 7' >broken.jsonl
expect 1 batch import latest broken.jsonl
says err "broken.jsonl:1"
expect 2 batch import latest
"$AUDITION" run suite.yaml -m poet --detach --db poet.db >out
expect 2 batch export latest poems --db poet.db
says err "poet speaks anthropic"
