#!/usr/bin/env bash
# The reader of scene files against inputs made to break it: those kept in corpus/, then new ones
# for some seconds (20, or as many as given). What it finds is left in build-sanitize/fuzz/finds/;
# mend the reader and keep the input in corpus/.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../tools/setup.sh"
seconds=${1:-20}

(build sanitize build-sanitize ON scene_fuzzer)
cd "$root"
work=build-sanitize/fuzz
rm -rf $work/found  # every run starts from what is kept
mkdir -p $work/found $work/finds
# error_exitcode: its own, 77, would tell ./test that there was nothing to check
options=(-error_exitcode=1 -timeout=5 -rss_limit_mb=1024 -max_len=8192
  -dict=tests/fuzz/scene.dict -artifact_prefix=$work/finds/)
build-sanitize/scene_fuzzer "${options[@]}" -seed=1 -max_total_time="$seconds" $work/found \
  tests/fuzz/corpus
