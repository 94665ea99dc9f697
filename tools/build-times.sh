#!/usr/bin/env bash
# tools/build-times.sh [run|test]: the CPU time that a fresh clone takes, counted over every process it
# starts: `run` that of ./run, `test` those of ./test fresh, of ./test when built, which keeps what has passed,
# and of ./test --again, which runs all of it; without a word all four. Packages are installed before, and ccache starts empty. Minutes to most of an hour.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
what=${1:-all}
need_packages "${test_packages[@]}"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export CCACHE_DIR=$tmp/ccache

# cpu label command...: prints the wall and CPU time of a command, whose output goes to a log.
cpu() {
  local label=$1 code=0
  shift
  TIMEFORMAT='%R %U %S'
  { time { "$@" >"$tmp/log" 2>&1 </dev/null; }; } 2>"$tmp/times" || code=$?
  ((code == 0)) || { tail -n 30 "$tmp/log" >&2; die "$label failed"; }
  awk -v label="$label" '{ printf "%-28s %5.0f s CPU, %5.0f s wall\n", label, $2 + $3, $1 }' "$tmp/times"
}

git clone -q "$root" "$tmp/hawser"
cd "$tmp/hawser"
[[ $what == test ]] || cpu "./run, fresh" ./run
rm -rf build build-* "$CCACHE_DIR"
[[ $what != run ]] || exit 0
cpu "./test, fresh" ./test
sed -nE '/ s CPU$/p' "$tmp/log"
for again in "" " --again"; do
  # shellcheck disable=SC2086
  cpu "./test$again, when built" ./test $again
  sed -nE '/ s CPU$/p' "$tmp/log"
done
