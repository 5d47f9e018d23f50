# shellcheck shell=sh
# cards.sh - files that hold character cards, made with what every system has. Sourced by the scripts
# of tests/cli; for any POSIX shell.

# le BYTES NUMBER, be BYTES NUMBER: a number as bytes, the small or the large end first
le()
{
    left=$1 value=$2
    while [ "$left" -gt 0 ]; do
        # shellcheck disable=SC2059 # the format is the byte
        printf "\\$(printf %03o $((value % 256)))"
        value=$((value / 256)) left=$((left - 1))
    done
}

be()
{
    shift_by=$(($1 * 8))
    while [ "$shift_by" -gt 0 ]; do
        shift_by=$((shift_by - 8))
        # shellcheck disable=SC2059
        printf "\\$(printf %03o $((($2 >> shift_by) & 255)))"
    done
}

size()
{
    wc -c <"$1" | tr -d ' '
}

# crc FILE: its CRC-32, which gzip writes at the end
crc()
{
    gzip -c "$1" | tail -c 8 | head -c 4 | od -An -tu1 | awk '{ printf "%.0f", $1 + 256 * ($2 + 256 * ($3 + 256 * $4)) }'
}

# chunk TYPE FILE: a chunk of a PNG with the file's content
chunk()
{
    { printf %s "$1"; cat "$2"; } >chunk.tmp
    be 4 "$(size "$2")"
    cat chunk.tmp
    be 4 "$(crc chunk.tmp)"
}

# png [KEYWORD CARD]...: a picture of one dot with these texts
png()
{
    printf '\211PNG\r\n\032\n'
    printf '\000\000\000\001\000\000\000\001\010\000\000\000\000' >data.tmp
    chunk IHDR data.tmp
    while [ $# -gt 0 ]; do
        { printf '%s\000' "$1"; base64 <"$2" | tr -d '\n'; } >data.tmp
        chunk tEXt data.tmp
        shift 2
    done
    printf '\170\001\001\002\000\375\377\000\200\001\002\000\201' >data.tmp
    chunk IDAT data.tmp
    : >data.tmp
    chunk IEND data.tmp
}

# zip_head FLAGS NAME FILE: what the two headers of a file in an archive share; it is only stored
zip_head()
{
    le 2 20
    le 2 "$1"
    le 6 0
    le 4 "$(crc "$3")"
    le 4 "$(size "$3")"
    le 4 "$(size "$3")"
    le 2 ${#2}
    le 2 0
}

# archive [-e] [NAME FILE]...: a zip archive; -e: its files say that they are encrypted
archive()
{
    flags=0
    [ "${1-}" != -e ] || { flags=1; shift; }
    : >local.tmp
    : >central.tmp
    files=0
    while [ $# -gt 0 ]; do
        {
            printf 'PK\001\002'
            le 2 20
            zip_head $flags "$1" "$2"
            le 10 0
            le 4 "$(size local.tmp)"
            printf %s "$1"
        } >>central.tmp
        {
            printf 'PK\003\004'
            zip_head $flags "$1" "$2"
            printf %s "$1"
            cat "$2"
        } >>local.tmp
        files=$((files + 1))
        shift 2
    done
    cat local.tmp central.tmp
    printf 'PK\005\006'
    le 4 0
    le 2 $files
    le 2 $files
    le 4 "$(size central.tmp)"
    le 4 "$(size local.tmp)"
    le 2 0
}
