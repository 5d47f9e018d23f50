#!/usr/bin/env bash
# HTTP/2 over TLS, as vendors serve it: a certificate of a private authority, streams side by side on one
# connection, streams that are reset, connections that are told to go or cut.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"
command -v openssl >/dev/null || skip "openssl is not installed"
command -v node >/dev/null || skip "there is no node"

items=300
suite suite.yaml $items
mock plain --latency 20

openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost 2>/dev/null
start node "$REPO/tests/h2.mjs" key.pem cert.pem "$port" h2.port >h2.log 2>h2.err
until_true "the server" 20 test -s h2.port
models models.yaml "$port"
sed -i "s|http://127.0.0.1:$port|https://localhost:$(cat h2.port)|" models.yaml

unset CURL_CA_BUNDLE SSL_CERT_FILE # as somebody who has named none
# An authority that nobody has vouched for is not trusted, and the reason is said.
status 1 "$AUDITION" doctor --db doctor.db
says out "certificate"
# A run says so at once: asking again would not make it trusted.
audition 1 run suite.yaml -m player --judge critic --db stranger.db -q
says err "certificate"
says err SSL_CERT_FILE
is "$(sql stranger.db "SELECT count(*) FROM sample WHERE state <> 'planned'")" 0 "answers given up"
[ ! -s h2.log ] || fail "something was asked of a stranger"

export SSL_CERT_FILE=$PWD/cert.pem
status 0 "$AUDITION" doctor --db doctor.db
CURL_CA_BUNDLE=$PWD/nowhere.pem status 1 "$AUDITION" doctor --db doctor.db
: >h2.log
audition 0 run suite.yaml -m player --judge critic --db h2.db -j 64 -q
complete h2.db $items
is "$(sql h2.db "SELECT count(*) FROM call")" $((2 * items)) "replies stored"

[ "$(grep -c '^HTTP/2 ' h2.log)" -ge $((2 * items)) ] || fail "not every reply came by HTTP/2"
lacks h2.log HTTP/1
[ "$(cut -d ' ' -f 3 h2.log | sort -rn | head -n 1)" -gt 1 ] || fail "one request at a time on a connection"
