#!/usr/bin/env bash
# A backup is made while raters come in, and a server starts from it: everybody who was there is there.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v curl >/dev/null || skip "curl is not installed"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

password='correct horse battery'
answered
opened gate 'about: []' 'code: lantern'
serve live
# shellcheck disable=SC2154 # set by serve
post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode "password=$password"
token=$(printf '0%.0s' $(seq 64))

# A rater, who is told words to come back with.
join()
{
    curl -sS -m 60 -o "$1" -b "form=$token" -d "csrf=$token" -d code=lantern "$url/join/gate"
    grep -o '<code>[^<]*' "$1" | cut -c 7- >"$1.words"
}
join before
for i in $(seq 40); do
    join "during$i"
done &
joining=$!
audition 0 db backup kept.db
wait "$joining"
stop "$serve_pid"

echo "the backup is whole, private, and a server starts from it"
is "$(sql kept.db 'PRAGMA integrity_check')" ok "the file"
is "$(stat -c %a kept.db)" 600 "its mode"
mv audition.db lost.db
rm -f audition.db-wal audition.db-shm
mv kept.db audition.db
serve restored
post 303 new /login /login -d name=ada --data-urlencode "password=$password"
ask 200 new /campaigns/gate
post 303 rater /return /return --data-urlencode "words=$(cat before.words)"
ask 200 rater /rate
join after
audition 0 db info
stop "$serve_pid"
