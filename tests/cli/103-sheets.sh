#!/usr/bin/env bash
# Reports of a model, a comparison, a campaign and a collection, in every form, from the same tables as commands and pages.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v python3 >/dev/null || skip "python3 is not installed"

db=$PWD/sheets.db
python3 - <<'END'
import json
for name, better in (("ann", 1), ("bob", 0)):
    for suite in ("ferry", "lock"):
        with open(f"{name}-{suite}.jsonl", "w") as f:
            for i in range(8):
                f.write(json.dumps({"item": f"i{i}", "text": f"{name} at the {suite}, number {i}: {chr(97 + i) * 5}"}) + "\n")
for turn in (1, 2):
    with open(f"jo{turn}.jsonl", "w") as f:
        for name in ("ann", "bob"):
            for i in range(8):
                mark = 4 - (i % 2) if name == "ann" else 1 + (i % 2) + (turn - 1)
                f.write(json.dumps({"model": name, "item": f"i{i}", "text": json.dumps(
                    {"right": {"analysis": "so", "score": mark}, "voice": {"analysis": "so", "score": 3}})}) + "\n")
with open("people.jsonl", "w") as f:
    for rater in ("r1", "r2"):
        for name in ("ann", "bob"):
            for i in range(8):
                for d in ("right", "voice"):
                    f.write(json.dumps({"rater": rater, "passage": f"i{i}", "system": name, "repeat": 0, "dimension": d,
                                        "value": 4 if name == "ann" else 2}) + "\n")
END
for suite in ferry lock; do
    {
        printf 'suite: %s\ntitle: "The %s <b>"\nlanguage: en\nelicit: {kind: single}\n' $suite $suite
        printf 'instrument: {dimensions: [{id: right, title: Right, scale: 0..5}, {id: voice, title: Voice, scale: 0..5}]}\n'
        printf 'score: {kind: mean-of-items}\nitems:\n'
        for i in 0 1 2 3 4 5 6 7; do echo "  - {id: i$i, prompt: 'Number $i?'}"; done
    } >$suite.yaml
    printf 'models:\n  - {name: ann, kind: recorded, file: ann-%s.jsonl}\n  - {name: bob, kind: recorded, file: bob-%s.jsonl}\n' $suite $suite >$suite-models.yaml
    for turn in 1 2; do
        sed "\$a\\  - {name: jo, kind: recorded, file: jo$turn.jsonl}" $suite-models.yaml >m.yaml
        audition 0 run $suite.yaml -c m.yaml -m ann -m bob --judge jo --seed $turn -q --db "$db"
    done
done
runs=$(sql "$db" "SELECT name FROM run WHERE suite = 'ferry' ORDER BY id")
before=${runs%%$'\n'*} now=${runs##*$'\n'}

# every SHEET WORD...: all forms are there, and say the words where people read them
every()
{
    local sheet=$1 form word

    shift
    for form in html md csv json txt; do
        audition 0 report "$sheet" -o "sheet.$form" --db "$db"
        [ -s "sheet.$form" ] || fail "$sheet: no $form"
    done
    audition 0 report "$sheet" --db "$db"
    for word in "$@"; do
        says sheet.html "$word"
        says sheet.md "$word"
        says sheet.txt "$word"
        says out "$word"
    done
    for form in html md; do
        says sheet.$form Provenance "audition report $sheet" # with the hash of each suite, seeds and judges
    done
    ! grep -qE '<b>|<script|(src|href)="?http' sheet.html || fail "$sheet: markup of others, or a link to elsewhere"
    python3 -S -c 'import json; json.load(open("sheet.json"))' || fail "$sheet: JSON"
}

echo "a model: its runs, its dimensions"
every model:ann History ferry lock Right
python3 - "$now" <<'END' || fail "the numbers of the model"
import json, sys
x = json.load(open("sheet.json"))
for row in x["parts"]["history"]:
    assert row["score"]["n"] == row["n"] > 0 and row["score"].get("why") != "not-computed", row
assert x["model"] == "ann" and len(x["parts"]["history"]) == 4
row = next(r for r in x["parts"]["history"] if r["run"] == sys.argv[1])
assert abs(row["score"]["value"] - 3.25) < 1e-9, row # (3.5 + 3) / 2
assert abs(x["parts"]["ferry"][0]["mark"]["value"] - 3.5) < 1e-9
END
audition 1 report model:nobody --db "$db"
says err 'there is no model nobody'

echo "a comparison"
every "compare:$now:$before" bob Right improved
python3 - <<'END' || fail "the numbers of the comparison"
import json
x = json.load(open("sheet.json"))
assert len(x["parts"]["bob:improved"]) == 8 and all(r["change"] > 0 for r in x["parts"]["bob:improved"])
END
says sheet.csv 'bob:improved,i0'
audition 2 report "compare:$now" --db "$db"

echo "a campaign, masked and unmasked"
printf 'campaign: people\npassages_per_rater: 8\noverlap: 2\n' >c.yaml
audition 0 campaign import people.jsonl c.yaml --run "$now" --name crew --db "$db"
every campaign:crew Right Voice
lacks sheet.html '>ann<' '>bob<'
lacks sheet.json '"ann"' '"bob"'
audition 0 campaign unmask crew --db "$db"
every campaign:crew ann bob Right
says sheet.csv 'crew,right,ann,mean:right,4,' 'crew,agreement,'
python3 - "$now" <<'END' || fail "the numbers of the campaign"
import json, sys
x = json.load(open("sheet.json"))["parts"]
assert {r["system"]: r["mean"]["value"] for r in x["right"]} == {"ann": 4, "bob": 2}, x["right"]
assert any(r["right"]["value"] is not None for r in x["agreement"] if "right" in r), x["agreement"]
assert x["provenance"][0]["run"] == sys.argv[1] and len(x["provenance"][0]["suite"].split()[1]) == 64
END
audition 1 report campaign:none --db "$db"

echo "a collection, in every form"
other=$(sql "$db" "SELECT name FROM run WHERE suite = 'lock' ORDER BY id DESC LIMIT 1")
for form in html md csv json txt; do
    audition 0 report "$now" "$other" -o "both.$form" --db "$db"
    says "both.$form" ann bob 65
done
seed=$(sql "$db" "SELECT seed FROM run WHERE name = '$now'")
for form in html md json; do # where its numbers come from
    says "both.$form" "$now" "$other" "$seed"
    grep -q 'lock [0-9a-f]\{64\}' "both.$form" || fail "both.$form lacks the hash of a suite"
done

echo "in Chinese and Japanese, on paper and as a picture"
audition 0 report model:ann -o zh.md --db "$db" --language zh
says zh.md 该模型参加的每次运行
audition 0 report model:ann -o ja.html --db "$db" --language ja
says ja.html このモデルが参加した
if [ -n "$CHROMIUM" ]; then
    audition 0 report campaign:crew -o crew.pdf --db "$db"
    is "$(head -c 4 crew.pdf)" %PDF "a document"
    audition 0 report model:ann -o ann.png --db "$db"
    is "$(head -c 4 ann.png | tail -c 3)" PNG "a picture"
fi
