#!/usr/bin/env bash
# pack.sh KIND...  make packages of what `make pack-programs` has built, in dist/: tarball, wheel, npm, deb, sbom; or all.
#
# Everything in them has the time of the last commit and the order of names, so that two builds of the
# same sources are equal byte for byte. BUILD names the build folder, DIST where the packages go, CROSS
# (aarch64-linux-gnu) what they were built for elsewhere: what the program says of itself it says under qemu.
set -euo pipefail
cd "$(dirname "$0")/.."

work=${BUILD:-build}/packages
program=$work/audition
dist=${DIST:-dist}
version=$(sed -n 's/.*VERSION "\(.*\)"/\1/p' src/base/version.h)
machine=$(uname -m)
[ -z "${CROSS-}" ] || machine=${CROSS%%-*} RUN=qemu-$machine-static
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH RUN=${RUN-} MACHINE=$machine LC_ALL=C.UTF-8 TZ=UTC
umask 022
mkdir -p "$dist" "$work"

# archive DIRECTORY NAME: of it, on standard output
archive()
{
    tar -C "$1" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
        --format=ustar -cf - "$2"
}

tree()
{
    [ ! "$work/tree" -nt "$program" ] || return 0
    packaging/tree.sh "$program" "$work/tree.new" # half of one must not be taken for a tree
    rm -rf "$work/tree"
    mv "$work/tree.new" "$work/tree"
}

tarball()
{
    local name=audition-$version-linux-$machine

    tree
    rm -rf "${work:?}/$name"
    cp -R "$work/tree" "$work/$name"
    archive "$work" "$name" | xz -6 >"$dist/$name.tar.xz"
    echo "$dist/$name.tar.xz"
}

wheel()
{
    tree
    python3 packaging/wheel.py "$work/tree" "$dist"
}

# npm_package NAME FOLDER: a tarball as `npm pack` makes it
npm_package()
{
    local file=$dist/$1-$version.tgz

    archive "$2" package | gzip -9n >"$file"
    echo "$file"
}

npm()
{
    local cpu=x64 os common

    [ "$machine" != aarch64 ] || cpu=arm64
    common="\"version\": \"$version\", \"license\": \"MIT\", \"description\": \"Measures how well a language model plays a role\""
    os=linux-$cpu
    tree
    rm -rf "$work/npm"
    mkdir -p "$work/npm/program" "$work/npm/main/package"
    cp -R "$work/tree" "$work/npm/program/package"
    printf '{"name": "@audition/%s", %s, "os": ["linux"], "cpu": ["%s"]}\n' "$os" "$common" "$cpu" \
        >"$work/npm/program/package/package.json"
    npm_package "audition-$os" "$work/npm/program"
    install -m 755 packaging/npm/audition.js "$work/npm/main/package/audition.js"
    cp LICENSE README.md "$work/npm/main/package/"
    printf '{"name": "audition", %s, "bin": {"audition": "audition.js"}, "engines": {"node": ">=18"}, "optionalDependencies": {"@audition/linux-x64": "%s", "@audition/linux-arm64": "%s"}}\n' \
        "$common" "$version" "$version" >"$work/npm/main/package/package.json"
    npm_package audition "$work/npm/main"
}

deb()
{
    packaging/deb.sh "$program-shared" "$work/deb" "$dist" "$version"
}

sbom()
{
    local file=$dist/audition-$version-linux-$machine.cdx.json

    tree
    python3 packaging/sbom.py "$work/tree" "$version" >"$file"
    echo "$file"
}

[ "$*" != all ] || set -- tarball wheel npm deb sbom
for kind; do
    case $kind in
    tarball | wheel | npm | deb | sbom) "$kind" ;;
    *) echo "pack: there is no package '$kind'; available: tarball wheel npm deb sbom" >&2 && exit 2 ;;
    esac
done
