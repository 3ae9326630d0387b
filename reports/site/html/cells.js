// The page of an operator: its cells in a table, and one of them with all answers.

const CELLS_SHOWN = 60;

// What an answer says in one line.
const answerTitle = ({ v, reading, diagnosis }) => [v, reading, diagnosis].filter(Boolean).join(", ");

function answerCard(answer, cell) {
  const backend = BACKENDS[answer.b];
  const facts = [
    ["Follows the reading", answer.reading],
    ["Behaves like", answer.diagnosis],
    ["The backend says", answer.reason],
    ["Variants", answer.variants],
    ["By setting", answer.varied],
  ].filter(([, text]) => text);
  const finding = (answer.findings || []).map(text => link(pageOfFinding(text), el("code", {}, breakable(text))));
  return el(
    "section",
    { class: "answer" },
    el("h3", {}, link(pageOfBackend(backend), backend.label)),
    el(
      "p",
      {},
      verdictLabel(answer.v),
      answer.wrong ? ` ${digits(answer.wrong)} of ${plural(answer.elements, "element")} wrong` : "",
    ),
    facts.map(([what, text]) => el("p", { class: "fact" }, `${what}: `, el("code", {}, text))),
    answer.why ? el("p", { class: "why" }, answer.why) : "",
    exampleBox(answer.example),
    finding.length ? el("p", { class: "fact" }, "Finding ", finding.map((one, i) => [i ? ", " : "", one])) : "",
    el(
      "p",
      { class: "fact" },
      link(`report-${backend.id}.html#cell=${encodeURIComponent(cell.cell)}`, "All evidence of this backend"),
    ),
  );
}

const clauseList = () =>
  el("dl", { class: "clauses" }, raw.clauses.map(({ id, text }) => [el("dt", {}, id), el("dd", {}, withCode(text))]));

// Who answers what in a cell. Answers that are alike share a card.
function answersOf(cell) {
  const alike = new Map();
  const cards = [];
  for (const answer of cell.answers) {
    const bare = !answer.example && !answer.findings;
    if (!bare) {
      cards.push(answerCard(answer, cell));
      continue;
    }
    const key = JSON.stringify({ ...answer, b: 0 });
    if (alike.has(key)) alike.get(key).push(answer);
    else alike.set(key, [answer]);
  }
  const shared = [...alike.values()].map(answers =>
    el(
      "section",
      { class: "answer" },
      el(
        "h3",
        {},
        answers.map(({ b }, i) => [i ? "; " : "", link(pageOfBackend(BACKENDS[b]), BACKENDS[b].label)]),
      ),
      el("p", {}, verdictLabel(answers[0].v), " ", el("span", { class: "why" }, WORDS[answers[0].v] || "")),
      answers[0].reading ? el("p", { class: "fact" }, "Follows the reading: ", el("code", {}, answers[0].reading)) : "",
      answers[0].reason ? el("p", { class: "fact" }, "The backend says: ", el("code", {}, answers[0].reason)) : "",
    ),
  );
  const silent = BACKENDS.filter((backend, b) => !cell.answers.some(answer => answer.b === b));
  return [
    el("div", { class: "answers" }, cards, shared),
    silent.length ? el("p", { class: "why", id: "silent" }, `Not asked in this cell: ${silent.map(({ label }) => label).join("; ")}.`) : "",
  ];
}

// A cell with all answers, and what the text says.
function cellDetail(cell) {
  const names = cell.answers.flatMap(({ reading, example }) => [
    reading,
    example && example.clause,
    example && example.reading,
  ]);
  const text = explanationsOf(...names);
  const models = explanationsOf(...cell.answers.map(({ diagnosis }) => diagnosis));
  const types = cell.types.map((type, i) => `${raw.types[i] || "T" + (i + 1)} ${type}`).join(", ");
  return el(
    "section",
    { class: "card", id: "cell", tabindex: "-1", "aria-label": "One cell" },
    el(
      "div",
      { class: "panel-head" },
      el("h2", {}, el("code", {}, breakable(cell.cell))),
      el("a", { class: "plain", href: "#", id: "close" }, "Close"),
    ),
    el("p", { class: "lead" }, `since_version ${cell.since}; ${types}; ${cell.granularity}`),
    el("h3", {}, "What the text says"),
    text.length
      ? text
      : names.some(Boolean)
        ? ""
        : el("p", { class: "why" }, "No clause was offended here, and no open clause was read in another way."),
    raw.clauses.length
      ? el("details", { class: "choices" }, el("summary", {}, `All clauses of ${raw.op_type}`), clauseList())
      : "",
    models.length ? [el("h3", {}, "What the wrong models do that answers are like"), models] : "",
    answersOf(cell),
  );
}

