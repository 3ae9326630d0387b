// The names and types of the inputs and outputs of a serialized onnx.ModelProto.

import { decode } from './codec.mjs';

const VALUE_INFO = {
  1: ['name', 'string'],
  2: ['type', { 1: ['tensor', { 1: ['data_type', 'varint'] }] }],
};

const MODEL = {
  7: ['graph', {
    5: ['initializers', { 8: ['name', 'string'] }, true],
    11: ['inputs', VALUE_INFO, true],
    12: ['outputs', VALUE_INFO, true],
  }],
};

// Numbers of TensorProto.DataType; onnx.proto names them so.
export const DATA_TYPES = {
  1: 'FLOAT', 2: 'UINT8', 3: 'INT8', 4: 'UINT16', 5: 'INT16', 6: 'INT32', 7: 'INT64',
  8: 'STRING', 9: 'BOOL', 10: 'FLOAT16', 11: 'DOUBLE', 12: 'UINT32', 13: 'UINT64',
  16: 'BFLOAT16', 17: 'FLOAT8E4M3FN', 18: 'FLOAT8E4M3FNUZ', 19: 'FLOAT8E5M2',
  20: 'FLOAT8E5M2FNUZ', 21: 'UINT4', 22: 'INT4', 23: 'FLOAT4E2M1', 24: 'FLOAT8E8M0',
  25: 'UINT2', 26: 'INT2', 27: 'FLOAT6E2M3', 28: 'FLOAT6E3M2',
};

export function dataTypeName(number) {
  return DATA_TYPES[number] ?? `data type ${number}`;
}

// Returns {inputs, outputs}, lists of {name, data_type}; initializers are not inputs.
// Throws Error if `bytes` is not a model with a graph.
export function graphOf(bytes) {
  const { graph } = decode(MODEL, bytes);
  if (graph === undefined) throw new Error('a model without a graph');
  const constants = new Set(graph.initializers.map((tensor) => tensor.name));
  const values = (list) => list.map(({ name, type }) => ({
    name, data_type: type?.tensor?.data_type ?? 0,
  }));
  return {
    inputs: values(graph.inputs).filter(({ name }) => !constants.has(name)),
    outputs: values(graph.outputs),
  };
}
