#!/usr/bin/env bash
# Installs the release build into a temporary directory and builds and runs a user of it there.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

cmake --install "$root/build" --prefix "$tmp/prefix" >"$tmp/install.log" ||
  { cat "$tmp/install.log"; exit 1; }
cmake -S "$root/tests/install" -B "$tmp/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_PREFIX_PATH="$tmp/prefix"
cmake --build "$tmp/build"
"$tmp/build/consumer"
"$tmp/build/cable_robot"
"$tmp/prefix/bin/hawser" --help >/dev/null
