// The head of the page: for each report its headline, its findings and its counts.

const FINDINGS_SHOWN = B ? 3 : 5;

// The first since_version of a finding's cells; the group in its id may begin earlier.
function sinceText(report, { cells, group }) {
  const versions = cells.map(place => report.cells[place].since);
  return versions.length ? `since ${Math.min(...versions)}` : group.replace(/_/g, " ");
}

function findingItem(report, finding, said) {
  const { op_type: op, clause, diagnosis, inputs, output, cells, elements, example } = finding;
  const cell = report.byId.get(finding.cell);
  const count = plural(cells.length, ROW);
  // The causes that no name explains are described by what their elements have in common.
  const patterns = Object.entries(finding.patterns || {}).sort((a, b) => b[1] - a[1]);
  const [pattern, times] = patterns[0] || [];
  const words = [
    ...explain(diagnosis).map(([, text]) => text),
    ...explain(clause).map(([name, text]) => `${name}: ${text}`),
  ].filter(text => !said.has(text) && said.add(text));
  // The same pattern in several findings is named once, however many cells it has in each.
  if (diagnosis === "undiagnosed" && pattern && !said.has(pattern)) {
    said.add(pattern);
    words.push(`What deviates in ${digits(times)} of its ${ROW}s: ${pattern}.`);
  }
  const href = `#finding=${encodeURIComponent(finding.finding)}`;
  return el(
    "li",
    clickable(() => {
      location.hash = href;
    }),
    el(
      "div",
      { class: "finding" },
      el("b", {}, diagnosis),
      el(
        "span",
        {},
        [op, sinceText(report, finding), clause !== "-" && `clause ${clause}`, `${inputs} to ${output}`]
          .filter(Boolean)
          .join(", "),
      ),
      el("span", {}, elements ? plural(elements, "wrong element") : ""),
      el("a", { href }, `Show ${cells.length === 1 ? "the " + ROW : count} on the map`),
    ),
    words.length ? el("p", { class: "why" }, withCode(words.join(" "))) : "",
    el(
      "div",
      { class: "actions" },
      example
        ? el(
            "p",
            { class: "mono" },
            [operandsText(example), exampleSentence(example)].filter(Boolean).join(": "),
          )
        : "",
      el(
        "div",
        { class: "actions" },
        el(
          "button",
          { class: "plain", type: "button", onclick: () => select({ cell: finding.cell }, true) },
          "Evidence",
        ),
        example && cell
          ? [
              copyButton("Copy as issue", () => issueText(report, cell, example, finding)),
              modelLink(example, cell),
            ]
          : "",
      ),
    ),
  );
}

function findingsList(report) {
  if (!report.findings.length) return "";
  const said = new Set();
  const items = report.findings.map(finding => findingItem(report, finding, said));
  const rest = items.splice(FINDINGS_SHOWN);
  const list = el("ol", { class: "findings" }, items);
  const more = el(
    "button",
    {
      class: "plain",
      type: "button",
      onclick: () => {
        list.append(...rest);
        more.remove();
        rest[0].querySelector("a").focus();
      },
    },
    `Show ${digits(rest.length)} more`,
  );
  return el(
    "section",
    { "aria-label": "Findings" },
    el(
      "h2",
      {},
      report.letter ? `${report.letter}: ` : "",
      plural(report.findings.length, "finding"),
    ),
    list,
    rest.length ? more : "",
  );
}

function banner(title, texts) {
  return el(
    "div",
    { class: "banner", role: "alert" },
    el("b", {}, title),
    texts.length
      ? el(
          "ul",
          {},
          texts.slice(0, 5).map(text => el("li", {}, text)),
          texts.length > 5 ? el("li", {}, `and ${digits(texts.length - 5)} more`) : "",
        )
      : "",
  );
}

// What a run of the whole model gave, and which parts are not judged.
function modelCard({ whole_run: whole = "", not_judged: parts = [] }) {
  if (!whole && !parts.length) return "";
  return el(
    "div",
    { class: "card", id: "model" },
    el("h2", {}, "The whole model"),
    // Lines that begin with blanks are items.
    whole.split("\n").map(line => line && el(line.startsWith(" ") ? "li" : "p", {}, line.trim())),
    parts.length ? [el("p", {}, `${plural(parts.length, "part")} not judged:`), notJudged(parts)] : "",
  );
}

