#!/usr/bin/env bash
# Replies that come in pieces: the same answers and values in every dialect and under faults, no
# request twice when a run changes to it, and a board that says how fast everybody was.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

items=6
suite suite.yaml $items

# models_in DIALECT [KEYS]
models_in()
{
    cat >models.yaml <<END
models:
  - {name: player, base_url: "http://127.0.0.1:$port", dialect: $1, model: chat-a, key: none, limit: 300${2-}}
  - {name: critic, base_url: "http://127.0.0.1:$port", dialect: $1, model: judge-a, key: none}
END
}

values()
{
    sql "$1" "SELECT i.name, s.state, s.answer, s.tokens_out, k.value FROM sample s JOIN item i ON i.id = s.item
        LEFT JOIN verdict v ON v.sample = s.id LEFT JOIN mark k ON k.verdict = v.id ORDER BY i.name"
}

traffic()
{
    audition 0 board --traffic --json --db "$1"
    python3 -c 'import json, sys
for t in json.load(open(sys.argv[1]))["traffic"]:
    first, total = t["first_s"], t["total_s"]
    assert total >= 0 and t["total_s_90"] >= total and t["tokens_per_s"] is None or t["tokens_per_s"] > 0, t
    assert first is None or first <= t["total_s_90"] + 0.002, t
    print(t["kind"], t["name"], t["replies"], "never" if first is None else "known")' out
}

for dialect in openai responses completions anthropic gemini ollama; do
    mock $dialect
    models_in $dialect
    audition 0 run suite.yaml -m player --judge critic --db $dialect-whole.db
    models_in $dialect ', stream: yes'
    audition 0 run suite.yaml -m player --judge critic --db $dialect.db
    values $dialect-whole.db >whole
    values $dialect.db | diff whole - || fail "$dialect: other answers in pieces"
    is "$(traffic $dialect.db | tr '\n' ';')" "model player $items known;judge critic $items never;" "$dialect: traffic"
    is "$(traffic $dialect-whole.db | head -n 1)" "model player $items never" "$dialect, whole: traffic"
    audition 0 verify latest --db $dialect.db

    # How a reply comes does not make another question of it.
    before=$(wc -l <$dialect.log)
    audition 0 run suite.yaml -m player --judge critic --db $dialect-whole.db
    is "$(wc -l <$dialect.log)" "$before" "$dialect: requests of a run that has everything"
    stop "$mock_pid"

    mock $dialect-storm --faults 0.4 --fault-kinds 429,429-after,429-ms,500,503,html,reset,cut,truncated,empty,drip,utf8,silence
    models_in $dialect ', stream: yes'
    audition 0 run suite.yaml -m player --judge critic --db $dialect-storm.db --timeout 2
    # What a reply cost that was damaged on its way is counted too.
    diff <(cut -d '|' -f 1-3,5 whole) <(values $dialect-storm.db | cut -d '|' -f 1-3,5) || fail "$dialect: a fault changed an answer"
    stop "$mock_pid"
done

echo "on the terminal, in three languages"
for l in en zh ja; do
    LC_ALL=$l.UTF-8 "$AUDITION" board --traffic --db openai.db >board.$l
done
says board.en 'how fast they replied'
says board.zh '回复速度'
says board.ja '返答の速さ'

echo "where nothing came over the network, that is said"
printf '{"item": "i0", "text": "x"}\n' >told.jsonl
printf 'models:\n  - {name: told, kind: recorded, file: told.jsonl}\n' >models.yaml
"$AUDITION" run suite.yaml -m told --limit 1 -q --db told.db >out 2>err || [ $? -eq 3 ] || fail "a recorded run"
audition 0 board --traffic --db told.db
says err 'there is no traffic'
