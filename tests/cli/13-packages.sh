#!/usr/bin/env bash
# The tree that tarball, wheel and npm package wrap: it starts the program with libraries of its own, and
# wrapping it twice gives the same bytes. The packages themselves: `make test-packages`.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v python3 >/dev/null || skip "python3 is not installed"
! ldd "$AUDITION" | grep -qE 'libasan|libubsan|libtsan' || skip "a build with sanitizers is not packed"

"$REPO/packaging/tree.sh" "$AUDITION" tree
status 0 env -i tree/bin/audition --version
says out "$("$AUDITION" --version)"
# Every library is its own, and so is the loader.
env -i tree/lib/audition/loader --inhibit-cache --library-path "$PWD/tree/lib/audition" --list tree/lib/audition/audition >libraries
[ "$(grep -c '=>' libraries)" -gt 10 ] || fail "no libraries"
! grep '=>' libraries | grep -v 'tree/lib/audition/' || fail "a library of this machine"
for package in libc6 libsqlite3-dev; do
    test -s tree/share/doc/audition/licences/$package || fail "no licence of $package"
done
grep -qE '^libcurl4(t64)? .* bundled$' tree/share/doc/audition/libraries.txt || fail "libcurl4 is not in the list"
grep -q '^libsqlite3-dev .* static$' tree/share/doc/audition/libraries.txt || fail "what is linked in is not in the list"
is "$(cut -d ' ' -f 3,4 tree/share/doc/audition/libraries.txt | sort -u | cut -d ' ' -f 1 | uniq -d)" "" "sources of both kinds"

echo "every archive that the linker took something from, and every library, is in the bill of materials"
export SOURCE_DATE_EPOCH=1700000000
python3 "$REPO/packaging/sbom.py" tree 0 >sbom
sed -n 's/^(\(.*\))[^)]*$/\1/p' "$AUDITION.linked" | sort -u >archives
ldd "$AUDITION" | awk '$2 == "=>" { print $3; print "/usr" $3 }' >>archives
# shellcheck disable=SC2016 # dpkg expands it
xargs dpkg-query -S <archives 2>/dev/null | sed 's/: .*//; s/,.*//' | sort -u | xargs dpkg-query -W -f '${source:Package}\n' | sort -u >linked
python3 -c 'import json, sys
for part in json.load(sys.stdin)["components"]:
    print(part["properties"][0]["value"])' <sbom | sort -u >sources
diff linked sources || fail "the bill of materials is not what was linked"
# Not only by the linker's word.
for symbol in sqlite3_open:sqlite3 json_loads:jansson pcre2_match_8:pcre2 train:liblinear daxpy_:lapack; do
    ! nm "$AUDITION" | grep -q " T ${symbol%:*}$" || grep -qx "${symbol#*:}" sources || fail "no $symbol in the bill of materials"
done

echo "an evaluation, through a link from elsewhere, with an exit code of its own"
mkdir bin
ln -s ../tree/bin/audition bin/audition
status 3 env -i bin/audition run "$REPO/demo/suite.yaml" -c "$REPO/demo/models.yaml" -m steady -m grand \
    --judge examiner --db a.db -q
says out 8.54
says err "bin/audition run --resume"

echo "the same bytes twice"
for n in 1 2; do
    python3 "$REPO/packaging/wheel.py" tree "wheel$n" 1 >/dev/null
    python3 "$REPO/packaging/sbom.py" tree 0 >"sbom$n"
    sleep 1 # a second in which the time of a file could change
    touch tree/lib/audition/*
done
cmp wheel1/*.whl wheel2/*.whl || fail "two wheels"
cmp sbom1 sbom2 || fail "two bills of materials"
python3 - wheel1/*.whl <<'END' || fail "the wheel does not hold what its record says"
import base64, hashlib, json, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
record = next(name for name in wheel.namelist() if name.endswith("RECORD"))
lines = [line.rsplit(",", 2) for line in wheel.read(record).decode().splitlines()]
assert {line[0] for line in lines} == set(wheel.namelist())
for name, digest, size in lines:
    if name != record:
        content = wheel.read(name)
        assert len(content) == int(size), name
        assert "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode() == digest, name
bill = json.load(open("sbom1"))
assert any(part["name"].startswith("libcurl4") for part in bill["components"]), "libcurl4"  # libcurl4t64 in Debian 13
END
