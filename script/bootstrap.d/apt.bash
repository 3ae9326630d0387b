# Sourced by script/bootstrap: installs packages with apt-get, and unpacks packages of Debian
# into .deps without installing them.
# shellcheck shell=bash

# Runs a command with its output in the log, and shows the log's end if it fails.
logged() {
  printf '\n$ %s\n' "$*" >>"$log"
  "$@" >>"$log" 2>&1 </dev/null && return 0
  local code=$?
  say "failed: $*"
  tail -n 25 "$log" | sed 's/^/  | /' >&2
  return "$code"
}

# Prints what apt-get would install for the given packages, such as "126 packages, 204 MB", or
# nothing if apt-get does not say.
apt_plan() {
  LC_ALL=C apt-get install --assume-no --no-install-recommends "$@" 2>>"$log" </dev/null |
    sed -n -e 's/^\([0-9]*\) upgraded, \([0-9]*\) newly installed.*/\1 \2/p' \
      -e 's/^Need to get \(.*B\)\(\/.*\)\? of archives.*/\1/p' |
    awk 'NR == 1 {count = $1 + $2} NR == 2 {size = ", " $0} END {if (count) print count " packages" size}' ||
    true
}

# follow_apt PID COUNT: prints the progress of apt-get while it runs: all the time on a
# terminal, otherwise every 30 s.
follow_apt() {
  local pid=$1 count=$2 percent next=30 start=$SECONDS
  while kill -0 "$pid" 2>/dev/null; do
    sleep 1
    percent=$(grep -cE '^(Unpacking|Setting up) ' "$log" || true)
    percent=$((percent * 50 / (count > 0 ? count : 1)))
    ((percent <= 100)) || percent=100
    if [[ -t 2 ]]; then
      printf '\r\033[Kbootstrap: apt-get: %d%%' "$percent" >&2
    elif ((SECONDS - start >= next)); then
      say "apt-get: $percent%"
      next=$((next + 30))
    fi
  done
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
}

install_packages() {
  export DEBIAN_FRONTEND=noninteractive
  # An earlier run may have been killed inside dpkg.
  logged dpkg --configure -a || die "dpkg cannot finish what an earlier run began (see above)"
  local try plan pid start
  say "apt-get update"
  for try in 1 2 3; do
    logged apt-get update && break
    ((try == 3)) || sleep 5  # another apt may hold the lists
  done
  plan=$(apt_plan "${missing_packages[@]}")
  start=$SECONDS
  say "apt-get install (${plan:-size unknown}): ${missing_packages[*]}"
  logged apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 install -y --fix-broken \
    --no-install-recommends "${missing_packages[@]}" &
  pid=$!
  follow_apt "$pid" "${plan%% *}"
  wait "$pid" || die "apt-get could not install: ${missing_packages[*]}"
  say "apt-get took $((SECONDS - start)) s"
}

# Prints the mirrors in apt's configuration, in either of its two forms: apt itself
# lists its sources as URIs, without a network.
configured_mirrors() {
  if [[ -n ${QCONFORM_DEBIAN_MIRROR-} ]]; then
    echo "${QCONFORM_DEBIAN_MIRROR%/}"
    return
  fi
  has apt-get || return 0
  mkdir -p "$tmp/none/partial"
  # Suites with a dash are security, updates, backports and vendors' own.
  apt-get -o "Dir::State::Lists=$tmp/none" -o Debug::NoLocking=1 --print-uris update 2>>"$log" |
    sed -n "s,^'\([^']*\)/dists/[^/' -]*/main/binary-.*,\1,p" | grep -v '^cdrom:' | awk '!seen[$0]++' ||
    true
}

# from_pool FILE SHA256 PATH...: downloads to FILE what a mirror has at one of the paths
# (below pool/). It is known by its hash, so no package list and no keyring is needed.
from_pool() {
  local file=$1 hash=$2 from path
  shift 2
  while read -r from; do
    for path; do
      printf '\n$ download %s\n' "$from/pool/$path" >>"$log"
      /usr/lib/apt/apt-helper -o APT::Sandbox::User=root -o Acquire::Retries=3 download-file \
        "$from/pool/$path" "$file" "SHA256:$hash" >>"$log" 2>&1 </dev/null && return 0
    done
  done < <(configured_mirrors)
  return 1
}

# Configures apt with separate sources, lists and cache, so that the system's are not touched.
# The caches are named because container images turn them off, which is three times slower.
# Lists past their date are accepted (archive mirrors keep such lists), because versions are pinned.
write_private_apt() {
  local mirror=$1 suite
  shift
  mkdir -p "$tmp/lists/partial" "$tmp/cache/archives/partial"
  for suite; do
    echo "deb [signed-by=$keyring] $mirror $suite main"
  done >"$tmp/sources.list"
  # arm64's lists are read only if something of them is missing.
  local architectures
  architectures="\"$(dpkg --print-architecture)\";"
  if wanted aarch64 && ! is_unpacked aarch64; then architectures+=' "arm64";'; fi
  cat >"$tmp/apt.conf" <<CONF
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear APT::Architectures;
#clear Acquire::IndexTargets::deb-src;
APT::Architectures { $architectures };
APT::Sandbox::User "root";
Acquire::Check-Valid-Until "false";
Acquire::Languages "none";
Acquire::Retries "3";
Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled "false";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
Dir::Etc::sourcelist "$tmp/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State::Lists "$tmp/lists";
Dir::Cache "$tmp/cache";
Dir::Cache::pkgcache "pkgcache.bin";
Dir::Cache::srcpkgcache "srcpkgcache.bin";
CONF
}

