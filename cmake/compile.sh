#!/usr/bin/env bash
# compile.sh SOURCES CCACHE COMPILER ARGUMENT...: compiles through ccache, so that what one clone has compiled serves all clones
# on the machine. SOURCES is the folder of the clone.
set -euo pipefail
# ccache cannot see which macros precompiled headers define, nor compare these: they hold the path of the clone. So
# it is given the sum of the headers in them.
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
export CCACHE_BASEDIR=$1 CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=5G CCACHE_PCH_EXTSUM=1
shift
output='' previous=''
for argument in "$@"; do
  [[ $previous != -o ]] || output=$argument
  previous=$argument
done

# ccache does not know -Xclang -include, so paths below the build folder, where this runs, are made relative here.
if [[ $output != *.[gp]ch ]]; then exec "${@#"$PWD/"}"; fi
"$@"
sed -e 's/^[^:]*: *//' -e 's/ *\\$//' "$output.d" | tr ' ' '\n' | grep -v -e "^$PWD/" -e '^$' | sort -u |
  xargs cat | sha256sum >"$output.sum"
