#!/usr/bin/env bash
# Drives the real program as people do: exit codes, files, signals, resuming, completion.
# tests/cli/run.sh [PROGRAM]
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh" "$@"

echo "help and version"
expect 0 "$hawser" --help
for command in run check static modes fit scenes schema reference bench completion; do
  has out "^  $command "
done
cp out help
for command in $(sed -nE '/^Subcommands:/,/^$/ s/^  ([a-z]+) .*/\1/p' help); do
  expect 0 "$hawser" "$command" --help
done
has help 'hawser run '
has help 'Exit codes: 0'
expect 0 "$hawser" run --help
has out 'Exit codes: 0 success, 1 .* 2 bad input, 130'
expect 0 "$hawser" --version
has out '^hawser [0-9]+\.[0-9]+'
expect 0 "$hawser" schema
python3 -m json.tool <out >/dev/null || fail "the schema is no JSON"
expect 0 "$hawser" reference
has out '^#'

echo "bad input"
expect 2 "$hawser"
expect 2 "$hawser" swim
expect 2 "$hawser" run no-such-scene
has err "scene 'no-such-scene': found neither a file nor an example scene"
expect 2 "$hawser" run no-such-scene.yaml
has err "found no such file"
expect 2 "$hawser" run pendulum.yaml --set cables.tether.elemnts=3
has err "elements"
expect 2 "$hawser" run pendulum.yaml --until '5 kg'
expect 2 "$hawser" run pendulum.yaml --format csv,doc
expect 2 "$hawser" run pendulum.yaml --format csv,none
expect 2 "$hawser" run pendulum.yaml --resume here
has err 'omit scene'
expect 2 "$hawser" run --resume here --step '1 ms'
has err 'omit --step'
expect 2 "$hawser" run --resume here
has err "no checkpoint"
[[ ! -e results ]] || fail "bad input left results behind"

echo "inputs"
cat >pushed.yaml <<'SCENE'
inputs:
  push: {value: 1 N, from: -2 N, to: 2 N}
bodies: {puck: {mass: 2 kg, inertia: [1, 1, 1], position: [0, 0, 0]}}
gravity: [0, 0, 0]
loads: {push: {at: puck, force: [push, 0, 0]}}
solve: {until: 1 s, step: 10 ms, scheme: backward-euler}
SCENE
expect 0 "$hawser" check pushed.yaml
has out '^Inputs +push: 1 N, from -2 N, to 2 N$'
expect 2 "$hawser" run pushed.yaml --replay nowhere
has err 'nowhere: found no such file; expected the inputs.csv of a run'
printf 'step,time [s],event,name,value\n50,0.5,set,push,-1\n' >log.csv
expect 0 "$hawser" run pushed.yaml -o pushed --replay log.csv
has out '^Inputs +push: -1 N at the end, set once$'
has pushed/channels.csv '^1,0\.1(25|24999)' # 0.5 m/s^2 for half a second, then as much against it
same log.csv pushed/inputs.csv
expect 0 "$hawser" run pushed.yaml -o again --replay pushed
same pushed/channels.csv again/channels.csv
expect 1 "$hawser" run pushed.yaml -o shifted --step '9 ms' --replay pushed
has out 'FAILED .* where the earlier run set it'
rm -r pushed again shifted

echo "live view and rendering"
expect 2 "$hawser" view
has err 'found no scene'
if "$hawser" view --has-page; then
  expect 2 "$hawser" view no-such-scene
  has err "scene 'no-such-scene': found neither a file nor an example scene"
  expect 2 "$hawser" view pushed.yaml --host no.such.address --no-browser
  has err 'view, --host'
  "$hawser" view pushed.yaml --no-browser >address 2>said &
  live=$!
  until grep -q '^http://127.0.0.1:[0-9]*/?token=' address || ! kill -0 $live 2>/dev/null; do sleep 0.05; done
  python3 - <<'CHECK' || fail "the page of the live view"
