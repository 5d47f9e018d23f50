#!/usr/bin/env bash
# A campaign for those who run it: tabs by role, the next action, invitations, results that do not tell who
# wrote what, the log in words; what raters are told who do not pass.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

db=dash.db
gate suite.yaml
cat >models.yaml <<'END'
models:
  - {name: plain-model, kind: recorded, file: plain.jsonl}
  - {name: quick-model, kind: recorded, file: quick.jsonl}
END
for item in one two three four; do
    printf '{"item": "%s", "text": "Only the miller, %s."}\n' $item $item >>plain.jsonl
    printf '{"item": "%s", "text": "Me, %s."}\n' $item $item >>quick.jsonl
done
"$AUDITION" run suite.yaml -m plain-model -m quick-model --db $db -q >/dev/null || fail "a run"
serve site --db $db
post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode "password=correct horse battery"
post 303 ada /accounts /accounts -d name=cora --data-urlencode "password=correct horse battery" -d role=coordinator
post 303 cora /login /login -d name=cora --data-urlencode "password=correct horse battery"
run=$(sql $db "SELECT name FROM run")

echo "== by form: the run from a list, a fault at its field, the rest of the file under it"
ask 200 ada /new-campaign
says page "<option value=\"$run\"" 'name="deadline"' 'Advanced'
post 422 ada /new-campaign /campaigns -d "run=$run" -d campaign=gate -d passages_per_rater=9 -d overlap=2
says page 'id="passages_per_rater-error"' 'lower passages_per_rater'
post 422 ada /new-campaign /campaigns -d "run=$run" -d campaign=gate -d overlap=2 -d passages_per_rater=2 -d deadline=soon
says page 'id="deadline-error"' 'expected a time such as'
post 422 ada /new-campaign /campaigns -d "run=$run" -d campaign=gate --data-urlencode $'file=\npractise: no'
says page '2:1: ' 'practise'
lacks page 'id="campaign-error"'
file=$'reference: takes-part\ncounts: everyone\npractice: {texts: 1, attempts: 1, silent: 0}\ncompletion: {rejected: SORRY-7}\nexamples:\n  - {prompt: "A?", answer: "Aa.", score: {overall: 5, fluent: 1}}\n'
post 303 ada /new-campaign /campaigns -d "run=$run" -d campaign=gate -d passages_per_rater=2 -d overlap=2 \
    --data-urlencode "contact=Ann" --data-urlencode "file=$file"
post 422 ada /new-campaign /campaigns -d "run=$run" -d campaign=gate -d passages_per_rater=2 -d overlap=2
says page 'id="campaign-error"' 'already exists'

echo "== tabs are there for whoever may open them; closing and unmasking ask first"
ask 200 ada /campaigns/gate
says page '/campaigns/gate/raters' '/campaigns/gate/log' 'Ready to open'
post 303 ada /campaigns/gate /campaigns/gate/state -d to=open
ask 200 cora /campaigns/gate
says page '/campaigns/gate/held' 'Raters to invite'
lacks page '/campaigns/gate/results"'
lacks page 'state?to=closed'
ask 303 cora /
says head 'ocation: /campaigns'
ask 200 ada '/campaigns/gate/state?to=closed'
says page 'Close gate?' 'name="to" value="closed"'
is "$(sql $db "SELECT state FROM campaign")" open "the state after a question"

echo "== invitations: a note each, as a file that no spreadsheet takes for a formula, one taken back"
post 200 cora /campaigns/gate/invitations /campaigns/gate/invites --data-urlencode $'notes=Ann\n=HYPERLINK(1)\nCleo' -d days=3 -d as=csv
says head 'gate-invitations.csv'
says page "'=HYPERLINK(1)," '/invite/'
is "$(sql $db "SELECT group_concat(label, '|') FROM invite")" 'Ann|=HYPERLINK(1)|Cleo' "notes"
link=$(grep '^Ann' page | grep -o '/invite/[a-z0-9-]*')
id=$(sql $db "SELECT id FROM invite WHERE label = 'Cleo'")
post 303 cora /campaigns/gate/invitations "/campaigns/gate/invites/$id"
is "$(sql $db "SELECT count(*) FROM invite WHERE revoked_ms IS NOT NULL")" 1 "revoked"

echo "== who does not pass gets the code of the file; nobody is told before a gate that every answer is right"
ask 200 ann "$link"
says page 'aria-current="step"' 'Minutes in all (estimate)' 'Ann'
post 200 ann "$link" "$link"
ask 200 ann /rate
post 303 ann /rate /rate/consent -d agree=yes -d "version=$(field version)"
post 303 ann /rate /rate/about
ask 200 ann /rate
lacks page 'no right answers'
post 303 ann /rate /rate/next
ask 200 ann /rate
lacks page 'no right answers'
action=$(found 'action="(/rate/[0-9a-f]+)"')
mapfile -t names < <(grep -o 'name="v\.[^"]*' page | cut -d '"' -f 2 | sort -u)
post 303 ann /rate "$action" -d "${names[0]}=0" -d "${names[1]}=0" -d then=submit
ask 200 ann /rate
says page 'SORRY-7'

