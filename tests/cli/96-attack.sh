#!/usr/bin/env bash
# Attacks on `audition serve`: each must be refused, and the server must be well afterwards.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
trap '' PIPE

password='correct horse battery'
answered
opened gate 'about: []' 'code: lantern'
serve attack
post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode "password=$password"
host='Host: 127.0.0.1\r\n'
end='Connection: close\r\n\r\n'

echo "request smuggling"
refuses "two lengths" 400 "POST /login HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"
refuses "two equal lengths" 400 "POST /login HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 1\r\n\r\na"
refuses "length and chunks" 400 "POST /login HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
refuses "chunks and length" 400 "POST /login HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"
refuses "folded encoding" 400 "POST /login HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n"
refuses "two encodings" 400 "POST /login HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"
refuses "unknown encoding" 400 "POST /login HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"
refuses "blank before the colon" 400 "POST /login HTTP/1.1\r\n${host}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"
for length in -5 +5 0x5 5,5 '5 5' 5e1; do
    refuses "length $length" 400 "POST /login HTTP/1.1\r\n${host}Content-Length: $length\r\n\r\nabcde"
done
refuses "chunks" 411 "POST /login HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
refuses "bad chunk" 411 "POST /login HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n"
refuses "CR in a header" 400 "GET /healthz HTTP/1.1\r\n${host}X: a\rb\r\n$end"
refuses "folded header" 400 "GET /healthz HTTP/1.1\r\n${host}X: a\r\n b\r\n$end"
refuses "NUL in a header" 400 "GET /healthz HTTP/1.1\r\n${host}X: a\0b\r\n$end"
refuses "bare LF" 400 "GET /healthz HTTP/1.1\nHost: 127.0.0.1\nConnection: close\n\n"
for path in '/healthz\0x' '/healthz?a=\0x'; do
    refuses "NUL in $path" 400 "GET $path HTTP/1.1\r\n$host$end"
done
refuses "header without a colon" 400 "GET /healthz HTTP/1.1\r\n${host}X\r\n$end"
# Each as the first line of a head, in the middle and as the last: no place may hide it.
for odd in 'X: a\r\n b\r\n' 'X: a\r\n\tb\r\n' 'X: a\n' 'X: a\n b\r\n' 'X: a\0b\r\n' 'X: a\rb\r\n' ' X: a\r\n' \
    'Content-Length: 0\r\nContent-Length: 0\r\n' 'Content-Length: 0\r\nContent-Length: 5\r\n' \
    'Content-Length: 0\r\nTransfer-Encoding: chunked\r\n' 'Transfer-Encoding: chunked\r\nContent-Length: 0\r\n' \
    'Content-Length:\r\n 0\r\n' 'Content-Length: 0\n' 'Content-Length: 0\0\r\n' 'Transfer-Encoding:\r\n chunked\r\n' \
    'Transfer-Encoding: chunked\n' 'X: a\r\n Transfer-Encoding: chunked\r\n' 'X: a\nTransfer-Encoding: chunked\r\n' \
    'Content-Length: 0\r\nX: a\nTransfer-Encoding: chunked\r\n' 'Content-Length : 0\r\n' \
    'Content-Length: \v0\r\n' 'Content-Length: 0\f\r\n' 'Transfer-Encoding: \vchunked\r\n' 'Transfer-Encoding: chunked\f\r\n'; do
    refuses "first, $odd" 400 "POST /login HTTP/1.1\r\n$odd${host}A: b\r\n\r\n"
    refuses "middle, $odd" 400 "POST /login HTTP/1.1\r\n${host}${odd}A: b\r\n\r\n"
    refuses "last, $odd" 400 "POST /login HTTP/1.1\r\n${host}A: b\r\n$odd\r\n"
done
refuses "LF for the empty line" 400 "GET /healthz HTTP/1.1\r\n${host}A: b\r\n\n"
refuses "only the empty line is right" 400 "GET /healthz HTTP/1.1\r\n${host}A: b\n\r\n"
for good in 'A:\r\n' 'A: \r\n' 'A: b \t\r\n' 'A:b\r\n'; do
    refuses "nothing wrong with $good" 200 "GET /healthz HTTP/1.1\r\n${host}$good$end"
    refuses "nor in the end" 200 "GET /healthz HTTP/1.1\r\n$host$good\r\n"
