// The panel: one tile with its cells, and the evidence of one cell.

// Sentences about names are said once in the panel, however many examples have the name.
let saidInPanel = new Set();
function explainOnce(name) {
  return explain(name).filter(([, text]) => !saidInPanel.has(text) && saidInPanel.add(text));
}
function namedFact(label, name) {
  return el(
    "div",
    { class: "fact" },
    `${label} `,
    el("code", {}, name),
    explainOnce(name).map(([part, text]) =>
      el("span", { class: "formula" }, (part === name ? "" : part + ": ") + text),
    ),
  );
}
// The sentences about a deviation, without the name that stands before them.
const diagnosisText = cell =>
  cell.why
    .filter(text => !/^(Explained by |explained_by: )/.test(text))
    .map(text => text[0].toUpperCase() + text.slice(1));

function stepTable(steps, other) {
  return el(
    "div",
    { class: "scroll" },
    el(
      "table",
      { class: "operands worked" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          ["step", "specification", other].map(name => el("th", { scope: "col" }, name)),
        ),
      ),
      el(
        "tbody",
        {},
        steps.map(({ step, expected = "", actual = "" }) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, step),
            el("td", {}, decimalFirst(expected)),
            el(
              "td",
              {},
              actual && actual !== expected
                ? el("mark", {}, decimalFirst(actual))
                : decimalFirst(actual),
            ),
          ),
        ),
      ),
    ),
  );
}

function exampleCard(example, cell, report) {
  const { index, clause = "", message, reading = "", replay, steps = [], tier } = example;
  const where = [
    index && elementName(example),
    tier && `tier ${tier}`,
    example.operand_form && `operands as ${example.operand_form}`,
    clause && `clause ${clause}`,
    variantOf(example).replace(/,/g, ", "),
  ];
  const link = modelLink(example, cell);
  return el(
    "div",
    { class: "example" },
    el("div", { class: "id" }, where.filter(Boolean).join(", ")),
    message && !saidInPanel.has(message) && saidInPanel.add(message)
      ? el("p", { class: "fact" }, message)
      : "",
    operandTable(example),
    reading ? el("p", { class: "fact" }, "This element follows ", el("code", {}, reading)) : "",
    explainOnce(clause).map(([, text]) => el("p", { class: "why" }, withCode(text))),
    steps.length
      ? [el("h3", {}, "Worked through"), stepTable(steps, reading || cell.model)]
      : "",
    el(
      "div",
      { class: "actions" },
      reading ? "" : copyButton("Copy as issue", () => issueText(report, cell, example)),
      link,
    ),
    link && !saidInPanel.has(MODEL_WORDS) && saidInPanel.add(MODEL_WORDS)
      ? el("p", { class: "why" }, MODEL_WORDS + ".")
      : "",
    el("h3", {}, "Run it again"),
    copyLine(replay),
  );
}

function tierTable(cell) {
  const tiers = [
    ...new Set([
      ...cell.forms.flatMap(form => form.tiers.map(([tier]) => tier)),
      ...cell.tiers.map(tier => tier.tier),
    ]),
  ];
  if (!tiers.length) return "";
  const verdictOf = (form, tier) => (form.tiers.find(([name]) => name === tier) || [])[1];
  const counts = tier =>
    cell.tiers.find(item => item.tier === tier) || { elements: 0, mismatches: 0 };
  // One column is enough where the forms agree.
  const agree = tiers.every(
    tier => new Set(cell.forms.map(form => verdictOf(form, tier))).size === 1,
  );
  const forms = agree ? cell.forms.slice(0, 1) : cell.forms;
  return tableOf(
    [
      ["tier", ""],
      ...forms.map(form => [agree ? cell.forms.map(one => one.form).join(", ") : form.form, ""]),
      ["elements", "num"],
      ["wrong", "num"],
    ],
    tiers.map(tier => [
      tier.replace(/_/g, " "),
      ...forms.map(form => (verdictOf(form, tier) ? verdictLabel(verdictOf(form, tier)) : "")),
      digits(counts(tier).elements),
      digits(counts(tier).mismatches),
    ]),
  );
}

function evidence(cell, report) {
  const parts = [
    el("div", { class: "badge" }, symbol(cell.verdict), cell.verdict),
    el("p", { class: "why" }, WORDS[cell.verdict]),
  ];
  if (cell.known) {
    parts.push(
      el(
        "div",
        { class: "fact" },
        el("span", { class: "known" }, "known difference"),
        " ",
        cell.known.reason,
        [cell.known.owner, cell.known.expires && `until ${cell.known.expires}`, cell.known.url]
          .filter(Boolean)
          .map(text => el("div", { class: "why" }, text)),
      ),
    );
  }
  if (cell.reading)
    parts.push(
      namedFact(
        isDeviation(cell.verdict)
          ? "Follows the reading, except where it deviates"
          : "Explained by the reading",
        cell.reading,
      ),
    );
  parts.push(cell.bound_only.map(text => el("p", { class: "fact" }, text)));
  if (cell.diagnosis) parts.push(namedFact("Behaves like", cell.diagnosis));
  const why = diagnosisText(cell).filter(text => !saidInPanel.has(text));
  if (why.length) parts.push(el("p", { class: "fact" }, why.join(" ")));
  if (cell.reason && saidInPanel.add(cell.reason))
    parts.push(
      el(
        "div",
        { class: "fact" },
        "The backend says",
        el("span", { class: "formula" }, cell.reason),
      ),
    );
  parts.push(
    cell.observed.length
      ? [
          el("h3", {}, "Observed where the specification leaves it free"),
          el(
            "ul",
            { class: "why" },
            cell.observed.map(text => el("li", {}, text)),
          ),
        ]
      : "",
  );
  if (cell.examples.length)
    parts.push(
      el("h3", {}, "Counterexamples"),
      cell.examples.map(example => exampleCard(example, cell, report)),
    );
  if (cell.example)
    parts.push(el("h3", {}, "Where the reading shows"), exampleCard(cell.example, cell, report));
  if (cell.forms.length || cell.tiers.length)
    parts.push(el("h3", {}, "Verdicts"), el("div", { class: "scroll" }, tierTable(cell)));
  parts.push(settingTable(cell));
  if (cell.opsets.length) {
    parts.push(
      el("h3", {}, "opset_version"),
      el(
        "div",
        { class: "legend" },
        cell.opsets.map(([version, verdict]) =>
          el("span", { title: verdict }, symbol(verdict), version),
        ),
      ),
    );
  }
  parts.push(
    el("h3", {}, "Counted"),
    el(
      "p",
      { class: "why" },
      `${plural(cell.cases, "case")}, ${digits(cell.declined)} declined, ${digits(cell.free)} elements free, ${cell.time} ms` +
        (cell.judged_at_opset_version ? `, judged at opset ${cell.judged_at_opset_version}` : ""),
    ),
  );
  if (cell.coverage.length) {
    parts.push(
      el("h3", {}, "Elements that had"),
      tableOf(
        [
          ["feature", ""],
          ["elements", "num"],
        ],
        [...cell.coverage]
          .sort((a, b) => b[1] - a[1])
          .map(([feature, count]) => [feature.replace(/_/g, " "), digits(count)]),
      ),
    );
  }
  return parts;
}

