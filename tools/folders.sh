#!/usr/bin/env bash
# tools/folders.sh: a folder of src/ may include only itself and the folders before it in this list;
# apps/hawser only its own headers and the public ones. Benches and tests may include any.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../src"
order=(base math sections kernels linear terms elements loads constraints contact model assembly damping schemes
  complementarity impacts accounts integrate
  statics modes fit scene record report run serve)

declare -A place
for i in "${!order[@]}"; do place[${order[i]}]=$i; done
bad=0
for folder in */; do
  folder=${folder%/}
  [[ -n ${place[$folder]-} ]] || { echo "src/$folder is not in the order of folders"; bad=1; continue; }
  while IFS=: read -r file line other; do
    [[ -n ${place[$other]-} ]] || continue  # a public header
    ((place[$other] <= place[$folder])) && continue
    echo "src/$file:$line includes $other/, which comes after $folder/"
    bad=1
  done < <(grep -rnoE '^#include "[a-z_]+/' "$folder" | sed -E 's/#include "([a-z_]+)\//\1/')
done
cd ../apps/hawser
while IFS=: read -r file line header; do
  [[ $header == hawser/* || -f $header ]] && continue
  echo "apps/hawser/$file:$line includes $header, which is not public"
  bad=1
done < <(grep -rnoE '^ *# *include *"[^"]+' . | sed -E 's|^\./||; s| *# *include *"||')
exit $bad
