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
    const open = () => select({ cell: entry.id }, true);
    const cells = [
      verdictLabel(shownVerdict(cell)),
      [
        el(
          "button",
          {
            class: "link",
            type: "button",
            "data-cell": entry.id,
            onclick: open,
          },
          cell.part ? cell.part.name : breakable(entry.id),
        ),
        cell.part ? el("div", { class: "why mono" }, breakable(entry.id.split("#")[0])) : "",
        cell.known ? [" ", el("span", { class: "known" }, "known")] : "",
        B ? [" ", el("span", { class: "known" }, pairOf(entry))] : "",
      ],
      [
        cell.diagnosis ||
          (isDeviation(cell.verdict) ? "" : cell.reading) ||
          cell.reason.slice(0, 120),
        isDeviation(cell.verdict) && cell.examples.length
          ? el("div", { class: "why" }, exampleSentence(cell.examples[0]).slice(0, 200))
          : "",
      ],
      wrong ? digits(wrong) : "",
    ];
    return { cells, go: open };
  });
  const more = sorted.length - rows.length;
  document.getElementById("cells").replaceChildren(
    el(
      "div",
      { class: "card" },
      el(
        "header",
        {},
        el("h2", {}, A.model ? "Parts" : "Cells"),
        el("p", {}, `worst first; ${digits(rows.length)} of ${digits(sorted.length)} that match`),
      ),
      rows.length
        ? tableOf(
            [
              ["verdict", ""],
              [ROW, ""],
              ["diagnosis, reading or reason", "wide-only"],
              ["wrong elements", "num"],
            ],
            rows,
          )
        : el("p", { class: "why" }, `No ${ROW} matches the filters.`),
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
  const card = (title, text, table, kind = " wide") =>
    cards.push(
      el(
        "div",
        { class: "card" + kind },
        el("header", {}, el("h2", {}, title), text ? el("p", {}, text) : ""),
        el("div", { class: "scroll" }, table),
      ),
    );
  // Rows of [key, classes of its verdicts], in groups if keys are of different operators.
  // `filter` is what a click on a row selects.
  const passTable = (name, keys, filter) => {
    const rows = new Map(); // "op key" -> { op, key, counts }
    for (const cell of A.cells) {
      for (const [key, verdict] of keys(cell)) {
        const id = `${cell.op} ${key}`;
        if (!rows.has(id)) rows.set(id, { op: cell.op, key, counts: new Map() });
        const { counts } = rows.get(id);
        const kind = classOf(verdict);
        counts.set(kind, (counts.get(kind) || 0) + 1);
      }
    }
    const others = [
      ["deviates", "deviate"],
      ["refuses legal models", "refused"],
      ["partial", "partial"],
      ["not judged", "not judged"],
      ["unsupported", "not supported"],
    ].filter(([kind]) => [...rows.values()].some(({ counts }) => counts.has(kind)));
    let last = null;
    return tableOf(
      [[name, "key"], ["pass", "num"], ...others.map(([, head]) => [head, "num"])],
      [...rows.values()].flatMap(({ op, key, counts }) => {
        const get = kind => counts.get(kind) || 0;
        const supported = ["passes", "deviates", "refuses legal models", "partial", "not judged"].reduce(
          (sum, kind) => sum + get(kind),
          0,
        );
        const go = () => {
          select({ ...NO_FILTER(), ...filter(op, key) });
          showMap();
        };
        const row = {
          cells: [
            el("button", { class: "link", type: "button", onclick: go }, breakable(key, AT_WORDS)),
            supported
              ? [
                  `${percent(get("passes"), supported)} `,
                  el("small", {}, `${digits(get("passes"))} of ${digits(supported)}`),
                ]
              : "",
            ...others.map(([kind]) => digits(get(kind))),
          ],
          go,
        };
        const head = op === last ? [] : [[op]];
        last = op;
        return [...head, row];
      }),
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
  const key = value => String(value);
  card(
    "By tier",
    `each tier has its own verdict; shares are of supported ${ROW}s`,
    passTable("tier", tierVerdicts, (op, tier) => ({ op, tier })),
    "",
  );
  card(
    "By output type",
    `shares are of supported ${ROW}s`,
    passTable(
      "type",
      cell => [[cell.output, cell.verdict]],
      (op, y) => ({ op, y }),
    ),
    "",
  );
  card(
    "By opset_version",
    `what models import; shares are of supported ${ROW}s`,
    passTable(
      "opset",
      cell => cell.opsets.map(([version, verdict]) => [key(version), verdict]),
      (op, opset) => ({ op, opset }),
    ),
    "",
  );
  const named = (key, counts) => {
    const rows = new Map();
    for (const cell of A.cells)
      if (cell[key] && counts(cell)) rows.set(cell[key], (rows.get(cell[key]) || 0) + 1);
    return [...rows].sort((a, b) => b[1] - a[1]);
  };
  for (const [key, title, text, counts] of [
    ["reading", "Readings", `what admissible ${ROW}s follow`, cell => !isDeviation(cell.verdict)],
    ["diagnosis", "Diagnoses", `what deviating ${ROW}s behave like`, () => true],
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
            [ROW + "s", "num"],
          ],
          rows.map(([name, count]) => {
            const go = () => {
              select({ ...NO_FILTER(), q: name });
              showMap();
            };
            return {
              cells: [
                el("button", { class: "link", type: "button", onclick: go }, breakable(name, AT_WORDS)),
                explain(name)
                  .map(([, formula]) => formula)
                  .join("; "),
                digits(count),
              ],
              go,
            };
          }),
        ),
      );
  }
  // `key` is what the counted ones are called: "reading", "behaviour".
  const counted = (list, key) =>
    list.map(({ [key]: name, cells: count, example }, i) => [
      i ? "; " : "",
      name,
      ` in ${plural(count, ROW)}`,
      list.length > 1 && example
        ? [
            ", such as ",
            el(
              "button",
              { class: "link", type: "button", onclick: () => select({ cell: example }, true) },
              breakable(example),
            ),
          ]
        : "",
    ]);
  if (A.unspecified.length)
    card(
      "Unspecified behaviour",
      "what the backend does where the specification leaves it free; never judged",
      tableOf(
        [
          ["operator", "wide-only"],
          ["clause", ""],
          ["input", ""],
          ["seen", ""],
          [`between ${ROW}s`, ""],
          ["each time", ""],
        ],
        A.unspecified.map(row => [
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
  if (A.mixed.length)
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
        A.mixed.map(row => [
          row.op_type,
          String(row.since_version),
          el("code", {}, row.clause),
          counted(row.readings, "reading"),
        ]),
      ),
    );
  if (A.nodeTests.length) {
    const rows = A.nodeTests.map(test => [
      test.verdict,
      el("code", {}, breakable(test.name, AT_WORDS)),
      `${test.release}, opset ${test.opset_version}`,
      test.reason,
    ]);
    card(
      "ONNX's node tests",
      `${digits(A.nodeTests.filter(test => test.verdict === "pass").length)} of ${digits(rows.length)} pass`,
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
  if (A.negativeCounts.length) {
    const rows = A.negative.map(model => [
      model.result,
      el("code", {}, breakable(model.id, AT_WORDS)),
      el("code", {}, model.clause),
      model.text,
    ]);
    card(
      "Negative models",
      A.negativeCounts.join(", "),
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
  document
    .getElementById("tables")
    .replaceChildren(
      B ? el("h2", {}, `A: ${A.backend}`) : "",
      el("div", { class: "tables" }, cards),
    );
  document
    .getElementById("foot")
    .replaceChildren(
      `${A.tool.name} ${A.tool.version} (${A.tool.commit}); results sha256:${A.digest}; answers sha256:${A.answers}; suite sha256:${A.suite.digest}; ${A.command}`,
    );
}