done
# What follows a head that was refused is not a request.
exec 3<>"/dev/tcp/127.0.0.1/$port"
{ printf 'POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nX: a\n\r\nGET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n' >&3; } 2>/dev/null || true
timeout 20 cat <&3 >follows 2>/dev/null || [ $? -ne 124 ] || fail "the connection stays open"
exec 3>&-
is "$(grep -c '^HTTP/1.1' follows)" 1 "answers"

echo "hosts"
refuses "no host" 400 "GET /healthz HTTP/1.1\r\n$end"
refuses "two hosts" 400 "GET /healthz HTTP/1.1\r\n$host$host$end"
refuses "another host" 400 "GET /healthz HTTP/1.1\r\nHost: evil.example\r\n$end"
refuses "a path for a host" 400 "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1/x\r\n$end"

echo "paths"
for path in /static/../healthz /static/%2e%2e/healthz /static/x/..%2fstyle.css /static/x/%2e%2e%2f%2e%2e%2fetc%2fpasswd \
    //healthz /healthz%00 /healthz%0d%0aX: '/static\\\\..\\\\x' /%c0%ae%c0%ae/x /%ff http://127.0.0.1/healthz '*'; do
    refuses "$path" 400 "GET $path HTTP/1.1\r\n$host$end"
done
refuses "another method" 405 "BREW /healthz HTTP/1.1\r\n$host$end"
refuses "DELETE" 405 "DELETE /runs HTTP/1.1\r\n$host$end"
refuses "no such page" 404 "GET /static/x/none.css HTTP/1.1\r\n$host$end"

echo "sizes"
long=$(printf 'a%.0s' {1..9000})
refuses "long address" 414 "GET /$long HTTP/1.1\r\n$host$end"
refuses "long header" 431 "GET /healthz HTTP/1.1\r\n${host}X: $long$long$long$long\r\n$end"
refuses "endless header" 431 "GET /healthz HTTP/1.1\r\n${host}X: $long$long$long$long$long$long$long$long$long\r\n$end"
refuses "many headers" 431 "GET /healthz HTTP/1.1\r\n$host$(printf 'X-%d: a\\r\\n' {1..101})$end"
refuses "long body" 413 "POST /login HTTP/1.1\r\n${host}Content-Length: 262145\r\n\r\na"
refuses "endless body" 413 "POST /login HTTP/1.1\r\n${host}Content-Length: 99999999999999999999\r\n\r\na"
head -c 400000 /dev/zero | tr '\0' a >large
ask 411 nobody /login -H 'Transfer-Encoding: chunked' -H 'Content-Type: text/plain' --data-binary @large
ask 415 nobody /login -H 'Content-Type: multipart/form-data; boundary=x' --data-binary x

ask 413 nobody /login -H 'Content-Type: text/plain' --data-binary @large

echo "what is behind the server is closed"
for wall in 'NoNewPrivs:[[:space:]]*1' 'Seccomp:[[:space:]]*2'; do
    grep -q "^$wall" "/proc/$serve_pid/status" || fail "no $wall"
done
says attack.log "calls=closed"

echo "the program is built to be hard to misuse"
built=${AUDITION%/*}/src/web/client.o
readelf -dlW "$AUDITION" >program
says program BIND_NOW GNU_RELRO
case $AUDITION in
*/san-*) ;; # is at a fixed address, see the Makefile
*) says program PIE ;;
esac
grep -q 'GNU_STACK.* RW ' program || fail "the stack can be executed"
readelf --debug-dump=info "$built" 2>/dev/null | grep -m 1 DW_AT_producer >flags || true
if grep -q 'GNU C' flags; then # clang does not write them down
    says flags -fPIE -fstack-protector-strong -fstack-clash-protection
    [ "$(uname -m)" != x86_64 ] || says flags -fcf-protection
fi

echo "session fixation"
planted=$(printf '0%.0s' {1..64})
printf '127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t%s\n' "$planted" >fixed
ask 303 fixed /me
post 303 fixed /login /login -d name=ada --data-urlencode "password=$password"
! grep -q "$planted" fixed || fail "the planted token was kept"
printf '127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t%s\n' "$planted" >planted
ask 303 planted /me
cp fixed before
post 303 fixed /me /logout
ask 303 before /me

