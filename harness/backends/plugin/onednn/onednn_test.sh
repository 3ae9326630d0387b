#!/bin/sh
# onednn_test.sh QCONFORM PLUGIN: oneDNN answers cells of each operator that the plugin has.
# 77: the plugin was not built, because oneDNN is not installed. Whether the answers are
# right depends on oneDNN and on the CPU, and is not asked here.
set -eu
qconform=$1
plugin=$2
if [ ! -e "$plugin" ]; then
  echo "onednn_test: not run, because oneDNN 2 (libdnnl-dev) was not found"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for cell in 'MatMulInteger/10/UINT8-INT8-INT32/per_tensor-per_tensor' \
  'ConvInteger/10/UINT8-INT8-INT32/per_tensor' \
  'QLinearConv/10/INT8-INT8-UINT8/per_tensor'; do
  "$qconform" run --backend "plugin:$plugin" --cells "$cell" --level smoke --no-progress \
    --report report.json >text 2>&1 || true
  if ! grep -q '^compared *[1-9]' text; then
    echo "onednn_test: $cell: expected answers, got:"
    cat text
    exit 1
  fi
  rm -f report.json*
done
echo "onednn_test: answers in 3 cells"
