# Sourced by ./run, ./test and the tools: Debian packages, configure, build. Quiet when there is
# nothing to do; everything said goes to stderr.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

build_packages=(g++ cmake ninja-build pkg-config libeigen3-dev libfmt-dev libcli11-dev
  nlohmann-json3-dev libyaml-cpp-dev libhdf5-dev libdeflate-dev libspectra-dev)
test_packages=("${build_packages[@]}" git libgtest-dev clang-format-16 clang-16 libclang-rt-16-dev
  python3-venv)

say() { echo "$(basename "$0"): $*" >&2; }
die() { say "$*"; exit 1; }

# need_packages name...: installs those that are missing.
need_packages() {
  local name missing=() as_root=()
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian system; trusting that these are installed: $*"
    return
  fi
  for name in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] ||
      missing+=("$name")
  done
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      die "these packages are missing: ${missing[*]}. Install them as root: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  logged "apt-get update failed" "${as_root[@]}" apt-get update
  logged "could not install ${missing[*]}" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}"
}

# logged message command...: runs the command silently; if it fails, shows what it said and stops.
logged() {
  local message=$1 log
  shift
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    rm -f "$log"
    die "$message"
  fi
  rm -f "$log"
}

# build preset directory tests(ON|OFF) target...: configures where needed and builds. Tests, once
# on, stay on.
build() {
  local preset=$1 name=$2 directory=$root/$2 tests=$3 cache stamp
  shift 3
  cache=$directory/CMakeCache.txt
  stamp=$directory/configured  # CMake leaves an unchanged cache as old as it was
  cd "$root" || exit 1
  if [[ ! -f $directory/build.ninja || CMakePresets.json -nt $stamp ]] ||
    { [[ $tests == ON ]] && ! grep -q '^HAWSER_TESTS:BOOL=ON' "$cache"; }; then
    if [[ -f $cache ]] && grep -q '^HAWSER_TESTS:BOOL=ON' "$cache"; then tests=ON; fi
    say "configuring $name"
    logged "configuring $name failed" cmake --preset "$preset" -DHAWSER_TESTS="$tests"
    touch "$stamp"
  fi
  if ! ninja -C "$directory" -n "$@" 2>/dev/null | grep -q 'no work to do'; then
    say "building $name"
    logged "building $name failed" cmake --build "$directory" --parallel "$(nproc)" --target "$@"
  fi
}
