#!/usr/bin/env bash
# The reader of scene files against inputs made to break it: those kept in corpus/, then new ones
# for some seconds (20, or as many as given). What it finds is left in build-fuzz/finds/; mend the
# reader and keep the input in corpus/.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../tools/setup.sh"
cd "$root"
seconds=${1:-20}

[[ -f build-fuzz/build.ninja ]] ||
  logged "configuring build-fuzz failed" cmake -S tests/fuzz -B build-fuzz -G Ninja \
    -DCMAKE_CXX_COMPILER=clang++-16
logged "building the fuzzer failed" cmake --build build-fuzz --parallel "$(nproc)"

rm -rf build-fuzz/found  # every run starts from what is kept
mkdir -p build-fuzz/found build-fuzz/finds
# error_exitcode: its own, 77, would tell ./test that there was nothing to check
options=(-error_exitcode=1 -timeout=5 -rss_limit_mb=1024 -max_len=8192
  -dict=tests/fuzz/scene.dict -artifact_prefix=build-fuzz/finds/)
build-fuzz/scene_fuzzer "${options[@]}" -runs=0 tests/fuzz/corpus
build-fuzz/scene_fuzzer "${options[@]}" -seed=1 -max_total_time="$seconds" build-fuzz/found \
  tests/fuzz/corpus
