#!/bin/sh
# Runs the cases of `hawser bench machines` and the flexible pendulum with Hawser and its peers, and prints one table.
# The peers go into a virtual environment, build/peers; one that does not install is named and left out.
# Options are those of compare.py: bench/peers/run.sh --case hinges,balls --peer dart
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
if ! [ -x "$root/build/hawser-bench" ]; then
  echo "bench/peers: build/hawser-bench is missing: cmake --preset release && cmake --build build --target hawser_program hawser-bench" >&2
  exit 2
fi
venv=$root/build/peers
[ -x "$venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$venv"
if ! cmp -s "$here/requirements.txt" "$venv/installed.txt"; then
  while read -r package; do
    failed=$venv/${package%%==*}.failed
    if "$venv/bin/pip" install --quiet --disable-pip-version-check "$package" 2>"$failed"; then
      rm -f "$failed"
    else
      echo "bench/peers: $package does not install here and is left out: $(tail -n 1 "$failed")" >&2
    fi
  done <"$here/requirements.txt"
  cp "$here/requirements.txt" "$venv/installed.txt"
fi
exec "$venv/bin/python" "$here/compare.py" "$@"
