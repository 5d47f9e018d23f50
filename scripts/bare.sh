# shellcheck shell=bash
# bare.sh - systems with nothing on them but what debootstrap leaves. Sourced by scripts that need root.

# bare RELEASE ROOT: a fresh one, with git, make and certificates; what was fetched once is kept
bare()
{
    local kept=build/machines/$1.tar

    rm -rf "$2"
    mkdir -p "$2" "${kept%/*}"
    if [ ! -f "$kept" ]; then
        debootstrap --variant=minbase --include=git,make,ca-certificates "$1" "$2" || return
        tar -C "$2" -cf "$kept.new" . && mv "$kept.new" "$kept"
        return
    fi
    tar -C "$2" -xf "$kept"
}

# inside ROOT COMMAND...: what it mounts and starts ends with it
inside()
{
    local root=$1

    shift
    # shellcheck disable=SC2016 # the inner shell expands them
    unshare --mount --pid --fork --kill-child sh -ec '
        root=$1
        shift
        mkdir -p "$root/proc" "$root/dev" "$root/etc" "$root/tmp"
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        cp -L /etc/resolv.conf "$root/etc/resolv.conf"
        # Whom this machine trusts: networks may have an authority of their own, of which node and pip must be told.
        trusted=/etc/ssl/certs/ca-certificates.crt
        [ ! -e "$root$trusted" ] || [ ! -e $trusted ] || cp -L $trusted "$root$trusted"
        exec chroot "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
            NODE_EXTRA_CA_CERTS=$trusted PIP_CERT=$trusted "$@"
    ' - "$root" "$@"
}
