#!/bin/sh
# onednn_test.sh QCONFORM PLUGIN: oneDNN answers cells of each operator that the plugin has.
exec "$(dirname "$0")/../testing/library_test.sh" onednn 'oneDNN 2 (libdnnl-dev)' "$@" \
  'MatMulInteger/10/UINT8-INT8-INT32/per_tensor-per_tensor' \
  'ConvInteger/10/UINT8-INT8-INT32/per_tensor' \
  'QLinearConv/10/INT8-INT8-UINT8/per_tensor'
