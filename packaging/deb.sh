#!/usr/bin/env bash
# deb.sh PROGRAM WORK DIST VERSION  a Debian package of the program, linked to Debian's libraries: manual
# page, completions, and a systemd unit that waits to be enabled. Prints its name.
set -euo pipefail

program=$1 work=$2 dist=$3 version=$4
here=$(dirname "$0")
target=(dpkg-architecture ${CROSS:+-t "$CROSS"})
arch=$("${target[@]}" -q DEB_HOST_ARCH)
root=$work/root
doc=$root/usr/share/doc/audition
maintainer=${MAINTAINER:-$(git log -1 --format="%an <%ae>")}
when=$(date -u -R -d "@$SOURCE_DATE_EPOCH")

rm -rf "$work"
mkdir -p "$root/DEBIAN" "$doc" "$work/debian"
install -D -m 755 "$program" "$root/usr/bin/audition"
install -D -m 644 "$here/debian/audition.service" "$root/lib/systemd/system/audition.service"
install -D -m 644 "$here/debian/default" "$root/etc/default/audition"
mkdir -p "$root"/usr/share/{man/man1,man/zh_CN/man1,man/ja/man1,bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}
for manual in en: zh:zh_CN/ ja:ja/; do
    ${RUN-} "$program" help --man --language "${manual%:*}" | gzip -9n >"$root/usr/share/man/${manual#*:}man1/audition.1.gz"
done
${RUN-} "$program" completion bash >"$root/usr/share/bash-completion/completions/audition"
${RUN-} "$program" completion zsh >"$root/usr/share/zsh/vendor-completions/_audition"
${RUN-} "$program" completion fish >"$root/usr/share/fish/vendor_completions.d/audition.fish"

{
    printf '%s\n' 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/' \
        'Upstream-Name: audition' '' 'Files: *' 'Copyright: 2026 audition contributors' 'License: Expat'
    sed -n '5,$ { s/^$/./; s/^/ /; p; }' "$here/../LICENSE"
} >"$doc/copyright"
printf 'audition (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$when" | gzip -9n >"$doc/changelog.gz"
gzip -9n <"$here/../CHANGELOG.md" >"$doc/CHANGELOG.md.gz"

# Which packages hold the libraries, and from which version on.
printf 'Source: audition\n\nPackage: audition\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && "${target[@]}" -c dpkg-shlibdeps -O root/usr/bin/audition 2>/dev/null | sed 's/^shlibs:Depends=//')
cat >"$root/DEBIAN/control" <<END
Package: audition
Version: $version
Architecture: $arch
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f 1)
Depends: $depends
Suggests: postgresql
Section: science
Priority: optional
Description: measures how well a language model plays a role
 audition asks language models to play a role, has the answers judged by
 models, by rules or by people who do not know who wrote them, and shows
 scores with intervals that can be computed again from what was stored.
 .
 The package contains the program, a systemd unit for its pages, and
 completions for bash, zsh and fish.
END
echo /etc/default/audition >"$root/DEBIAN/conffiles"
install -m 755 "$here/debian/postrm" "$here/debian/prerm" "$root/DEBIAN/"
(cd "$root" && find . -type f ! -path './DEBIAN/*' -printf '%P\n' | sort | xargs md5sum) >"$root/DEBIAN/md5sums"
chmod 644 "$root"/DEBIAN/{control,conffiles,md5sums} "$doc"/* "$root"/usr/share/{man/man1,man/zh_CN/man1,man/ja/man1,bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}/*
find "$root" -type d -exec chmod 755 {} +
file=$dist/audition_${version}_$arch.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$file" >/dev/null
echo "$file"
