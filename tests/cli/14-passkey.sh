#!/usr/bin/env bash
# Passkeys in a real browser with a played authenticator.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
CHROMIUM=$(command -v chromium || true)
export CHROMIUM
[ -n "$CHROMIUM" ] || skip "there is no chromium"
command -v node >/dev/null || skip "there is no node"
[ -d "$REPO/tests/browser/node_modules/playwright-core" ] ||
    skip "there is no playwright-core: scripts/setup.sh test fetches it, where npm can"

password='correct horse battery'
serve passkey
# shellcheck disable=SC2154 # set by serve
post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode "password=$password"
stop "$serve_pid"
serve passkey --second-factor admin
# A browser has passkeys for names, not for addresses.
BASE=http://localhost:$port
export BASE
(cd "$REPO/tests/browser" && node passkey.mjs "$password") || fail "passkeys"
is "$(sql audition.db "SELECT COUNT(*) FROM passkey")" 0 "passkeys that are left"
is "$(sql audition.db "SELECT COUNT(*) FROM audit WHERE what IN ('passkey-add', 'passkey-remove')")" 2 "lines in the log"
lacks passkey.log 'challenge=' 'signature='