echo "forged forms"
ask 403 ada /accounts -d name=eve -d role=admin --data-urlencode "password=$password"
says page "no longer valid"
ask 200 ada /accounts
mine=$(token)
ask 403 ada /accounts -H 'Origin: http://evil.example' -d "csrf=$mine" -d name=eve -d role=admin --data-urlencode "password=$password"
says page "expected $url, got http://evil.example"
says attack.log "refused=origin route=/accounts expected $url, got http://evil.example"
ask 403 ada /accounts -H 'Sec-Fetch-Site: cross-site' -d "csrf=$mine" -d name=eve -d role=admin --data-urlencode "password=$password"
ask 403 ada "/accounts?csrf=$mine" -X POST -d name=eve
ask 200 ada "/accounts/1?act=disable"
is "$(sql audition.db "SELECT count(*) FROM account")" 1 "accounts"

echo "pages of others"
for page_of_staff in /runs /runs/latest /accounts /audit /me; do
    ask 303 nobody $page_of_staff
    says head "Location: /login"
done
for act in /accounts /accounts/1 /me/password /logout; do
    ask 401 nobody $act -d name=eve
done
post 303 ada /accounts /accounts -d name=bob -d role=coordinator --data-urlencode "password=$password"
post 303 bob /login /login -d name=bob --data-urlencode "password=$password"
ask 200 bob /me
ask 403 bob /accounts -d "csrf=$(token)" -d name=eve -d role=admin --data-urlencode "password=$password"
ask 403 bob /audit
ask 403 bob /runs/latest

echo "a rater is no account, though their numbers are the same"
sql audition.db "INSERT INTO passkey (id, account, name, kind, spki, counter, created_ms) VALUES ('adas', 1, 'key', 'ES256', 'x', 0, 1)"
post 200 rater /join/gate /join/gate -d code=lantern
ask 200 rater /rate
ask 200 rater /passkey/challenge -d "csrf=$(token)"
says page '"account":""' '"known":[]'
ask 200 ada /me
ask 200 ada /passkey/challenge -d "csrf=$(token)"
says page '"name":"ada"' '"account":"1"' '"known":["adas"]'
sql audition.db "DELETE FROM passkey"

echo "an address of a rater's page says nothing of how many others there are, and nobody else can use it"
sql audition.db "INSERT INTO assignment (id, campaign, rater, phase, position, shown, state, lease_ms, started_ms, seen_ms)
    VALUES (7654320, 0, 0, 'main', 0, '[]', 'closed', 0, 0, 0)" # theirs are the next two
for who in rater second; do
    [ $who = rater ] || post 200 $who /join/gate /join/gate -d code=lantern
    ask 200 $who /rate
    post 303 $who /rate /rate/consent -d agree=yes -d "version=$(field version)"
    post 303 $who /rate /rate/next
    ask 200 $who /rate
    lacks page 7654321 7654322
    eval "page_of_$who=$(found 'action="(/rate/[0-9a-f]{16})"')"
    ask 200 $who /rate/my-data.json
    lacks page 7654321 7654322
done
# shellcheck disable=SC2154 # set by eval
for path in "$page_of_rater" "${page_of_second}0" "${page_of_second%?}" /rate/{1,2,7654321,7654322} /rate/{000000000074cbb1,0000000000000000,ffffffffffffffff}; do
    ask 200 second /rate
    mine=$(token)
    ask 404 second "$path" -d "csrf=$mine" -d then=skip
    ask 404 second "$path/report" -d "csrf=$mine"
    ask 404 second "$path/mark" -X PUT -H "X-CSRF-Token: $mine" -H 'Content-Type: application/json' -d '{}'
    ask 404 second "$path/ask" -d "csrf=$mine"
    ask 404 second "$path/feedback"
done
is "$(sql audition.db "SELECT state, COUNT(*) FROM assignment WHERE rater <> 0 GROUP BY state")" "leased|2" "pages"

echo "guessing passwords"
for guess in 1 2 3 4 5; do
    post 401 guess /login /login -d name=ada -d "password=guess number $guess"
done
post 429 guess /login /login -d name=ada --data-urlencode "password=$password"
says head Retry-After:
for guess in 1 2 3 4 5; do
    post 401 guess /login /login -d name=nobody -d "password=guess number $guess"
done
post 429 guess /login /login -d name=nobody -d "password=guess number 6"

echo "slow clients are cut off, and cost others nothing"
exec 4<>"/dev/tcp/127.0.0.1/$port" 5<>"/dev/tcp/127.0.0.1/$port"
(printf 'GET /healthz HTTP/1.1\r\n' >&4
    while printf 'X: a\r\n' >&4; do sleep 1; done) 2>/dev/null &
