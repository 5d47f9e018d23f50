#!/usr/bin/env bash
# tree.sh PROGRAM DIRECTORY  the program with every library it needs, for machines without them.
#
# bin/audition starts it, lib/audition holds program, libraries and loader, share the manual page,
# completions, and what their licences ask for. The tarball, the wheel and the npm package are this
# tree in three wrappings.
set -euo pipefail

program=$1 tree=$2
here=$(dirname "$0")
lib=$tree/lib/audition

rm -rf "$tree"
mkdir -p "$tree/bin" "$lib" "$tree"/share/man/{,zh_CN/,ja/}man1 "$tree/share/doc/audition/licences" \
    "$tree/share/bash-completion/completions" "$tree/share/zsh/site-functions" \
    "$tree/share/fish/vendor_completions.d"
install -m 755 "$here/launcher.sh" "$tree/bin/audition"
install -m 755 "$program" "$lib/audition"

# Every library, and the loader that finds them, as the loader itself says; RUN is how programs of another
# processor are started.
LD_TRACE_LOADED_OBJECTS=1 ${RUN-} "$program" | awk '$2 == "=>" { print $3 } $1 ~ /^\// { print "loader", $1 }' >"$tree/list"
while read -r name path; do
    case $name in
    loader) install -m 755 "$(readlink -f "$path")" "$lib/loader" ;;
    *) install -m 644 "$(readlink -f "$name")" "$lib/$(basename "$name")" ;;
    esac
done <"$tree/list"

# Which Debian packages those are from, and which archives are linked in: their licences, and a list for
# the bill of materials.
sed 's/^loader //' "$tree/list" | xargs -n 1 readlink -f | sed 's|^/usr||' |
    xargs -I{} sh -c 'dpkg-query -S "/usr{}" 2>/dev/null || dpkg-query -S "{}"' | sed 's/: .*//' | sort -u >"$tree/packages"
# shellcheck disable=SC2016 # dpkg expands them
xargs dpkg-query -W -f '${Package} ${Version} ${source:Package} bundled\n' <"$tree/packages" | sort -u >"$tree/bundled"
# shellcheck disable=SC2016 # dpkg expands them
"$here/../scripts/setup.sh" --list package | tr ' ' '\n' | grep -e 'lib.*-dev$' |
    xargs dpkg-query -W -f '${Package} ${Version} ${source:Package} static\n' 2>/dev/null | sort -u |
    awk 'NR == FNR { bundled[$3] } !($3 in bundled)' "$tree/bundled" - |
    sort - "$tree/bundled" >"$tree/share/doc/audition/libraries.txt" || true # one that is not installed
cut -d ' ' -f 1 "$tree/share/doc/audition/libraries.txt" | while read -r package; do
    cp -L "/usr/share/doc/$package/copyright" "$tree/share/doc/audition/licences/$package"
done
rm "$tree/list" "$tree/packages" "$tree/bundled"
cp "$here/../LICENSE" "$tree/share/doc/audition/LICENSE"

for manual in en: zh:zh_CN/ ja:ja/; do
    ${RUN-} "$program" help --man --language "${manual%:*}" >"$tree/share/man/${manual#*:}man1/audition.1"
done
${RUN-} "$program" completion bash >"$tree/share/bash-completion/completions/audition"
${RUN-} "$program" completion zsh >"$tree/share/zsh/site-functions/_audition"
${RUN-} "$program" completion fish >"$tree/share/fish/vendor_completions.d/audition.fish"
