#!/usr/bin/env bash
# Conversations on PostgreSQL. The dialogue and the scene of the demo: the same numbers, and nothing that differs. Then the scripts about
# conversations once more (113 has its own), with a program in front of ours that gives each of their files a database instead.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
[ -n "${AUDITION_TEST_PG-}" ] || skip "no PostgreSQL"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"
command -v psql >/dev/null || skip "psql is not installed"

cp -R "$REPO/demo" .
for db in "$AUDITION_TEST_PG" here.db; do
    audition 0 run demo/dialogue.yaml -c demo/models.yaml -m talker --judge listener --quiet --db "$db"
    audition 0 chart drift latest --db "$db" --json
    cat out >>"drift.$([ "$db" = here.db ] && echo db || echo pg)"
    audition 0 verify latest --db "$db"
    says out 'no differences'
    audition 0 run demo/scene.yaml -c demo/models.yaml -m talker --quiet --db "$db"
    audition 0 flag latest --db "$db"
    says out 'knowledge' 'box'
    audition 0 verify latest --db "$db"
    says out 'no differences'
done
sort -u drift.* >both
[ "$(wc -l <both)" = "$(wc -l <drift.db)" ] || fail "the two databases give different numbers"

echo "== the scripts about conversations"
server=${AUDITION_TEST_PG#*\?} base=${AUDITION_TEST_PG#postgresql:///}
base=${base%%\?*}
mkdir bin
# A file that says "postgres" stands for the database; who removes it begins anew.
cat >bin/audition <<END
#!/usr/bin/env bash
args=()
while [ \$# -gt 0 ]; do
    args+=("\$1")
    if [ "\$1" = --db ]; then
        name=${base}_\$(printf '%s' "\$PWD/\$2" | md5sum | cut -c 1-12)
        if [ ! -e "\$2" ]; then
            psql -qX -d "$AUDITION_TEST_PG" -c "DROP DATABASE IF EXISTS \$name" \\
                -c "CREATE DATABASE \$name TEMPLATE ${AUDITION_TEST_MADE:-template1} STRATEGY file_copy" 2>/dev/null || exit 1
            echo "postgres postgresql:///\$name?$server" >"\$2"
        fi
        args+=("postgresql:///\$name?$server")
        rm -f "$PWD/\$name.copy"*
        echo \$\$ >>"$PWD/\$name.users"
        shift
    fi
    shift
done
exec "$AUDITION" "\${args[@]}"
END
# What is asked about such a file is asked about a copy of the database, which is kept while nobody works there; what is
# changed is changed there.
cat >bin/sqlite3 <<END
#!/usr/bin/env bash
args=() copy=
for arg; do
    if [ -f "\$arg" ] && read -r kind url <"\$arg" 2>/dev/null && [ "\$kind" = postgres ]; then
        copy=\${url#postgresql:///} copy=$PWD/\${copy%%\?*}
        case \${!#} in UPDATE* | DELETE* | INSERT*) rm -f "\$copy.copy"* && exec psql -qX -d "\$url" -c "\${!#}" ;; esac
        busy=\$(kill -0 \$(cat "\$copy.users") 2>/dev/null && echo yes)
        [ -z "\$busy" ] || rm -f "\$copy.copy"*
        [ -e "\$copy.copy" ] || "$AUDITION" db copy "\$copy.copy" --db "\$url" >/dev/null || exit 1
        arg=\$copy.copy
    fi
    args+=("\$arg")
done
"$(command -v sqlite3)" "\${args[@]}"
status=\$?
[ -z "\$copy" ] || [ -z "\$busy" ] || rm -f "\$copy.copy"*
exit \$status
END
chmod +x bin/*
for script in 41-dialogue 42-drift 43-cast 44-battle-talk 111-logs 112-items-from; do
    mkdir "$script"
    (cd "$script" && PATH=$PWD/../bin:$PATH AUDITION=$PWD/../bin/audition exec "$REPO/tests/cli/$script.sh") >"$script.log" 2>&1 || {
        tail -n 40 "$script.log"
        fail "$script on PostgreSQL"
    }
    grep -rlq '^postgres ' "$script" || fail "$script had no database"
done
