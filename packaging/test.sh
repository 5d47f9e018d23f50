#!/usr/bin/env bash
# test.sh [NAME...]  the packages of dist/, each in a clean environment (`make test-packages`): deb,
# tarball, wheel, npm_package, release; and, if named, container. Needs root and the network for the systems of debootstrap and for pandas.
#
# A line per package with its installed size and the time of a start (the fastest of 21 times
# `audition --version`), and the output of those that fail. As for other tests 77 means skipped.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
# shellcheck source=scripts/bare.sh
. scripts/bare.sh
# shellcheck source=packaging/sources.sh
. packaging/sources.sh

dist=${DIST:-dist}
work=$(mktemp -d "${TMPDIR:-/tmp}/audition-packages.XXXXXX")
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

one_of()
{
    [ -e "$1" ] || { echo "there is no ${1##*/} in $dist; make packages" && exit 1; }
    echo "$1"
}

# An evaluation on recorded replies, as the package would be used: COMMAND... is the program.
evaluates()
{
    "$@" run demo/suite.yaml -c demo/models.yaml -m steady -m grand --judge examiner --db /tmp/a.db -q >/tmp/out
    [ $? -eq 3 ] && grep -q '8\.54' /tmp/out && "$@" verify --db /tmp/a.db
}

# as_installed ROOT [LAUNCHER]: version and evaluation in the system ROOT
as_installed()
{
    rm -rf "$1/demo" && cp -R demo "$1/demo" || return
    declare -f evaluates >"$1/evaluates.sh"
    echo 'cd / && audition --version && evaluates audition' >>"$1/evaluates.sh"
    inside "$1" /bin/sh /evaluates.sh
}

# start_ms COMMAND...: the fastest of 21, whatever else the machine does
start_ms()
{
    python3 - "$@" <<'END'
import subprocess, sys, time
times = []
for _ in range(21):
    begin = time.perf_counter()
    subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
    times.append((time.perf_counter() - begin) * 1000)
print(f"{min(times):.1f} ms")
END
}

figures()
{
    echo "FIGURES $1, $(start_ms "${@:2}") a start"
}

# ---- the packages

deb()
{
    local file root=$work/deb

    file=$(one_of "$dist"/audition_*.deb) || return
    [ -z "$(lintian --tag-display-limit 0 "$file" 2>/dev/null)" ] || { lintian "$file" && return 1; }
    lintian -q --fail-on error,warning "$file" 2>/dev/null || return
    bare bookworm "$root" || return
    cp "$file" "$root/audition.deb"
    inside "$root" apt-get -qq update || return
    inside "$root" sh -c 'DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends /audition.deb man-db systemd' || return
    as_installed "$root" || return
    inside "$root" systemd-analyze verify audition.service || return
    inside "$root" sh -c '[ -s /etc/default/audition ] && [ -s /usr/share/man/man1/audition.1.gz ] &&
        bash -n /usr/share/bash-completion/completions/audition && mkdir -p /var/lib/private/audition &&
        apt-get -qq -y purge audition && ! dpkg -s audition' >/dev/null 2>&1 || return
    # shellcheck disable=SC2016 # the inner shell expands it
    inside "$root" sh -c 'left=$(find / -xdev -path /demo -prune -o -path /var/cache/man -prune -o -name "*audition*" ! -path "/proc/*" ! -path "/dev/*" ! -path /audition.deb -print)
        [ -z "$left" ] || { echo "left behind: $left" && exit 1; }' || return
    dpkg-deb -x "$file" "$work/deb-files"
    figures "$(du -sh "$work/deb-files" | cut -f 1) without libraries" "$work/deb-files/usr/bin/audition" --version
}

# small ROOT BUSYBOX: a system of these tools
small()
{
    local tool

    mkdir -p "$1/bin" "$1/usr/bin" "$1/tmp" "$1/opt"
    cp "$2" "$1/bin/busybox"
    for tool in sh env readlink grep rm cat ls; do
        ln -s /bin/busybox "$1/bin/$tool"
        ln -s /bin/busybox "$1/usr/bin/$tool"
    done
    cp -R "$work/tarball" "$1/opt/audition"
    ln -s /opt/audition/bin/audition "$1/usr/bin/audition"
}

