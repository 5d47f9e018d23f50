#!/usr/bin/env bash
# serve: set-up, signing in, runs and their reports, accounts, audit log, HTTPS, stopping.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v curl >/dev/null || skip "curl is not installed"
trap '' PIPE

password='correct horse battery'
audition 0 init . --language en
# What a model says is shown and never obeyed.
sed -i 's/"text": "[^"]*/&<script>alert(1)<\/script>/' replies/understudy.jsonl
audition 0 run suites/first.yaml -m understudy --judge prompter -q

echo "the first account"
serve first
says first.log "No account yet"
ask 200 nobody /healthz
says page ok
ask 303 nobody /
says head "Location: /setup"
post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode "password=$password"
ask 303 nobody /setup
says head "Location: /login"
ask 200 nobody /login
says page 'href="/return"' # raters come here too, by the bare address

echo "runs and reports"
ask 303 ada /
says head "Location: /runs"
ask 200 ada /runs
says page 'first</small>' '5 / 5'
run=$(grep -o '/runs/[0-9a-f]*' page | head -n 1)
ask 200 ada "$run/samples"
says page understudy '&lt;script&gt;alert(1)&lt;/script&gt;'
lacks page '<script>alert'
ask 200 ada "$run"
says page understudy 'class="iv"'
lacks page '<script>alert'
lacks page ' style="'
says head "style-src 'self'" "Cache-Control: no-store"
grep -o "/static/[^\"]*" page >files
while IFS= read -r file; do
    ask 200 nobody "$file"
    says head "ETag: " immutable
done <files
ask 404 ada /runs/ffffffff
ask 303 nobody "$run"

echo "a sensitive suite shows numbers alone"
sed -i 's/^language:.*/&\nsensitive: yes/' suites/first.yaml
audition 0 run suites/first.yaml -m understudy --judge prompter -q
ask 200 ada /runs/latest
says page understudy 'This suite is sensitive'
lacks page '&lt;script&gt;'

echo "languages"
ask 200 nobody /login -H 'Accept-Language: zh-CN,zh;q=0.9'
says page 'lang="zh"' 登录
ask 200 nobody '/login?lang=ja' -H 'Accept-Language: zh-CN'
says page サインイン
ask 200 nobody /login -H 'Accept-Language: zh-CN'
says page サインイン

echo "accounts and the audit log"
post 303 ada /accounts /accounts -d name=bob -d role=coordinator --data-urlencode "password=$password"
post 400 ada /accounts /accounts -d name=bob -d role=analyst --data-urlencode "password=$password"
post 400 ada /accounts /accounts -d name=carl -d role=owner --data-urlencode "password=$password"
post 303 bob /login /login -d name=bob --data-urlencode "password=$password"
ask 403 bob /runs
ask 403 bob /audit
ask 200 ada /audit
says page 'set up this server as ada' 'signed in as' 'added account bob' coordinator
post 303 ada /accounts /accounts/2 -d act=disable
ask 303 bob /me

echo "what is stored: no password, no token"
sid=$(awk '$6 == "sid" { print $7 }' ada)
[ ${#sid} -eq 64 ] || fail "no session in the jar"
is "$(sql audition.db "SELECT count(*) FROM web_session WHERE token = '$sid'")" 0 "tokens in the store"
sql audition.db "SELECT password FROM account" >stored
says stored "\$argon2id\$v=19\$m=19456,t=2,p=1\$"

echo "stopping: what was begun is finished, and the session is still good afterwards"
stop "$serve_pid" TERM
says first.log "finishing"
serve second
lacks second.log "No account yet"
ask 200 ada /runs
kill -INT "$serve_pid"
wait "$serve_pid" || fail "ended with $?"

echo "HTTPS"
if command -v openssl >/dev/null; then
    openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 \
        -subj /CN=localhost >/dev/null 2>&1
    serve tls --tls-cert cert.pem --tls-key key.pem
    post 303 tls /login /login -d name=ada --data-urlencode "password=$password"
    says head 'Set-Cookie: __Host-sid=' '; Secure' 'Strict-Transport-Security'
    ask 200 tls /runs
    # TLS 1.2 with forward secrecy and authenticated ciphers, and with no others
    for suite in ECDHE-RSA-AES128-GCM-SHA256 ECDHE-RSA-AES256-GCM-SHA384 ECDHE-RSA-CHACHA20-POLY1305; do
        curl -sS -k -m 20 --tlsv1.2 --tls-max 1.2 --ciphers $suite "$url/healthz" >/dev/null || fail "$suite is refused"
    done
    for suite in AES128-GCM-SHA256 AES256-GCM-SHA384 AES128-SHA AES256-SHA256 ECDHE-RSA-AES128-SHA \
        ECDHE-RSA-AES256-SHA384 DHE-RSA-AES128-GCM-SHA256; do
        ! curl -sS -k -m 20 --tlsv1.2 --tls-max 1.2 --ciphers $suite "$url/healthz" >/dev/null 2>&1 ||
            fail "$suite is spoken"
    done
    ! curl -sS -k -m 20 --tls-max 1.1 "$url/healthz" >/dev/null 2>&1 || fail "TLS 1.1 is spoken"
    # as without TLS: one head, our headers, also for what is no request; and no HTTP beside it
    printf 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nnonsense\r\n\r\n' |
        timeout 30 openssl s_client -quiet -connect "127.0.0.1:$port" >both 2>/dev/null || true
    is "$(tr -d '\r' <both | sed -n 's/^HTTP.1.1 \([0-9]*\) .*/\1/p' | paste -sd ' ')" "200 400" "a request and nonsense through TLS"
    is "$(grep -c '^Strict-Transport-Security' both)" 2 "heads with our headers"
    ! curl -sS -m 20 "http://127.0.0.1:$port/healthz" >page 2>/dev/null || fail "HTTP is spoken beside TLS"
    head -c 300000 /dev/zero | tr '\0' a >large
    ask 413 nobody /login -H 'Content-Type: text/plain' --data-binary @large
    ask 200 nobody /healthz
    audition 2 serve --tls-cert key.pem --tls-key cert.pem
    says err '--tls-cert or --tls-key cannot be used'
    stop "$serve_pid"
fi

echo "options"
audition 2 serve --bind 0.0.0.0
says err --tls-cert
audition 2 serve --public-url rate.example.org
says err https://
audition 2 serve --trusted-proxy nonsense
says err 10.0.0.0/8
audition 2 serve --tls-cert cert.pem
audition 2 serve --port 99999