// Parts that are not judged, by reason: a model may have hundreds.
function notJudged(parts) {
  const names = new Map();
  for (const { name, reason } of parts) {
    // Reasons that differ only in the name of a value are alike.
    const alike = reason.replace(/'[^']*'/g, "'...'");
    if (!names.has(alike)) names.set(alike, []);
    names.get(alike).push({ name, reason });
  }
  return el(
    "ul",
    {},
    [...names].map(([alike, all]) =>
      all.length === 1
        ? el("li", {}, el("b", {}, all[0].name), `: ${all[0].reason}`)
        : el(
            "li",
            {},
            el(
              "details",
              {},
              el("summary", {}, el("b", {}, plural(all.length, "part")), `: ${alike}`),
              all.map(({ name, reason }) => el("div", {}, reason === alike ? name : `${name}: ${reason}`)),
            ),
          ),
    ),
  );
}

// Never 0 or 100 for a part that is neither.
function percent(part, whole) {
  const rate = (100 * part) / whole;
  const between = part > 0 && part < whole;
  const text = between && (rate < 1 || rate > 99) ? rate.toFixed(1) : String(Math.round(rate));
  return (between ? text.replace("100.0", "99.9").replace(/^0\.0$/, "0.1") : text) + "\u202f%";
}

// Returns the headline, and what comes after it.
function drawReport(report) {
  const { cells, selected } = report;
  const count = test => cells.filter(test).length;
  const passes = count(cell => isPass(cell.verdict));
  const supported = count(cell => isSupported(cell.verdict));
  const deviations = count(cell => isDeviation(cell.verdict));
  const known = count(cell => cell.known);
  const counts = VERDICTS.map(verdict => [verdict, count(cell => cell.verdict === verdict)]);
  const badTests = report.nodeTests.filter(({ verdict }) => ["error", "deviates"].includes(verdict));
  const badModels = report.negative.filter(model => model.deviates);
  const noun = supported && supported < selected ? "supported " + ROW : ROW;
  const judged = supported || selected;
  const bad = [
    [deviations, `${digits(deviations)} of ${plural(judged, noun)}`],
    [badTests.length, plural(badTests.length, "node test")],
    [badModels.length, plural(badModels.length, "negative model")],
  ].filter(([count]) => count);
  const headline = bad.length
    ? bad.map(([count, what]) => `${what} ${count === 1 ? "deviates" : "deviate"}`).join(", ")
    : passes === judged && judged > 0 && report.complete
      ? `all ${plural(judged, noun)} pass`
      : `${digits(passes)} of ${plural(judged, noun)} pass, none deviates`;
  const others = counts
    .filter(([verdict, number]) => number && !isSupported(verdict))
    .map(([verdict, number]) => `${digits(number)} ${verdict}`);
  const sum = list => list.reduce((total, number) => total + number, 0);
  const elements = sum(cells.flatMap(cell => cell.tiers.map(tier => tier.elements)));
  const id = name => (report === A ? name : null);
  const stat = (value, label, name = null) =>
    el("div", { class: "stat" }, el("b", { id: id(name) }, value), el("span", {}, label));
  const shown = counts.filter(([verdict, number]) => number && isSupported(verdict)).reverse();
  const head = el(
    "div",
    { class: "report" },
    el(
      "h1",
      { id: id("headline") },
      report.letter ? el("span", { class: "letter" }, report.letter) : "",
      `${report.backend}: ${headline}`,
      others.length ? el("small", {}, ` (${others.join(", ")})`) : "",
    ),
    el(
      "p",
      { class: "lead" },
      [
        report.model?.name,
        report.device,
        report.vendor,
        `version ${report.version}`,
        `level ${report.suite.level}`,
        `seed ${report.suite.seed}`,
        `ONNX ${report.suite.onnx_version}`,
        report.start,
      ]
        .filter(text => text && text !== "version ")
        .join(", "),
    ),
    report.complete
      ? ""
      : banner(`Incomplete: ${digits(cells.length)} rows of ${plural(selected, "selected " + ROW)}.`, []),
    report.problems.length
      ? banner(`${plural(report.problems.length, "problem")} with known differences`, report.problems)
      : "",
  );
  const body = el(
    "div",
    { class: "report" },
    findingsList(report),
    report.model ? modelCard(report.model) : "",
    el(
      "div",
      { class: "stats" },
      stat(
        `${digits(passes)} / ${digits(judged)}`,
        `${noun}s pass${judged ? `: ${percent(passes, judged)}` : ""}`,
        "passes",
      ),
      stat(
        digits(deviations),
        known ? `deviate, ${digits(known)} ${ROW}s known` : "deviate",
        "deviations",
      ),
      stat(digits(sum(cells.map(cell => cell.cases))), "cases asked", "cases"),
      stat(digits(elements), "elements compared", "elements"),
      stat(`${report.duration} s`, "on " + (report.machine || "a machine")),
    ),
    el(
      "div",
      {
        class: "bar",
        role: "img",
        "aria-label":
          `Supported ${ROW}s: ` +
          shown.map(([verdict, number]) => `${number} ${verdict}`).join(", "),
      },
      shown.map(([verdict, number]) =>
        el("i", {
          class: "b-" + verdict,
          style: `flex:${number} 0 0`,
          title: `${digits(number)} ${verdict}`,
        }),
      ),
    ),
  );
  return { head, body };
}

