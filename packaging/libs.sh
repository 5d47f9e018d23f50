#!/usr/bin/env bash
# libs.sh DIRECTORY [HOST]  archives of libcurl and libpq for the packages that bring their libraries along.
#
# Debian's own libraries also speak LDAP, Kerberos, RTMP and SSH, and bring twenty more libraries along; the
# program asks for HTTP and for PostgreSQL with a password. These are Debian's sources at the versions whose
# headers are installed, without the rest. HOST (aarch64-linux-gnu) is another processor. Needs the network.
set -euo pipefail
# shellcheck source=packaging/sources.sh
. "$(dirname "$0")/sources.sh"

mkdir -p "$1/src"
out=$(realpath "$1") host=${2:-$(gcc -print-multiarch)}
archives=("$out/libcurl.a" "$out/libpq.a" "$out/libpgcommon.a" "$out/libpgport.a")
cd "$out/src"

# version PACKAGE: the source that it was built from
version()
{
    # shellcheck disable=SC2016 # dpkg expands them
    dpkg-query -W -f '${source:Package}=${source:Version}\n' "$1" | head -n 1
}

# Paths of this folder would tell one build from another.
flags()
{
    echo "-O2 -fPIC -fstack-protector-strong -ffile-prefix-map=$out=."
}

curl()
{
    cd "$out"/src/curl-*/
    ./configure --host="$host" --prefix=/usr --disable-shared --disable-dependency-tracking --enable-threaded-resolver \
        --with-openssl --with-nghttp2 --with-libidn2 --with-zstd --with-zlib \
        --with-ca-bundle=/etc/ssl/certs/ca-certificates.crt --with-ca-path=/etc/ssl/certs \
        --without-{brotli,libpsl,librtmp,libssh2,gssapi} \
        --disable-{ldap,ldaps,dict,file,ftp,gopher,imap,mqtt,ntlm,pop3,rtsp,smb,smtp,telnet,tftp,tls-srp,manual} \
        CFLAGS="$(flags)"
    grep -q 'USE_NGHTTP2 1' lib/curl_config.h # it says nothing where it finds none
    make -C lib
    cp lib/.libs/libcurl.a "$out/"
}

libpq()
{
    cd "$out"/src/postgresql-*/
    ./configure --host="$host" --prefix=/usr --sysconfdir=/etc/postgresql-common --with-ssl=openssl \
        --without-{ldap,gssapi,readline,zlib,icu} CFLAGS="$(flags)"
    make -C src/interfaces/libpq libpq.a
    make -C src/common libpgcommon.a
    make -C src/port libpgport.a
    cp src/interfaces/libpq/libpq.a src/common/libpgcommon.a src/port/libpgport.a "$out/"
}

unset MAKELEVEL MAKEFLAGS # not part of our own build: PostgreSQL makes its headers at the first level alone
export LC_ALL=C.UTF-8 PKG_CONFIG_LIBDIR=/usr/lib/$host/pkgconfig:/usr/share/pkgconfig
sources "$(version libcurl4-openssl-dev)" "$(version libpq-dev)"
(curl)
(libpq)
cd "$out" && rm -rf src
for archive in "${archives[@]}"; do
    [ -s "$archive" ]
done
