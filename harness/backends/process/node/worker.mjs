// A worker of qconform for onnxruntime-web, ONNX Runtime's WebAssembly build:
//
//   qconform run --backend "process:node harness/backends/process/node/worker.mjs"
//
// Options: --package NODE_MODULES (where the package is), --opt-level LEVEL
// (disabled, basic, extended, layout, all). Needs Node 18 or newer.

import fs from 'node:fs';

import { OnnxRuntimeWeb } from './onnxruntime_web.mjs';
import { PROTOCOL_VERSION, requests, takeStdout, writeReply } from './protocol.mjs';

const LEVELS = ['disabled', 'basic', 'extended', 'layout', 'all'];

function fail(code, text) {
  fs.writeSync(2, `worker.mjs: ${text}\n`);
  process.exit(code);
}

function parseArguments(words) {
  const options = {};
  for (let i = 0; i < words.length; i += 2) {
    const [flag, value] = [words[i], words[i + 1]];
    if (flag === '--package' && value !== undefined) options.folder = value;
    else if (flag === '--opt-level' && LEVELS.includes(value)) options.level = value;
    else {
      fail(2, `option: expected --package NODE_MODULES or --opt-level ${LEVELS.join('|')}, ` +
        `got '${[flag, value].join(' ').trim()}'`);
    }
  }
  return options;
}

// Returns the reply to a request; undefined if it has none.
async function answer(backend, request, setLimit) {
  if (request.hello) {
    setLimit(request.hello.max_message_bytes);
    return { hello: { protocol_version: PROTOCOL_VERSION, ...backend.about } };
  }
  if (request.prepare) return backend.prepare(request.prepare.model ?? new Uint8Array(0));
  if (request.run) return backend.run(request.run.handle ?? 0, request.run.inputs);
  if (request.release) {
    await backend.release(request.release.handle ?? 0);
    return undefined;
  }
  return { error: { text: 'a request of an unknown kind' } };
}

const options = parseArguments(process.argv.slice(2));
const replies = takeStdout();  // before anything is loaded that prints
let limit = 64 << 20;
try {
  const backend = await OnnxRuntimeWeb.load(options);
  for (const request of requests(0, limit)) {
    const reply = await answer(backend, request, (bytes) => { limit = bytes || limit; });
    if (reply !== undefined) writeReply(replies, request.seq ?? 0, reply, limit);
  }
} catch (failure) {
  fail(1, failure.stack ?? String(failure));
}
process.exit(0);
