// An example as a Markdown text for an issue, and as a model to download.

// The specification's opset_version that a case was asked at: "OP/21@22/...".
const opsetOf = (example, cell) => (/^[^@]*@(\d+)\//.exec(example.case) || [0, cell.since])[1];

// The part of a case's id with attributes and such: "saturate=1,precision=BFLOAT16,zp=absent".
const variantOf = example => example.case.split("/").find(part => part.includes("=")) || "";

// Texts of a report in Markdown: as code, in which nothing is markup.
function markdownCode(text) {
  const line = String(text).replace(/\s+/g, " ").trim();
  const longest = Math.max(0, ...(line.match(/`+/g) || []).map(run => run.length));
  const ticks = "`".repeat(longest + 1);
  const space = /^`|`$/.test(line) ? " " : "";
  return line && ticks + space + line + space + ticks;
}
const markdownText = text => text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>|#~&]/g, "\\$&");
// The same for a text of the program's own, which may have `code`.
const markdownWithCode = text =>
  text
    .split("`")
    .map((part, i) => (i % 2 ? markdownCode(part) : markdownText(part)))
    .join("");
function markdownTable(head, rows) {
  const line = cells => `| ${cells.map(cell => cell.replace(/\|/g, "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

// What to paste into the tracker of the backend.
function issueText(report, cell, example, finding) {
  const { operands = [], steps = [] } = example;
  const value = ({ bits, value }) => [value ? decimal(value) : "", bits];
  const types = cell.types.slice(0, -1).join(", ");
  const row = (name, number, type = "") => [name, ...value(number), type].map(markdownCode);
  const rows = operands.map(operand => row(operand.name, operand, operand.type));
  if (example.index)
    rows.push(row("expected", example.expected, cell.output), row("actual", example.actual));
  const wrong = example.index
    ? `${valueText(example.actual)} instead of ${valueText(example.expected)}`
    : "no usable output";
  const parts = [
    `# ${markdownText(report.backend)}: ${markdownText(cell.op)} to ${markdownText(cell.output)} gives ${markdownText(wrong)}`,
    `${markdownCode(report.backend)} gives ` +
      (example.index ? "other bits than ONNX's specification asks for" : "no usable output") +
      `: ${markdownCode(cell.op)} at opset ${opsetOf(example, cell)}, ` +
      `${markdownCode(types)} to ${markdownCode(cell.output)}, ${markdownCode(cell.granularity)}` +
      (variantOf(example) ? `, ${markdownCode(variantOf(example))}` : ""),
    example.message ? markdownCode(example.message) : "",
    rows.length
      ? (example.index ? `Element ${markdownCode(elementName(example))}:\n\n` : "") +
        markdownTable(["", "value", "bits", "type"], rows)
      : "",
    ...explain(example.clause || "").map(
      ([name, text]) => `Clause ${markdownCode(name)}: ${markdownWithCode(text)}`,
    ),
    steps.length
      ? markdownTable(
          ["step", "specification", cell.diagnosis ? markdownCode(cell.diagnosis) : "backend"],
          steps.map(({ step, expected = "", actual = "" }) =>
            [step, decimalFirst(expected), decimalFirst(actual)].map(markdownCode),
          ),
        )
      : "",
    [
      cell.diagnosis ? `It behaves like ${markdownCode(cell.diagnosis)}.` : "",
      ...diagnosisText(cell).map(markdownText),
    ]
      .filter(Boolean)
      .join(" "),
    finding
      ? `The same finding in ${plural(finding.cells.length, "cell")} (operator/since_version/types/granularity):\n` +
        finding.cells
          .slice(0, 10)
          .map(place => `- ${markdownCode(report.cells[place].id)}`)
          .join("\n") +
        (finding.cells.length > 10 ? `\n- and ${digits(finding.cells.length - 10)} more` : "")
      : "",
    `Run it again, or print a script for onnx and onnxruntime that does not need ${report.tool.name} ` +
      "(it casts outputs of types that numpy lacks to FLOAT or INT32):\n\n" +
      `    ${example.replay.replace(/\s+/g, " ")}\n` +
      `    qconform replay ${example.case.replace(/\s+/g, " ")} --seed ${report.suite.seed} --emit python`,
    markdownTable(
      ["", "version"],
      [
        [report.backend, [report.version, report.vendor, report.device].filter(Boolean).join(", ")],
        ["ONNX", report.suite.onnx_version],
        [report.tool.name, `${report.tool.version} (${report.tool.commit})`],
        ["machine", [report.machine, report.os].filter(Boolean).join(", ")],
      ].map(line => line.map(markdownCode)),
    ),
  ];
  return parts.filter(part => part.trim()).join("\n\n") + "\n";
}

// A link that saves the model of an example's case, if the page has it.
function modelLink(example, cell) {
  const model = raw.models[example.case];
  if (!model) return "";
  const name = `${cell.id.replace(/[^A-Za-z0-9_]+/g, "-")}-opset-${opsetOf(example, cell)}.onnx`;
  return el(
    "a",
    {
      class: "plain",
      download: name,
      href: "data:application/octet-stream;base64," + model,
      title: `${name}. ${MODEL_WORDS}.`,
    },
    "Download model.onnx",
  );
}
const MODEL_WORDS =
  "The whole case as an ONNX model whose inputs have their values as defaults, so that it runs without feeds. " +
  "ONNX Runtime's Python API does not return outputs of types that numpy lacks, such as FLOAT8E5M2 and INT4: " +
  "the script of --emit python casts them";
