// Verdicts, names and numbers in words. VERDICTS, worst first, and raw.explanations are of
// the page's data.

const WORDS = {
  crashed: "The backend crashed.",
  timed_out: "The backend gave no answer in time.",
  failed: "The backend raised or reported an error on a legal model: there is no output.",
  invalid_output: "Wrong shape, type or count, or bytes that were not written or overwritten.",
  nonconformant: "Bits that no reading of the specification allows.",
  refused_legal: "The backend refused legal models as invalid.",
  mistrusted: "The cases that ran could not have failed.",
  error: "The harness failed; this is not counted against the backend.",
  partial: "All answered cases were right, some were declined.",
  unsupported: "The backend declined.",
  untested: "Not run.",
  admissible: "One consistent combination of readings of open clauses explains every bit.",
  conformant: "The canonical bits, everywhere.",
};

const shortGranularity = name =>
  name
    .split("-")
    .map(part => part.replace(/^per_/, "").replace("column", "col"))
    .join("\u00b7");
const isPass = verdict => verdict === "conformant" || verdict === "admissible";
const isSupported = verdict => Boolean(verdict) && !["unsupported", "untested"].includes(verdict);
const isDeviation = verdict => VERDICTS.indexOf(verdict) <= VERDICTS.indexOf("nonconformant");
const digits = number => String(number).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
const plural = (count, noun) => `${digits(count)} ${noun}${count === 1 ? "" : "s"}`;

// Returns the formula or sentence that explains a reading, diagnosis or clause.
function explain(name) {
  const found = raw.explanations[name];
  if (found) return [[name, found]];
  const parts = name
    .split(/[\s,;+&]+/)
    .map(part => [part, raw.explanations[part] || raw.explanations[part.split(":").pop()]]);
  return parts.filter(([, text]) => text);
}
