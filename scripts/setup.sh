#!/bin/sh
# setup.sh LEVEL         install the Debian packages that LEVEL needs and that are missing
# setup.sh --list LEVEL  only name them
#
# LEVEL is build, test (also what the tests need), check (also what static analysis needs) or package
# (what packages are made and tried with).
# Nothing missing: says nothing. Needs root or sudo; elsewhere it lists the packages and fails.
# SETUP=no skips it, for machines where the same things are there under other names.
set -eu

# level, package, why it is needed
table='
build make                 runs the build
build gcc                  compiles the program
build libc6-dev            headers of the C library
build pkg-config           finds the libraries below
build libcurl4-openssl-dev talks to model servers
build libjansson-dev       reads and writes JSON
build libfyaml-dev         reads suites and models.yaml
build libsqlite3-dev       the default store
build libpq-dev            the PostgreSQL store
build libsodium-dev        hashes and random tokens
build libutf8proc-dev      Unicode normalisation and segmentation
build liblinear-dev        trains classifiers of answers
build zlib1g-dev           unpacks character cards
build libzstd-dev          unpacks logs of other tools
build libpcre2-dev         patterns of cards and of objective judges
build cracklib-runtime     words that no password may be
build libgnutls28-dev      TLS of the server; signatures of single sign-on and passkeys
build libqrencode-dev      shows the secret of a second factor to a camera
test  libcmocka-dev        unit tests
test  postgresql           store tests, on a private server that the tests start and stop
test  iproute2             machines on one machine: networks with links that are cut
test  faketime             clocks that are stepped
test  pgbouncer            workers behind a pool, in front of that server
test  sqlite3              command tests look into the store
test  chromium-headless-shell tests of the pages
test  nodejs               runs the tests of the pages
test  npm                  fetches what they need
test  curl                 command tests send several requests at once, or by other ciphers
test  openssl              a certificate for the server under test
test  oathtool             an authenticator app for the second factor
check clang                the second compiler, and the fuzzers
check libclang-rt-14-dev   sanitizer and fuzzer libraries of clang
check clang-tidy           static analysis
check clang-format         formatting
check cppcheck             static analysis
check shellcheck           static analysis of the scripts
package debootstrap        bare systems to try packages in
package lintian            looks at the .deb
package python3-venv       the wheel, and a real model for demo-live
package busybox-static        a system without a C library, to try the tarball in
package musl-tools         another C library, likewise
package xz-utils           packs the tarball
package dpkg-dev           which packages the .deb needs; unpacks sources
package libssl-dev         TLS of the libcurl and libpq that packages bring
package libnghttp2-dev     HTTP/2 of that libcurl
package libidn2-dev        names of hosts for it
package npm                tries the package for it
package nodejs             runs that
'

fail()
{
    printf 'setup: %s\n' "$*" >&2
    exit 1
}

# The rows of a level; a higher level includes the lower ones.
rows()
{
    case $1 in
    build) set -- '^build ' ;;
    test) set -- '^(build|test) ' ;;
    check) set -- '^(build|test|check) ' ;;
    package) set -- '^(build|package) ' ;;
    *) fail "usage: setup.sh [--list] build|test|check|package" ;;
    esac
    # CC=clang needs that compiler from the first level on.
    case ${CC-} in clang*) set -- "$1|^check (clang|libclang-rt-14-dev) " ;; esac
    printf '%s' "$table" | grep -E "$1"
}

packages()
{
    rows "$1" | awk '{ printf "%s%s", sep, $2; sep = " " }'
}

# Those of the arguments that dpkg does not know as installed.
missing()
{
    for package; do
        state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=none
        # Other packages of node bring npm along, and keep Debian's from being installed.
        [ "$package" != npm ] || ! command -v npm >/dev/null || state=installed
        [ "$state" = installed ] || printf '%s ' "$package"
    done
}

as_root()
{
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

apt()
{
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=120 "$@"
}

# The tests start a server of their own; a freshly installed one must not listen beside it.
no_main_cluster()
{
    dir=/etc/postgresql-common/createcluster.d
    as_root mkdir -p "$dir"
    printf '%s\n' '# Written by scripts/setup.sh of audition: the server package alone is wanted.' \
        'create_main_cluster = false' | as_root tee "$dir/audition.conf" >/dev/null
}

# $1: log file; the rest: packages
install()
{
    log=$1
    shift
    for attempt in 1 2; do
        if apt update >"$log" 2>&1 && apt install --no-install-recommends "$@" >>"$log" 2>&1; then
            return 0
        fi
        [ "$attempt" = 2 ] || sleep 5 # mirrors have bad moments
    done
    tail -n 20 "$log" >&2
    return 1
}

# What the tests of the pages need besides; where it cannot be had, those tests are skipped.
fetch_npm()
{
    dir=$(dirname "$0")/../tests/browser
    case $level in build | package) return ;; esac
    [ ! -d "$dir/node_modules/axe-core" ] || [ ! -d "$dir/node_modules/oidc-provider" ] ||
        [ ! -d "$dir/node_modules/html-validate" ] || return 0
    echo "setup: fetching playwright-core, axe-core, html-validate and oidc-provider with npm, for the tests of the pages"
    (cd "$dir" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) >&2 ||
        echo "setup: npm could not fetch them: those tests will be skipped" >&2
}

by_hand()
{
    fail "$1
Install these yourself (Debian names), then leave this step out, as in \`make SETUP=no test\`:
  $2"
}

if [ "${1-}" = --list ]; then
    packages "${2-}"
    echo
    exit 0
fi
level=${1-}
all=$(packages "$level")
[ -n "$all" ] || exit 1
[ "${SETUP-}" != no ] || exit 0

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    by_hand "this machine has no apt, so nothing can be installed here." "$all"
fi
# shellcheck disable=SC2086 # package names hold no blanks
need=$(missing $all)
if [ -z "$need" ]; then
    fetch_npm
    exit 0
fi
if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    by_hand "packages are missing, and installing them takes root or sudo." "$need"
fi

case $level in
build) purpose='the build' ;;
test) purpose='the build and the tests' ;;
package) purpose='the build and packages' ;;
*) purpose='the build, the tests and static analysis' ;;
esac
# shellcheck disable=SC2086
set -- $need
echo "setup: installing $# packages for $purpose: $*"
for package; do
    rows "$level" | awk -v p="$package" \
        '$2 == p { w = $0; sub(/^[^ ]+ +[^ ]+ +/, "", w); printf "  %-22s %s\n", p, w }'
done
case " $need" in *' postgresql '*) no_main_cluster ;; esac
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install "$log" "$@" || by_hand "apt-get failed; its last words are above." "$need"
fetch_npm
