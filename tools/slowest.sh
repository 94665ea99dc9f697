#!/usr/bin/env bash
# tools/slowest.sh [folder]: the ten files that took longest to compile in the build folder (build/), and
# the ten slowest tests of its ctest runs. Compile times are those of the last build of each file.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${1:-build}
[[ -f $folder/.ninja_log ]] || { echo "slowest.sh: no build in $folder; run ./test first" >&2; exit 1; }

echo "files, seconds (a unit holds several sources)"
awk -F'\t' '$4 ~ /\.(o|gch|pch)$/ { seconds[$4] = ($2 - $1) / 1000 }
  END { for (file in seconds) printf "%8.1f  %s\n", seconds[file], file }' "$folder/.ninja_log" |
  sort -rn | sed 10q

costs=$folder/Testing/Temporary/CTestCostData.txt
if [[ -f $costs ]]; then
  echo "tests, seconds"
  awk 'NF == 3 { printf "%8.1f  %s\n", $3, $1 }' "$costs" | sort -rn | sed 10q
fi