# musl_busybox: its tools, linked to Debian's musl
musl_busybox()
{
    local option

    mkdir "$work/busybox" && cd "$work/busybox" && sources busybox && cd busybox-*/ && make -s allnoconfig || return
    for option in ASH SH_IS_ASH ASH_ECHO ASH_TEST FEATURE_SH_MATH ENV READLINK FEATURE_READLINK_FOLLOW GREP RM CAT LS LFS; do
        sed -i "s/^# CONFIG_$option is not set/CONFIG_$option=y/" .config
    done
    (yes "" || true) | make -s oldconfig &&
        make -s CC="musl-gcc -idirafter /usr/include -idirafter /usr/include/$(gcc -print-multiarch)" busybox
}

# What is in the tarball does what the program of a build does: HTTP/2, every dialect, TLS, PostgreSQL.
does_the_same()
{
    local test status

    for test in 37-http2 38-dialects 95-serve 93-postgres; do
        mkdir -p "$work/$test/home" && status=0
        (cd "$work/$test" && HOME=$work/$test/home REPO=$OLDPWD AUDITION=$work/tarball/bin/audition \
            MOCKLLM=$OLDPWD/build/tests/mockllm "$OLDPWD/tests/pg.sh" "$OLDPWD/tests/cli/$test.sh") || status=$?
        [ $status -eq 0 ] || [ $status -eq 77 ] || return
    done
}

tarball()
{
    local file

    file=$(one_of "$dist"/audition-*-linux-"$(uname -m)".tar.xz) || return
    mkdir "$work/tarball"
    tar -C "$work/tarball" --strip-components=1 -xf "$file"

    echo "a C library older than ours (Debian 11, glibc 2.31)"
    bare bullseye "$work/old" || return
    cp -R "$work/tarball/." "$work/old/usr/local/"
    as_installed "$work/old" || return

    echo "no C library at all: a shell that is linked statically, and nothing else"
    small "$work/none" /bin/busybox
    as_installed "$work/none" || return

    echo "musl"
    (musl_busybox) || return
    small "$work/musl" "$work"/busybox/busybox-*/busybox
    mkdir "$work/musl/lib" && cp -L /lib/ld-musl-* "$work/musl/lib/" || return
    as_installed "$work/musl" || return

    echo "nothing that it does not need"
    ! find "$work/tarball" | grep -E 'lib(ldap|krb5|gssapi|rtmp|ssh2|sasl)' || return
    does_the_same || return
    figures "$(du -sh "$work/tarball" | cut -f 1)" "$work/tarball/bin/audition" --version
}

wheel()
{
    local file venv=$work/venv

    file=$(one_of "$dist"/audition-*"_$(uname -m).whl") || return
    python3 -m venv "$venv" || return
    "$venv/bin/pip" install -q --disable-pip-version-check "$file" || return
    "$venv/bin/audition" --version || return
    "$venv/bin/pip" install -q --disable-pip-version-check pandas pyarrow pytest mypy ||
        { echo "pandas cannot be had here" && return 77; }
    cp -R demo "$work/demo"
    (cd "$work" && "$venv/bin/python" -m pytest -q -p no:cacheprovider "$OLDPWD/packaging/test_audition.py") || return
    "$venv/bin/mypy" --strict --ignore-missing-imports --cache-dir "$work/mypy" packaging/python/audition || return
    figures "$(du -ch "$venv"/lib/audition "$venv"/lib/python*/site-packages/audition | tail -n 1 | cut -f 1)" \
        "$venv/bin/audition" --version
}

npm_package()
{
    local main program

    command -v npm >/dev/null || { echo "npm is not installed" && return 77; }
    main=$(one_of "$dist"/audition-[0-9]*.tgz) && program=$(one_of "$dist"/audition-linux-"$(node -p process.arch)"-*.tgz) || return
    mkdir "$work/npm"
    main=$(realpath "$main") program=$(realpath "$program")
    (cd "$work/npm" && npm init -y && npm install --no-audit --no-fund --offline --omit=optional "$program" "$main" &&
        npx --no-install audition --version) || return
    cp -R demo "$work/npm/demo"
    (cd "$work/npm" && evaluates npx --no-install audition) || return
    figures "$(du -sh "$work/npm/node_modules" | cut -f 1)" "$work/npm/node_modules/.bin/audition" --version
}