import urllib.error, urllib.request
address = open("address").read().strip()
page = urllib.request.urlopen(address).read().decode()
assert "/live.js?token=" in page, page
try:
    urllib.request.urlopen(address[:-1])
    raise AssertionError("served without its token")
except urllib.error.HTTPError as error:
    assert error.code == 403
CHECK
  kill -TERM $live
  wait $live || fail "the live view ended with code $?"
  [[ ! -e results ]] || fail "a live view that nobody touched left results behind"
else
  expect 2 "$hawser" view pushed.yaml
  has err 'built without its page'
fi
expect 2 env PATH=/nowhere "$hawser" render pushed -o picture.png
has err 'found no Chromium.*apt-get install chromium'
expect 2 "$hawser" render pushed -o picture.png --size 3
has err 'render, --size'

echo "check"
expect 0 "$hawser" check pendulum.yaml
has out 'tether'
has out '10 elements'
sed 's/EA: 7854 N/EA: -5 N/; s/elements: 10/elemnts: 10/' pendulum.yaml >bad.yaml
expect 2 "$hawser" check bad.yaml
has err '^bad.yaml:3:[0-9]+: '
has err '^bad.yaml:10:[0-9]+: '
sed 's/every: 10 ms/channels: [energy, tether.colour@end, tether.tension@nowhere], every: 10 ms/' \
  pendulum.yaml >bad.yaml
expect 2 "$hawser" check bad.yaml
has err 'tether.colour'
has err 'tether.tension@nowhere'

echo "modes"
sed 's/route: \[hook, \[1, 0, 0\]\]/route: [hook, [0, 0, -1]]/' pendulum.yaml >hanging.yaml
expect 0 "$hawser" modes hanging.yaml --count 3
has out '^A short pendulum$'
has out '^ +1 +0\.[0-9]+ Hz .* tether 100 %$'
has out '^3 of [0-9]+ modes$'
expect 0 "$hawser" modes hanging.yaml --near '20 Hz' --json --csv modes.csv --vtk shapes
python3 - <<'CHECK' || fail "the modes as JSON, CSV and VTK"
import csv, json
modes = json.load(open("out"))["modes"]
rows = list(csv.DictReader(open("modes.csv")))
assert len(modes) == len(rows) == 10, len(modes)
for mode, row in zip(modes, rows):
    assert abs(float(row["frequency [Hz]"]) - mode["frequency"]) < 1e-9
    assert abs(sum(mode["shares"].values()) - 1) < 1e-6
assert min(abs(m["frequency"] - 20) for m in modes) < 10
for i in range(1, 11):
    data = open(f"shapes/mode_{i:03}.vtkhdf", "rb").read()
    assert data.startswith(b"\x89HDF") and b"displacement" in data
CHECK
expect 2 "$hawser" modes hanging.yaml --count 0
has err 'modes, count: found 0; expected 1 or more'
expect 2 "$hawser" modes hanging.yaml --near '3 m'
expect 2 "$hawser" modes
expect 2 "$hawser" modes hanging.yaml --vtk modes.csv
expect 2 "$hawser" modes hanging.yaml --csv no/such/folder.csv
echo "benchmarks are a program of their own"
mkdir alone && cp "$hawser" alone/hawser
expect 0 alone/hawser bench --help
has out '^  step +CPU time per step'
expect 1 alone/hawser bench step
has err 'are not installed'
touch alone/CMakeCache.txt
expect 1 alone/hawser bench step
has err '^  cmake --build alone --target hawser-bench$'
expect 2 alone/hawser bench stp
expect 2 alone/hawser bench westin-irani --table 9
cp "$(dirname "$hawser")/hawser-bench" alone/
expect 0 alone/hawser bench step --elements 2 --solve mixed --json
has out '"bench": "step"'
rm -r alone

