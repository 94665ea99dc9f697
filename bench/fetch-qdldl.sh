#!/bin/sh
# Fetches QDLDL (Apache-2.0) and builds build/qdldl/libqdldl.so, which `hawser bench linear` compares
# with when it is there. It is no part of Hawser.
set -eu
cd "$(dirname "$0")/.."
version=0.1.9.post1
url=https://files.pythonhosted.org/packages/51/4e/452984a63df9421cf8e7d25e8e6a44832cf0247a5e7b65e437cd516a0f8f
sum=da2016d541c26cefc79bca4d8b5bebfa00f35db19704abb20efbd1c08df3b4c7
to=${1:-build}/qdldl
mkdir -p "$to"
curl -fsS "$url/qdldl-$version.tar.gz" -o "$to/qdldl.tar.gz"
echo "$sum  $to/qdldl.tar.gz" | sha256sum -c - >/dev/null
tar -xzf "$to/qdldl.tar.gz" -C "$to" --strip-components=1
source=$to/c/qdldl
# 32-bit indices, as ours.
sed -e 's/@QDLDL_INT_TYPE@/int/; s/@QDLDL_FLOAT_TYPE@/double/; s/@QDLDL_BOOL_TYPE@/unsigned char/' \
  -e 's/@QDLDL_INT_TYPE_MAX@/INT_MAX/; /#cmakedefine/d' \
  "$source/configure/qdldl_types.h.in" >"$source/include/qdldl_types.h"
sed 's/@QDLDL_VERSION_[A-Z]*@/0/' "$source/configure/qdldl_version.h.in" >"$source/include/qdldl_version.h"
${CC:-cc} -O3 -march=native -shared -fPIC -I"$source/include" "$source/src/qdldl.c" -o "$to/libqdldl.so"
echo "$to/libqdldl.so: QDLDL $version"