# private_update MIRROR SUITE...: it is not an error if the mirror lacks a suite, because the
# package may be in the others.
private_update() {
  write_private_apt "$@"
  say "reading the package lists of ${*:2} (about 10 MB each; for .deps only)"
  printf '\n$ private apt-get update: %s\n' "$*" >>"$log"
  apt-get -c "$tmp/apt.conf" update >>"$log" 2>&1 </dev/null || true
}

# pick PACKAGE PIN MINIMUM BELOW: sets picked to the pinned version, otherwise to the newest of
# the same upstream release, otherwise to the newest in [MINIMUM, BELOW).
pick() {
  local package=$1 pin=$2 minimum=$3 below=$4 version best="" same=""
  picked=
  while read -r version; do
    if [[ $version == "$pin" ]]; then picked=$pin; return 0; fi
    if [[ ${version%-*} == "${pin%-*}" ]] && dpkg --compare-versions "$version" gt "${same:-0}"; then
      same=$version
    fi
    if dpkg --compare-versions "$version" ge "$minimum" &&
      dpkg --compare-versions "$version" lt "$below" &&
      dpkg --compare-versions "$version" gt "${best:-0}"; then
      best=$version
    fi
  done < <(apt-cache -c "$tmp/apt.conf" madison "$package" 2>>"$log" | cut -d'|' -f2 | tr -d ' ')
  picked=${same:-$best}
  [[ -n $picked ]]
}

# pick_anywhere PACKAGE PIN MINIMUM BELOW: as pick, first from the lists that were read, then
# from more suites and from the other mirrors.
pick_anywhere() {
  [[ -s $keyring ]] || die "$keyring is missing: apt-get install debian-archive-keyring"
  if [[ -s $tmp/apt.conf ]] && pick "$@"; then return; fi
  local from
  while read -r from; do
    private_update "$from" bookworm trixie forky
    if pick "$@"; then return; fi
    private_update "$from" bookworm trixie forky sid experimental
    if pick "$@"; then return; fi
  done < <(configured_mirrors)
  die "$1: no mirror in apt's configuration has a version from $3 on, below $4." \
    "QCONFORM_DEBIAN_MIRROR can name another"
}

native_version() { dpkg-query -W -f '${Version}' "$1" 2>/dev/null || echo 0; }

# Prints for a component or a part of one: package, pinned version, lowest version, first version
# that is too new; and, if it is fetched by its hash, SHA-256 and path.
deb_source() {
  case $1 in
    onnx | python-onnx) echo python3-onnx 1.20.0-6 1.20 2 ;;
    onnx-1.20*) echo python3-onnx 1.20.0-6 1.20 1.21~ ;;
    onnx-*) echo python3-onnx "${1#onnx-}-1" "${1#onnx-}" "${1#onnx-}.1~" ;;
    node-tests-1.22.0) echo libonnx-testdata 1.21.0-1 1.20 1.23~ ;;
    node-tests-1.17.0) echo libonnx-testdata 1.17.0-3 1.17.0 1.17.1~ \
      d2d352c25a62c5544781cd7fb08c41507cd2bbded859f8e804ac8594329077bd \
      main/o/onnx/libonnx-testdata_1.17.0-3_all.deb ;;
    node-tests-1.12.0) echo libonnx-testdata 1.12.0-2 1.12.0 1.12.1~ \
      7dc0912e02f79ece102331411a751b091bc0e191c9fb1287f8cdfbe5530f6027 \
      main/o/onnx/libonnx-testdata_1.12.0-2_all.deb ;;
    node-tests-*) echo libonnx-testdata "${1#node-tests-}-1" "${1#node-tests-}" "${1#node-tests-}.1~" ;;
    # 1.3's binaries need a newer libc than Debian 12 has.
    highway) echo libhwy-dev 1.2.0-2+b2 1.2 1.3~ ;;
    highway-library) echo libhwy1t64 1.2.0-2+b2 1.2 1.3~ ;;
    # Generated code needs exactly the protobuf that the native protoc belongs to.
    aarch64) echo libprotobuf-dev:arm64 "$(native_version libprotobuf-dev)" 3.21 3.22~ ;;
    aarch64-highway) echo libhwy-dev:arm64 1.2.0-2+b2 1.2 1.3~ ;;
    aarch64-highway-library) echo libhwy1t64:arm64 1.2.0-2+b2 1.2 1.3~ ;;
    aarch64-json) echo nlohmann-json3-dev 3.11.2-2 3.11 4 ;;
    aarch64-cli11) echo libcli11-dev 2.1.2+ds-1 2.1 3 ;;
  esac
}

# Downloads the package of a component and unpacks it to $tmp/unpacked; sets
# package and picked to its name and version.
unpack_deb() {
  local pin minimum below hash place
  read -r package pin minimum below hash place < <(deb_source "$1")
  rm -rf "$tmp/debs"
  mkdir -p "$tmp/debs" "$tmp/unpacked"
  if [[ -n $hash ]] && from_pool "$tmp/debs/pinned.deb" "$hash" "$place"; then
    picked=$pin
  else
    pick_anywhere "$package" "$pin" "$minimum" "$below"
    [[ $picked == "$pin" ]] || say "note: $package $pin is not on the mirror, taking $picked"
    (cd "$tmp/debs" && logged apt-get -c "$tmp/apt.conf" download "$package=$picked") ||
      die "could not download $package $picked"
  fi
  logged dpkg-deb -x "$tmp/debs"/*.deb "$tmp/unpacked" || die "$package $picked cannot be unpacked"
  count_bytes "$tmp/debs"
}