echo "a build that lacks something says what to install"
expect 1 bash -c 'source "$0/tools/setup.sh"; cmake() { echo "no CMAKE_CXX_COMPILER"; return 1; }
  build release build-missing OFF hawser_program' "$root"
has err '^no CMAKE_CXX_COMPILER$'
has err '^  Debian 12, Ubuntu 24.04 .*apt-get install clang-16 .* cmake'
has err '^  Fedora \(untested\)'
has err '^  macOS \(untested\)'

echo "static"
expect 0 "$hawser" static pendulum.yaml --out shape.csv
has out '^Methods +newton: '
has out '^Cable +tether: tension 3\.[0-9]+ N at the start'
has out '^Reaction +hook\.force \(.*, 3\.85[0-9]+\) N'
has shape.csv '^tether,'
expect 0 "$hawser" static pendulum.yaml --json
has out '"converged": true'
sed 's/^    route: .*/    route: [[0, 0, 0], [1, 0, 0]]/; s/^  hook: .*/  hook: {position: [5, 0, 0]}/' \
  pendulum.yaml >loose.yaml
expect 1 "$hawser" static loose.yaml
has err "cable 'tether' moves along \(0, 0, -1\)"
expect 0 "$hawser" static bollard  # a rope on a pulley hangs in no catenary
expect 2 "$hawser" static missing.yaml

echo "a run and its files"
expect 0 "$hawser" run pendulum.yaml -o out1
has out '^A short pendulum$'
has out '^Tension   tether '
has out '^Expected  start: .* met$'
for file in channels.csv results.h5 summary.json scene.yaml checkpoint.bin; do
  [[ -e out1/$file ]] || fail "out1/$file is missing"
done
[[ ! -e out1/results.vtkhdf ]] || fail "results.vtkhdf is there unasked"
python3 -m json.tool out1/summary.json >/dev/null || fail "summary.json is no JSON"
(($(wc -l <out1/channels.csv) == 202)) || fail "channels.csv has $(wc -l <out1/channels.csv) lines"
expect 0 "$hawser" run out1/scene.yaml -o again --format csv
same out1/channels.csv again/channels.csv

echo "nothing is overwritten"
cp out1/channels.csv kept.csv
expect 2 "$hawser" run pendulum.yaml -o out1 --until '1 s'
has err 'overwrite'
same kept.csv out1/channels.csv
echo mine >out1/notes.txt
expect 0 "$hawser" run pendulum.yaml -o out1 --until '1 s' --overwrite
(($(wc -l <out1/channels.csv) == 102)) || fail "--overwrite did not replace the results"
[[ $(cat out1/notes.txt) == mine ]] || fail "--overwrite removed a file that is not its own"
expect 0 "$hawser" run pendulum.yaml --format csv
expect 0 "$hawser" run pendulum.yaml --format csv
has out '^Files     results/pendulum-2: '
same results/pendulum/channels.csv results/pendulum-2/channels.csv
[[ ! -e results/pendulum/results.h5 ]] || fail "--format csv wrote HDF5"
mkdir nothing && cd nothing || exit 1
expect 0 "$hawser" run ../pendulum.yaml --format none
[[ $(ls) == $'err\nout' ]] || fail "--format none wrote $(ls)"
cd .. || exit 1

echo "options change the scene"
expect 0 "$hawser" run pendulum.yaml -o set --step '5 ms' --until '1000 ms' --set cables.tether.elements=4
has set/summary.json '"steps": 200,'
has set/scene.yaml 'elements: 4'

echo "expectations and failures"
expect 1 "$hawser" run pendulum.yaml -o missed --set 'expect.start.value=1 m'
has out 'NOT MET$'
expect 1 "$hawser" run pendulum.yaml -o unstable --step '20 ms' --until '60 s' \
  --set solve.method=linearized --set solve.scheme=newmark --set solve.constraints=baumgarte
has out '^FAILED at '
has unstable/summary.json '"end": "failed"'

