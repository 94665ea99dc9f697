# What the scripts of this folder share: a temporary folder, checks, a scene. Sourced with the program
# as argument.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
hawser=$(realpath "${1:-$root/build/hawser}")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

fail() { echo "FAILED: $*"; failed=$((failed + 1)); }
# expect CODE command...: output in out and err.
expect() {
  local code=0 wanted=$1
  shift
  "$@" >out 2>err </dev/null || code=$?
  ((code == wanted)) || { fail "code $code, not $wanted: $*"; cat out err; }
}
has() { grep -qE -- "$2" "$1" || { fail "no '$2' in $1:"; cat "$1"; }; }
same() { cmp "$1" "$2" || fail "$1 and $2 differ"; }
# wait_for command...: until it holds; a minute is the end of patience, not a measure.
wait_for() {
  for _ in $(seq 600); do
    "$@" && return
    sleep 0.1
  done
  fail "waited in vain for: $*"
}
# reached DIR: the time that a run has reached, as its summary says.
reached() { sed -nE 's/^  "time": ([0-9.e+-]+),$/\1/p' "$1/summary.json"; }
later() { awk -v t="$1" -v more="$2" 'BEGIN { printf "%.3f", t + more }'; }

cat >pendulum.yaml <<'SCENE'
title: A short pendulum
sections:
  cord: {EA: 7854 N, EI: 1 N m^2, mass: 0.3927 kg/m}
supports:
  hook: {position: [0, 0, 0]}
cables:
  tether:
    section: cord
    route: [hook, [1, 0, 0]]
    elements: 10
solve: {until: 2 s, step: 1 ms}
record: {every: 10 ms, shapes: 100 ms}
expect:
  start:
    channel: tether.position.z@end
    at: 0 s
    value: 0 m
    within: 1 mm
SCENE

finish() {
  ((failed == 0)) && echo "all as expected"
  ((failed == 0))
}
