#!/usr/bin/env bash
# Limits that strangers try to get round, or to turn against others.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v curl >/dev/null || skip "curl is not installed"
command -v oathtool >/dev/null || skip "oathtool is not installed"

password='correct horse battery' other='another fine day 7'
token=$(printf '0%.0s' {1..64})

# send PATH OPTION...: a form of somebody who is not signed in; the status goes to `got`
send()
{
    request /dev/null "$1" -b "form=$token" -d "csrf=$token" "${@:2}"
}

# from ADDRESS PATH OPTION...: send as the proxy would, which adds its line to what the client wrote
from()
{
    send "$2" -H "X-Forwarded-For: 8.8.8.$((RANDOM % 250))" -H "X-Forwarded-For: $1" "${@:3}"
}

answered
opened gate 'about: []' 'code: lantern'
serve limits --trusted-proxy 127.0.0.1
post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode "password=$password"
post 303 ada /accounts /accounts -d name=bob -d role=analyst --data-urlencode "password=$password"

echo "common passwords"
for bad in password12345 qwertyuiop123 123456789012345 'Welcome2024!!' bob-bob-bob-bob; do
    post 400 ada /accounts /accounts -d name=carl -d role=analyst --data-urlencode "password=$bad"
done

echo "the client is the last hop that no proxy of ours wrote, over all lines"
got=401 guesses=0
while [ "$got" = 401 ] && [ $guesses -lt 200 ]; do
    guesses=$((guesses + 1))
    from 203.0.113.7 /login -d "name=n$guesses" -d password=wrong
done
is "$got" 429 "after $guesses guesses"
send /login -H 'Forwarded: for=203.0.113.7;proto=https' -d name=n22 -d password=wrong
is "$got" 429 "as Forwarded"
from 203.0.113.8 /login -d name=n23 -d password=wrong
is "$got" 401 "another client"
# A client that writes the header which its proxy does not: neither is believed.
from 203.0.113.7 /login -H 'Forwarded: for=192.0.2.99' -d name=n24 -d password=wrong
is "$got" 401 "both"
says limits.log 'from=127.0.0.1'

echo "strangers of many networks guess at bob's password: they are refused, bob is not"
post 303 bob /login /login -d name=bob --data-urlencode "password=$password"
ask 303 bob /logout -d "csrf=$(ask 200 bob /me && token)"
refused=0
for i in {1..60}; do
    from "198.51.100.$i" /login -d name=bob -d password=wrong
    [ "$got" = 401 ] || refused=$((refused + 1))
done
[ $refused -ge 8 ] || fail "$refused of 60 guesses were refused"
from 198.51.100.99 /login -d name=bob --data-urlencode "password=$password"
is "$got" 429 "the right one, from a new browser"
post 303 bob /login /login -d name=bob --data-urlencode "password=$password"
ask 200 bob /me

echo "a disabled account stays disabled, whatever is saved at the same moment"
changes() { sql audition.db "SELECT COUNT(*) FROM audit WHERE what = 'password'"; }
for round in 1 2 3 4; do
    changed=$(changes) # whether bob was the first decides which password is his
    post 303 ada /accounts /accounts/2 -d act=enable
    post 303 bob /login /login -d name=bob --data-urlencode "password=$password"
    ask 200 bob /me
    bobs=$(token)
    ask 200 ada /accounts/2
    adas=$(token)
    curl -sS -m 60 -o /dev/null -b bob -c bob -d "csrf=$bobs" --data-urlencode "old=$password" \
        --data-urlencode "new=$other" "$url/me/password" &
    changing=$!
    sleep 0.03
    curl -sS -m 60 -o /dev/null -b ada -d "csrf=$adas" -d act=disable "$url/accounts/2"
    wait "$changing" || true
    is "$(sql audition.db 'SELECT COUNT(*) FROM account WHERE id = 2 AND disabled_ms IS NOT NULL')" 1 "disabled, round $round"
    if [ "$(changes)" -gt "$changed" ]; then
        word=$password password=$other other=$word
    fi
done

