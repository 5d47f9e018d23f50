#!/usr/bin/env bash
# Single sign-on with a real provider, and with one that lies.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"
command -v node >/dev/null || skip "node is not installed"
[ -d "$REPO/tests/browser/node_modules/oidc-provider" ] ||
    skip "there is no oidc-provider: scripts/setup.sh test fetches it, where npm can"

password='correct horse battery'
n=0
free_port=$(node -e 's=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})')
url=http://127.0.0.1:$free_port
rules='  - {value: audition-admins, role: admin}
  - {value: linguists, role: analyst, team: linguists}
  - {claim: groups, value: readers, role: member, team: readers}'

# sso FILE ISSUER CLIENT: a file for --sso
sso()
{
    printf 'issuer: %s\nclient_id: %s\ntitle: Lantern\nscopes: [openid, profile, groups]\nroles:\n%s\n' "$2" "$3" "$rules" >"$1"
}

# there JAR WHAT: from our button to the provider's last word; the address that it leads back to goes to `back`
there()
{
    local jar=$1 form=/login

    # Everybody comes from a network of their own, so that attempts of others are not counted.
    n=$((n + 1))
    always=(-H "X-Forwarded-For: 10.0.0.$n")
    [ "$2" = enter ] || form=/me
    post 200 "$jar" $form /login/sso -d "what=$2"
    back=$(found $'\nRefresh: 0; url=([^\r]*)' head)
    until [[ $back == "$url"/* ]]; do
        url='' ask 303 "$jar.there" "$back"
        back=$(found $'\nLocation: ([^\r]+)' head) || fail "the provider did not lead back"
        [[ $back != /* ]] || back=$issuer$back
    done
}
# enter WANTED-STATUS JAR: all the way
enter()
{
    there "$2" enter
    ask "$1" "$2" "${back#"$url"}"
}
as()
{
    url=$issuer ask 200 nobody "/as/$1"
    rm -f ./*.there
}

start node "$REPO/tests/browser/provider.mjs" real.at "$url/login/sso/back" >real.log 2>&1
start node "$REPO/tests/browser/rogue.mjs" rogue.at
until_true "the providers" 20 test -s real.at -a -s rogue.at
issuer=$(cat real.at) rogue=$(cat rogue.at)
sso open.yaml "$issuer" open
serve first --port "$free_port" --trusted-proxy 127.0.0.1 --sso open.yaml
# shellcheck disable=SC2154 # set by serve
post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode "password=$password"

echo "a real provider: by PKCE alone, RS256"
ask 200 nobody /login
says page 'Sign in with Lantern'
ask 200 nobody '/login?lang=zh'
says page '使用 Lantern 登录'
ask 200 nobody '/login?lang=ja'
says page 'Lantern でサインイン'
enter 303 alice
ask 200 alice /accounts
is "$(sql audition.db "SELECT role, password FROM account WHERE name = 'alice'")" 'admin|-' "alice"
as bob
enter 303 bob
ask 403 bob /accounts
ask 200 bob /runs
is "$(sql audition.db "SELECT t.name FROM team t JOIN team_member m ON m.team = t.id JOIN account a ON a.id = m.account WHERE a.name = 'bob' ORDER BY 1" | xargs)" "linguists readers" "teams of bob"
is "$(sql audition.db "SELECT COUNT(*) FROM sign_in")" 0 "steps that are left"

echo "whom no rule names does not get in; a name that is taken is nobody else's"
as eve
enter 400 eve
is "$(sql audition.db "SELECT COUNT(*) FROM account WHERE name = 'eve'")" 0 "accounts of eve"
as ada
enter 400 impostor
says page 'ada' 'already'
ask 303 impostor /accounts

echo "an account with a password can be tied to the provider, and then enters that way"
there ada link
ask 303 ada "${back#"$url"}"
enter 303 tied
is "$(sql audition.db "SELECT COUNT(*) FROM account WHERE name LIKE 'ada%'")" 1 "accounts of ada"
ask 200 ada /me
lacks page 'Connect this account'
# Whoever is ada to the provider, without her second factor, does not tie an identity of their own, which has one.
sql audition.db "UPDATE account SET totp = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' WHERE name = 'ada'" >/dev/null
enter 303 weak
post 200 weak /me /login/sso -d what=link
says page 'name="code"'
lacks head Refresh
sql audition.db "UPDATE account SET totp = NULL WHERE name = 'ada'" >/dev/null
there alice link
ask 400 alice "${back#"$url"}"
for name in alice bob; do
    post 401 guess /login /login -d name=$name -d 'password=-'
done

echo "what was begun ends in the same browser, once"
as bob
there bob enter
ask 400 victim "${back#"$url"}"
ask 303 victim /runs
there bob enter
ask 303 bob "${back#"$url"}"
ask 400 bob "${back#"$url"}"
used=${back#*code=} used=${used%%&*}
there bob enter
fresh=${back#*code=} fresh=${fresh%%&*}
there bob enter
ask 400 bob "/login/sso/back?code=$used&state=${back##*state=}"
there bob enter
ask 400 bob "/login/sso/back?code=$fresh&state=00"
ask 400 bob '/login/sso/back?code=x'
there bob enter
back=${back#"$url"}
ask 400 bob "${back%%&iss=*}&iss=https%3A%2F%2Felsewhere.example"
there bob enter
ask 400 bob "${back#"$url"}&error=access_denied"
there bob enter
ask 400 bob "${back#"$url"}&error=%0Aforged"
says first.log 'let you in:  forged'
ask 403 stranger /login/sso -d what=enter

echo "confirming asks the provider again, and only its owner can"
sql audition.db "UPDATE web_session SET confirmed_ms = 1" >/dev/null
as alice
ask 200 alice /accounts/3
ask 303 alice /accounts/3 --data-urlencode "csrf=$(token)" -d act=role -d role=member
says head /confirm
ask 200 alice /confirm
says page 'Confirm with Lantern'
lacks page 'type="password"'
as bob
there alice confirm
ask 400 alice "${back#"$url"}"
as alice
there alice confirm
ask 303 alice "${back#"$url"}"
ask 200 alice /accounts/3
ask 303 alice /accounts/3 --data-urlencode "csrf=$(token)" -d act=role -d role=member
says head 'accounts?done'

echo "roles follow the provider; new keys are found; a second factor given there counts"
stop "$serve_pid"
sso closed.yaml "$issuer" closed
sed -i '/audition-admins/d; s/^title/secret: SSO_SECRET\ntitle/' closed.yaml
audition 1 serve --sso closed.yaml
says err 'SSO_SECRET is not set'
sql audition.db "UPDATE account SET role = 'admin' WHERE name = 'bob'; DELETE FROM web_session" >/dev/null
SSO_SECRET='a secret: 100% & more' serve second --port "$free_port" --trusted-proxy 127.0.0.1 --sso closed.yaml --second-factor analyst
as bob
enter 303 bob
is "$(sql audition.db "SELECT role FROM account WHERE name = 'bob'")" analyst "bob again"
ask 303 bob /runs
says head /me/second
url=$issuer ask 200 nobody /rotate
as bob
rm -f bob
enter 303 bob
as alice
sql audition.db "INSERT INTO passkey (id, account, name, kind, spki, counter, created_ms) SELECT 'k' || id, id, 'key', 'ES256', 'x', 0, 1 FROM account" >/dev/null
enter 400 alice
ask 303 alice /runs
# Where there is a password a passkey is its second factor; alone it would let her in again.
is "$(sql audition.db "SELECT COUNT(*) FROM passkey k JOIN account a ON a.id = k.account WHERE a.name = 'alice'")" 0 "passkeys of alice"
sql audition.db "DELETE FROM passkey" >/dev/null
sed -i 's/role: analyst/role: admin/; s/linguists, role/audition-admins, role/' closed.yaml
stop "$serve_pid"
SSO_SECRET='a secret: 100% & more' serve third --port "$free_port" --trusted-proxy 127.0.0.1 --sso closed.yaml --second-factor admin
enter 303 alice
ask 200 alice /accounts
stop "$serve_pid"

echo "a provider that lies"
sso rogue.yaml "$rogue" open
serve rogue --port "$free_port" --trusted-proxy 127.0.0.1 --sso rogue.yaml
# What it says of itself for a moment, and cannot be used, is not remembered.
url=$rogue ask 200 nobody /mode/closed
post 400 m-closed /login /login/sso -d what=enter
lies=(nonce nononce iss aud auds azp expired noexp future nosub none hs256 kid crit swap short key changed broken somebody)
# What a token says is judged without a database; how it is refused, two of them tell.
[ -z "${AUDITION_DB-}" ] || lies=(nonce somebody)
for mode in "${lies[@]}"; do
    url=$rogue ask 200 nobody "/mode/$mode"
    enter 400 "m-$mode"
    ask 303 "m-$mode" /runs
done
is "$(sql audition.db "SELECT COUNT(*) FROM account WHERE name = 'mallory'")" 0 "accounts of mallory"
url=$rogue ask 200 nobody /mode/named
enter 400 m-named
says page 'linguists' 'team'
is "$(sql audition.db "SELECT COUNT(*) FROM account WHERE name = 'linguists'")" 0 "accounts of a team's name"
for mode in good ec; do
    url=$rogue ask 200 nobody "/mode/$mode"
    enter 303 "m-$mode"
    ask 200 "m-$mode" /runs
done
is "$(sql audition.db "SELECT role FROM account WHERE name = 'mallory'")" analyst "mallory"
lacks rogue.log 'code=' 'state='
[ "$(sql audition.db "SELECT COUNT(*) FROM audit WHERE what = 'sign-in-failed'")" -ge 10 ] || fail "what failed is not in the log"
stop "$serve_pid"

echo "a file that cannot be used is refused with its place"
printf 'issuer: http://elsewhere.example\nclient_id: x\nsecret: hunter2\nroles: [{value: a, role: king}]\n' >bad.yaml
audition 1 serve --sso bad.yaml
says err 'bad.yaml:1' 'https://' 'NAME' 'king'
printf 'issuer: https://elsewhere.example\nclient_id: x\n' >bad.yaml
audition 1 serve --sso bad.yaml
says err 'nobody would get in'
audition 0 help sso roles
