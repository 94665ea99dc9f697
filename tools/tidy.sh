#!/usr/bin/env bash
# tools/tidy.sh [pattern...]: clang-tidy over the sources whose paths match (all of them if none).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

need_packages "${test_packages[@]}" clang-tidy-16
(build release build ON all)
(($#)) || set -- "$root/(src|apps|tests)/"
cd "$root"
exec run-clang-tidy-16 -quiet -p build -j "$(nproc)" "$@"
