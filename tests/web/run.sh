#!/usr/bin/env bash
# Opens the pages in Chromium, as people do: reports of the built program, and the live page. Screenshots are kept in
# build/screenshots.
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../cli/common.sh" "$@"

# pages SCRIPT ARGUMENT...: runs tests of pages in the background; gather adds their counts up for ./test.
screenshots=$root/build/screenshots
mkdir -p "$screenshots" program
declare -A running
pages() {
  node "$root/tests/web/$1" "${@:2}" "$screenshots" >"$1.log" 2>&1 &
  running[$1]=$!
}
bad=0 ran=0
gather() {
  local script code counts
  for script in "${!running[@]}"; do
    code=0
    wait "${running[$script]}" || code=$?
    counts=$(sed -nE 's/^([0-9]+) of ([0-9]+) tests failed$/\1 \2/p' "$script.log")
    grep -vE '^[0-9]+ of [0-9]+ tests failed$' "$script.log"
    [[ $counts ]] || { fail "$script ended with $code"; counts="0 0"; }
    bad=$((bad + ${counts% *})) ran=$((ran + ${counts#* }))
  done
}

pages program.mjs "$hawser" "$tmp/program"
expect 0 "$hawser" run tower-crane -o crane
has out 'report.html'
expect 0 "$hawser" run net -o net
expect 1 "$hawser" run pendulum.yaml -o failed --step '20 ms' --until '60 s' \
  --set solve.method=linearized --set solve.scheme=newmark --set solve.constraints=baumgarte
expect 0 "$hawser" run pendulum.yaml --no-report -o bare
[[ ! -e bare/report.html ]] || fail "--no-report wrote a report"
expect 0 "$hawser" report bare -o own.html
expect 2 "$hawser" report nowhere
has err 'no such file'
expect 0 "$hawser" run pendulum.yaml --format csv -o table
[[ ! -e table/report.html ]] || fail "a report without shapes"
expect 2 "$hawser" report table
has err 'unless --format excludes h5'
# A results folder is viewed by its report, which is written if it is missing; without a desktop its address is all.
expect 0 env -u DISPLAY -u WAYLAND_DISPLAY "$hawser" view bare
has out "^file://$tmp/bare/report.html$"
cmp -s bare/report.html own.html || fail "another report"
mkdir desktop
printf '#!/bin/sh\necho "$1" >>"%s"\n' "$tmp/opened" >desktop/xdg-open
chmod +x desktop/xdg-open
expect 0 env DISPLAY=:0 PATH="$tmp/desktop:$PATH" "$hawser" view bare --no-browser
expect 0 env DISPLAY=:0 PATH="$tmp/desktop:$PATH" "$hawser" view bare
wait_for grep -qs . opened
[[ $(<opened) == "file://$tmp/bare/report.html" ]] || fail "opened: $(<opened)"
expect 2 "$hawser" view desktop
has err 'results.h5: found no such file'
expect 0 "$hawser" run pendulum.yaml --overwrite -o bare  # a report is a file of the run
expect 0 "$hawser" run pendulum.yaml --overwrite -o bare

pages report.mjs "$tmp"
node "$root/web/build.mjs" "$tmp/pages.cpp" "$tmp/pages" || fail "the pages were not built"
pages live.mjs "$tmp/pages/live.js"
gather
echo "$((bad + failed)) of $((ran + 1)) tests failed"
((bad + failed == 0))
