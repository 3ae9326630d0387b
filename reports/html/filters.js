// The filters: verdicts as chips, everything else as fields.

const NO_FILTER = () => ({ ...DEFAULTS, view: state.view, cell: state.cell, tile: state.tile });
const controls = {};
function drawFilters() {
  const cellsOf = pick => entries.map(entry => pick(entry.cell));
  const choices = {
    op: ["operator", raw.ops.filter(op => entries.some(entry => entry.cell.op === op))],
    since: [
      "since_version",
      uniqueSorted(
        cellsOf(cell => cell.since),
        number => number,
      ),
    ],
    opset: [
      "verdict at opset",
      uniqueSorted(
        entries.flatMap(entry => entry.cell.opsets.map(([version]) => version)),
        number => number,
      ),
    ],
    y: [
      "output type",
      uniqueSorted(
        cellsOf(cell => cell.output),
        typeRank,
      ),
    ],
    x: [
      "type of " +
        [...new Set(raw.ops.map(op => operatorOf(op).types[operatorOf(op).main_type]))]
          .filter(Boolean)
          .join(" or "),
      uniqueSorted(cellsOf(mainType), typeRank),
    ],
    g: [
      "granularity",
      uniqueSorted(
        cellsOf(cell => cell.granularity),
        granularityRank,
      ),
    ],
    tier: ["verdict of tier", raw.tiers],
    form: ["verdict of form", raw.forms],
  };
  choices.finding = [
    "finding",
    [...findings.values()].map(({ finding, cells }) => [
      finding,
      `${finding.replace(/\//g, " / ")} (${digits(cells.length)})`,
    ]),
  ];
  if (B) {
    choices.pair = ["A and B", [...new Set(entries.map(pairOf))].sort()];
    choices.change = [
      "from B to A",
      Object.keys(CHANGES).filter(name => entries.some(entry => entry.change === name)),
    ];
  }
  const field = (key, label, items, first) => {
    controls[key] = el(
      "select",
      { "data-filter": key, onchange: event => select({ [key]: event.target.value }) },
      first === null ? [] : el("option", { value: "" }, first),
      items.map(item =>
        Array.isArray(item)
          ? el("option", { value: item[0] }, item[1])
          : el("option", { value: String(item) }, String(item)),
      ),
    );
    return el("label", {}, label, controls[key]);
  };
  controls.q = el("input", {
    type: "search",
    placeholder: "id, reading, diagnosis, words",
    "data-filter": "q",
    oninput: event => select({ q: event.target.value }),
  });
  controls.chips = el("div", { class: "chips", role: "group", "aria-label": "Verdicts" });
  controls.count = el("span", { id: "count", role: "status", "aria-live": "polite" });
  const others = Object.entries(choices)
    .filter(([key, [, items]]) => items.length > (key === "finding" ? 0 : 1))
    .map(([key, [label, items]]) =>
      field(key, label, items, ["tier", "form", "opset"].includes(key) ? "all" : "any"),
    );
  const narrow = matchMedia("(max-width: 620px)").matches;
  document.getElementById("filters").replaceChildren(
    controls.chips,
    el(
      "div",
      { class: "fields" },
      el("label", { class: "wide" }, "search", controls.q),
      B
        ? field(
            "view",
            "show",
            [
              ["who", "who passes"],
              ["a", "A"],
              ["b", "B"],
              ["both", "A and B side by side"],
              ["changes", "what differs from B to A"],
            ],
            null,
          )
        : "",
      supportedEntries > 0 && supportedEntries < entries.length
        ? field(
            "only",
            ROW + "s",
            [
              ["supported", `supported only (${digits(supportedEntries)})`],
              ["", `all (${digits(entries.length)})`],
            ],
            null,
          )
        : "",
      narrow
        ? el(
            "details",
            { class: "choices" },
            el("summary", {}, "More filters"),
            el("div", { class: "fields" }, others),
          )
        : others,
      el(
        "button",
        {
          class: "plain",
          type: "button",
          id: "reset",
          onclick: () => select(NO_FILTER()),
        },
        "Reset",
      ),
      controls.count,
    ),
  );
}

function updateFilters(shown) {
  for (const [key, control] of Object.entries(controls)) {
    if (key in state && control.value !== String(state[key])) control.value = state[key];
  }
  const counts = new Map();
  for (const entry of entries) {
    if (!matchesFields(entry)) continue;
    const verdict = shownVerdict(entry.cell);
    if (verdict) counts.set(verdict, (counts.get(verdict) || 0) + 1);
  }
  const focused = document.activeElement?.dataset?.verdict;
  controls.chips.replaceChildren(
    B ? el("span", { class: "why" }, "verdict in A") : "",
    ...[...VERDICTS]
      .reverse()
      .filter(verdict => counts.has(verdict) || state.v.includes(verdict))
      .map(verdict =>
        el(
          "button",
          {
            class: "chip",
            type: "button",
            "data-verdict": verdict,
            "data-count": counts.get(verdict) || 0,
            title: WORDS[verdict],
            "aria-pressed": String(state.v.includes(verdict)),
            onclick: () =>
              select({
                v: state.v.includes(verdict)
                  ? state.v.filter(word => word !== verdict)
                  : [...state.v, verdict],
              }),
          },
          symbol(verdict),
          verdict,
          el("b", {}, digits(counts.get(verdict) || 0)),
        ),
      ),
  );
  if (focused) controls.chips.querySelector(`[data-verdict="${focused}"]`)?.focus();
  controls.count.textContent = `${digits(shown.length)} of ${plural(entries.length, ROW)}`;
  controls.count.dataset.count = shown.length;
}
