#!/usr/bin/env bash
# screenshots.sh  the demo's runs in a browser, page by page, at 1440, 768 and 360 px, light and dark (`make screenshots`).
# LOCALES=en,zh,ja makes them in other languages too.
#
# AUDITION names the program. Everything is written to build/screenshots; to be looked at, not compared.
set -eu
cd "$(dirname "$0")/.."
program=${AUDITION:-build/audition} work=$(mktemp -d)
trap 'kill "${server-}" 2>/dev/null || true; rm -rf "$work"' EXIT
unset "${!AUDITION_@}"

for what in "suite examiner" "interview reader" "battles editor"; do
    "$program" run "demo/${what% *}.yaml" -c demo/models.yaml -m steady -m grand -m drifter -m parrot --judge "${what#* }" \
        -q --db "$work/see.db" >/dev/null 2>&1 || [ $? = 3 ]
done
"$program" serve --port 0 --db "$work/see.db" >"$work/log" 2>&1 &
server=$!
until grep -q 'one-time code' "$work/log"; do sleep 0.1; done

of() { sqlite3 "$work/see.db" "SELECT $1 FROM run r JOIN sample s ON s.run = r.id JOIN model m ON m.id = s.model WHERE r.suite = '$2' AND m.name = 'drifter' ORDER BY s.id LIMIT 1"; }
marks=$(of r.name hobs-lock) talk=$(of r.name hobs-lock-interview) battles=$(of r.name hobs-lock-battles)
pair=$(sqlite3 "$work/see.db" "SELECT sample || '/' || other FROM verdict WHERE other > 0 LIMIT 1")
out=$PWD/build/screenshots
CHROMIUM=$(command -v chromium-headless-shell || command -v chromium) BASE=$(sed -n 's/^serving .* at \(http[^ ]*\).*/\1/p' "$work/log") \
    CODE=$(sed -n 's/.*one-time code //p' "$work/log") \
    node tests/browser/server.mjs shots "$out" /style /leaderboard /runs "/runs/$marks" "/runs/$marks/samples" "/runs/$marks/samples/$(of s.id hobs-lock)" \
    "/runs/$marks/items" "/runs/$marks/item?id=widow" "/runs/$marks/flags" "/runs/$marks/method" "/runs/$talk" \
    "/runs/$talk/samples/$(of s.id hobs-lock-interview)" "/runs/$battles" "/runs/$battles/battles/$pair" "/model?name=drifter" \
    "/judge?name=examiner" "/compare?a=$marks&b=$marks" "/search?words=lock" /campaigns
echo "look at $out"
