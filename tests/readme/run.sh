#!/usr/bin/env bash
# Runs every command of README.md's ```sh blocks, at the root of the repository, on the build that is
# there. Left out: getting the sources, and ./test, which calls this script.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seconds=120  # a command may take

[[ -f README.md ]] || { echo "README.md is missing"; exit 1; }
mapfile -t commands < <(
  awk '/^```/ { inside = ($0 == "```sh"); next }
       inside { if (sub(/\\$/, "")) { held = held $0; next } print held $0; held = "" }' README.md)

ran=0
failed=0
for command in "${commands[@]}"; do
  [[ $command =~ ^[[:space:]]*(#|$) ]] && continue
  [[ $command =~ ^(git\ clone|cd|\./test)($|\ ) ]] && continue
  echo "\$ $command"
  ran=$((ran + 1))
  code=0
  output=$(timeout "$seconds" bash -c "$command" 2>&1 </dev/null) || code=$?
  if ((code != 0)); then
    echo "$output"
    echo "failed with code $code$( ((code == 124)) && echo " (after $seconds s)" || true)"
    failed=$((failed + 1))
  fi
done
((ran > 0)) || { echo "README.md has no commands"; exit 1; }
((failed == 0))
