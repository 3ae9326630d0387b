// The embedded data, decoded: reports, cells, and what filters select.

const raw = JSON.parse(document.getElementById("data").textContent);
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
  WORDS[verdict] ??= "A verdict of a later version of qconform: no pass.";
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
// How the types of an id are named, and which of them makes the rows of a tile.
const OPERANDS = {
  QuantizeLinear: { names: ["x", "y_scale", "y"], row: 0 },
  QLinearMatMul: { names: ["scales", "a", "b", "y"], row: 1 },
};
const SHORT = {
  per_tensor: "tensor",
  per_axis: "axis",
  blocked: "blocked",
  per_row: "row",
  per_column: "col",
};

const shortGranularity = name =>
  name
    .split("-")
    .map(part => SHORT[part] || part)
    .join("\u00b7");
const isPass = verdict => verdict === "conformant" || verdict === "admissible";
const isDeviation = verdict => VERDICTS.indexOf(verdict) <= VERDICTS.indexOf("nonconformant");
const digits = number => String(number).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
const plural = (count, noun) => `${digits(count)} ${noun}${count === 1 ? "" : "s"}`;
const pairs = (flat, size) => {
  const groups = [];
  for (let i = 0; i < flat.length; i += size) groups.push(flat.slice(i, i + size));
  return groups;
};

function decodeCell(report, row) {
  const text = index => (index < 0 ? "" : raw.strings[index]);
  const types = row[2].map(index => raw.types[index]);
  const op = raw.ops[row[0]];
  const granularity = raw.granularities[row[3]];
  return {
    id: row[18] || `${op}/${row[1]}/${types.join("-")}/${granularity}`,
    op,
    since: row[1],
    types,
    output: types[types.length - 1],
    granularity,
    verdict: VERDICTS[row[4]],
    opsets: pairs(raw.patterns[row[5]], 2).map(([version, verdict]) => [
      version,
      VERDICTS[verdict],
    ]),
    forms: raw.patterns[row[6]].map(([form, tiers]) => ({
      form: raw.forms[form],
      tiers: pairs(tiers, 2).map(([tier, verdict]) => [raw.tiers[tier], VERDICTS[verdict]]),
    })),
    tiers: pairs(row[7], 3).map(([tier, elements, mismatches]) => ({
      tier: raw.tiers[tier],
      elements,
      mismatches,
    })),
    cases: row[8],
    declined: row[9],
    free: row[10],
    coverage: pairs(row[11], 2).map(([feature, count]) => [raw.features[feature], count]),
    reading: text(row[12]),
    diagnosis: text(row[13]),
    reason: text(row[14]),
    observed: row[15].map(text),
    examples: row[16],
    time: row[17],
    known: report.known[row[19]] || null,
    why: row[20].map(text),
    example: row[21],
    model: text(row[22]),
    judgedAt: row[23],
    boundOnly: row[24].map(text),
  };
}

const reports = raw.reports.map(report => {
  const cells = report.cells.map(row => decodeCell(report, row));
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
  const lists = [...cell.observed, ...cell.why, ...cell.boundOnly];
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
    (!state.x || cell.types[(OPERANDS[cell.op] || { row: 0 }).row] === state.x) &&
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
