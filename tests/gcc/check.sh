#!/usr/bin/env bash
# The library compiles with g++, too, without warnings: ./run and ./test use clang where there is one. Syntax and
# warnings only, the library as one unit: objects would take several times as long, and the parts one by one instantiate
# the same templates again. Without -Wshadow, which would compare names of different sources.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
commands=$root/build/compile_commands.json
[[ -f $commands ]] || { echo "missing: $commands (build the release preset first)"; exit 1; }
command -v g++ >/dev/null || { echo "no g++ here"; exit 77; }

options=(-std=c++20 -fsyntax-only -fno-math-errno -Werror -Wall -Wextra -Wpedantic -Wconversion
  -Wno-sign-conversion -Wno-psabi -Wno-restrict -Wno-maybe-uninitialized -DHAWSER_WITH_V3 -DHAWSER_WITH_BASELINE
  -I"$root/include" -I"$root/src" -isystem /usr/include/eigen3)
mapfile -t hdf5 < <(pkg-config --cflags-only-I hdf5-serial 2>/dev/null | tr ' ' '\n' | sed -n 's/^-I//p')
for folder in "${hdf5[@]}"; do options+=(-isystem "$folder"); done

units=()
for part in hawser_core hawser_setup hawser_texts hawser_json scene_reader; do
  mapfile -t -O "${#units[@]}" units < <(sed -nE "s#^ *\"file\": \"(.*/$part.dir/Unity/.*)\",?\$#\1#p" "$commands")
  grep -q "/$part.dir/" <<<"${units[*]-}" || { echo "$commands has no unit of $part"; exit 1; }
done
cat "${units[@]}" | g++ "${options[@]}" --param=ggc-min-heapsize=4194304 -x c++ -
checked=1
for isa in v3:-march=x86-64-v3 baseline:-O0; do
  for source in "$root"/src/*/*kernels_isa.cpp; do
    g++ "${options[@]}" -DHAWSER_ISA="isa_${isa%:*}" -DHAWSER_ISA_NAME="\"${isa%:*}\"" "${isa#*:}" "$source"
    checked=$((checked + 1))
  done
done
echo "$checked units, the first of ${#units[@]} of the build"
