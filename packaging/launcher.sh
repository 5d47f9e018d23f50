#!/bin/sh
# Starts audition with the libraries and the loader that came with it, so that it asks nothing of the
# C library of this machine. Lies in bin/, what it starts in lib/audition/ beside that.
self=$(readlink -f "$0")
lib=${self%/bin/*}/lib/audition

# Certificates are this machine's own; distributions keep them in different places.
if [ -z "${SSL_CERT_FILE-}${CURL_CA_BUNDLE-}" ] && [ ! -e /etc/ssl/certs/ca-certificates.crt ]; then
    for file in /etc/pki/tls/certs/ca-bundle.crt /etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem /etc/ssl/ca-bundle.pem \
        /etc/ssl/cert.pem; do
        if [ -e "$file" ]; then
            export SSL_CERT_FILE="$file"
            break
        fi
    done
fi
exec "$lib/loader" --inhibit-cache --library-path "$lib" --argv0 "$0" "$lib/audition" "$@"
