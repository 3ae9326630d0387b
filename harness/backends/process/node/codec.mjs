// Protocol Buffers for the few messages of a worker: one decoder and one encoder that
// follow tables of fields. Fields that a table does not name are skipped.
//
// A table maps a field's number to [name, type, repeated]; type is 'varint' (a
// Number, exact to 2^53), 'bytes' (Uint8Array), 'string', 'map' (string to string,
// encoded only) or the table of a message.

const WIRE_VARINT = 0;
const WIRE_64_BITS = 1;
const WIRE_BYTES = 2;
const WIRE_32_BITS = 5;

const utf8 = new TextDecoder();

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  varint() {
    let low = 0;  // 49 bits, exact in a Number
    let high = 0n;
    for (let i = 0; i < 10; ++i) {
      if (this.at >= this.bytes.length) throw new Error('a message ends inside a number');
      const byte = this.bytes[this.at++];
      if (i < 7) low += (byte & 0x7f) * 2 ** (7 * i);
      else high |= BigInt(byte & 0x7f) << BigInt(7 * i);
      if (byte < 128) {
        return high === 0n ? low : Number(BigInt.asIntN(64, high | BigInt(low)));
      }
    }
    throw new Error('a number of more than 10 bytes');
  }

  take(size) {
    if (size < 0 || size > this.bytes.length - this.at) {
      throw new Error('a field is longer than its message');
    }
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }

  skip(wire) {
    if (wire === WIRE_VARINT) this.varint();
    else if (wire === WIRE_64_BITS) this.take(8);
    else if (wire === WIRE_BYTES) this.take(this.varint());
    else if (wire === WIRE_32_BITS) this.take(4);
    else throw new Error(`wire type ${wire} does not exist`);
  }
}

// Returns an object with the fields of `bytes` that `table` names. Missing fields are left
// out, except repeated ones, which are empty arrays. Throws Error if `bytes` is not a
// message. Bytes are views of `bytes`, not copies.
export function decode(table, bytes) {
  const message = {};
  for (const [name, , repeated] of Object.values(table)) {
    if (repeated) message[name] = [];
  }
  const reader = new Reader(bytes);
  while (reader.at < bytes.length) {
    const tag = reader.varint();
    const wire = tag & 7;
    const field = table[Math.floor(tag / 8)];
    if (field === undefined) {
      reader.skip(wire);
      continue;
    }
    const [name, type, repeated] = field;
    const set = (value) => {
      if (repeated) message[name].push(value);
      else message[name] = value;
    };
    if (type === 'varint') {
      if (wire === WIRE_BYTES) {  // packed
        const packed = new Reader(reader.take(reader.varint()));
        while (packed.at < packed.bytes.length) set(packed.varint());
      } else if (wire === WIRE_VARINT) {
        set(reader.varint());
      } else {
        throw new Error(`${name}: a number of wire type ${wire}`);
      }
      continue;
    }
    if (wire !== WIRE_BYTES) throw new Error(`${name}: bytes of wire type ${wire}`);
    const value = reader.take(reader.varint());
    if (type === 'bytes') set(value);
    else if (type === 'string') set(utf8.decode(value));
    else set(decode(type, value));
  }
  return message;
}

function varint(value) {
  const bytes = [];
  while (value >= 128) {
    bytes.push((value % 128) + 128);
    value = Math.floor(value / 128);
  }
  bytes.push(value);
  return Buffer.from(bytes);
}

// Returns the serialized message as a Buffer. Fields that are undefined are left out.
export function encode(table, message) {
  const parts = [];
  const delimited = (number, bytes) => {
    parts.push(varint(number * 8 + WIRE_BYTES), varint(bytes.length), bytes);
  };
  for (const [key, [name, type, repeated]] of Object.entries(table)) {
    const number = Number(key);
    if (message[name] === undefined) continue;
    if (type === 'map') {
      for (const [entry, text] of Object.entries(message[name])) {
        delimited(number, encode(MAP_ENTRY, { key: entry, value: String(text) }));
      }
      continue;
    }
    if (repeated && type === 'varint') {
      delimited(number, Buffer.concat(message[name].map(varint)));
      continue;
    }
    for (const value of repeated ? message[name] : [message[name]]) {
      if (type === 'varint') parts.push(varint(number * 8 + WIRE_VARINT), varint(Number(value)));
      else if (type === 'bytes') delimited(number, value);
      else if (type === 'string') delimited(number, Buffer.from(value));
      else delimited(number, encode(type, value));
    }
  }
  return Buffer.concat(parts);
}

const MAP_ENTRY = { 1: ['key', 'string'], 2: ['value', 'string'] };
