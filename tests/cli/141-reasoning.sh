#!/usr/bin/env bash
# How a reply ends, in each of six dialects, whole and in pieces: an answer after reasoning, reasoning that
# left no room for one, a filter, a refusal. Each is an outcome of its own with its reason; tokens from the
# cache and of reasoning are counted and priced; reasoning is kept, shown on demand, and judged by nobody.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

suite suite.yaml 1
mock all

# outcomes: a line a model: state, fault, how it ended, characters, reasoning, tokens in and out, USD
outcomes()
{
    sql run.db "SELECT m.name, s.state, coalesce(s.fault, ''), coalesce(s.finish, ''), coalesce(length(s.answer), 0),
        coalesce(s.thinking, '') <> '', s.tokens_in, s.tokens_out, printf('%.7f', s.cost)
        FROM sample s JOIN model m ON m.id = s.model ORDER BY m.id"
}

# expected DIALECT: 17 tokens in, of which four are from the cache where the dialect says so
expected()
{
    local kept=1 said=0.0015634 eaten=0.0006134 filter='failed|filtered||0|0|17|0|0.0000170' refusal=refusal

    case $1 in
    completions) kept=0 refusal=stop ;; # a raw prompt has no place for reasoning; not all have a word for a refusal
    anthropic) filter='done||refusal|9|0|17|0|0.0000170' ;;
    gemini) refusal=stop ;;
    # It counts neither, and knows no filter: silence, which was asked for five times.
    ollama) said=0.0015670 eaten=0.0006170 filter='failed|empty||0|0|85|0|0.0000850' refusal=stop ;;
    esac
    printf '%s\n' "reasoning|done||stop|374|$kept|17|155|$said" "eaten|failed|thought||0|0|17|60|$eaten" \
        "filtered|$filter" "refusal|done||$refusal|23|0|17|6|0.0000770"
}

for dialect in openai responses completions anthropic gemini ollama; do
    for stream in no yes; do
        rm -f run.db*
        echo "models:" >models.yaml
        for kind in reasoning eaten filtered refusal; do
            echo "  - {name: $kind, base_url: \"http://127.0.0.1:$port\", dialect: $dialect, model: $kind-a, key: none, limit: 300, stream: $stream," \
                "price: {in: 1, out: 10, cached: 0.1}}" >>models.yaml
        done
        echo "  - {name: critic, base_url: \"http://127.0.0.1:$port\", dialect: $dialect, model: judge-a, key: none}" >>models.yaml
        audition 3 run suite.yaml -m reasoning -m eaten -m filtered -m refusal --judge critic --db run.db
        diff <(expected $dialect) <(outcomes) || fail "$dialect, in pieces: $stream"
        says <(sql run.db "SELECT why FROM sample WHERE fault = 'thought'") 'reasoning used up the limit'
        [ $dialect = anthropic ] || [ $dialect = ollama ] || says out "the provider's filter withheld it: change the item"

        [ $dialect = completions ] && continue
        audition 0 show latest -m reasoning --db run.db
        thought=$(sql run.db "SELECT substr(thinking, 1, 40) FROM sample WHERE thinking <> ''")
        lacks out "$thought"
        audition 0 show latest -m reasoning --raw --db run.db
        says out "$thought"
        lacks <(sql run.db "SELECT c.request FROM verdict v JOIN call c ON c.id = v.call") "$thought"
        [ $dialect = ollama ] && continue
        audition 0 board --traffic --json --db run.db
        is "$(python3 -c 'import json
t = next(t for t in json.load(open("out"))["traffic"] if t["name"] == "reasoning")
print(round(t["cached_percent"]), round(t["thinking_percent"]))')" "24 39" "$dialect: shares"
    done
done

echo "on the terminal the column is there where somebody said it"
audition 0 board --traffic --db run.db
lacks out 'reasoning, %'
