// The list of cells and the tables of totals.

const STEP = 50;
let listed = STEP;
function updateList(shown) {
  const sorted = shown
    .map((entry, i) => [VERDICTS.indexOf(shownVerdict(entry.cell)), i, entry])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1])
    .map(item => item[2]);
  const rows = sorted.slice(0, listed).map(entry => {
    const cell = entry.cell;
    const wrong = cell.tiers.reduce((sum, tier) => sum + tier.mismatches, 0);
    return [
      verdictLabel(shownVerdict(cell)),
      [
        el(
          "button",
          {
            class: "link",
            type: "button",
            "data-cell": entry.id,
            onclick: () => select({ cell: entry.id }, true),
          },
          entry.id,
        ),
        cell.known ? [" ", el("span", { class: "known" }, "known")] : "",
        old && entry.change !== "same" ? [" ", el("span", { class: "known" }, entry.change)] : "",
      ],
      cell.reading || cell.diagnosis || cell.reason.slice(0, 120),
      wrong ? digits(wrong) : "",
    ];
  });
  const more = sorted.length - rows.length;
  document.getElementById("cells").replaceChildren(
    el(
      "div",
      { class: "card" },
      el(
        "header",
        {},
        el("h2", {}, "Cells"),
        el("p", {}, `worst first; ${digits(rows.length)} of ${digits(sorted.length)} that match`),
      ),
      rows.length
        ? tableOf(
            [
              ["verdict", ""],
              ["cell", ""],
              ["reading, diagnosis or words", "wide-only"],
              ["wrong", "num"],
            ],
            rows,
          )
        : el("p", { class: "why" }, "No cell matches the filters."),
      more > 0
        ? el(
            "div",
            { class: "more" },
            el(
              "button",
              {
                class: "plain",
                type: "button",
                onclick: () => {
                  listed += 4 * STEP;
                  updateList(shown);
                },
              },
              `Show ${digits(Math.min(more, 4 * STEP))} more`,
            ),
          )
        : "",
    ),
  );
}

