// The embedded data, decoded: reports, cells, and what filters select.

// See Packer in reports/show/html.cc.
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

const raw = unpack(JSON.parse(document.getElementById("data").textContent));
const VERDICTS = raw.verdicts; // worst first
const WORDS = {
  crashed: "The backend crashed.",
  timed_out: "The backend gave no answer in time.",
  failed: "The backend raised or reported an error on a legal model: there is no output.",
  invalid_output: "Wrong shape, type or count, or bytes that were not written or overwritten.",
  nonconformant: "Bits that no reading of the specification allows.",
  mistrusted: "The cases that ran could not have failed.",
  error: "The harness failed; this is not counted against the backend.",
  partial: "All answered cases were right, some were declined.",
  unsupported: "The backend declined.",
  untested: "Not run.",
  admissible: "One consistent combination of readings of open clauses explains every bit.",
  conformant: "The canonical bits, everywhere.",
};
for (const verdict of VERDICTS)
  WORDS[verdict] ??= "A verdict of a later version of qconform. It does not count as a pass.";
// As `qconform diff` judges them.
const CHANGES = {
  regressed: "Right before, wrong now; or wrong in more elements.",
  newly_supported_wrong: "Declined before, answered now, and wrong.",
  no_longer_supported: "Answered before, declined now.",
  no_longer_asked: "In the old report only, or untested or an error now.",
  judged_otherwise: "The same backend, judged otherwise by another suite.",
  other_answers: "Other answers, neither better nor worse.",
  other_words: "The same answers, other words.",
  newly_asked: "In the new report only, or untested or an error before, or asked more.",
  newly_supported_right: "Declined before, answered now, and right.",
  fixed: "Wrong before and right now; or wrong in fewer elements.",
  same: "The same in both.",
};
// What the types of a cell's id are of, and which of them makes the rows of a tile.
const operatorOf = op =>
  main.operators[op] || (old && old.operators[op]) || { types: [], main_type: 0 };
const mainType = cell => cell.types[operatorOf(cell.op).main_type];

const shortGranularity = name =>
  name
    .split("-")
    .map(part => part.replace(/^per_/, "").replace("column", "col"))
    .join("\u00b7");
const isPass = verdict => verdict === "conformant" || verdict === "admissible";
const isDeviation = verdict => VERDICTS.indexOf(verdict) <= VERDICTS.indexOf("nonconformant");
const digits = number => String(number).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
const plural = (count, noun) => `${digits(count)} ${noun}${count === 1 ? "" : "s"}`;

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

const reports = raw.reports.map(report => {
  const cells = report.cells.map(decodeCell);
  return { ...report, cells, byId: new Map(cells.map(cell => [cell.id, cell])) };
});
const main = reports[0];
const old = reports[1] || null;

// One entry per cell id of any report, in the lattice's order.
const entries = main.cells.map(cell => ({
  id: cell.id,
  cell,
  after: cell,
  before: old ? old.byId.get(cell.id) : null,
}));
if (old) {
  for (const cell of old.cells) {
    if (!main.byId.has(cell.id)) entries.push({ id: cell.id, cell, after: null, before: cell });
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
  change: "",
  view: old ? "after" : "",
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

function matchesFields(entry) {
  const cell = entry.cell;
  return (
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
