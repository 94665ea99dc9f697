#!/usr/bin/env bash
# The kernels for x86-64-v3 must define no function that the linker could pick for code meant to run
# on any x86-64: each one visible outside lives in namespace isa_v3, or is a template over a type
# that does. Shared constants (R, V, u: `inline constexpr` and the like) hold no instructions.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
objects=$root/build/src/CMakeFiles/kernels_v3.dir

[[ $(uname -m) == x86_64 ]] || { echo "not an x86-64: nothing to check"; exit 0; }
for part in constraints:joints elements:table loads:loads; do
  object=$objects/${part%:*}/kernels_isa.cpp.o name=isa_v3::${part#*:}
  [[ -f $object ]] || { echo "missing: $object (build the release preset first)"; exit 1; }
  symbols=$(nm -C --defined-only --extern-only "$object")
  [[ $symbols == *"$name"* ]] || { echo "$name is not in $object"; exit 1; }
  leaks=$(awk '$2 !~ /^[RVu]$/ && !/isa_v3/' <<<"$symbols")
  if [[ $leaks ]]; then
    echo "$object shares these outside namespace isa_v3:"
    echo "$leaks"
    exit 1
  fi
done
