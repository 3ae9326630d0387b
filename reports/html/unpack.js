// See reports/base/packed.h.
function unpack({ shapes, values }) {
  const whole = [];
  const valueOf = code => (code < 0 ? whole[-1 - code] : code);
  for (const packed of values) {
    if (!Array.isArray(packed)) {
      whole.push(packed);
      continue;
    }
    const [kind, ...items] = packed;
    if (kind === -1) whole.push(items.map(valueOf));
    else if (kind === -2) whole.push(items.map(valueOf).join(""));
    else
      whole.push(
        Object.fromEntries(shapes[kind].map((key, i) => [valueOf(key), valueOf(items[i])])),
      );
  }
  return whole[whole.length - 1];
}
