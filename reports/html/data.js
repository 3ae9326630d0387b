// The embedded data, decoded: reports, cells, and what filters select.

const raw = unpack(JSON.parse(document.getElementById("data").textContent));
const VERDICTS = raw.verdicts; // worst first
for (const verdict of VERDICTS)
  WORDS[verdict] ??= "A verdict of a later version of qconform. It does not count as a pass.";
// What differs from B to A, as `qconform diff B A` judges it.
const CHANGES = {
  regressed: "Right in B, wrong in A; or wrong in more elements of A.",
  newly_supported_wrong: "Declined in B; answered in A, and wrong.",
  no_longer_supported: "Answered in B, declined in A.",
  no_longer_asked: "In B only, or untested or an error in A.",
  judged_otherwise: "The same backend, judged otherwise by another suite.",
  other_answers: "Other answers, neither better nor worse.",
  other_words: "The same answers, other words.",
  newly_asked: "In A only, or untested or an error in B, or asked more in A.",
  newly_supported_right: "Declined in B; answered in A, and right.",
  fixed: "Wrong in B, right in A; or wrong in fewer elements of A.",
  same: "The same in both.",
};
const WHO = {
  both_pass: "A and B pass.",
  only_A_passes: "A passes, B does not.",
  only_B_passes: "B passes, A does not.",
  neither_passes: "A or B supports the cell, and neither passes.",
  neither_supports: "Neither A nor B supports the cell.",
};
// What the types of a cell's id are of, and which of them makes the rows of a tile.
const operatorOf = op =>
  A.operators[op] || (B && B.operators[op]) || { types: [], main_type: 0 };
const mainType = cell => cell.types[operatorOf(cell.op).main_type];

function decodeCell(row) {
  return {
    reading: "",
    diagnosis: "",
    reason: "",
    ...row,
    id: row.cell,
    op: row.op_type,
    since: row.since_version,
    output: row.types[row.types.length - 1],
    opsets: Object.entries(row.opset_versions).map(([version, verdict]) => [
      Number(version),
      verdict,
    ]),
    forms: Object.entries(row.verdicts).map(([form, tiers]) => ({
      form,
      tiers: Object.entries(tiers),
    })),
    tiers: Object.entries(row.elements).map(([tier, elements]) => ({
      tier,
      elements,
      mismatches: row.mismatches[tier] || 0,
    })),
    coverage: Object.entries(row.coverage),
    examples: row.counterexamples || [],
  };
}

const reports = raw.reports.map((report, i) => {
  const cells = report.cells.map(decodeCell);
  const letter = raw.reports.length > 1 ? "AB"[i] : "";
  return { ...report, letter, cells, byId: new Map(cells.map(cell => [cell.id, cell])) };
});
const A = reports[0];
const B = reports[1] || null;
// What a row is about.
const ROW = A.model ? "part" : "cell";

// One entry per cell id of any report, in the lattice's order.
const entries = A.cells.map(cell => ({
  id: cell.id,
  cell,
  a: cell,
  b: B ? B.byId.get(cell.id) : null,
}));
if (B) {
  for (const cell of B.cells) {
    if (!A.byId.has(cell.id)) entries.push({ id: cell.id, cell, a: null, b: cell });
  }
}
for (const entry of entries) {
  entry.change = raw.changes[entry.id] || "same";
  const cell = entry.cell;
  const lists = [...cell.observed, ...cell.why, ...cell.bound_only];
  entry.text = [cell.id, cell.reading, cell.diagnosis, cell.reason, ...lists]
    .join("\n")
    .toLowerCase();
}
const entryById = new Map(entries.map(entry => [entry.id, entry]));
// Findings of A and B by their names; each entry knows those that it is of.
const findings = new Map();
for (const report of reports) {
  for (const finding of report.findings) {
    findings.set(finding.finding, finding);
    for (const place of finding.cells) {
      const entry = entryById.get(report.cells[place].id);
      entry.findings = [...(entry.findings || []), finding.finding];
    }
  }
}
const supports = entry => [entry.a, entry.b].some(cell => cell && isSupported(cell.verdict));
const supportedEntries = entries.filter(supports).length;

// --- state ---------------------------------------------------------------------

