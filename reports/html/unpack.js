// See Packer in reports/show/page_parts.h.
function unpack({ shapes, values }) {
  const whole = [];
  const valueOf = code => (code < 0 ? whole[-1 - code] : code);
  for (const packed of values) {
    if (!Array.isArray(packed)) whole.push(packed);
    else if (packed[0] < 0) whole.push(packed.slice(1).map(valueOf));
    else
      whole.push(
        Object.fromEntries(shapes[packed[0]].map((key, i) => [key, valueOf(packed[i + 1])])),
      );
  }
  return whole[whole.length - 1];
}