echo "limits are a person's, however many sessions they have; and nobody else's"
post 303 ada2 /login /login -d name=ada --data-urlencode "password=correct horse battery"
ask 200 ada2 /me
second=$(token)
post 303 ada /accounts /accounts -d name=cleo -d role=analyst --data-urlencode "password=correct horse battery"
post 303 cleo /login /login -d name=cleo --data-urlencode "password=correct horse battery"
ask 200 cleo /me
third=$(token)
ask 200 ada /me
curl -sS -m 100 -o /dev/null -w '%{http_code}\n' -b ada -d "csrf=$(token)" -d session=none "$url/me/sessions?[1-400]" >written
says written 303 429
ask 429 ada2 /me/sessions -d "csrf=$second" -d session=none
ask 303 cleo /me/sessions -d "csrf=$third" -d session=none

echo "who has the password and many networks does not guess a code of six digits; the owner's own browser gets in"
secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP
sql audition.db "UPDATE account SET totp = '$secret' WHERE name = 'cleo'" >/dev/null
for i in {1..12}; do
    from "198.51.100.$i" /login -d name=cleo --data-urlencode "password=correct horse battery" -d code=abc
    is "$got" 401 "guess $i"
done
from 198.51.100.77 /login -d name=cleo --data-urlencode "password=correct horse battery" -d "code=$(oathtool --totp -b $secret)"
is "$got" 401 "the right one among them"
post 303 cleo /login /login -d name=cleo --data-urlencode "password=correct horse battery" -d "code=$(oathtool --totp -b $secret)"

echo "codes are guessed by campaign; being right does not make it undone"
for i in {1..9}; do
    from 203.0.113.20 /join/gate -d "code=guess$i"
    is "$got" 422 "guess $i"
    from 203.0.113.20 /join/gate -d code=lantern
    is "$got" 200 "the right code"
done
from 203.0.113.20 /join/gate -d code=guess10
is "$got" 422 "the tenth"
from 203.0.113.20 /join/gate -d code=guess11
is "$got" 429 "the eleventh"
# 120 an hour; on a slow machine a few more become free meanwhile
for i in {1..180}; do
    from 203.0.113.21 /join/gate -d code=lantern
    [ "$got" != 429 ] || break
done
is "$got" 429 "joining without end"
[ "$i" -gt 120 ] || fail "refused after $i"
from 203.0.113.22 /join/gate -d code=lantern
is "$got" 200 "somebody else"

echo "a campaign of 50,000 raters has a page"
sql audition.db "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
    INSERT INTO rater (campaign, pseudonym, state, language, return_hash, created_ms)
    SELECT 1, 'p' || i, 'rating', 'en', 'h' || i, 1 FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
    INSERT INTO invite (campaign, hash, label, created_ms, expires_ms) SELECT 1, 'h' || i, 'l' || i, 1, 1 FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
    INSERT INTO outcome (campaign, subject, metric, method, value, n, clusters)
    SELECT 1, 'rater/p' || i, 'sign:same', '', 0.5, 1, 1 FROM n" >/dev/null
ask 200 ada /campaigns/gate
ask 200 ada /campaigns/gate/raters
[ "$(wc -c <page)" -lt 500000 ] || fail "the page has $(wc -c <page) bytes"
next=$(grep -o '/campaigns/gate/raters?after=[0-9]*' page | head -n 1)
[ -n "$next" ] || fail "no way to the next raters"
ask 200 ada "$next"
says page 'p1'
ask 200 ada "/campaigns/gate/raters?after=50100"
lacks page '?after='

ask 200 ada /api/v1/campaigns/gate
[ "$(wc -c <page)" -lt 500000 ] || fail "the API gives $(wc -c <page) bytes"
last=$(grep -o '"id":[0-9][0-9]*' page | tail -n 1)
ask 200 ada "/api/v1/campaigns/gate?after=${last#*:}"
lacks page "$last,"
says page '"rater":"p'
audition 0 campaign show gate
[ "$(wc -l <out)" -lt 300 ] || fail "$(wc -l <out) lines"
says out 'more; all of them' 'campaign show gate --json'

echo "what was refused is in the log"
ask 200 ada "/audit?what=password"
says page 'changed the password of bob'
ask 403 ada /setup -d code=1
sql audition.db 'SELECT DISTINCT what FROM audit' >log
says log sign-in-failed refused.login sign-out refused.form
# a name that is nobody's may be a password
is "$(sql audition.db "SELECT COUNT(*) FROM audit WHERE what = 'sign-in-failed' AND subject NOT IN ('', 'bob', 'cleo')")" 0 "names of nobody"
stop "$serve_pid"