// A warning if the two reports were not asked the same cases.
function askedOtherwise() {
  const differ = ["level", "seed"].filter(key => A.suite[key] !== B.suite[key]);
  if (!differ.length) return "";
  const of = report => differ.map(key => `${key} ${report.suite[key]}`).join(", ");
  return el(
    "p",
    { class: "banner", id: "asked-otherwise" },
    `A was asked at ${of(A)}, B at ${of(B)}: other cases, so a difference between them may come from the cases.`,
  );
}

// How many cells pass, deviate and so on in A, by what they do in B.
function pairTable() {
  const kinds = ["passes", "partial", "deviates", "refuses legal models", "not judged", "unsupported", "has no row"];
  const counts = new Map();
  for (const { a, b } of entries) {
    const key = `A ${classOf(a?.verdict)}, B ${classOf(b?.verdict)}`;
    counts.set(key, (counts.get(key) || 0) + 1);
  }
  const used = letter =>
    kinds.filter(kind => [...counts.keys()].some(key => key.includes(`${letter} ${kind}`)));
  const [rows, columns] = [used("A"), used("B")];
  return el(
    "div",
    { class: "card", id: "pairs" },
    el("header", {}, el("h2", {}, "Who passes what"), el("p", {}, `${ROW}s; choose a number to see them`)),
    el(
      "div",
      { class: "scroll" },
      tableOf(
        [["", ""], ...columns.map(kind => [`B ${kind}`, "num"])],
        rows.map(row => [
          `A ${row}`,
          ...columns.map(column => {
            const pair = `A ${row}, B ${column}`;
            const count = counts.get(pair);
            return count
              ? el(
                  "button",
                  {
                    class: "text",
                    type: "button",
                    "data-pair": pair,
                    onclick: () => {
                      select({ ...NO_FILTER(), pair, only: "" });
                      showMap();
                    },
                  },
                  digits(count),
                )
              : "0";
          }),
        ]),
      ),
    ),
  );
}

function drawTop() {
  const drawn = reports.map(drawReport);
  document.getElementById("top").replaceChildren(
    el(
      "div",
      { class: "brand" },
      el("strong", {}, A.tool.name),
      el("span", { class: "tagline" }, "conformance of ONNX quantization, bit by bit"),
      el("span", { class: "grow" }),
      themeButton(),
    ),
    el(
      "div",
      { class: "reports" },
      drawn.map(({ head }) => head),
    ),
    B ? askedOtherwise() : "",
    B ? pairTable() : "",
    el(
      "div",
      { class: "reports" },
      drawn.map(({ body }) => body),
    ),
  );
}