echo "== masked results: no column, and no row, tells the human author from the models"
sql $db "INSERT INTO rater (campaign, pseudonym, state, language, return_hash, created_ms) VALUES (1, 'r1', 'finished', 'en', 'x1', 1), (1, 'r2', 'finished', 'en', 'x2', 1);
    INSERT INTO assignment (campaign, rater, phase, item, anchor, attempt, position, shown, state, lease_ms, started_ms, seen_ms, submitted_ms, active_ms)
    SELECT 1, r.id, 'main', i.id, -1, 0, i.position, (SELECT '[' || group_concat('[' || s.id || ',-1]') || ',[0,-1]]' FROM sample s WHERE s.item = i.id), 'done', 1, 1, 1, 1, 9
    FROM rater r, item i WHERE r.pseudonym IN ('r1', 'r2');
    INSERT INTO rating (assignment, sample, other, dimension, value, version, client, created_ms, saved_ms)
    SELECT a.id, s.id, -1, d.d, (s.id + a.id) % 2, 1, 'c', 1, 1 FROM assignment a
    JOIN (SELECT id, item FROM sample UNION SELECT 0, id FROM item) s ON s.item = a.item, (SELECT 'overall' AS d UNION SELECT 'fluent') d WHERE a.phase = 'main'" >/dev/null
post 303 ada /campaigns/gate/raters /campaigns/gate/compute -d tab=/results
sql $db "INSERT INTO outcome (campaign, subject, metric, method, value, lo, hi, n, clusters, version)
    SELECT 1, subject, 'ppi:overall', 'm', 1, 0, 2, 9, 9, version FROM outcome WHERE metric = 'mean:overall' AND subject <> 'system/reference'"
is "$(sql $db "SELECT count(*) FROM outcome WHERE metric = 'ppi:overall'")" 2 "systems that judges know"
ask 200 ada /campaigns/gate/results
says page 'Raters behind the main table' 'Marks' 'system-'
lacks page 'With AI judges' 'Ratings have changed'
sql $db "UPDATE campaign SET stale = stale + 1" >/dev/null
for tab in results raters; do
    ask 200 ada /campaigns/gate/$tab
    says page 'Ratings have changed since these numbers were computed'
done
"$AUDITION" campaign results gate --json --db $db >masked.json
lacks masked.json '"ppi:overall"'
post 303 ada '/campaigns/gate/state?to=closed' /campaigns/gate/state -d to=closed
sql $db "DELETE FROM outcome WHERE metric = 'ppi:overall'"
post 303 ada '/campaigns/gate/state?to=unmasked' /campaigns/gate/state -d to=unmasked
ask 200 ada /campaigns/gate/results
says page 'plain-model' 'reference'
ask 200 ada /campaigns/gate/results -H 'Accept-Language: ja'
says page '同じ点を付けた評価者のペア'
lacks page 'pairs of raters'

echo "== raters who have read nothing in common have no severity, and no table of it"
printf 'rater,passage,system,dimension,value\nr1,one,plain-model,overall,3\nr2,two,plain-model,overall,4\n' >apart.csv
audition 0 campaign import apart.csv --run "$run" --name apart --db $db
post 303 ada /campaigns/apart/raters /campaigns/apart/compute -d tab=/results
ask 200 ada /campaigns/apart/results
says page system-
lacks page Severity

echo "== the log in words, of one campaign, and filtered"
ask 200 cora /campaigns/gate/log
says page 'created invitations for campaign gate' 'changed the state of campaign gate'
ask 200 ada '/audit?who=cora'
says page 'signed in as cora'
lacks page 'set up this server'
ask 403 cora /audit

echo "== texts that wait keep their passages from raters: decide on them first, on pages that are not too long"
suite leaky.yaml 260
sed -i 's/^title: .*/title: {en: Weather, ja: 天気}/' leaky.yaml
for ((i = 1; i <= 260; i++)); do
    printf '{"item": "i%05d", "text": "I am plain-model, %d."}\n' $i $i
done >plain.jsonl
audition 0 run leaky.yaml -m plain-model -q --db $db
post 303 ada /new-campaign /campaigns -d "run=$(sql $db "SELECT name FROM run ORDER BY id DESC LIMIT 1")" -d campaign=leaky -d passages_per_rater=2 -d overlap=2 \
    --data-urlencode "contact=Ann"
post 303 ada /campaigns/leaky /campaigns/leaky/state -d to=open
ask 200 ada /campaigns/leaky
says page 'class="btn filled big" href="/campaigns/leaky/held"' '200 of 260 shown'
lacks page 'Raters to invite'
ask 200 ada /campaigns/leaky -H 'Accept-Language: ja'
says page '<h1>天気</h1>'
ask 200 ada /campaigns/leaky/held
is "$(grep -c '<blockquote>' page)" 50 "texts on a page"
says page '50 of 260 shown'
ask 200 ada '/campaigns/leaky/held?after=250'
is "$(grep -c '<blockquote>' page)" 10 "texts on the last page"
post 303 ada /accounts /accounts -d name=anna --data-urlencode "password=correct horse battery" -d role=analyst
post 303 anna /login /login -d name=anna --data-urlencode "password=correct horse battery"
ask 200 anna /campaigns/leaky
says page 'Texts waiting for a decision: 260'
lacks page '/campaigns/leaky/held'
