#!/usr/bin/env bash
# Runs every command of the ```sh blocks of README.md, at the root of the repository, and of the
# guide's pages, each in a folder of its own with the page's scenes: ```yaml blocks that start with
# `# NAME.yaml`. On the build that is there. Left out: getting the sources, and ./test, which calls
# this script. Benchmarks that docs/validation.md lists have only to start: `hawser bench validation` runs
# them to their end.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
export PATH=$root/build:$PATH
seconds=120  # a command may take
start=1      # to refuse what it was given [s]
ran=0
failed=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

run_commands() {  # page folder
  local command output code limit
  local commands
  mapfile -t commands < <(
    awk '/^```/ { inside = ($0 == "```sh"); next }
         inside { if (sub(/\\$/, "")) { held = held $0; next } print held $0; held = "" }' "$1")
  for command in "${commands[@]}"; do
    [[ $command =~ ^[[:space:]]*(#|$) ]] && continue
    [[ $command =~ ^(git\ clone|cd|\./test)($|\ ) ]] && continue
    echo "$1 \$ $command"
    ran=$((ran + 1))
    code=0
    limit=$seconds
    listed "$command" && limit=$start
    output=$(cd "$2" && timeout "$limit" bash -c "$command" 2>&1 </dev/null) || code=$?
    if ((code == 124 && limit == start)); then code=0; fi
    if ((code != 0)); then
      echo "$output"
      echo "failed with code $code$( ((code == 124)) && echo " (after $seconds s)" || true)"
      failed=$((failed + 1))
    fi
  done
}

# listed command: docs/validation.md says that a section of it is what the command prints.
listed() { grep -qxF "Reproduce: \`$1\`" docs/validation.md; }

write_scenes() {  # page folder
  awk -v folder="$2" '/^```/ { inside = ($0 == "```yaml"); first = 1; next }
    inside && first { file = match($0, /^# [a-z-]+\.yaml$/) ? folder "/" substr($0, 3) : "/dev/null" }
    inside { print > file; first = 0 }' "$1"
}

ls results >"$tmp/before" 2>/dev/null || true
run_commands README.md "$root"
for made in results/*; do  # what the README's runs wrote; what was there stays
  grep -qxF "${made#results/}" "$tmp/before" || rm -rf "$made"
done
for page in docs/guide/*.md; do
  folder=$tmp/$(basename "$page" .md)
  mkdir "$folder"
  write_scenes "$page" "$folder"
  run_commands "$page" "$folder"
done
((ran > 0)) || { echo "no page has commands"; exit 1; }
((failed == 0))
