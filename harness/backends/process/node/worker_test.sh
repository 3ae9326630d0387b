#!/bin/sh
# The tests of this folder, run by CTest:
#   worker_test.sh codec             the parts alone
#   worker_test.sh QCONFORM DEPS     the worker, from protocol to verdict
# Where something is missing it says "not run, because ..." and CTest shows it skipped.
set -u
here=$(cd "$(dirname "$0")" && pwd -P)

not_run() {
  echo "not run, because $*"
  exit 0
}
command -v node >/dev/null || not_run "there is no node (Node.js 18 or newer)"
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 18 ] ||
  not_run "node is $(node --version), and 18 is the least"

if [ "$1" = codec ]; then
  node --test "$here/codec_test.mjs"
  exit
fi

qconform=$1
export QCONFORM_DEPS_DIR="$2"
package=$QCONFORM_DEPS_DIR/onnxruntime-web/node_modules/onnxruntime-web/package.json
[ -s "$package" ] || not_run "the package onnxruntime-web is not there:" \
  "script/bootstrap --with onnxruntime-web"

worker="node '$here/worker.mjs'"
"$qconform" worker-check "$worker" || exit 1

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$qconform" run --backend "process:$worker" --level smoke --jobs 1 --no-progress \
  -v --cells 'QuantizeLinear/21/FLOAT-FLOAT-*/per_tensor' --exit-zero \
  --report "$work/report.json" >"$work/run.txt" 2>&1 || { cat "$work/run.txt"; exit 1; }
cat "$work/run.txt"
# 8 and 16 bits are answered, all else is declined; nothing may have gone wrong.
count() { sed -n "s/^$1  *\([0-9]*\).*/\1/p" "$work/run.txt" | head -n 1; }
for verdict in crashed timed_out failed invalid_output mistrusted partial untested; do
  [ -z "$(count "$verdict")" ] || { echo "$(count "$verdict") cells are $verdict"; exit 1; }
done
judged=0
for verdict in conformant admissible nonconformant; do
  judged=$((judged + $(count "$verdict" | grep . || echo 0)))
done
[ "$judged" -eq 4 ] || { echo "$judged cells were judged, not UINT8 INT8 UINT16 INT16"; exit 1; }