function operatorPage() {
  const { op_type: op, cells, clauses } = raw;
  const byId = new Map(cells.map(cell => [cell.cell, cell]));
  const shown = BACKENDS.map((backend, b) => b).filter(b => BACKENDS[b].operators[op]);
  for (const cell of cells) cell.by = new Map(cell.answers.map(answer => [answer.b, answer]));
  const supported = cell => cell.answers.some(({ v }) => isSupported(v));
  const differ = cell =>
    new Set(
      cell.answers
        .filter(({ v }) => isSupported(v))
        .map(({ v, reading, diagnosis }) => (isPass(v) ? "passes" : v) + "|" + (reading || "") + (diagnosis || "")),
    ).size > 1;
  const KINDS = {
    supported: ["that a backend supports", supported],
    deviate: ["where a backend deviates", cell => cell.answers.some(({ v }) => isDeviation(v))],
    differ: ["where backends answer differently", differ],
    all: ["all", () => true],
  };
  const usual = cells.some(supported) ? "supported" : "all";
  const versions = [...new Set(cells.map(cell => cell.since))];
  const labelled = (text, control) => el("label", {}, text, control);
  const since = el("select", { id: "since" }, el("option", { value: "" }, "all"),
    versions.map(version => el("option", { value: version }, String(version))));
  const which = el("select", { id: "which" },
    Object.entries(KINDS).map(([value, [text]]) => el("option", { value }, text)));
  which.value = usual;
  const words = el("input", { id: "words", type: "search", placeholder: "such as INT4 blocked" });
  const count = el("span", { id: "count", role: "status" });
  const body = el("div", { class: "scroll" });
  const more = el("button", { class: "plain more", type: "button", id: "more" }, "Show more");
  let most = CELLS_SHOWN;
  const draw = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = cells.filter(
      cell =>
        (!since.value || String(cell.since) === since.value) &&
        KINDS[which.value][1](cell) &&
        wanted.every(word => cell.cell.toLowerCase().includes(word)),
    );
    count.textContent = plural(found.length, "cell");
    count.dataset.count = found.length;
    more.hidden = found.length <= most;
    body.replaceChildren(
      el(
        "table",
        { class: "list board" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "cell"),
          shown.map(b => el("th", { scope: "col" }, link(pageOfBackend(BACKENDS[b]), breakable(BACKENDS[b].label, AT_LABELS)))))),
        el("tbody", {}, found.slice(0, most).map(cell =>
          el("tr", {},
            el("th", { scope: "row" }, link("#" + encodeURIComponent(cell.cell), el("code", {}, breakable(cell.cell.slice(op.length + 1))))),
            shown.map(b => {
              const answer = cell.by.get(b);
              return el("td", { class: "mark", title: answer ? answerTitle(answer) : "not asked" },
                answer ? [symbol(answer.v), el("span", { class: "visually-hidden" }, answerTitle(answer))] : "");
            }),
          ))),
      ),
    );
  };
  const again = () => {
    most = CELLS_SHOWN;
    draw();
  };
  since.addEventListener("change", again);
  which.addEventListener("change", again);
  words.addEventListener("input", again);
  more.addEventListener("click", () => {
    most += 10 * CELLS_SHOWN;
    draw();
  });
  const place = el("div", {});
  const follow = focus => {
    const cell = byId.get(hashText());
    place.replaceChildren(...(cell ? [cellDetail(cell)] : []));
    if (cell && focus) {
      const box = document.getElementById("cell");
      box.scrollIntoView();
      box.focus({ preventScroll: true });
    }
  };
  addEventListener("hashchange", () => follow(true));
  draw();
  const page = [
    el("h1", {}, `${op}: who answers what`),
    el("p", { class: "lead" }, `${plural(cells.length, "cell")} of since_version ${versions.join(", ")}. Choose a cell to see the answers, and what the text says.`),
    place,
    el("div", { class: "card" }, el("div", { class: "fields" },
      labelled("cells", which), labelled("since_version", since), labelled("words in the id", words), count),
      legend(), body, more),
    clauses.length ? card("The clauses", clauseList()) : "",
  ];
  return [page, () => follow(true)];
}
