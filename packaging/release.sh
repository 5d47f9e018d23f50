#!/usr/bin/env bash
# release.sh  all packages from the tag of this version (`make release`), into dist/.
#
# The tag is v and the version in src/base/version.h; it must be what is checked out, with nothing
# changed. Two clones of it are built, in folders of different names, and must give the same bytes.
# Packages for aarch64 are those of `make cross`, which also builds them twice, if it was run on this commit;
# else they are made here, which needs root. Then come SHA256SUMS, and SHA256SUMS.sig if SIGNING_KEY names a
# private key (Ed25519, PEM):
#
#     openssl genpkey -algorithm ed25519 -out key.pem && openssl pkey -in key.pem -pubout -out public.pem
#     openssl pkeyutl -verify -pubin -inkey public.pem -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig
set -euo pipefail
cd "$(dirname "$0")/.."

dist=$PWD/${DIST:-dist}
version=$(sed -n 's/.*VERSION "\(.*\)"/\1/p' src/base/version.h)
tag=v$version

refuse()
{
    echo "release: $*" >&2
    exit 1
}

commit=$(git rev-parse -q --verify "refs/tags/$tag^{commit}") ||
    refuse "there is no tag $tag; make it with: git tag $tag"
[ "$commit" = "$(git rev-parse HEAD)" ] || refuse "$tag is not what is checked out"
[ -z "$(git status --porcelain --untracked-files=no)" ] || refuse "there are changes that are not committed"
[ -z "${SIGNING_KEY-}" ] || [ -r "$SIGNING_KEY" ] || refuse "SIGNING_KEY: cannot read $SIGNING_KEY"
grep -q "^## \[$version\]" CHANGELOG.md || refuse "CHANGELOG.md has no section [$version]"

[ -z "${SIGNING_KEY-}" ] || SIGNING_KEY=$(realpath "$SIGNING_KEY")
other=$PWD/dist/aarch64
if [ "$commit" != "$(cat "$other/commit" 2>/dev/null)" ]; then
    scripts/cross.sh packages >&2 || refuse "there are no packages for aarch64: see build/machines/cross.log"
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/audition-release.XXXXXX")
trap 'rm -rf "$work"' EXIT
for folder in one another-one; do
    git -c advice.detachedHead=false clone -q --no-hardlinks . "$work/$folder"
    git -C "$work/$folder" checkout -q --detach "$commit"
    make -s -C "$work/$folder" SETUP=no DIST="$work/$folder.dist" packages >"$work/$folder.log" 2>&1 ||
        { tail -n 20 "$work/$folder.log" >&2 && refuse "the packages were not built"; }
done
diff -r "$work/one.dist" "$work/another-one.dist" >&2 || refuse "two builds differ"

# What is of no processor is in both.
cp "$other"/audition* "$work/another-one.dist/"
diff -r "$work/one.dist" "$work/another-one.dist" | grep '^diff\|differ$' >&2 && refuse "the processors have different packages of one name"
rm -rf "$dist"
mkdir -p "$dist"
cp "$work/another-one.dist"/* "$dist/"
git archive --format=tar --prefix="audition-$version/" "$commit" | gzip -9n >"$dist/audition-$version.src.tar.gz"
cd "$dist"
sha256sum -- * >"$work/SHA256SUMS"
mv "$work/SHA256SUMS" .
if [ -n "${SIGNING_KEY-}" ]; then
    openssl pkeyutl -sign -inkey "$SIGNING_KEY" -rawin -in SHA256SUMS -out SHA256SUMS.sig
else
    echo "release: not signed, for SIGNING_KEY is not set" >&2
fi
ls -l
