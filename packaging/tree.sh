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

# packages HOW: the Debian packages of the files on standard input, with version, source and how they are linked.
# A file is known to dpkg by its name with /usr or without.
packages()
{
    local files

    files=$(sort -u)
    sed 's|^/usr||; p; s|^|/usr|' <<<"$files" | xargs dpkg-query -S 2>/dev/null >"$tree/found" || true
    [ "$(wc -l <"$tree/found")" -eq "$(wc -l <<<"$files")" ] || { echo "tree: not all of these are of a package:" "$files" >&2 && return 1; }
    # shellcheck disable=SC2016 # dpkg expands them
    sed 's/: .*//; s/, /\n/g' "$tree/found" | sort -u | xargs dpkg-query -W -f '${Package} ${Version} ${source:Package} '"$1"'\n' | sort -u
}

# Licences, and a list for the bill of materials: of those libraries, and of the archives that the linker says
# it took something from. Those of libs.sh are made from the sources of the packages that have libcurl.a and libpq.a.
sed 's/^loader //' "$tree/list" | xargs readlink -f | packages bundled >"$tree/bundled"
sed -n 's/^(\(.*\))[^)]*$/\1/p' "$program.linked" | xargs realpath |
    sed "s|.*/packages/libs/|/usr/lib/${CROSS:-$(gcc -print-multiarch)}/|; s|/libpg[a-z]*\.a$|/libpq.a|" | packages static |
    awk 'NR == FNR { bundled[$3] } !($3 in bundled)' "$tree/bundled" - |
    sort - "$tree/bundled" >"$tree/share/doc/audition/libraries.txt"
cut -d ' ' -f 1 "$tree/share/doc/audition/libraries.txt" | while read -r package; do
    cp -L "/usr/share/doc/$package/copyright" "$tree/share/doc/audition/licences/$package"
done
rm "$tree/list" "$tree/found" "$tree/bundled"
cp "$here/../LICENSE" "$tree/share/doc/audition/LICENSE"

for manual in en: zh:zh_CN/ ja:ja/; do
    ${RUN-} "$program" help --man --language "${manual%:*}" >"$tree/share/man/${manual#*:}man1/audition.1"
done
${RUN-} "$program" completion bash >"$tree/share/bash-completion/completions/audition"
${RUN-} "$program" completion zsh >"$tree/share/zsh/site-functions/_audition"
${RUN-} "$program" completion fish >"$tree/share/fish/vendor_completions.d/audition.fish"
