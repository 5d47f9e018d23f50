#!/usr/bin/env bash
# Passkeys in a real browser with a played authenticator; two browsers of different networks.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
need_browser

password='correct horse battery'
serve passkey
# shellcheck disable=SC2154 # set by serve
post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode "password=$password"
stop "$serve_pid"
serve passkey --second-factor admin
# A browser has passkeys for names, not for addresses.
BASE=http://localhost:$port
export BASE
browse passkey "$password" || fail "passkeys"
is "$(sql audition.db "SELECT COUNT(*) FROM passkey")" 0 "passkeys that are left"
is "$(sql audition.db "SELECT COUNT(*) FROM audit WHERE what IN ('passkey-add', 'passkey-remove')")" 4 "lines in the log"
lacks passkey.log 'challenge=' 'signature='
stop "$serve_pid"

echo "two browsers of different networks"
answered
opened gate
serve networks --trusted-proxy 127.0.0.1
BASE=$url
link=$("$AUDITION" campaign invite gate --url "$url")
browse networks "$password" "$link" || fail "two networks"
is "$(sql audition.db "SELECT COUNT(*) FROM rating")" 0 "marks that are left"
