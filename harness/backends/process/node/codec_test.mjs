import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';

import { decode, encode } from './codec.mjs';
import { graphOf } from './model.mjs';

const INNER = { 1: ['text', 'string'] };
const TABLE = {
  1: ['number', 'varint'],
  2: ['numbers', 'varint', true],
  3: ['data', 'bytes'],
  4: ['inner', INNER],
  5: ['inners', INNER, true],
};

const bytes = (...list) => new Uint8Array(list);

test('encode then decode gives the same message', () => {
  for (const number of [0, 1, 127, 128, 300, 2 ** 32, 2 ** 53 - 1]) {
    const message = {
      number, numbers: [0, number, 1], data: bytes(0, 255), inner: { text: 'é' },
      inners: [{ text: '' }, { text: 'b' }],
    };
    const again = decode(TABLE, encode(TABLE, message));
    assert.deepEqual({ ...again, data: [...again.data] }, { ...message, data: [0, 255] });
  }
});

test('encode gives the bytes of the encoding guide: field 1 = 150', () => {
  assert.deepEqual([...encode(TABLE, { number: 150 })], [0x08, 0x96, 0x01]);
});

test('repeated numbers are read packed and not packed', () => {
  assert.deepEqual(decode(TABLE, bytes(0x10, 5, 0x12, 2, 6, 7)).numbers, [5, 6, 7]);
});

test('an int64 of ten bytes is negative', () => {
  const minusOne = bytes(0x08, ...Array(9).fill(0xff), 0x01);
  assert.equal(decode(TABLE, minusOne).number, -1);
});

test('unknown fields of all wire types are skipped', () => {
  const unknown = bytes(0x78, 1, 0x79, 1, 2, 3, 4, 5, 6, 7, 8, 0x7a, 1, 9, 0x7d, 1, 2, 3, 4);
  assert.equal(decode(TABLE, Buffer.concat([unknown, bytes(0x08, 3)])).number, 3);
});

test('bytes that are not a message throw', () => {
  for (const bad of [bytes(0x08), bytes(0x1a, 5, 1), bytes(0x08, ...Array(11).fill(0x80)),
    bytes(0x0b), bytes(0x1d, 1, 2, 3, 4)]) {
    assert.throws(() => decode(TABLE, bad), Error, `bytes ${[...bad]}`);
  }
});

test('the graph of a model: an initializer is not an input', () => {
  const text = (number, value) => encode({ [number]: ['v', 'string'] }, { v: value });
  const nest = (number, ...parts) =>
    encode({ [number]: ['v', 'bytes'] }, { v: Buffer.concat(parts) });
  const value = (number, name, type) =>
    nest(number, text(1, name), nest(2, nest(1, encode({ 1: ['v', 'varint'] }, { v: type }))));
  const model = nest(7, value(11, 'x', 1), value(11, 's', 1), nest(5, text(8, 's')),
    value(12, 'y', 22));
  assert.deepEqual(graphOf(model), {
    inputs: [{ name: 'x', data_type: 1 }], outputs: [{ name: 'y', data_type: 22 }],
  });
});

test('what is printed does not get between the replies', () => {
  const protocol = new URL('./protocol.mjs', import.meta.url).href;
  const program = `
    import fs from 'node:fs';
    import { requests, takeStdout, writeReply } from '${protocol}';
    const replies = takeStdout();
    console.log('printed by console');
    for (const { seq } of requests(0)) {
      fs.writeSync(1, 'printed to 1');
      writeReply(replies, seq, { prepared: { handle: 7 } });
    }`;
  const request = Buffer.from([4, 0, 0, 0, 0x08, 9, 0x1a, 0]);
  // Pipes, like those of the harness, because Node would use sockets.
  const shell = '{ "$NODE" --input-type=module --eval "$PROGRAM" 2>&3 | cat; } 3>&1 >"$OUT" | cat';
  const out = path.join(os.tmpdir(), `qconform-codec-test-${process.pid}`);
  const { stdout } = spawnSync('sh', ['-c', shell], {
    input: Buffer.concat([request, request]),
    env: { ...process.env, NODE: process.execPath, PROGRAM: program, OUT: out },
  });
  const replies = fs.readFileSync(out);
  fs.rmSync(out);
  const reply = [6, 0, 0, 0, 0x08, 9, 0x1a, 2, 0x08, 7];
  assert.deepEqual([...replies], [...reply, ...reply], stdout.toString());
  assert.match(stdout.toString(), /printed by console[^]*printed to 1printed to 1/);
});