const DEFAULTS = {
  q: "",
  v: [],
  op: "",
  since: "",
  opset: "",
  y: "",
  x: "",
  g: "",
  tier: "",
  form: "",
  finding: "",
  pair: "",
  change: "",
  view: B ? "who" : "a",
  // "supported": cells that nobody supports are left out.
  only: supportedEntries > 0 && 2 * supportedEntries < entries.length ? "supported" : "",
  cell: "",
  tile: "",
};
const state = { ...DEFAULTS };

function readHash() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  for (const key of Object.keys(DEFAULTS)) {
    const value = parameters.get(key);
    if (Array.isArray(DEFAULTS[key]))
      state[key] = value ? value.split(",").filter(word => VERDICTS.includes(word)) : [];
    else state[key] = value === null ? DEFAULTS[key] : value;
  }
  if (!B || !["a", "b", "both", "who", "changes"].includes(state.view)) state.view = DEFAULTS.view;
}
function writeHash() {
  const parameters = new URLSearchParams();
  for (const key of Object.keys(DEFAULTS)) {
    const value = Array.isArray(state[key]) ? state[key].join(",") : state[key];
    const usual = Array.isArray(DEFAULTS[key]) ? "" : DEFAULTS[key];
    if (value !== usual) parameters.set(key, value);
  }
  const hash = parameters.toString();
  try {
    history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
  } catch (error) {
    /* a sandbox */
  }
}

// The verdict that the page shows for a cell: its headline, or that of one tier,
// operand form or opset_version.
function shownVerdict(cell) {
  if (!cell) return null;
  if (state.opset) {
    const found = cell.opsets.find(([version]) => String(version) === state.opset);
    if (!found) return null;
    if (!state.tier && !state.form) return found[1];
  }
  if (!state.tier && !state.form) return cell.verdict;
  let forms = cell.forms;
  if (state.form) forms = forms.filter(form => form.form === state.form);
  else if (forms.some(form => form.tiers.some(([, verdict]) => verdict !== "unsupported"))) {
    forms = forms.filter(form => form.tiers.some(([, verdict]) => verdict !== "unsupported"));
  }
  let worst = null;
  for (const form of forms) {
    for (const [tier, verdict] of form.tiers) {
      if (state.tier && tier !== state.tier) continue;
      if (worst === null || VERDICTS.indexOf(verdict) < VERDICTS.indexOf(worst)) worst = verdict;
    }
  }
  return worst;
}

// What the page calls a verdict where A and B are compared.
function classOf(verdict) {
  if (!verdict) return "has no row";
  if (isPass(verdict)) return "passes";
  if (isDeviation(verdict)) return "deviates";
  if (verdict === "refused_legal") return "refuses legal models";
  return ["unsupported", "partial"].includes(verdict) ? verdict : "not judged";
}
const pairOf = entry =>
  `A ${classOf(shownVerdict(entry.a))}, B ${classOf(shownVerdict(entry.b))}`;
function whoOf(entry) {
  const [a, b] = [shownVerdict(entry.a), shownVerdict(entry.b)];
  if (isPass(a)) return isPass(b) ? "both_pass" : "only_A_passes";
  if (isPass(b)) return "only_B_passes";
  return isSupported(a) || isSupported(b) ? "neither_passes" : "neither_supports";
}

const inView = entry => state.only !== "supported" || supports(entry);
function matchesFields(entry) {
  const cell = entry.cell;
  return (
    inView(entry) &&
    (!state.finding || (entry.findings || []).includes(state.finding)) &&
    (!state.pair || pairOf(entry) === state.pair) &&
    (!state.op || cell.op === state.op) &&
    (!state.since || String(cell.since) === state.since) &&
    (!state.y || cell.output === state.y) &&
    (!state.g || cell.granularity === state.g) &&
    (!state.x || mainType(cell) === state.x) &&
    (!state.change || entry.change === state.change) &&
    (!state.q ||
      state.q
        .toLowerCase()
        .split(/\s+/)
        .every(word => entry.text.includes(word)))
  );
}
function matches(entry) {
  if (!matchesFields(entry)) return false;
  const verdict = shownVerdict(entry.cell);
  return verdict !== null && (state.v.length === 0 || state.v.includes(verdict));
}