# All from a tag, signed with a key of the moment; what was changed afterwards is found out.
release()
{
    local clone=$work/clone

    git clone -q --no-hardlinks . "$clone" && mkdir -p "$clone/dist" "$clone/build/machines" || return
    # What is there already of the other processor need not be made again; a release looks at the commit.
    cp -R dist/aarch64 "$clone/dist/" 2>/dev/null || cp build/machines/bookworm.tar "$clone/build/machines/" || true
    cd "$clone" || return
    ! packaging/release.sh || return
    git tag "v$(sed -n 's/.*VERSION "\(.*\)"/\1/p' src/base/version.h)"
    openssl genpkey -algorithm ed25519 -out "$work/key.pem" &&
        openssl pkey -in "$work/key.pem" -pubout -out "$work/public.pem" || return
    SIGNING_KEY=$work/key.pem packaging/release.sh && cd dist || return
    sha256sum -c SHA256SUMS || return
    openssl pkeyutl -verify -pubin -inkey "$work/public.pem" -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig || return
    echo >>SHA256SUMS
    ! openssl pkeyutl -verify -pubin -inkey "$work/public.pem" -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig || return
    [ "$(find . -name '*aarch64*' -o -name '*arm64*' | wc -l)" -eq 5 ] || { echo "not all of aarch64" && ls && return 1; }
    echo "FIGURES two builds equal, $(find . -type f | wc -l) files"
}

# In a network of its own, where 0.0.0.0 is nobody else: the program answers, as a user without rights.
container_serves()
{
    local program pid wall

    ip link set lo up
    program=$(buildah inspect --format '{{.OCIv1.Config.Entrypoint}}' "$1" | tr -d '[]')
    # shellcheck disable=SC2086 # words of a command
    buildah run --isolation chroot --cap-drop all "$1" -- $program --public-url https://rate.example.org -v >server.log 2>&1 &
    for _ in {1..150}; do
        ! curl -fsS -m 5 -D head -H 'Host: rate.example.org' http://127.0.0.1:8080/healthz || break
        sleep 0.2
    done
    cat server.log
    grep '^Content-Security-Policy' head && pid=$(pgrep -xn audition) || return
    for wall in 'Uid:[[:space:]]*[1-9]' 'CapEff:[[:space:]]*0*$' 'NoNewPrivs:[[:space:]]*1' 'Seccomp:[[:space:]]*2'; do
        grep "^$wall" "/proc/$pid/status" || return
    done
    kill "$pid" && wait
}

# Built from the committed files on a system of debootstrap, which stands in for the registry's image, by
# Debian's buildah without a runtime, which works where no container could be started. What `podman run`
# closes besides (a file system that is only read, limits) is not tried.
container()
{
    local base new

    command -v buildah >/dev/null || { echo "buildah is not installed" && return 77; }
    printf '[storage]\ndriver = "vfs"\nrunroot = "%s/run"\ngraphroot = "%s/graph"\n' "$work" "$work" >"$work/storage.conf"
    export CONTAINERS_STORAGE_CONF=$work/storage.conf
    bare bookworm "$work/base" || return
    base=$(buildah from scratch) && buildah add -q "$base" "$work/base" / && buildah commit -q --rm "$base" docker.io/library/debian:12-slim || return
    rm -rf "$work/base"
    mkdir "$work/source" && git archive HEAD | tar -x -C "$work/source" || return
    buildah build -q --isolation chroot --pull-never -f packaging/container/Containerfile -t audition "$work/source" || return
    new=$(buildah from --pull-never localhost/audition) || return
    declare -f container_serves >"$work/serves.sh"
    # shellcheck disable=SC2016 # the inner shell expands it
    (cd "$work" && timeout 120 unshare --net --pid --mount-proc --fork --kill-child \
        bash -c '. ./serves.sh && container_serves "$1"' - "$new") || return
    echo "FIGURES $(buildah images --format '{{.Size}}' localhost/audition)"
}

[ $# -gt 0 ] || set -- deb tarball wheel npm_package release
[ "$(id -u)" -eq 0 ] || { echo "test-packages: chroot needs root" >&2 && exit 1; }
for name; do
    status=0
    rm -f /tmp/a.db /tmp/a.db-wal /tmp/a.db-shm
    (set -e && trap - EXIT && "$name") >"$work/$name.log" 2>&1 </dev/null || status=$?
    case $status in
    0) passed=$((passed + 1)) && echo "ok    $name ($(sed -n 's/^FIGURES //p' "$work/$name.log"))" ;;
    77) skipped=$((skipped + 1)) && echo "skip  $name ($(tail -n 1 "$work/$name.log"))" ;;
    *)
        failed=$((failed + 1))
        echo "FAIL  $name: ended with status $status"
        tail -n 60 "$work/$name.log" | sed 's/^/      | /'
        ;;
    esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
