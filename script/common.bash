# Sourced by the other scripts: functions that configure and build a preset quietly.
# shellcheck shell=bash
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc 2>/dev/null || echo 2)}

# The same folder for bootstrap, for CMake, and for a shell that is elsewhere.
if [[ -n ${QCONFORM_DEPS_DIR-} && $QCONFORM_DEPS_DIR != /* ]]; then
  QCONFORM_DEPS_DIR=$PWD/$QCONFORM_DEPS_DIR
fi

# Whether this is an x86-64 CPU without an instruction for dot products of bytes, or hide_vnni ran.
lacks_vnni() {
  [[ -z ${vnni_is_hidden-} ]] || return 0
  [[ $(uname -m) == x86_64 && -r /proc/cpuinfo ]] &&
    ! grep -qE '^flags.* (avx512_vnni|avx_vnni)( |$)' /proc/cpuinfo
}

# hide_vnni: programs that are run from here on see a CPU without VNNI. Returns 1 if that cannot be
# done here.
hide_vnni() {
  local library=$root/build/hide_vnni.so
  mkdir -p "$root/build"
  "${CC:-cc}" -O1 -shared -fPIC -o "$library" \
    "$root/harness/backends/onnxruntime/testing/hide_vnni.c" 2>/dev/null || return 1
  LD_PRELOAD=$library true 2>/dev/null || return 1
  export LD_PRELOAD=$library
  vnni_is_hidden=1
}

# onnxruntime_release PROGRAM: prints the release, such as 1.30, of the ONNX Runtime that PROGRAM
# finds, or nothing if it finds none.
onnxruntime_release() {
  "$1" list backends | sed -n 's/^onnxruntime .*found: ONNX Runtime \([0-9]*\.[0-9]*\)\..*/\1/p'
}

# use_onnxruntime VERSION: lets programs find that version of .deps, if it is there, in place
# of the default one.
use_onnxruntime() {
  local deps=${QCONFORM_DEPS_DIR:-$root/.deps} folder=$root/build/onnxruntime-$1
  [[ -d $deps/onnxruntime-$1 ]] || return 0
  mkdir -p "$folder"
  ln -sfn "$deps/onnxruntime-$1" "$folder/onnxruntime"
  ln -sfn "$deps/node-tests" "$folder/node-tests"
  export QCONFORM_DEPS_DIR=$folder
}

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

# judge_into LOG WHAT CODES COMMAND...: runs a `qconform run` with its stdout in LOG. Its exit codes
# 0 and those in CODES are verdicts: 1 deviations, 3 some cells are declined, 4 all are.
judge_into() {
  local log=$1 what=$2 codes=$3 code=0
  shift 3
  "$@" >"$log" || code=$?
  [[ " 0 $codes " != *" $code "* ]] || return 0
  tail -n 20 "$log" >&2
  say "$what: qconform run ended with code $code"
  return 1
}

# size_of FILE WHAT MOST: prints the bytes of FILE; fails if they are more than are published.
size_of() {
  local size
  size=$(stat -c %s "$1")
  ((size <= $3)) || { say "$2 has $size bytes: at most $3 are published"; return 1; }
  echo "$size"
}

# pack_report FILE WHAT [MOST]: makes a report its packed form, which is published, and prints its
# bytes; fails if they are more than MOST, a million by default.
pack_report() {
  local code=0
  qconform report -q "$1" --packed "$1.packed" >/dev/null || code=$?
  [[ " 0 1 3 4 " == *" $code "* ]] || { say "$2: qconform report ended with code $code"; return 1; }
  mv "$1.packed" "$1"
  size_of "$1" "$2" "${3:-1000000}"
}

# quietly WHAT LOG COMMAND...: runs COMMAND with its output in LOG. On a terminal Ninja's
# counter is shown meanwhile. If the command fails, the errors are shown.
quietly() {
  local what=$1 log=$2 start=$SECONDS code=0 pid count
  shift 2
  mkdir -p "${log%/*}"
  if [[ -t 2 ]]; then
    "$@" >"$log" 2>&1 </dev/null &
    pid=$!
    trap 'kill "$pid" 2>/dev/null; printf "\n" >&2; exit 130' INT TERM HUP
    while kill -0 "$pid" 2>/dev/null; do
      count=$(tail -n 1 "$log" 2>/dev/null | grep -o '^\[[0-9]*/[0-9]*\]' || true)
      printf '\r\033[K%s: %s%s %d s' "${0##*/}" "$what" "${count:+ $count}" $((SECONDS - start)) >&2
      sleep 0.5
    done
    wait "$pid" || code=$?
    trap - INT TERM HUP
    printf '\r\033[K' >&2
  else
    say "$what ..."
    "$@" >"$log" 2>&1 </dev/null || code=$?
  fi
  if ((code)); then
    grep -E -m 20 -A 8 'error:|CMake Error|FAILED:' "$log" >&2 || tail -n 40 "$log" >&2
    say "$what failed; its whole output is in $log"
    return "$code"
  fi
  ((SECONDS - start < 3)) || say "$what: $((SECONDS - start)) s"
}

# configure DIR CMAKE_ARGUMENTS...
configure() {
  local dir=$1 log=$root/build/log/${1##*/}-configure.log
  shift
  # The cache of a tree that was moved cannot be used.
  if [[ -f $dir/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
    say "$dir was configured for another source tree, so it is deleted and configured again"
    rm -rf "$dir"
  fi
  (cd "$root" && quietly "configuring ${dir#"$root"/}" "$log" cmake "$@" \
    ${QCONFORM_DEPS_DIR:+"-DQCONFORM_DEPS_DIR=$QCONFORM_DEPS_DIR"})
}

# build_preset PRESET [TARGET...]
build_preset() {
  local preset=$1
  shift
  configure "$root/build/$preset" --preset "$preset"
  quietly "building build/$preset" "$root/build/log/$preset-build.log" \
    cmake --build "$root/build/$preset" --parallel "$jobs" ${1:+--target "$@"}
}

# run_ctest PRESET CTEST_ARGUMENTS...: also fails if no test ran.
run_ctest() {
  local preset=$1
  shift
  ctest --test-dir "$root/build/$preset" --output-on-failure --no-tests=error -j "$jobs" "$@"
}

# own_node_tests OPERATOR FROM TO: links the node tests of one operator in FROM/RELEASE to
# TO/RELEASE, and prints the arguments of qconform run for them, one a line.
own_node_tests() {
  local operator=${1,,} release folder
  for release in "$2"/*/; do
    release=$(basename "$release")
    mkdir -p "$3/$release"
    for folder in "$2/$release/test_$operator"* "$2/$release/test_basic_$operator"*; do
      [[ ! -d $folder ]] || ln -sfn "$folder" "$3/$release/"
    done
    printf '%s\n' --node-tests "$3/$release"
  done
}
