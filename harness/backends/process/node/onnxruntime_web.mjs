// ONNX Runtime's WebAssembly build with four kinds of answers: outputs, unsupported,
// refused, error. `script/bootstrap --with onnxruntime-web` fetches the package.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { dataTypeName, graphOf } from './model.mjs';

// Maps TensorProto.DataType to the API's name and to the array type of its elements. Those
// of 4 bits are packed as in ONNX. The API has no other types that can be made from bytes.
const TENSOR_TYPES = {
  1: ['float32', Float32Array], 2: ['uint8', Uint8Array], 3: ['int8', Int8Array],
  4: ['uint16', Uint16Array], 5: ['int16', Int16Array], 6: ['int32', Int32Array],
  7: ['int64', BigInt64Array], 9: ['bool', Uint8Array], 10: ['float16', Uint16Array],
  11: ['float64', Float64Array], 12: ['uint32', Uint32Array], 13: ['uint64', BigUint64Array],
  21: ['uint4', Uint8Array], 22: ['int4', Uint8Array],
};
const NUMBER_OF = Object.fromEntries(
  Object.entries(TENSOR_TYPES).map(([number, [name]]) => [name, Number(number)]));

// OrtErrorCode
const INVALID_ARGUMENT = 2;
const INVALID_PROTOBUF = 7;
const NOT_IMPLEMENTED = 9;
const INVALID_GRAPH = 10;
const EP_FAIL = 11;

// Returns the module of the package: from `folder` (a node_modules) if given, otherwise from
// .deps, otherwise from where Node finds it. Throws an Error that says what to do.
async function importPackage(folder) {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const deps = process.env.QCONFORM_DEPS_DIR ?? path.join(here, '../../../../.deps');
  const folders = folder !== undefined ? [folder]
    : [path.join(deps, 'onnxruntime-web/node_modules')];
  for (const each of folders) {
    const root = path.resolve(each, 'onnxruntime-web');
    if (!fs.existsSync(path.join(root, 'package.json'))) continue;
    const about = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
    const entry = path.join(root, about.exports['.'].node.import);
    return { ort: await import(pathToFileURL(entry).href), version: about.version };
  }
  if (folder === undefined) {
    try {
      const ort = await import('onnxruntime-web');
      return { ort, version: ort.env.versions.web };
    } catch { /* the error below covers this */ }
  }
  throw new Error(`the package onnxruntime-web is not in ${folders[0]}: ` +
    'run script/bootstrap --with onnxruntime-web, or say --package NODE_MODULES');
}

function textOf(failure) {
  return failure instanceof Error ? failure.message : `thrown: ${String(failure)}`;
}

function codeOf(text) {
  return Number(/ERROR_CODE: (\d+)/.exec(text)?.[1] ?? 0);
}

function hasAny(text, parts) {
  return parts.some((part) => text.includes(part));
}

// Whether the text says that there is no kernel for the operator, its types, its shapes or the
// opset_version: the same rule as in harness/backends/onnxruntime/classify.cc.
function saysNoKernel(text) {
  return codeOf(text) === NOT_IMPLEMENTED ||
    hasAny(text, ['Could not find an implementation', 'Failed to find kernel',
      'is under development', 'max supported IR version', 'is not a registered function/op',
      'No Op registered for', 'is not currently registered or supported', 'not supported',
      'not implemented', 'Tensor type mismatch', 'IsScalarOr1ElementVector(']);
}

// A trap of WebAssembly (a division by zero, an access out of bounds, an abort) counts as a
// crash: the module cannot be used any more, so this process ends, too.
function dieOfTrap(failure) {
  if (!(failure instanceof WebAssembly.RuntimeError)) return;
  fs.writeSync(2, `WebAssembly trapped: ${failure.message}\n`);
  process.kill(process.pid, 'SIGABRT');  // process.abort() would print pages
}

// The answer for a session that could not be created.
function classifyCreation(failure) {
  dieOfTrap(failure);
  const text = textOf(failure);
  const code = codeOf(text);
  if (code === EP_FAIL || saysNoKernel(text)) {
    return { unsupported: { reason: text } };
  }
  if ([INVALID_GRAPH, INVALID_PROTOBUF, INVALID_ARGUMENT].includes(code) ||
      hasAny(text, ['ShapeInferenceError', 'TypeInferenceError', 'Type Error',
        'This is an invalid model'])) {
    return { refused: { reason: text } };
  }
  return { error: { text } };
}

