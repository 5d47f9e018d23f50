#!/usr/bin/env bash
# cross.sh [CHECK...]  the program for aarch64, built on this machine and tried under qemu (`make cross`):
# every unit test, or those that are named, and an evaluation on recorded replies that must give the numbers
# that x86_64 gives.
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
log=build/machines/cross.log
machine=aarch64-linux-gnu
passed=0 failed=0

# Archives of our processor are needed too: the generator runs here.
prepare()
{
    local libraries

    libraries=$(scripts/setup.sh --list test | tr ' ' '\n' | grep -e '-dev$' | sed 's/$/:arm64/' | xargs)
    bare bookworm "$root" || return
    inside "$root" sh -ec "export DEBIAN_FRONTEND=noninteractive
        dpkg --add-architecture arm64
        apt-get -qq update
        apt-get -qq -y install --no-install-recommends gcc libc6-dev pkg-config cracklib-runtime qemu-user-static \
            gcc-$machine libstdc++-12-dev-arm64-cross $libraries" || return
    mkdir "$root/audition" && git archive HEAD | tar -x -C "$root/audition"
}

build()
{
    # shellcheck disable=SC2016 # the inner shell expands it
    inside "$root" sh -ec 'cd /audition && make -s -k -j"$(nproc)" SETUP=no CROSS='"$machine"' test-programs'
}

# Runs inside: recorded replies need no network.
evaluate()
{
    inside "$root" sh -ec "cd /audition && program='qemu-aarch64-static build/$machine/audition'
        code=0 && \$program run demo/suite.yaml -c demo/models.yaml -m steady -m grand --judge examiner --db /tmp/a.db -q || code=\$?
        [ \$code -eq 3 ] && \$program verify --db /tmp/a.db"
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
step "the build" build
step "an evaluation" evaluate
grep -q '8\.54' "$log" || { failed=$((failed + 1)) && echo "FAIL  another score than on x86_64"; }
[ $# -gt 0 ] || for program in "$root/audition/build/$machine"/tests/test_*; do
    case $program in *.d | *.o) ;; *) set -- "$@" "${program##*/test_}" ;; esac
done
for name; do
    step "$name" unit "test_$name"
done
rm -rf "$root" "$log.step"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
