#!/usr/bin/env bash
# machines.sh [RELEASE...]  the commands of the README on a bare Debian: `make demo`, then `make test`
# (`make machines`; default: bookworm trixie, which are Debian 12 and 13).
#
# Each release gets a system of its own from debootstrap, with git, make and certificates and nothing
# else, and a clone of what is committed here. Needs root, the network, some 3 GB, and half an hour.
# The logs stay in build/machines.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
# shellcheck source=scripts/bare.sh
. scripts/bare.sh

[ $# -gt 0 ] || set -- bookworm trixie
[ "$(id -u)" -eq 0 ] || { echo "machines: debootstrap and chroot need root" >&2 && exit 1; }
scripts/setup.sh package || exit

out=$PWD/build/machines
failed=0
mkdir -p "$out"

# step RELEASE WHAT COMMAND...: a line, and what the log says if it fails
step()
{
    local release=$1 what=$2 log=$out/$1-${2// /-}.log

    shift 2
    SECONDS=0
    if "$@" >"$log" 2>&1 </dev/null; then
        printf 'ok    %-9s %-10s %4d s  %s\n' "$release" "$what" "$SECONDS" "$(grep -E '^[0-9]+ passed' "$log")"
        return 0
    fi
    printf 'FAIL  %-9s %-10s %4d s\n' "$release" "$what" "$SECONDS"
    grep -A 20 '^FAIL' "$log" | head -n 100 | sed 's/^/      | /'
    tail -n 5 "$log" | sed 's/^/      | /'
    failed=1
    return 1
}

for release; do
    root=$out/$release
    step "$release" "bare system" bare "$release" "$root" || continue
    git clone -q --no-hardlinks . "$root/audition" || exit
    for command in "make demo" "make test"; do
        # shellcheck disable=SC2086 # two words
        step "$release" "$command" inside "$root" $command -C /audition
    done
    rm -rf "$root"
done
exit $failed
