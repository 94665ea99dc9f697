#!/usr/bin/env bash
# Reads results with the tools that people use, Python's csv, h5py and VTK, and scenes with the
# schema that editors get. Arguments go to pytest.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
venv=$root/build/python-venv

if ! cmp -s "$here/requirements.txt" "$venv/requirements.txt"; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps -r "$here/requirements.txt"
  cp "$here/requirements.txt" "$venv/requirements.txt"  # last: a half-made venv is made again
fi
exec "$venv/bin/python" -m pytest -q -p no:cacheprovider "$@" "$here"