echo "progress"
long=(run pendulum.yaml --format none --until '300 s')
expect 0 "$hawser" "${long[@]}"
has err '^ *[0-9]+ %: t = .* x real time, energy .* left$'
(($(wc -l <err) <= 10)) || fail "more than ten lines of progress"
expect 0 "$hawser" "${long[@]}" --quiet
[[ ! -s err ]] || fail "--quiet is not quiet"
if command -v script >/dev/null; then
  script -qec "'$hawser' run pendulum.yaml --format none --until '300 s'" typescript \
    >terminal </dev/null
  grep -qE $'\r *[0-9]+ % \\[#' terminal || fail "no bar on a terminal"
fi

echo "Ctrl-C and resuming"
# stopped SIGNAL DIR option...: an endless run that gets the signal once it has written something.
stopped() {
  local signal=$1 folder=$2 code=0
  shift 2
  "$hawser" run pendulum.yaml -o "$folder" --until '1e7 s' --format csv "$@" >out 2>err </dev/null &
  local pid=$!
  wait_for test -s "$folder/${watched:-channels.csv}"
  kill -"$signal" $pid
  wait $pid || code=$?
  echo $code
}
# set -m: children of a script otherwise ignore SIGINT.
set -m
[[ $(stopped INT halted) == 130 ]] || fail "Ctrl-C does not give 130"
[[ $(stopped TERM ended) == 143 ]] || fail "SIGTERM does not give 143"
set +m
has out '^Stopped at '
has err 'hawser run --resume ended'
has halted/summary.json '"end": "stopped"'
for folder in halted ended; do
  until=$(later "$(reached $folder)" 0.5)
  expect 0 "$hawser" run --resume $folder --until "$until s"
  expect 0 "$hawser" run pendulum.yaml -o $folder-whole --until "$until s" --format csv
  same $folder/channels.csv $folder-whole/channels.csv
done

echo "kill -9"
watched=checkpoint.bin
[[ $(stopped KILL killed --checkpoint-every '1 s') == 137 ]] || fail "kill -9 does not give 137"
unset watched
awk -F, 'NF != n && n { print "line " NR " has " NF " fields"; bad = 1 } { n = NF } END { exit bad }' \
  killed/channels.csv || fail "channels.csv is not whole after kill -9"
until=$(later "$(tail -n 1 killed/channels.csv | cut -d, -f1)" 5)
expect 0 "$hawser" run --resume killed --until "$until s"
expect 0 "$hawser" run pendulum.yaml -o killed-whole --until "$until s" --format csv
same killed/channels.csv killed-whole/channels.csv

echo "extending a finished run"
expect 0 "$hawser" run pendulum.yaml -o short --until '1005 ms' --format csv,vtk
expect 0 "$hawser" run --resume short --until '2 s'
expect 0 "$hawser" run pendulum.yaml -o whole --format csv,vtk
same short/channels.csv whole/channels.csv
[[ -e short/results.vtkhdf && ! -e short/results.h5 ]] || fail "a resumed run keeps its formats"

echo "shipped scenes"
mkdir shipped && cp pendulum.yaml shipped/little-swing.yaml
export HAWSER_SCENES=$tmp/shipped
expect 0 "$hawser" scenes
has out '^little-swing +A short pendulum$'
expect 0 "$hawser" run little-swing --until '10 ms' --format csv
[[ -e results/little-swing/channels.csv ]] || fail "no results/little-swing"
expect 2 "$hawser" run litle-swing
has err "Did you mean 'little-swing'"

