#!/usr/bin/env bash
# Charts that put two things beside each other: models, cost, runs, judges and people. Each is a well-formed picture with
# titles on its axes, has a table behind it, and no two labels meet.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v python3 >/dev/null || skip "python3 is not installed"

db=$PWD/charts.db
mock fast
cat >suite.yaml <<'END'
suite: ferry
title: 渡し守 & "friends" <b>
language: en
elicit: {kind: single}
instrument: {dimensions: [{id: right, scale: 0..5}]}
score: {kind: mean-of-items}
items:
END
for i in $(seq 0 11); do echo "  - {id: i$i, prompt: 'Number $i?'}" >>suite.yaml; done
python3 - <<'END'
import json, random
random.seed(7)
# 24 models, many of them alike: labels would meet if nobody kept them apart
names = [f"a-model-with-a-long-name-{k:02d}" for k in range(24)]
with open("models.yaml", "w") as f:
    f.write("models:\n")
    for n in names:
        f.write(f"  - {{name: {n}, kind: recorded, file: {n}.jsonl}}\n")
    f.write("  - {name: jo, kind: recorded, file: jo.jsonl}\n")
with open("jo.jsonl", "w") as judge, open("people.jsonl", "w") as people:
    for k, n in enumerate(names):
        with open(n + ".jsonl", "w") as f:
            for i in range(12):
                f.write(json.dumps({"item": f"i{i}", "text": f"{n} on number {i}, in words of its own {k * 12 + i}"}) + "\n")
                mark = min(5, max(0, 2 + k // 12 + random.choice([-1, 0, 0, 1])))
                judge.write(json.dumps({"model": n, "item": f"i{i}", "text": json.dumps({"right": {"analysis": "so", "score": mark}})}) + "\n")
                for r in ("r1", "r2") if k < 3 else ():
                    people.write(json.dumps({"rater": r, "passage": f"i{i}", "system": n, "repeat": 0, "dimension": "right",
                                             "value": min(5, mark + (i % 2))}) + "\n")
END
run()
{
    # shellcheck disable=SC2046 # one option a model
    audition 0 run suite.yaml -c models.yaml $(sed -n 's/.*name: \(a-model[^,]*\),.*/-m \1/p' models.yaml) --judge jo -q --db "$db" "$@"
}
run
run --seed 2
first=$(sql "$db" "SELECT name FROM run ORDER BY id LIMIT 1")

# A picture is XML and its labels do not meet: letters are taken for 7 px, those of CJK for 14. Slanted ones are left out.
cat >look.py <<'END'
import sys, unicodedata, xml.dom.minidom as x
root = x.parse(sys.argv[1]).documentElement
width = float(root.getAttribute("width")) - 32
assert root.tagName == "svg" and root.getAttribute("viewBox")
def num(v):
    return float(v[:-1]) / 100 * width if v.endswith("%") else float(v or 0)
def labels():
    for t in root.getElementsByTagName("text"):
        if t.hasAttribute("transform") or "heading" in t.getAttribute("class"):
            continue
        words = "".join(c.data for c in t.childNodes if c.nodeType == 3)
        w = sum(14 if unicodedata.east_asian_width(c) in "WF" else 7 for c in words)
        at, y, cls = num(t.getAttribute("x")), float(t.getAttribute("y")), t.getAttribute("class").split()
        left = at if "left" in cls or "name" in cls else at - w if "right" in cls else at - w / 2
        within = t.parentNode # which cuts it, unless it is the chart
        if "chart" not in within.getAttribute("class"):
            y, w = y + num(within.getAttribute("y")), min(w, num(within.getAttribute("width")))
        if words:
            yield left, left + w, y - 10, y + 3, words, cls
def meet(a, b):
    if a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]:
        sys.exit(f"{sys.argv[1]}, {width} wide: {a[4]!r} meets {b[4]!r}: {a[:4]} {b[:4]}")
boxes = list(labels())
if not boxes:
    sys.exit("there is no label")
for i, a in enumerate(boxes):
    for b in boxes[:i]:
        meet(a, b)
width = 310 # a phone: no name lies over what is drawn
marks = []
for r in root.getElementsByTagName("rect"):
    if r.getAttribute("class").startswith("heat"):
        left, top = num(r.getAttribute("x")), num(r.getAttribute("y"))
        marks.append((left, left + num(r.getAttribute("width")), top, top + num(r.getAttribute("height")), "a mark"))
for c in root.getElementsByTagName("circle"):
    left, top = num(c.getAttribute("cx")), num(c.getAttribute("cy"))
    marks.append((left - 3, left + 3, top - 3, top + 3, "a point"))
for a in labels():
    for b in marks if "name" in a[5] else []:
        meet(a, b)
END
picture()
{
    audition 0 chart "$1" "$2" -o "$1.svg" --db "$db"
    python3 look.py "$1.svg" || fail "chart $1"
    says "$1.svg" '&lt;b&gt;' '渡し守' 'class="tick'
    for form in md csv json; do
        audition 0 chart "$1" "$2" -o "$1.$form" --db "$db"
        [ -s "$1.$form" ] || fail "no table behind $1 as $form"
    done
}

echo "who is ahead of whom"
picture matrix "$first"
says matrix.svg 'row is ahead' 'cannot be told apart' 'heat behind' 'row minus column'
python3 - <<'END' || fail "the matrix is not antisymmetric"
import json
by = {r["model"]: r for r in json.load(open("matrix.json"))}
a, b = "a-model-with-a-long-name-00", "a-model-with-a-long-name-20"
assert abs(by[a][b]["value"] + by[b][a]["value"]) < 1e-9 and by[a][b]["hi"] < 0 < by[b][a]["lo"]
assert by[a][a] is None
for a in by: # its ends, too
    for b in by:
        one, other = by[a][b], by[b][a]
        assert one is None or one["lo"] is None or abs(one["lo"] + other["hi"]) < 1e-9, (a, b)
END

echo "values of answers, and of items"
for kind in distribution items; do
    audition 0 chart $kind "$first" -o $kind.svg --db "$db"
    python3 look.py $kind.svg || fail "chart $kind"
done

echo "over the runs of the suite, oldest first"
picture history latest
says history.svg 'runs of the suite, oldest first'
python3 - <<'END' || fail "the runs, as their boards have them"
import json
runs = json.load(open("history.json"))
assert len(runs) == 2
for x in (v for run in runs for v in run.values() if isinstance(v, dict)):
    assert x["n"] > 0 and x.get("why") != "not-computed", x
END

echo "cost: refused without prices, drawn with them"
audition 1 chart cost latest -o cost.svg --db "$db"
says err 'has both a score and a price'
cat >priced.yaml <<END
models:
  - {name: dear, base_url: "http://127.0.0.1:$port", model: chat, price: {in: 10, out: 30}}
  - {name: cheap, base_url: "http://127.0.0.1:$port", model: chat-two, price: {in: 1, out: 2}}
  - {name: critic, base_url: "http://127.0.0.1:$port", model: judge}
END
sed 's/scale: 0..5/levels: {0: none, 0.25: little, 0.5: some, 0.75: much, 1: all}/; s/right/quality/' suite.yaml >priced-suite.yaml
audition 0 run priced-suite.yaml -c priced.yaml -m dear -m cheap --judge critic -q --db "$db"
picture cost latest
says cost.svg 'cost of the answers, USD' '>dear<' '>cheap<' 'class="leader"'
python3 -c 'import json; r = {x["model"]: x["cost"] for x in json.load(open("cost.json"))}; assert r["dear"] > r["cheap"] > 0' || fail "the cost"
picture latency latest
says latency.svg 'whole reply, s' '>dear<' '>cheap<'
python3 -c 'import json; assert all(x["total_s"] >= 0 and x["score"] is not None for x in json.load(open("latency.json")))' || fail "the time"
audition 1 chart latency "$first" -o none.svg --db "$db"
says err 'has both a score and timed replies'

echo "judge against people: not before they are unmasked"
printf 'campaign: people\npassages_per_rater: 12\noverlap: 2\n' >c.yaml
audition 0 campaign import people.jsonl c.yaml --run "$first" --name crew --db "$db"
for kind in human reliability; do
    audition 1 chart $kind "$first" -o early.svg --db "$db"
    says err 'unmasked'
done
audition 0 campaign unmask crew --db "$db"
picture human "$first"
says human.svg 'value by the judge' 'value by people' 'class="zero"'
picture reliability "$first"
says reliability.svg 'mean value by the judge' 'class="whisker"'
python3 - <<'END' || fail "people and judge"
import json
human, bins = json.load(open("human.json")), json.load(open("reliability.json"))
assert len(human) == 36 and sum(b["n"] for b in bins) == 36
# sixteen answers to eleven items, which are what was drawn: as if independent it would be 1.303 to 1.848
assert [round(bins[0]["people"][k], 4) for k in ("value", "lo", "hi")] == [1.5625, 1.1952, 1.9838], bins[0]
END

echo "the printer draws the same"
if [ -n "$CHROMIUM" ]; then
    audition 0 chart matrix "$first" -o matrix.png --db "$db"
    is "$(head -c 4 matrix.png | tail -c 3)" PNG "a picture"
fi
audition 2 chart pie --db "$db"
says err 'leaderboard, dimensions, items, distribution, matrix, cost, latency, history, human, reliability, contradictions, drift, survival, memory'
