// Counts of verdicts, findings and examples, wherever they are shown.

// Where names of backends and operators may be broken.
const AT_LABELS = /(?<=[.:=,-])|(?<=[a-z])(?=[A-Z])/;

const sumOf = counts => Object.values(counts).reduce((sum, one) => sum + one, 0);
const passesOf = counts => (counts.conformant || 0) + (counts.admissible || 0);
const supportedOf = counts =>
  sumOf(counts) - (counts.unsupported || 0) - (counts.untested || 0);
const deviationsOf = counts =>
  Object.entries(counts).reduce((sum, [verdict, one]) => sum + (isDeviation(verdict) ? one : 0), 0);
const addCounts = list => {
  const all = {};
  for (const counts of list)
    for (const [verdict, one] of Object.entries(counts)) all[verdict] = (all[verdict] || 0) + one;
  return all;
};
const worstOf = counts => VERDICTS.find(verdict => counts[verdict]);

// A bar of the supported cells, and how many of them pass.
function scoreOf(counts) {
  const supported = supportedOf(counts);
  if (!supported) return el("span", { class: "none" }, "not supported");
  const shown = VERDICTS.filter(
    verdict => counts[verdict] && isSupported(verdict),
  ).reverse();
  return [
    el(
      "span",
      { class: "score" },
      symbol(deviationsOf(counts) ? "nonconformant" : passesOf(counts) === supported ? "conformant" : "partial"),
      `${digits(passesOf(counts))} of ${digits(supported)}`,
    ),
    el(
      "span",
      {
        class: "bar",
        role: "img",
        "aria-label": shown.map(verdict => `${counts[verdict]} ${verdict}`).join(", "),
        title: shown.map(verdict => `${digits(counts[verdict])} ${verdict}`).join(", "),
      },
      shown.map(verdict => el("i", { class: "b-" + verdict, style: `flex:${counts[verdict]} 0 0` })),
    ),
  ];
}

function legend() {
  return el(
    "details",
    { class: "choices" },
    el("summary", {}, "What the verdicts mean"),
    el(
      "dl",
      { class: "verdicts" },
      VERDICTS.slice()
        .reverse()
        .map(verdict => [el("dt", {}, verdictLabel(verdict)), el("dd", {}, WORDS[verdict] || "")]),
    ),
  );
}

// An element that deviates, with the line that asks it again.
function exampleBox(example, cell) {
  if (!example) return "";
  const { index, message, clause, reading, replay, tier, operand_form: form } = example;
  return el(
    "div",
    { class: "example" },
    el(
      "div",
      { class: "id" },
      [cell, index && elementName(example), tier && `tier ${tier}`, form && `operands as ${form}`, clause && `clause ${clause}`]
        .filter(Boolean)
        .join(", "),
    ),
    message ? el("p", { class: "fact" }, message) : "",
    operandTable(example),
    reading ? el("p", { class: "fact" }, "This element follows ", el("code", {}, reading)) : "",
    replay ? [el("h3", {}, "Ask it again"), copyLine(replay)] : "",
  );
}

// The explanations of names that have some, each once.
function explanationsOf(...names) {
  const said = new Map(names.filter(Boolean).flatMap(explain));
  return [...said].map(([name, text]) =>
    el("p", { class: "why" }, el("b", {}, name), ": ", withCode(text)),
  );
}

// The first sentence of a text.
const firstSentence = text => text.split(/(?<=\.) (?=[A-Z])/)[0];

// A finding in a sentence for people who do not know the names of wrong models. One that
// several models explain is told by the first.
function findingSentence({ diagnosis, clause }) {
  if (WORDS[diagnosis]) return WORDS[diagnosis];
  const sentences = diagnosis
    .split(" or ")[0]
    .split("+")
    .map(name => raw.explanations[name])
    .filter(Boolean);
  if (sentences.length) return sentences.join(" ");
  const text = raw.explanations[clause];
  return text ? `No named wrong model gives these bits. The text: ${firstSentence(text)}` : "";
}

// The names of a finding's wrong models. More than two that explain it alike are counted.
function diagnosisName(diagnosis) {
  const models = diagnosis.split(" or ");
  if (models.length < 3) return breakable(diagnosis, AT_WORDS);
  return [breakable(models[0], AT_WORDS), ` or ${models.length - 1} others`];
}

const wordsIn = text => text.toLowerCase().split(/\s+/).filter(Boolean);
// Whether a finding has all these words: in its id, in what is said of it or in its backends.
const hasWords = (words, finding) => {
  const of = (finding.of || []).map(({ b }) => BACKENDS[b].label).join(" ");
  const text = `${finding.finding} ${findingSentence(finding)} ${of}`.toLowerCase();
  return words.every(word => text.includes(word));
};

// A finding with what each backend does. `only`: the place of the one backend to show.
function findingBox(finding, open, only = null) {
  const of = finding.of.filter(one => only === null || one.b === only);
  const [first] = of.filter(one => one.example).concat(of);
  const since = finding.group.replace(/_/g, " ");
  const body = () => [
    explanationsOf(finding.diagnosis, finding.clause),
    el("p", { class: "id" }, "id ", el("code", {}, breakable(finding.finding))),
    of.map(one => [
      el(
        "h3",
        {},
        link(pageOfBackend(BACKENDS[one.b]), BACKENDS[one.b].label),
        `: ${plural(one.count, "cell")}` + (one.elements ? `, ${plural(one.elements, "wrong element")}` : ""),
      ),
      el(
        "p",
        { class: "cells" },
        one.cells.map((cell, i) => [i ? " " : "", link(pageOfCell(finding.op_type, cell), el("code", {}, breakable(cell)))]),
        one.count > one.cells.length ? ` and ${digits(one.count - one.cells.length)} more` : "",
      ),
      one === first ? exampleBox(one.example) : "",
    ]),
  ];
  const details = el(
    "details",
    { class: "finding-box", open },
    el(
      "summary",
      {},
      el("b", {}, diagnosisName(finding.diagnosis)),
      ` ${finding.op_type}, ${since}, ` +
        (finding.clause === "-" ? "" : `clause ${finding.clause}, `) +
        `${finding.inputs} to ${finding.output}`,
      el("span", { class: "said" }, withCode(findingSentence(finding))),
      el(
        "small",
        {},
        only === null
          ? ` ${of.map(one => BACKENDS[one.b].label).join("; ")}`
          : ` ${plural(of[0].count, "cell")}`,
      ),
    ),
  );
  const fill = () => {
    if (details.childElementCount === 1) details.append(...[body()].flat(Infinity).filter(Boolean));
  };
  if (open) fill();
  details.addEventListener("toggle", () => details.open && fill());
  return details;
}
