// The worker protocol of ../worker.proto, version 1, for Node: its messages, and the
// two ends of the pipe.

import fs from 'node:fs';

import { decode, encode } from './codec.mjs';

export const PROTOCOL_VERSION = 1;

const TENSOR = {
  1: ['data_type', 'varint'],
  2: ['dims', 'varint', true],
  3: ['data', 'bytes'],
};

const REQUEST = {
  1: ['seq', 'varint'],
  2: ['hello', {
    1: ['protocol_version', 'varint'],
    2: ['harness', 'string'],
    3: ['max_message_bytes', 'varint'],
  }],
  3: ['prepare', { 1: ['model', 'bytes'] }],
  4: ['run', { 1: ['handle', 'varint'], 2: ['inputs', TENSOR, true] }],
  5: ['release', { 1: ['handle', 'varint'] }],
};

const REPLY = {
  1: ['seq', 'varint'],
  2: ['hello', {
    1: ['protocol_version', 'varint'],
    2: ['name', 'string'],
    3: ['version', 'string'],
    4: ['vendor', 'string'],
    5: ['device', 'string'],
    6: ['homepage', 'string'],
    7: ['details', 'map'],
  }],
  3: ['prepared', { 1: ['handle', 'varint'] }],
  4: ['outputs', { 1: ['tensors', TENSOR, true] }],
  5: ['unsupported', { 1: ['reason', 'string'], 2: ['url', 'string'] }],
  6: ['refused', { 1: ['reason', 'string'] }],
  7: ['error', { 1: ['text', 'string'], 2: ['kind', 'varint'] }],
};

// Takes stdout away from everything else in this process and returns the file
// descriptor for replies. From then on printed text goes to stderr.
export function takeStdout() {
  let replies;
  try {
    replies = fs.openSync('/dev/fd/1', 'w');
  } catch {
    // A socket cannot be opened again. The harness uses pipes; for others this must do.
    console.log = console.info = console.debug = console.error;
    return 1;
  }
  fs.closeSync(1);
  let stdout;  // gets the lowest free file descriptor, 1
  try {
    stdout = fs.openSync('/dev/fd/2', 'w');
  } catch {
    stdout = fs.openSync('/dev/null', 'w');
  }
  if (stdout !== 1) throw new Error(`stdout became file descriptor ${stdout}, not 1`);
  return replies;
}

// Reads `size` bytes from file descriptor `fd`; null if it ends before the first.
function readWhole(fd, size) {
  const bytes = new Uint8Array(size);
  let have = 0;
  while (have < size) {
    let got;
    try {
      got = fs.readSync(fd, bytes, have, size - have, null);
    } catch (error) {
      if (error.code === 'EOF') got = 0;
      else if (error.code === 'EAGAIN') {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
        continue;
      } else throw error;
    }
    if (got === 0) {
      if (have === 0) return null;
      throw new Error(`the input ends inside a message, after ${have} of ${size} bytes`);
    }
    have += got;
  }
  return bytes;
}

// Yields the requests from `fd` until it ends. Reading blocks, because a worker has
// nothing else to do.
export function* requests(fd, maxMessageBytes = 64 << 20) {
  for (;;) {
    const header = readWhole(fd, 4);
    if (header === null) return;
    const size = new DataView(header.buffer).getUint32(0, true);
    if (size > maxMessageBytes) {
      throw new Error(`request: expected at most ${maxMessageBytes} bytes, got ${size}`);
    }
    const body = size === 0 ? new Uint8Array(0) : readWhole(fd, size);
    if (body === null) throw new Error('the input ends before a message');
    yield decode(REQUEST, body);
  }
}

// Writes one complete reply. If it is over the limit, writes an error instead.
export function writeReply(fd, seq, reply, maxMessageBytes = 64 << 20) {
  let body = encode(REPLY, { seq, ...reply });
  if (body.length > maxMessageBytes) {
    const text = `the reply has ${body.length} bytes; at most ${maxMessageBytes} are allowed`;
    body = encode(REPLY, { seq, error: { text } });
  }
  const bytes = Buffer.allocUnsafe(4 + body.length);
  bytes.writeUInt32LE(body.length, 0);
  body.copy(bytes, 4);
  for (let at = 0; at < bytes.length;) at += fs.writeSync(fd, bytes, at);
}
