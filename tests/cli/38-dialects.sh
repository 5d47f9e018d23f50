#!/usr/bin/env bash
# Six dialects of model servers: the same experiment gives the same answers and values in each, in
# fair weather and under every fault, with the key where each wants it; a server that refuses a
# parameter is asked without it, and nobody is asked twice for that.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

items=6
suite suite.yaml $items
export MOCK_KEY=sesame-open-12345

# models_in DIALECT PORT [MODEL]: models.yaml
models_in()
{
    cat >models.yaml <<END
models:
  - {name: player, base_url: "http://127.0.0.1:$2", dialect: $1, model: ${3:-chat-a}, key: MOCK_KEY, limit: 300}
  - {name: critic, base_url: "http://127.0.0.1:$2", dialect: $1, model: judge-a, key: MOCK_KEY}
END
}

values()
{
    sql "$1" "SELECT i.name, s.state, s.answer, k.value FROM sample s JOIN item i ON i.id = s.item
        LEFT JOIN verdict v ON v.sample = s.id LEFT JOIN mark k ON k.verdict = v.id ORDER BY i.name"
}

for dialect in openai responses completions anthropic gemini ollama; do
    mock $dialect --require-key $MOCK_KEY
    models_in $dialect "$port"
    audition 0 run suite.yaml -m player --judge critic --db $dialect.db
    complete $dialect.db $items
    values $dialect.db >$dialect.values
    is "$(sql $dialect.db "SELECT count(*) FROM sample WHERE tokens_in > 0 AND tokens_out > 0")" $items \
        "$dialect: answers whose tokens were counted"
    audition 0 doctor
    says out 'player'
    audition 0 doctor --ask
    says out "dialect: $dialect"
    stop "$mock_pid"

    # The same bytes come out of stored replies.
    audition 0 verify latest --db $dialect.db

    mock $dialect-storm --faults 0.4 --require-key $MOCK_KEY \
        --fault-kinds 429,429-after,429-ms,500,503,html,reset,cut,truncated,empty,drip,utf8,silence
    models_in $dialect "$port"
    audition 0 run suite.yaml -m player --judge critic --db $dialect-storm.db --timeout 2
    values $dialect-storm.db | cmp - $dialect.values || fail "$dialect: a fault changed a value"
    stop "$mock_pid"
done
# A dialect is a way of asking, not another experiment (a raw prompt is one).
for dialect in responses anthropic gemini ollama; do
    cmp openai.values $dialect.values || fail "$dialect: other answers than openai"
done

echo "doctor finds out the dialect that an address does not tell"
for found in responses:/responses completions:/v1/completions anthropic:/messages gemini::generateContent ollama:/api/chat; do
    mock only --only "${found#*:}"
    cat >models.yaml <<END
models:
  - {name: player, base_url: "http://127.0.0.1:$port", model: chat-a}
END
    audition 0 doctor --ask
    says out "write \`dialect: ${found%%:*}\`"
    stop "$mock_pid"
done
mock only --only /nowhere
sed -i "s|127.0.0.1:[0-9]*|127.0.0.1:$port|" models.yaml
audition 1 doctor --ask
says out "http://127.0.0.1:$port/v1/chat/completions"
stop "$mock_pid"

echo "... and a model that is not there by what its server says; the key where each has it by custom"
mock custom --require-key $MOCK_KEY
export ANTHROPIC_API_KEY=$MOCK_KEY GEMINI_API_KEY=$MOCK_KEY OPENAI_API_KEY=$MOCK_KEY
for dialect in openai anthropic gemini; do
    printf 'models: [{name: player, base_url: "http://127.0.0.1:%s/gw/%s", dialect: %s, model: absent}]\n' \
        "$port" "$([ $dialect != openai ] || echo v1)" $dialect >models.yaml
    : >custom.log
    audition 1 doctor --ask
    says out 'does not exist'
    is "$(wc -l <custom.log)" 1 "$dialect: requests"
done
stop "$mock_pid"
unset ANTHROPIC_API_KEY GEMINI_API_KEY OPENAI_API_KEY
sed -i 's/dialect: gemini, model: absent/dialect: anthropic/' models.yaml
mock custom --require-key $MOCK_KEY
sed -i "s|127.0.0.1:[0-9]*|127.0.0.1:$port|" models.yaml
audition 1 doctor
says out 'no key was sent: set ANTHROPIC_API_KEY'
audition 1 run suite.yaml -m player --db keyless.db
says err 'no key was sent: set ANTHROPIC_API_KEY'
stop "$mock_pid"

echo "a server that refuses max_tokens and temperature"
mock strict
cat >models.yaml <<END
models:
  - {name: player, base_url: "http://127.0.0.1:$port", model: strict-a, limit: 300, parameters: {temperature: 0.5}}
END
audition 0 run suite.yaml -m player --db strict.db -j 1
is "$(sql strict.db "SELECT count(*) FROM sample WHERE state = 'done'")" $items "answers"
is "$(grep -c ' bad-request ' strict.log)" 2 "refusals: one for each parameter"
says <(sql strict.db "SELECT request FROM call LIMIT 1") max_completion_tokens
rm -f strict.db-copy
before=$(wc -l <strict.log)
sql strict.db "UPDATE sample SET state = 'planned', answer = NULL"
audition 0 run suite.yaml -m player --db strict.db -j 1
is "$(wc -l <strict.log)" "$before" "requests after a resume"
stop "$mock_pid"