function tileGrid(tile) {
  const { rows, columns } = tile.axes;
  const at = new Map(
    tile.entries.map(entry => [
      `${tile.axes.rowOf(entry.cell)} ${tile.axes.columnOf(entry.cell)}`,
      entry,
    ]),
  );
  const usedRows = rows
    .map((name, i) => [name, i])
    .filter(([, i]) => columns.some((_, j) => at.has(`${i} ${j}`)));
  const usedColumns = columns
    .map((name, j) => [name, j])
    .filter(([, j]) => rows.some((_, i) => at.has(`${i} ${j}`)));
  return el(
    "div",
    { class: "scroll" },
    el(
      "table",
      { class: "grid", "aria-label": `${tile.axes.rowName} down, ${tile.axes.columnName} across` },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th"),
          usedColumns.map(([name]) => el("th", { scope: "col" }, name)),
        ),
      ),
      el(
        "tbody",
        {},
        usedRows.map(([name, i]) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, name),
            usedColumns.map(([, j]) => {
              const entry = at.get(`${i} ${j}`);
              if (!entry) return el("td");
              const verdict = shownVerdict(entry.cell) || "untested";
              return el(
                "td",
                {},
                el(
                  "button",
                  {
                    type: "button",
                    class: "pick" + (entry.shown ? "" : " off"),
                    "data-cell": entry.id,
                    "aria-pressed": String(state.cell === entry.id),
                    "aria-label": `${entry.id}: ${verdict}`,
                    title: `${entry.id}: ${verdict}`,
                    onclick: () => select({ cell: entry.id }),
                  },
                  symbol(verdict),
                ),
              );
            }),
          ),
        ),
      ),
    ),
  );
}

function updatePanel() {
  const panel = document.getElementById("panel");
  saidInPanel = new Set();
  const entry = entryById.get(state.cell);
  const tile = entry ? tileOf(entry.cell) : tileByKey.get(state.tile);
  panel.classList.toggle("empty", !tile);
  document.body.classList.toggle("open", !!tile);
  if (!tile) {
    panel.replaceChildren(
      el("h2", {}, "Evidence"),
      el(
        "p",
        { class: "hint" },
        "Choose a tile of the map, a square in it, or a row of the list. Keys: ",
        el("kbd", {}, "/"),
        " search, ",
        el("kbd", {}, "arrows"),
        " move in the map, ",
        el("kbd", {}, "Enter"),
        " opens, ",
        el("kbd", {}, "Esc"),
        " closes.",
      ),
    );
    return;
  }
  const head = el(
    "div",
    { class: "panel-head" },
    el("h2", {}, entry ? el("code", {}, breakable(entry.id)) : tile.name),
    el(
      "button",
      { class: "close", type: "button", "aria-label": "Close", onclick: () => closePanel() },
      "\u00d7",
    ),
  );
  const place = el(
    "p",
    { class: "why" },
    `${tile.place}: ${plural(tile.entries.length, ROW)}; ` +
      `down ${tile.axes.rowName}, across ${tile.axes.columnName}`,
  );
  const parts = [head, place];
  if (tile.graph) parts.push(el("div", { class: "scroll" }, drawGraph(tile.graph)));
  if (tile.entries.length > 1) parts.push(tileGrid(tile));
  if (entry && B) {
    parts.push(
      el("p", { class: "why" }, WHO[whoOf(entry)]),
      entry.change === "same"
        ? ""
        : el("p", { class: "why" }, `From B to A: ${entry.change}. ${CHANGES[entry.change] || ""}`),
      el(
        "div",
        { class: "pair" },
        el(
          "div",
          {},
          el("div", { class: "tag" }, `A: ${A.backend}`),
          entry.a ? evidence(entry.a, A) : el("p", { class: "why" }, "No such row."),
        ),
        el(
          "div",
          {},
          el("div", { class: "tag" }, `B: ${B.backend}`),
          entry.b ? evidence(entry.b, B) : el("p", { class: "why" }, "No such row."),
        ),
      ),
    );
  } else if (entry) {
    parts.push(...evidence(entry.cell, A).flat());
  }
  panel.replaceChildren(...parts.flat().filter(part => part !== ""));
}