// The answer for a run that failed.
function classifyRun(failure) {
  dieOfTrap(failure);
  const text = textOf(failure);
  const code = codeOf(text);
  // 1.30 takes tensors of 4-bit types, but throws where it should return one.
  if (text.startsWith('unsupported type: ')) {
    const reason = `the JavaScript API gives no output tensor back: ${text}`;
    return { unsupported: { reason } };
  }
  if (saysNoKernel(text)) return { unsupported: { reason: text } };
  // A kernel that checks its operands names the condition that does not hold.
  if (code === INVALID_ARGUMENT || code === INVALID_GRAPH || text.includes(' was false.')) {
    return { refused: { reason: text } };
  }
  return { error: { text } };
}

export class OnnxRuntimeWeb {
  #ort;
  #options;
  #sessions = new Map();
  #nextHandle = 1;

  // `level` is a graphOptimizationLevel of the API.
  static async load({ folder, level = 'all' } = {}) {
    const { ort, version } = await importPackage(folder);
    ort.env.wasm.numThreads = 1;
    ort.env.logLevel = 'fatal';
    const backend = new OnnxRuntimeWeb();
    backend.#ort = ort;
    backend.#options = {
      executionProviders: ['wasm'], graphOptimizationLevel: level, logSeverityLevel: 4,
    };
    backend.about = {
      name: 'onnxruntime-web', version, vendor: 'Microsoft', device: 'WebAssembly (SIMD), CPU',
      homepage: 'https://onnxruntime.ai',
      details: {
        node: process.versions.node, v8: process.versions.v8, graph_optimization_level: level,
        threads: '1',
      },
    };
    return backend;
  }

  // Returns {prepared}, or the answer that says why not.
  async prepare(model) {
    let graph;
    try {
      graph = graphOf(model);
    } catch (failure) {
      return { refused: { reason: `no ModelProto: ${textOf(failure)}` } };
    }
    const lacking = [...graph.inputs, ...graph.outputs]
      .filter(({ data_type }) => TENSOR_TYPES[data_type] === undefined)
      .map(({ name, data_type }) => `${name} of type ${dataTypeName(data_type)}`);
    if (lacking.length > 0) {
      const reason = `the JavaScript API has no tensors for ${lacking.join(', ')}`;
      return { unsupported: { reason } };
    }
    try {
      // A copy, because the runtime looks at the whole buffer of a view.
      const session = await this.#ort.InferenceSession.create(model.slice(), this.#options);
      const handle = this.#nextHandle++;
      this.#sessions.set(handle, { session, graph });
      return { prepared: { handle } };
    } catch (failure) {
      return classifyCreation(failure);
    }
  }

  // Returns {outputs}, or the answer that says why not.
  async run(handle, inputs) {
    const prepared = this.#sessions.get(handle);
    if (prepared === undefined) return { error: { text: `no model has the handle ${handle}` } };
    const { session, graph } = prepared;
    if (inputs.length !== graph.inputs.length) {
      const text = `${inputs.length} inputs for a graph that has ${graph.inputs.length}`;
      return { error: { text } };
    }
    try {
      const feeds = {};
      graph.inputs.forEach(({ name }, i) => { feeds[name] = this.#wrap(inputs[i]); });
      const results = await session.run(feeds, graph.outputs.map(({ name }) => name));
      return { outputs: { tensors: graph.outputs.map(({ name }) => unwrap(results[name])) } };
    } catch (failure) {
      return classifyRun(failure);
    }
  }

  async release(handle) {
    const prepared = this.#sessions.get(handle);
    this.#sessions.delete(handle);
    await prepared?.session.release();
  }

  // Bits are passed unchanged: the elements are never handled as numbers.
  #wrap({ data_type = 0, dims, data = new Uint8Array(0) }) {
    const [type, Elements] = TENSOR_TYPES[data_type] ?? [];
    if (type === undefined) throw new Error(`no tensors of ${dataTypeName(data_type)}`);
    const size = data.length / Elements.BYTES_PER_ELEMENT;
    const aligned = new Uint8Array(data).buffer;
    return new this.#ort.Tensor(type, new Elements(aligned, 0, size), dims);
  }
}

function unwrap(tensor) {
  const { data } = tensor;
  return {
    data_type: NUMBER_OF[tensor.type],
    dims: tensor.dims,
    data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
  };
}
