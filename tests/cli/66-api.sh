#!/usr/bin/env bash
# The API against its description, with tokens that read, that change, that expired and were revoked.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v curl >/dev/null || skip "curl is not installed"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"
command -v node >/dev/null || skip "node is not installed"

password='correct horse battery'
noted
serve api
# shellcheck disable=SC2154 # set by serve
post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode "password=$password"

# make SCOPE: a token; goes to `made`
make_token()
{
    post 200 ada /me /me/tokens -d act=add -d name=ci -d "scope=$1" -d days=1
    made=$(grep -o 'aud_[0-9a-f]*' page | head -n 1)
}
make_token write
write=$made
make_token read
read=$made
is "$(sql audition.db "SELECT COUNT(*) FROM api_token WHERE hash LIKE 'aud_%' OR hash = '${write#aud_}'")" 0 "tokens in the store"

post 303 spare /login /login -d name=ada --data-urlencode "password=$password" # the newest session, which is ended
echo "every operation is described, and answers as described"
node "$REPO/tests/api.mjs" "$url" "$write" "$read" >described
grep -o 'METHOD_[A-Z]*, *"/api/[^"]*' "$REPO/src/web/route_table.c" | sed 's/METHOD_//; s/, *"/ /' | LC_ALL=C sort >routed
LC_ALL=C sort described >sorted
cmp sorted routed || fail "what is described is not what is routed"

ask 303 spare /me
ask 200 ada /me

echo "a token ends"
status()
{
    curl -sS -m 60 -o answer -w '%{http_code}' -H "Authorization: Bearer $1" "$url/api/v1/runs"
}
is "$(status "$read")" 200 "a token"
sql audition.db "UPDATE api_token SET expires_ms = 1 WHERE scope = 'read'" >/dev/null
is "$(status "$read")" 401 "after its time"
ask 200 ada /me
id=$(grep -o 'name="id" value="[1-9][0-9]*' page | head -n 1 | cut -d '"' -f 4)
post 303 ada /me /me/tokens -d act=revoke -d "id=$id"
is "$(status "$write")" 401 "revoked"
make_token write
is "$(status "$made")" 200 "another"
post 303 ada /me /me/password --data-urlencode "old=$password" --data-urlencode 'new=a quite new one 9'
is "$(status "$made")" 401 "after the password was changed"
is "$(sql audition.db "SELECT COUNT(*) FROM audit WHERE what IN ('token-add', 'token-revoke')")" 4 "lines in the log"
stop "$serve_pid"
