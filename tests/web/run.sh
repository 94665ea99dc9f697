#!/usr/bin/env bash
# Opens reports of the built program in Chromium, as people do. Screenshots are kept in build/screenshots.
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../cli/common.sh" "$@"

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
expect 0 "$hawser" run pendulum.yaml --overwrite -o bare  # a report is a file of the run
expect 0 "$hawser" run pendulum.yaml --overwrite -o bare

mkdir -p "$root/build/screenshots"
node "$root/tests/web/report.mjs" "$tmp" "$root/build/screenshots" || failed=$((failed + 1))
((failed == 0))
