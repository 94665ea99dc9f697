#!/usr/bin/env bash
# What the program does when the system is against it: full disks, two runs in one folder, files of
# others, pipes instead of files, signals at any time.
# tests/cli/files.sh [PROGRAM]
set -uo pipefail
# Signals that were ignored as this began, as with nohup or in the background, would be in every program.
[[ ${signals_set-} ]] || signals_set=1 exec env --default-signal=HUP,INT,TERM bash "$0" "$@"
source "$(dirname "${BASH_SOURCE[0]}")/common.sh" "$@"

# whole_rows FILE: every line has as many fields as the first, and the last line ends.
whole_rows() {
  awk -F, 'NR == 1 { n = NF } NF != n { print "line " NR " has " NF " fields"; bad = 1 } END { exit bad }' \
    "$1" || fail "$1 has rows that are not whole"
  [[ -z $(tail -c 1 "$1") ]] || fail "$1 ends within a row"
}
# sound_results DIR: what a run leaves that a full disk has ended.
sound_results() {
  whole_rows "$1/channels.csv"
  has "$1/summary.json" '"end": "failed"'
  has "$1/summary.json" '"failure": ".*(File too large|No space left on device)'
  expect 0 "$hawser" check "$1/scene.yaml"
}

echo "a limit on the size of files"
limited() { (ulimit -f "$1" && shift && exec "$@"); }
for most in 50 200 1000; do # [kB]
  expect 1 limited $most "$hawser" run pendulum.yaml --until '100 s' -o "limited-$most" --quiet \
    --format csv,h5,vtk
  has out '^FAILED at .*File too large'
  sound_results "limited-$most"
done
expect 1 limited 1 "$hawser" run pendulum.yaml -o too-little --quiet
has err 'File too large'

echo "a small disk"
mkdir disk
if mount -t tmpfs -o size=2m tmpfs disk 2>/dev/null; then
  trap 'umount "$tmp/disk" 2>/dev/null; rm -rf "$tmp"' EXIT
  expect 1 "$hawser" run pendulum.yaml --until '1000 s' -o disk/run --quiet --checkpoint-every '1 s' \
    --format csv,h5,vtk
  has out '^FAILED at .*No space left on device'
  sound_results disk/run
  # What the checkpoint counts on is there: with room again the run goes on, to the same rows.
  mount -o remount,size=50m disk
  until=$(later "$(reached disk/run)" 5)
  expect 0 "$hawser" run --resume disk/run --until "$until s" --quiet
  expect 0 "$hawser" run pendulum.yaml -o roomy --until "$until s" --quiet
  same disk/run/channels.csv roomy/channels.csv
  expect 1 "$hawser" static pendulum.yaml --out /dev/full
  umount disk
else
  echo "  left out: no right to mount one"
fi

echo "output that nobody takes"
commands=("check pendulum.yaml" "static pendulum.yaml" "static pendulum.yaml --json" "modes pendulum.yaml"
  "modes pendulum.yaml --json" "run pendulum.yaml --format none" "scenes" "sections" "schema" "reference"
  "completion bash" "--help" "run --help" "--version" "static pendulum.yaml --out /dev/full"
  "modes pendulum.yaml --csv /dev/full")
for command in "${commands[@]}"; do
  # shellcheck disable=SC2086 # words
  "$hawser" $command >/dev/full 2>err </dev/null
  [[ $? == 1 ]] || fail "not 1 with a full device: $command"
  has err 'No space left on device'
done
expect 0 bash -c '"$0" --help | cat >/dev/null' "$hawser"

echo "one run at a time in a folder"
# endless DIR: a run in the background that does not end by itself.
endless() { "$hawser" run pendulum.yaml -o "$1" --until '1e7 s' --format csv --quiet >/dev/null 2>&1 </dev/null & }
endless held
first=$!
wait_for test -s held/channels.csv
expect 2 "$hawser" run pendulum.yaml -o held --overwrite
has err 'held: found another run that is writing to it'
expect 2 "$hawser" run pendulum.yaml -o held
has err 'another run that is writing'
expect 2 "$hawser" run --resume held
has err 'another run that is writing'
kill -KILL $first
wait $first 2>/dev/null
expect 0 "$hawser" run pendulum.yaml -o held --overwrite --format csv # its holder is dead

echo "files of others"
mkdir mine
cp pendulum.yaml mine/scene.yaml
echo "t,x" >mine/channels.csv
cp -r mine before
expect 2 "$hawser" run mine/scene.yaml -o mine --overwrite
has err 'mine/(scene.yaml|channels.csv): found a file that was not written by Hawser'
diff -r mine before || fail "--overwrite changed files that are not its own"
rm mine/channels.csv mine/scene.yaml
expect 0 "$hawser" run pendulum.yaml -o mine --overwrite --format csv
expect 0 "$hawser" run pendulum.yaml -o mine --overwrite --format csv
sed -i 's/elements: .*/elements: 4 # mine/' mine/scene.yaml
cp mine/scene.yaml edited.yaml
expect 2 "$hawser" run mine/scene.yaml -o mine --overwrite
has err 'scene.yaml: found a scene that was changed'
same edited.yaml mine/scene.yaml

echo "pipes and devices are no scenes"
mkfifo pipe.yaml
echo 'include: pipe.yaml' >includes.yaml
for scene in pipe.yaml includes.yaml /dev/zero; do
  for command in check run static modes; do
    expect 2 timeout 60 "$hawser" $command $scene
    has err 'it is a pipe, a socket or a device'
  done
done

echo "signals"
set -m # children of a script otherwise ignore SIGINT
# end SIGNAL CODE PID what: the process must end with the code. A minute is the end of patience.
end() {
  local code=0 since=$SECONDS
  kill -"$1" "$3"
  while kill -0 "$3" 2>/dev/null; do
    if ((SECONDS - since >= 60)); then
      fail "$4 is deaf to SIG$1"
      kill -KILL "$3"
      break
    fi
    sleep 0.05
  done
  wait "$3" 2>/dev/null || code=$?
  ((code == $2)) || fail "$4: code $code, not $2, after SIG$1"
}
endless hung
wait_for test -s hung/channels.csv
end HUP 129 $! "a run"
expect 0 "$hawser" run --resume hung --until "$(later "$(reached hung)" 0.5) s"
# Set-up of a large net takes longer than anybody waits; it says what it does and stops when told.
cat >net.yaml <<'SCENE'
sections: {cord: {library: nylon, diameter: 8 mm}}
supports:
  a: {position: [0, 0, 0]}
  b: {position: [3 m, 0, 0]}
  c: {position: [3 m, 3 m, 0]}
  d: {position: [0, 3 m, 0]}
nets: {net: {section: cord, corners: [a, b, c, d], meshes: [300, 300]}}
solve: {until: 0.01 s, step: 2 ms}
SCENE
for signal in "INT 130" "TERM 143" "HUP 129"; do
  read -r name code <<<"$signal"
  for command in "run net.yaml -o netted" "check net.yaml" "static net.yaml" "modes net.yaml"; do
    rm -f err  # of the command before, which may say that it sets up
    # shellcheck disable=SC2086 # words
    "$hawser" $command >out 2>err </dev/null &
    pid=$!
    wait_for test -e err
    if [[ $name == INT ]]; then wait_for grep -q '^setting up: ' err; else sleep 0.2; fi
    end "$name" "$code" $pid "$command"
  done
done
[[ ! -e netted ]] || fail "a run that never began left a folder"
set +m

finish