function drawTables() {
  const cards = [];
  const card = (title, text, table) =>
    cards.push(
      el("div", { class: "card" }, el("header", {}, el("h2", {}, title), el("p", {}, text)), table),
    );
  const countBy = keys => {
    const rows = new Map();
    for (const cell of main.cells) {
      for (const [key, verdict] of keys(cell)) {
        if (!rows.has(key)) rows.set(key, new Map());
        rows.get(key).set(verdict, (rows.get(key).get(verdict) || 0) + 1);
      }
    }
    return rows;
  };
  const verdictTable = (name, rows) => {
    const used = [...VERDICTS]
      .reverse()
      .filter(verdict => [...rows.values()].some(row => row.has(verdict)));
    return tableOf(
      [[name, ""], ...used.map(verdict => [[symbol(verdict), " ", verdict], "num"])],
      [...rows].map(([key, row]) => [key, ...used.map(verdict => digits(row.get(verdict) || 0))]),
    );
  };
  const tierVerdicts = cell => {
    const worst = new Map();
    const forms = cell.forms.filter(form =>
      form.tiers.some(([, verdict]) => verdict !== "unsupported"),
    );
    for (const form of forms.length ? forms : cell.forms) {
      for (const [tier, verdict] of form.tiers) {
        if (!worst.has(tier) || VERDICTS.indexOf(verdict) < VERDICTS.indexOf(worst.get(tier)))
          worst.set(tier, verdict);
      }
    }
    return [...worst];
  };
  card("By tier", "each tier has its own verdict", verdictTable("tier", countBy(tierVerdicts)));
  card(
    "By opset_version",
    "what models import",
    verdictTable(
      "opset_version",
      countBy(cell => cell.opsets.map(([version, verdict]) => [`${cell.op} ${version}`, verdict])),
    ),
  );
  card(
    "By output type",
    "",
    verdictTable(
      "type",
      countBy(cell => [[`${cell.op} ${cell.output}`, cell.verdict]]),
    ),
  );
  const named = (key, counts) => {
    const rows = new Map();
    for (const cell of main.cells)
      if (cell[key] && counts(cell)) rows.set(cell[key], (rows.get(cell[key]) || 0) + 1);
    return [...rows].sort((a, b) => b[1] - a[1]);
  };
  for (const [key, title, text, counts] of [
    ["reading", "Readings", "what admissible cells follow", cell => !isDeviation(cell.verdict)],
    ["diagnosis", "Diagnoses", "what deviating cells behave like", () => true],
  ]) {
    const rows = named(key, counts);
    if (rows.length)
      card(
        title,
        text,
        tableOf(
          [
            [key, ""],
            ["", "wide-only"],
            ["cells", "num"],
          ],
          rows.map(([name, count]) => [
            el(
              "button",
              { class: "link", type: "button", onclick: () => select({ q: name }) },
              name,
            ),
            explain(name)
              .map(([, formula]) => formula)
              .join("; "),
            digits(count),
          ]),
        ),
      );
  }
  // `key` is what the counted ones are called: "reading", "behaviour".
  const counted = (list, key) =>
    list.map(({ [key]: name, cells: count, example }, i) => [
      i ? "; " : "",
      name,
      ` in ${plural(count, "cell")}`,
      list.length > 1 && example
        ? [
            ", such as ",
            el(
              "button",
              { class: "link", type: "button", onclick: () => select({ cell: example }, true) },
              example,
            ),
          ]
        : "",
    ]);
  if (main.unspecified.length)
    card(
      "Unspecified behaviour",
      "what the backend does where the specification leaves it free; never judged",
      tableOf(
        [
          ["operator", "wide-only"],
          ["clause", ""],
          ["input", ""],
          ["seen", ""],
          ["between cells", ""],
          ["each time", ""],
        ],
        main.unspecified.map(row => [
          row.op_type,
          el("code", {}, row.clause),
          row.input_class,
          counted(row.behaviours, "behaviour"),
          row.differs_between_cells ? "differs" : "the same",
          row.same_each_time
            ? "the same"
            : [
                "varies with ",
                counted(
                  Object.entries(row.varies_with).map(([name, cells]) => ({ name, cells })),
                  "name",
                ),
              ],
        ]),
      ),
    );
  if (main.mixed.length)
    card(
      "Mixed readings",
      "clauses that the backend reads in more than one way; a cell is counted under the first reading that explains its bits, and under canonical if it is conformant and one of the other readings gives other bits; each cell by itself is legal",
      tableOf(
        [
          ["operator", ""],
          ["since_version", "num"],
          ["clause", ""],
          ["readings", ""],
        ],
        main.mixed.map(row => [
          row.op_type,
          String(row.since_version),
          el("code", {}, row.clause),
          counted(row.readings, "reading"),
        ]),
      ),
    );
  if (main.nodeTests.length) {
    const rows = main.nodeTests.map(test => [
      test.verdict,
      el("code", {}, test.name),
      `${test.release}, opset ${test.opset_version}`,
      test.reason,
    ]);
    card(
      "ONNX's node tests",
      `${digits(main.nodeTests.filter(test => test.verdict === "pass").length)} of ${digits(rows.length)} pass`,
      tableOf(
        [
          ["verdict", ""],
          ["test", ""],
          ["release", "wide-only"],
          ["", "wide-only"],
        ],
        rows,
      ),
    );
  }
  if (main.negativeCounts.length) {
    const rows = main.negative.map(model => [
      model.result,
      el("code", {}, model.id),
      el("code", {}, model.clause),
      model.text,
    ]);
    card(
      "Negative models",
      main.negativeCounts.join(", "),
      rows.length
        ? tableOf(
            [
              ["result", ""],
              ["model", ""],
              ["clause", "wide-only"],
              ["", "wide-only"],
            ],
            rows,
          )
        : el("p", { class: "why" }, "None deviates, no legal one is declined."),
    );
  }
  document.getElementById("tables").replaceChildren(el("div", { class: "tables" }, cards));
  document
    .getElementById("foot")
    .replaceChildren(
      `${main.tool.name} ${main.tool.version} (${main.tool.commit}); results sha256:${main.digest}; answers sha256:${main.answers}; suite sha256:${main.suite.digest}; ${main.command}`,
    );
}
