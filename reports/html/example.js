// An example in words, and as a table.

// A value of a report in decimal; floats are hexadecimal there ("0x1.4p+1"). Nine digits
// tell all values of up to 32 bits apart.
function decimal(value) {
  const found = /^(-?)0x([0-9a-f]+)(?:\.([0-9a-f]+))?p([+-]\d+)$/i.exec(value);
  if (!found) return value;
  const [, sign, whole, part = "", exponent] = found;
  const number = parseInt(whole + part, 16) * 16 ** -part.length * 2 ** Number(exponent);
  return sign + (part.length > 6 ? number : Number(number.toPrecision(9)));
}
// "0x41280000 (10.5)" with the decimal number first.
const decimalFirst = text => text.replace(/^(-?0x[0-9a-f.p+-]+) \((.+)\)$/i, "$2 ($1)");
const valueText = ({ bits, value }) => (value ? `${decimal(value)} (${bits})` : bits);
const elementName = ({ index, output }) =>
  (output || "y") + (index.length ? `[${index.join(",")}]` : "");

// "y[0,3]: expected 130 (0x82), actual 131 (0x83)", or the message of a case without output.
function exampleSentence(example) {
  if (!example.index) return example.message;
  const { expected, actual } = example;
  return `${elementName(example)}: expected ${valueText(expected)}, actual ${valueText(actual)}`;
}
const operandsText = example =>
  (example.operands || []).map(operand => `${operand.name} = ${valueText(operand)}`).join(", ");

// Bits with the digits that differ marked.
function markedBits(bits, other) {
  if (!other || bits.length !== other.length) return [bits];
  return [...bits].map((digit, i) => (digit === other[i] ? digit : el("mark", {}, digit)));
}

// The element's operands and both answers. One that follows an admissible reading is right,
// too: then nothing is marked, and the other answer is only the canonical one.
function operandTable(example) {
  const { index, operands = [], expected, actual, reading } = example;
  const row = (name, number, type, other, kind = "") =>
    el(
      "tr",
      { class: kind },
      el("th", { scope: "row" }, name, type ? el("small", {}, ` ${type}`) : ""),
      el("td", {}, decimal(number.value)),
      el("td", {}, markedBits(number.bits, other && other.bits)),
    );
  const rows = operands.map(({ name, type, bits, value }) => row(name, { bits, value }, type));
  if (index)
    rows.push(
      row(reading ? "canonical" : "expected", expected, "", reading ? null : actual, rows.length ? "sum" : ""),
      row("actual", actual, "", reading ? null : expected),
    );
  return rows.length
    ? el("div", { class: "scroll" }, el("table", { class: "operands" }, el("tbody", {}, rows)))
    : "";
}
