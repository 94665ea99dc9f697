# Sourced by ./run, ./test and the tools: packages, configure, build with progress. Quiet when there
# is nothing to do; everything said goes to stderr.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# clang compiles Hawser in three quarters of the time that g++ takes.
build_packages=(clang-16 libstdc++-12-dev cmake ninja-build pkg-config libeigen3-dev libfmt-dev libcli11-dev
  nlohmann-json3-dev libyaml-cpp-dev libhdf5-dev libdeflate-dev libspectra-dev libboost-dev)
test_packages=("${build_packages[@]}" g++ lld-16 git ccache libgtest-dev clang-format-16
  libclang-rt-16-dev python3-venv chromium fonts-dejavu-core)

say() { echo "$(basename "$0"): $*" >&2; }
die() { say "$*"; exit 1; }

# What to install by hand, by system.
package_help() {
  cat >&2 <<HELP
Hawser needs a C++20 compiler (clang 16 or g++ 12, or newer), CMake 3.25, Ninja, pkg-config, and the
libraries Eigen 3.4, fmt, CLI11, nlohmann-json, yaml-cpp, HDF5, libdeflate, Spectra and Boost (headers). Install them by:
  Debian 12, Ubuntu 24.04   sudo apt-get install ${build_packages[*]}
  Fedora (untested)         sudo dnf install gcc-c++ cmake ninja-build pkgconf-pkg-config eigen3-devel fmt-devel \\
                            cli11-devel json-devel yaml-cpp-devel hdf5-devel libdeflate-devel spectra-devel boost-devel
  macOS (untested)          brew install cmake ninja pkg-config eigen fmt cli11 nlohmann-json yaml-cpp hdf5 \\
                            libdeflate spectra boost
Only Debian 12 is tested. Then run this command again.
HELP
}

# need_packages name...: installs those that are missing.
need_packages() {
  local name missing=() as_root=()
  if ! command -v dpkg-query >/dev/null; then
    for name in cmake ninja pkg-config; do
      command -v "$name" >/dev/null || missing+=("$name")
    done
    command -v c++ >/dev/null || missing+=("a C++ compiler")
    ((${#missing[@]} == 0)) || { say "missing: ${missing[*]}"; package_help; exit 1; }
    return
  fi
  for name in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] ||
      missing+=("$name")
  done
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      { say "these packages are missing, and only root can install them: ${missing[*]}"; package_help; exit 1; }
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  logged "apt-get update failed" "${as_root[@]}" apt-get update
  logged "could not install ${missing[*]}" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}"
}

# Node.js builds the page of reports. The build works without.
need_node() { command -v npm >/dev/null || need_packages nodejs npm; }

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

# compiled directory line: what a line of ninja is about, for people: "src/integrate, src/linear".
compiled() {
  local what=${2##*Building CXX object }
  case $what in
    *CMakeFiles/kernels_*) what="src/assembly (kernels)" ;;
    *.gch | *.pch) what="headers that most files read" ;;
    */Unity/*)  # several sources in one; their folders
      what=$(sed -nE "s#^\#include \"$root/(.*)/[^/]+\"#\1#p" "$1/${what%.o}" | sort -u | paste -sd, | sed 's/,/, /g') ;;
    *CMakeFiles/*) what=${what%%/CMakeFiles/*}${what##*.dir} what=${what%.o} ;;
    *Linking*) what="linking ${2##* }" ;;
  esac
  echo "$what"
}

# 135 -> "2 min 15 s"
minutes() { if (($1 < 60)); then echo "$1 s"; else echo "$(($1 / 60)) min $(($1 % 60)) s"; fi; }

# build_progress name directory log: reads what ninja prints. On a terminal one line that is written over, elsewhere
# a line for every tenth; the rest is kept in the log, which is shown when the build fails.
build_progress() {
  local name=$1 directory=$2 log=$3 line done=0 total=0 said=0 start=$SECONDS text left
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    [[ $line =~ ^\[([1-9][0-9]*)/([0-9]+)\]\ (.*) ]] || continue
    done=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
    left=$(((SECONDS - start) * (total - done) / done))
    text="building $name: $done of $total"
    ((SECONDS - start < 5)) || text+=", about $(minutes $left) left"
    text+=": $(compiled "$directory" "${BASH_REMATCH[3]}")"
    if [[ -t 2 ]]; then
      printf '\r\033[K%s' "${text:0:${COLUMNS:-100}}" >&2
    elif ((done * 10 / total > said || done == 1)); then
      said=$((done * 10 / total))
      say "$text"
    fi
  done
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
}

# build_options preset tests(ON|OFF) new(0|1): options of CMake. A new folder is compiled by clang where there is one, unless CXX
# names another compiler. Where only the program is built, once and for this machine,
# larger units compile in less time, kernels for other processors would never run, and warnings help nobody.
build_options() {
  local options=(-DHAWSER_TESTS="$2")
  if (($3)) && [[ ! ${CXX-} ]] && command -v clang++-16 >/dev/null; then
    options+=(-DCMAKE_CXX_COMPILER=clang++-16)
  fi
  if [[ $2 == OFF ]]; then
    options+=(-DHAWSER_WERROR=OFF -DCMAKE_UNITY_BUILD_BATCH_SIZE=30)
    ! grep -qw avx2 /proc/cpuinfo 2>/dev/null || options+=(-DHAWSER_BASELINE=OFF)
  elif [[ $1 == release ]]; then
    options+=(-DHAWSER_WERROR=ON -DHAWSER_BASELINE=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16)
  fi
  printf '%s\n' "${options[@]}"
}

# build preset directory tests(ON|OFF) target...: configures where needed and builds. Tests, once
# on, stay on.
build() {
  local preset=$1 name=$2 directory=$root/$2 tests=$3 new=1 cache stamp log options start=$SECONDS
  shift 3
  cache=$directory/CMakeCache.txt
  stamp=$directory/configured  # CMake leaves an unchanged cache as old as it was
  cd "$root" || exit 1
  if [[ ! -f $directory/build.ninja || CMakePresets.json -nt $stamp ]] ||
    { [[ $tests == ON ]] && ! grep -q '^HAWSER_TESTS:BOOL=ON' "$cache"; }; then
    if [[ -f $cache ]] && grep -q '^HAWSER_TESTS:BOOL=ON' "$cache"; then tests=ON; fi
    say "configuring $name"
    log=$(mktemp)
    [[ ! -f $cache ]] || new=0
    mapfile -t options < <(build_options "$preset" "$tests" "$new")
    if ! cmake --preset "$preset" "${options[@]}" >"$log" 2>&1 </dev/null; then
      cat "$log" >&2
      rm -f "$log"
      package_help
      die "configuring $name failed; see the messages above"
    fi
    rm -f "$log"
    touch "$stamp"
  fi
  if ninja -C "$directory" -n "$@" 2>/dev/null | grep -q 'no work to do'; then return; fi
  log=$(mktemp)
  # One more than cores: some jobs wait for files and packages.
  ninja -C "$directory" -j "$(($(nproc) + 1))" "$@" 2>&1 </dev/null | build_progress "$name" "$directory" "$log"
  if ((PIPESTATUS[0])); then
    sed -n '/^FAILED\|^CMake Error/,$p' "$log" >&2
    rm -f "$log"
    die "building $name failed; see the errors above. After 'git pull', try 'rm -r $name' and build again."
  fi
  say "built $name in $(minutes $((SECONDS - start)))"
  rm -f "$log"
}
