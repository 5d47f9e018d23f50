#!/usr/bin/env bash
# cross.sh [CHECK...]  the program for aarch64, built on this machine and tried under qemu (`make cross`):
# an evaluation on recorded replies that must give the numbers that x86_64 gives; the packages, built in two
# folders, which must give the same bytes: each is installed and does the same; and every unit test, or those
# that are named (`packages` is none). Packages that are well go to dist/aarch64, with the commit they are of:
# `make release` takes them from there.
#
# Happens in a system from debootstrap, whose cross compiler and libraries of the other processor do not meet
# ours. Needs root, the network, some 3 GB, and half an hour. What PostgreSQL and browsers do is not tried.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
# shellcheck source=scripts/bare.sh
. scripts/bare.sh

[ "$(id -u)" -eq 0 ] || { echo "cross: debootstrap and chroot need root" >&2 && exit 1; }
scripts/setup.sh package || exit

root=build/machines/cross
dist=$root/dist/audition
final=dist/aarch64
log=build/machines/cross.log
machine=aarch64-linux-gnu
commit=$(git rev-parse HEAD) || exit
passed=0 failed=0

# SQLite for our processor too: what makes the schema runs here.
prepare()
{
    local libraries

    libraries=$(for level in test package; do scripts/setup.sh --list $level; done | tr ' ' '\n' | grep -e 'lib.*-dev$' |
        sort -u | sed 's/$/:arm64/' | xargs)
    bare bookworm "$root" || return
    inside "$root" sh -ec "export DEBIAN_FRONTEND=noninteractive
        dpkg --add-architecture arm64
        apt-get -qq update
        apt-get -qq -y install --no-install-recommends gcc libc6-dev libsqlite3-dev pkg-config cracklib-runtime qemu-user-static \
            dpkg-dev python3 xz-utils \
            gcc-$machine libstdc++-12-dev-arm64-cross $libraries" || return
    mkdir "$root/audition" "$root/another" && git archive "$commit" | tar -x -C "$root/audition" && cp -R "$root/audition" "$root/another/"
}

build()
{
    inside "$root" make -s -k -j"$(nproc)" -C /audition SETUP=no CROSS="$machine" "$1"
}

# evaluate PROGRAM...: recorded replies need no network
evaluate()
{
    inside "$root" sh -ec "cd /audition && rm -f /tmp/a.db && program='$*'
        code=0 && \$program run demo/suite.yaml -c demo/models.yaml -m steady -m grand --judge examiner --db /tmp/a.db -q || code=\$?
        [ \$code -eq 3 ] && \$program verify --db /tmp/a.db" | tee "$log.said" && grep -q '8\.54' "$log.said"
}

# packages FOLDER: all of them. Their date is the commit's, as elsewhere.
packages()
{
    inside "$root" env SOURCE_DATE_EPOCH="$(git log -1 --format=%ct "$commit")" MAINTAINER="$(git log -1 --format='%an <%ae>' "$commit")" \
        make -s -C "$1" SETUP=no CROSS="$machine" DIST=/dist"$1" packages
}

twice()
{
    packages /audition && packages /another/audition && diff -r "$root/dist/audition" "$root/dist/another/audition"
}

# unpacked FOLDER: the tree of tarball, wheel or npm package, whose launcher is told of qemu
unpacked()
{
    sed -i 's/^exec /exec qemu-aarch64-static /' "$root$1/bin/audition"
    evaluate "$1/bin/audition"
}

tarball()
{
    mkdir "$root/tarball" && tar -C "$root/tarball" --strip-components=1 -xf "$dist"/audition-*.tar.xz && unpacked /tarball
}

# As pip chooses it for that processor, and npm there; here it wants to be forced.
wheel()
{
    python3 -m venv "$root/venv" &&
        "$root/venv/bin/pip" download -q --disable-pip-version-check --no-deps --no-index --find-links "$dist" --only-binary=:all: \
            --platform manylinux_2_17_aarch64 -d "$root/wheel" audition &&
        python3 -m zipfile -e "$root"/wheel/*.whl "$root/wheel" && mv "$root"/wheel/*.data/data "$root/wheel/tree" &&
        mv "$root"/wheel/*.data/scripts "$root/wheel/tree/bin" && chmod -R +x "$root/wheel/tree" && unpacked /wheel/tree
}

npm_package()
{
    mkdir -p "$root/npm" && npm install --prefix "$root/npm" --no-audit --no-fund --offline --force "$PWD/$dist"/audition-linux-arm64-*.tgz &&
        unpacked /npm/node_modules/@audition/linux-arm64
}

deb()
{
    cp "$dist"/audition_*_arm64.deb "$root/audition.deb"
    inside "$root" sh -c 'DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends /audition.deb' &&
        evaluate qemu-aarch64-static /usr/bin/audition &&
        inside "$root" sh -c 'apt-get -qq -y purge audition && [ ! -e /usr/bin/audition ]'
}

# unit NAME: the lines of its tests
unit()
{
    inside "$root" sh -c "cd /audition && CMOCKA_MESSAGE_OUTPUT=TAP timeout 900 qemu-aarch64-static build/$machine/tests/$1"
}

# step WHAT COMMAND...
step()
{
    local what=$1

    shift
    if "$@" >"$log.step" 2>&1 </dev/null; then
        passed=$((passed + 1))
        echo "ok    $what"
    else
        failed=$((failed + 1))
        echo "FAIL  $what"
        grep -E '^not ok|^# |error|FAILED' "$log.step" | tail -n 20 | sed 's/^/      | /'
    fi
    cat "$log.step" >>"$log"
}

mkdir -p build/machines && : >"$log"
step "a system with a cross compiler" prepare
step "the build" build all
step "an evaluation" evaluate "qemu-aarch64-static build/$machine/audition"
step "packages, twice the same" twice
for package in tarball wheel npm_package deb; do
    step "$package" $package
done
rm -rf "${final:?}"
if [ "$failed" -eq 0 ]; then
    mkdir -p "$final" && cp "$dist"/* "$final/" && echo "$commit" >"$final/commit" || exit
fi
if [ "$*" != packages ]; then
    step "the build of unit tests" build test-programs
    [ $# -gt 0 ] || for program in "$root/audition/build/$machine"/tests/test_*; do
        case $program in *.d | *.o) ;; *) set -- "$@" "${program##*/test_}" ;; esac
    done
    for name; do
        step "$name" unit "test_$name"
    done
fi
rm -rf "$root" "$log.step" "$log.said"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