pids+=($!)
(printf 'POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n' >&5
    while printf 'a' >&5; do sleep 1; done) 2>/dev/null &
pids+=($!)
# one that has been answered and then takes its time with the next head
exec 6<>"/dev/tcp/127.0.0.1/$port"
(printf 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HTTP/1.1\r\n' >&6
    while printf 'X: a\r\n' >&6; do sleep 1; done) 2>/dev/null &
pids+=($!)
ask 200 nobody /healthz
timeout 60 cat <&4 >slow.head || fail "a client that drips headers is served for ever"
timeout 60 cat <&5 >slow.body || fail "a client that drips its body is served for ever"
lacks slow.head "200 OK"
lacks slow.body "200 OK"
timeout 60 cat <&6 >slow.next || fail "a client that drips its second head is served for ever"
is "$(grep -c '^HTTP/1.1' slow.next)" 1 "answers to one and a half requests"
exec 4>&- 5>&- 6>&-

echo "many connections that say nothing"
(
    for i in {10..209}; do eval "exec $i<>/dev/tcp/127.0.0.1/$port"; done
    ask 200 nobody /healthz
)

echo "whatever is wrong with a request, its answer has our headers, and one head"
# whole WHAT STATUS TEXT: everything that comes until the end of the connection is one answer of ours
whole()
{
    local body

    exec 3<>"/dev/tcp/127.0.0.1/$port"
    { printf '%b' "$3" >&3; } 2>/dev/null || true
    timeout 30 cat <&3 >whole || fail "$1: the connection stays open"
    exec 3>&-
    tr -d '\r' <whole | sed '/^$/q' >whole.head
    case $(head -n 1 whole.head) in
    "HTTP/1.1 $2 "*) ;;
    *) fail "$1: '$(head -n 1 whole.head)', not $2" ;;
    esac
    says whole.head "Content-Security-Policy: default-src 'none'" 'X-Content-Type-Options: nosniff' 'Referrer-Policy: no-referrer' \
        'Cache-Control: no-store' 'Connection: close' 'Content-Type: text/html; charset=utf-8'
    is "$(grep -c '^HTTP/1' whole)" 1 "heads in the answer to $1"
    is "$(sort whole.head | grep -v '^$' | cut -d : -f 1 | uniq -d)" "" "headers given twice to $1"
    body=$(($(wc -c <whole) - $(sed '/^\r$/q' whole | wc -c)))
    is "$(sed -n 's/^Content-Length: //p' whole.head)" "$body" "the length of the answer to $1"
    lacks whole canary 'Set-Cookie'
}
long=$(printf 'canary%.0s' {1..20000})
next="GET /healthz HTTP/1.1\r\n$host\r\n"
whole "another protocol" 400 "GET /canary XTTP/1.1\r\n$host\r\n$next"
whole "another version" 505 "GET /canary HTTP/9.9\r\n$host\r\n$next"
whole "HTTP/2 at once" 505 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
whole "HTTP/0.9" 400 'GET /canary\r\n\r\n'
whole "small letters" 400 "GET /canary http/1.1\r\n$host\r\n$next"
whole "a version of three numbers" 400 "GET /canary HTTP/1.1.1\r\n$host\r\n$next"
whole "words after the version" 400 "GET /canary HTTP/1.1 canary\r\n$host\r\n$next"
whole "two blanks" 400 "GET  /canary HTTP/1.1\r\n$host\r\n$next"
whole "a blank in the address" 400 "GET /canary canary HTTP/1.1\r\n$host\r\n$next"
whole "a tab for a blank" 400 "GET\t/canary HTTP/1.1\r\n$host\r\n$next"
whole "no method" 400 " /canary HTTP/1.1\r\n$host\r\n$next"
whole "a method that is no word" 400 "GE(T /canary HTTP/1.1\r\n$host\r\n$next"
whole "no request at all" 400 '\x01canary\r\n\r\n'
whole "TLS where there is none" 400 '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03canary'
whole "lines of LF" 400 'GET /canary HTTP/1.1\nHost: 127.0.0.1\n\n'
whole "a line of CR" 400 "GET /canary HTTP/1.1\r${host}\r\n"
whole "no colon" 400 "GET /canary HTTP/1.1\r\n${host}canary\r\n\r\n$next"
whole "no name" 400 "GET /canary HTTP/1.1\r\n$host: canary\r\n\r\n$next"
whole "a name with a blank" 400 "GET /canary HTTP/1.1\r\n${host}X Y: canary\r\n\r\n$next"
whole "a folded line" 400 "GET /canary HTTP/1.1\r\n${host}X: a\r\n canary\r\n\r\n$next"
whole "NUL" 400 "GET /canary HTTP/1.1\r\n${host}X: \0canary\r\n\r\n$next"
whole "a length that is none" 400 "POST /canary HTTP/1.1\r\n${host}Content-Length: canary\r\n\r\ncanary"
whole "a length beyond numbers" 413 "POST /login HTTP/1.1\r\n${host}Content-Length: 99999999999999999999\r\n\r\n"
whole "two lengths" 400 "POST /login HTTP/1.1\r\n${host}Content-Length: 0\r\nContent-Length: 0\r\n\r\n$next"
whole "chunks" 411 "POST /login HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n$next"
whole "no host" 400 'GET /canary HTTP/1.1\r\n\r\n'
whole "a header without end" 431 "GET /canary HTTP/1.1\r\n${host}X: $long\r\n\r\n"
whole "headers without end" 431 "GET /canary HTTP/1.1\r\n$host$(printf 'X: canary\\r\\n%.0s' {1..5000})\r\n"
whole "an address without end" 414 "GET /$long HTTP/1.1\r\n$host\r\n"
whole "a body without end" 413 "POST /login HTTP/1.1\r\n${host}Content-Length: 999999999\r\n\r\n$long"
# One after the other on a connection: good ones are answered, the first bad one is the last.
exec 3<>"/dev/tcp/127.0.0.1/$port"
{ printf '%b' "$next${next}GET /canary HTTP/9.9\r\n$host\r\n$next" >&3; } 2>/dev/null || true
timeout 30 cat <&3 >line || fail "the connection stays open"
exec 3>&-
is "$(tr -d '\r' <line | sed -n 's/^HTTP.1.1 \([0-9]*\) .*/\1/p' | paste -sd ' ')" "200 200 505" "answers to two good requests and a bad one"
is "$(grep -c '^Content-Security-Policy' line)" 3 "heads with our headers"
# Byte by byte it is the same request; a body may come later than its head.
exec 3<>"/dev/tcp/127.0.0.1/$port"
drip="POST /login HTTP/1.1\r\n${host}Content-Type: text/plain\r\nContent-Length: 2\r\n\r\nab$next"
drip=$(printf '%b.' "$drip")
for ((i = 0; i < ${#drip} - 1; i++)); do printf '%s' "${drip:i:1}" >&3; done
IFS= read -r -t 20 line <&3
is "${line%$'\r'}" "HTTP/1.1 403 Forbidden" "a request in single bytes"
exec 3>&-

echo "nothing secret in the log"
sid=$(awk '$6 == "sid" { print $7 }' ada)
for word in "$sid" "$mine" "correct" horse "$planted" 'next=' 'csrf'; do
    lacks attack.log "$word"
done
says attack.log 'route=/accounts/{id}'
ask 200 nobody /healthz
stop "$serve_pid"
lacks attack.log "error"

echo "of who has withdrawn nothing stays in the file, not even copies that no row stands for"
# left: do the words stand in the file or its log?
left()
{
    cat audition.db* | grep -q 'words of nobody'
}
gone()
{
    ! left
}
sql audition.db "PRAGMA secure_delete = OFF; CREATE TABLE moved (words TEXT);
    INSERT INTO moved VALUES ('words of nobody'); DROP TABLE moved; PRAGMA wal_checkpoint(TRUNCATE)" >moved
left || fail "there is no copy to begin with"
serve before
until_true "the keeper has looked" 20 ask 200 nobody /healthz
stop "$serve_pid"
left || fail "it goes without an erasure, too: this shows nothing"
sql audition.db "INSERT INTO audit (at_ms, who, what, subject, detail) VALUES (1, 'rater', 'rater.withdraw', 'gate', '')"
serve after
until_true "they are gone" 20 gone
stop "$serve_pid"

echo "connections leave descriptors for the database and files"
(
    trap end_all EXIT
    ulimit -n 400
    serve few
    for i in {10..250} {260..389}; do eval "exec $i<>/dev/tcp/127.0.0.1/$port"; done
    ask 200 nobody /login
    open=("/proc/$serve_pid/fd"/*)
    [ ${#open[@]} -lt 350 ] || fail "${#open[@]} of 400 descriptors are taken"
    stop "$serve_pid"
)
