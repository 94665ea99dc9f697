#!/usr/bin/env bash
# The kernels for x86-64-v3 must define nothing that the linker could pick for code meant to run on
# any x86-64: every symbol they share with the outside lives in namespace isa_v3, or is a template
# over a type that does.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
object=$root/build/src/CMakeFiles/kernels_v3.dir/assembly/kernels_isa.cpp.o

[[ $(uname -m) == x86_64 ]] || { echo "not an x86-64: nothing to check"; exit 0; }
[[ -f $object ]] || { echo "missing: $object (build the release preset first)"; exit 1; }

symbols=$(nm -C --defined-only --extern-only "$object")
[[ $symbols == *isa_v3::table* ]] || { echo "isa_v3::table is not in $object"; exit 1; }
leaks=$(grep -v isa_v3 <<<"$symbols" || true)
if [[ $leaks ]]; then
  echo "$object shares symbols outside namespace isa_v3:"
  echo "$leaks"
  exit 1
fi
