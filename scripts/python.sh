#!/usr/bin/env bash
# python.sh FOLDER PACKAGE...  makes a Python with these packages of PyPI, without what they depend on, and prints its path
#
# pip runs from the wheel that python3-venv brings: installing it would take longer than most packages do.
set -eu

folder=$1
shift
mkdir -p "$(dirname "$folder")"
exec 9>"$folder.lock" # tests of several builds may want it at once
flock 9
if [ "$(cat "$folder/packages" 2>/dev/null)" != "$*" ]; then
    rm -rf "$folder"
    python3 -m venv --without-pip "$folder"
    "$folder/bin/python" "$(echo /usr/share/python-wheels/pip-*.whl)/pip" install -q --no-deps --no-compile \
        --disable-pip-version-check "$@" >&2
    echo "$*" >"$folder/packages"
fi
echo "$folder/bin/python"