echo "fit"
# decay FREQUENCY RATE: a free decay with a little noise.
decay() {
  awk -v f="$1" -v rate="$2" 'BEGIN {
    srand(7); print "t [ms],count,x [mm]"
    for (i = 0; i < 400; ++i) {
      t = i / (40 * f)
      printf "%.9g,%d,%.9g\n", 1000 * t, i, 5 * exp(-rate * t) * cos(6.283185307 * f * t) + 0.02 * rand()
    } }'
}
decay 3 0.4 >decay.csv
decay 12 3 >fast.csv
expect 0 "$hawser" fit damping decay.csv --column x --out fit.svg
has out '^viscosity +0\.0022' # 2 rate/omega0^2 = 0.0022516 s
has out 'damping: \{axial: \{viscosity: 0\.0022[0-9]* s\}\}'
has fit.svg '^<svg xmlns'
has fit.svg '<polyline points=.[0-9]'
python3 -c 'import sys, xml.dom.minidom as m; m.parse("fit.svg")' || fail "fit.svg is no XML"
expect 0 "$hawser" fit damping decay.csv fast.csv --column x --law fractional --json
python3 - <<'CHECK' || fail "the fit of two decays"
import json
fit = json.load(open("out"))
found = {p["name"]: p["value"] for p in fit["parameters"]}
# Of both decays: arg(1 + tau lambda^order) = 2 atan(rate/omega), solved by hand.
assert abs(found["order"] - 0.4763) < 0.01 and abs(found["tau"] - 0.01596) < 5e-4, found
assert abs(found["omega0 1"] - 18.42) < 0.05, found
CHECK
line=$(sed -nE 's/.*"yaml": "(.*)\\n".*/\1/p' out)
sed "s/^  cord: .*/  cord: {EA: 7854 N, EI: 1 N m^2, mass: 0.3927 kg\/m, $line}/" pendulum.yaml >damped.yaml
has damped.yaml 'fractional'
expect 0 "$hawser" check damped.yaml
expect 2 "$hawser" fit damping decay.csv --column x --law fractional
has err 'found decays of 1 frequency for the 2 parameters order, tau'
expect 2 "$hawser" fit damping decay.csv --column y
has err "decay.csv, --column: found unknown column 'y'; expected one of: t, count, x"
expect 2 "$hawser" fit damping decay.csv --modulus
has err "decay.csv:1: column 1 \\('t'\\): found a time; expected a frequency"
awk 'BEGIN { print "f [Hz],E1 [GPa],E2 [GPa]"
  for (i = 0; i < 20; ++i) { f = 10^(i / 10); print f "," 3 "," 3 * 6.283185307 * f * 1e-4 } }' >moduli.csv
expect 0 "$hawser" fit damping moduli.csv --modulus --out moduli.svg
has out '^viscosity +0\.0001 '
has out '^modulus +3e\+09 '
has moduli.svg 'frequency \[Hz\]'
expect 2 "$hawser" fit damping moduli.csv
has err 'Use --modulus to read'
expect 2 "$hawser" fit damping no-such.csv

echo "completion"
PATH=$(dirname "$hawser"):$PATH
source <(hawser completion bash) || fail "bash cannot read the completion"
complete_words() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  COMPREPLY=()
  _hawser 2>/dev/null
  printf '%s\n' "${COMPREPLY[@]}" >replies
}
complete_words hawser ''
for command in $(sed -nE '/^Subcommands:/,/^$/ s/^  ([a-z]+) .*/\1/p' help); do
  has replies "^$command\$"
done
complete_words hawser run --
for option in until step set format overwrite resume replay quiet output checkpoint-every; do
  has replies "^--$option\$"
done
complete_words hawser run litt
has replies '^little-swing$'
complete_words hawser run pend
has replies '^pendulum.yaml$'
complete_words hawser bench rec
has replies '^recording$'
complete_words hawser bench recording --
has replies '^--minutes$'
for shell in zsh fish; do
  expect 0 hawser completion $shell
  has out 'checkpoint-every'
  has out 'little-swing|scenes --names'
  if command -v $shell >/dev/null; then $shell -n out || fail "$shell cannot read its completion"; fi
done
expect 2 hawser completion cmd

finish
