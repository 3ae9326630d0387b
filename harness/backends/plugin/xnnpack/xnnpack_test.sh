#!/bin/sh
# xnnpack_test.sh QCONFORM PLUGIN: XNNPACK answers cells of each operator that the plugin has.
exec "$(dirname "$0")/../testing/library_test.sh" xnnpack \
  'XNNPACK of early 2022 (libxnnpack-dev, libpthreadpool-dev)' "$@" \
  'QuantizeLinear/10/FLOAT-FLOAT-INT8/per_tensor' \
  'DequantizeLinear/10/UINT8-FLOAT-FLOAT/per_tensor' \
  'QLinearMatMul/10/FLOAT-UINT8-UINT8-UINT8/per_tensor-per_tensor' \
  'QLinearConv/10/UINT8-UINT8-UINT8/per_tensor'
