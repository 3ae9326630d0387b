// The page that explains: a question in the address, its answer by the oracle, which is
// WebAssembly here, and what the published backends give in the question's cell.

const RESERVED = ["operator", "opset", "element", "actual"];
const VALUES_SHOWN = 48;

// A question from an address: its operator, opset, element, actual, and settings by name.
function questionIn(text) {
  const words = new URLSearchParams(text);
  const settings = new Map([...words].filter(([name]) => !RESERVED.includes(name)));
  return { ...Object.fromEntries(RESERVED.map(name => [name, words.get(name) || ""])), settings };
}
// Commas and colons stay as they are, so that people can read the address.
const addressWord = text => encodeURIComponent(text).replace(/%2C/g, ",").replace(/%3A/g, ":");
const addressOf = question =>
  [...RESERVED.map(name => [name, question[name]]), ...question.settings]
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${addressWord(name)}=${addressWord(value)}`)
    .join("&");
// What the module takes: numbers where they are numbers, so that it names what is wrong.
const numberOr = text => (/^\d+$/.test(text) ? Number(text) : text);
const askedOf = ({ operator, opset, element, actual, settings }) => ({
  operator,
  settings: [...settings].map(([name, value]) => `${name}=${value}`),
  ...(opset ? { opset: numberOr(opset) } : {}),
  ...(element ? { element: numberOr(element) } : {}),
  ...(actual ? { actual } : {}),
});
const shellWord = word => (/^[\w.,:=+/@%-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`);
const commandOf = ({ operator, opset, element, actual, settings }) =>
  ["qconform", "explain", operator, ...[...settings].map(([name, value]) => `${name}=${value}`),
    ...(opset ? ["--opset", opset] : []), ...(element ? ["--element", element] : []),
    ...(actual ? ["--actual", actual] : [])].map(shellWord).join(" ");

// Starts the module, and returns what asks it.
async function startOracle() {
  const module = await self.qconformExplainModule();
  const call = (name, text) => module.ccall(name, "string", ["string"], [text]);
  const wrong = call("qconform_define", JSON.stringify(raw.definitions));
  if (wrong) throw new Error(wrong);
  return question => JSON.parse(call("qconform_explain", JSON.stringify(askedOf(question))));
}

// Loads the cells of an operator, each once.
const cellsLoaded = new Map();
function cellsOf(op) {
  if (!cellsLoaded.has(op)) {
    cellsLoaded.set(op, new Promise(resolve => {
      const page = pageOfOperator(op);
      if (!page) return resolve([]);
      document.head.append(el("script", {
        src: page.replace(/^operator-(.*)\.html$/, "data-operator-$1.js"),
        onload: () => resolve(dataOf("operator").cells),
        onerror: () => resolve([]),
      }));
    }));
  }
  return cellsLoaded.get(op);
}

function tensorText({ name, type, shape, values }) {
  const shown = values.slice(0, VALUES_SHOWN).map(decimalFirst).join(", ");
  const list = shape === "[]" ? shown : `[${shown}${values.length > VALUES_SHOWN ? ", \u2026" : ""}]`;
  return el("p", { class: "tensor" }, el("code", {}, name), el("small", {}, ` ${type}${shape}`), " = ", el("code", {}, list),
    values.length > VALUES_SHOWN ? el("small", {}, ` ${plural(values.length, "element")}`) : "");
}

const stepsTable = (steps, second) =>
  el("div", { class: "scroll" }, tableOf(
    [["step", ""], ["specification", "value"], ...(second ? [[second, "value"]] : [])],
    steps.map(({ step, expected, actual = "" }) => [step, expected, ...(second ? [actual] : [])])));

const meaningOf = name => explain(name).map(([word, text]) => el("p", { class: "why" }, el("code", {}, word), ": ", withCode(text)));

function rightAnswer({ operator, opset, since_version: since, note, outputs, element, steps }) {
  return card("The right answer",
    el("p", { class: "why" }, `${operator}, opset_version ${opset} (since_version ${since})`),
    note ? el("p", { class: "banner quiet" }, note) : "",
    el("div", { id: "outputs" }, outputs.map(tensorText)),
    steps ? [el("h3", {}, `How ${element} comes about`), stepsTable(steps)] : "");
}

function otherAnswers({ freedoms, free_elements: free, readings, readings_in_all: all, bounds }) {
  const none = !free && !all && !bounds.length;
  return card("Admissible too",
    none ? el("p", {}, "No admissible reading of an open clause gives other bits.") : "",
    freedoms.length ? el("ul", {}, freedoms.map(text => el("li", {}, text))) : "",
    free > freedoms.length ? el("p", { class: "why" }, `and ${plural(free - freedoms.length, "more element")}`) : "",
    readings.map(({ name, outputs }) => [el("h3", {}, el("code", {}, breakable(name, AT_WORDS))), outputs.map(tensorText), meaningOf(name)]),
    all > readings.length ? el("p", { class: "why" }, `and ${plural(all - readings.length, "more answer")}`) : "",
    bounds.map(name => [el("p", {}, "Whatever lies within the bound ", el("code", {}, name)), meaningOf(name)]));
}

const SAID = {
  right: "Right: these are the specified bits.",
  admissible: "Admissible: a reading of an open clause gives these bits.",
  deviates: "Deviates: no admissible reading gives these bits.",
};
const SAID_AS = { right: "conformant", admissible: "admissible", deviates: "nonconformant" };

function judgedAnswer({ verdict, outputs, readings, element, steps, models }) {
  return card("Your answer",
    outputs.map(tensorText),
    el("p", { id: "verdict" }, symbol(SAID_AS[verdict]), " ", SAID[verdict]),
    readings ? [el("p", {}, el("code", {}, readings)), meaningOf(readings)] : "",
    steps ? [el("h3", {}, element), stepsTable(steps, models.length ? models[0].name : "your answer")] : "",
    models ? models.length
      ? [el("h3", {}, "Named wrong models that give it"), el("ul", {}, models.map(({ name, sentence }) => el("li", {}, el("code", {}, name), ": ", withCode(sentence))))]
      : el("p", {}, "No named wrong model gives it.") : "");
}

function publishedAnswers({ operator, cell }, place) {
  const title = "What published backends give in this cell";
  if (!cell) return place.replaceChildren();
  place.replaceChildren(card(title, el("p", { class: "why" }, "Loading\u2026")));
  cellsOf(operator).then(cells => {
    const found = cells.find(one => one.cell === cell);
    const name = el("code", {}, breakable(cell));
    place.replaceChildren(card(title,
      el("p", {}, found ? link(pageOfCell(operator, cell), name) : name),
      found
        ? [el("p", { class: "why" }, "Verdicts are about all cases that the cell was asked, and not about the numbers above."), answersOf(found)]
        : el("p", {}, "No report of this site has the cell.")));
  });
}

function explainPage() {
  const { definitions } = raw;
  const operators = Object.keys(definitions);
  const status = el("p", { id: "status", role: "status", class: "why" }, "The oracle is being loaded\u2026");
  const answer = el("div", { id: "answer" });
  const published = el("div", { id: "published" });
  const form = el("form", { class: "card", id: "question", novalidate: true });
  let ask = null;
  let question = null;

  const versionAt = opset => {
    const { versions } = definitions[question.operator];
    return versions.filter(({ since_version: since }) => since <= opset).pop() || versions[versions.length - 1];
  };
  const exampleFor = operator => {
    const { versions, example } = definitions[operator];
    // Many published backends load no newer models. Each operator's example is legal in it.
    const opset = versions.some(({ opset_versions: all }) => all.includes(21)) ? 21 : versions[versions.length - 1].opset_versions.at(-1);
    const settings = new Map(example.map(text => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)]));
    return { operator, opset: String(opset), element: "", actual: "", settings };
  };

  const show = () => {
    if (!ask) return;
    status.textContent = "";
    answer.replaceChildren();
    published.replaceChildren();
    let given;
    try {
      given = ask(question);
    } catch (error) {
      given = { error: `the oracle stopped: ${error.message || error}; load the page again` };
    }
    if (given.error) {
      answer.replaceChildren(el("p", { class: "banner", role: "alert", id: "error" }, given.error));
      return;
    }
    answer.replaceChildren(
      rightAnswer(given),
      given.actual ? judgedAnswer(given.actual) : "",
      otherAnswers(given.others),
      card("On the command line", copyLine(commandOf(question)),
        el("details", { class: "choices" }, el("summary", {}, "What it prints"), el("pre", { class: "scroll", id: "text" }, given.text))));
    status.textContent = `Answered: ${given.outputs.map(({ name, values }) => `${name} has ${plural(values.length, "element")}`).join(", ")}.`;
    publishedAnswers(given, published);
  };
  const keep = () => {
    try {
      history.replaceState(null, "", "#" + addressOf(question));
    } catch (error) {
      /* a sandbox */
    }
  };
  const change = () => {
    keep();
    show();
  };
  const linkText = () => location.href.split("#")[0] + "#" + addressOf(question);

  // One operand: its type, and its numbers. Empty numbers leave it out.
  function operandField({ name, role, optional, types }) {
    const given = question.settings.get(name) || "";
    const colon = given.lastIndexOf(":");
    const box = el("input", { id: "o-" + name, type: "text", class: "numbers", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
      placeholder: optional ? "left out" : "such as [1,2.5]" });
    box.value = colon < 0 ? given : given.slice(0, colon);
    const type = el("select", { "aria-label": `type of ${name}` }, types.map(one => el("option", { value: one }, one)));
    // A type that the operator does not take stays visible, with the error that it makes.
    const wanted = colon < 0 ? (types.includes("FLOAT") ? "FLOAT" : types[0]) : given.slice(colon + 1);
    if (!types.includes(wanted)) type.append(el("option", { value: wanted }, wanted));
    type.value = wanted;
    const set = () => {
      if (box.value.trim()) question.settings.set(name, `${box.value.replace(/\s+/g, "")}:${type.value}`);
      else question.settings.delete(name);
      change();
    };
    box.addEventListener("change", set);
    type.addEventListener("change", set);
    return el("div", { class: "operand" }, el("label", { for: "o-" + name }, el("code", {}, name), el("small", {}, ` ${role.replace("_", " ")}${optional ? ", optional" : ""}`)), type, box);
  }
  function wordField(label, id, get, set, attributes) {
    const box = el("input", { id, type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", ...attributes });
    box.value = get();
    box.addEventListener("change", () => {
      set(box.value.trim());
      change();
    });
    return el("label", {}, label, box);
  }

  const draw = () => {
    const operator = el("select", { id: "operator" }, operators.map(op => el("option", { value: op }, op)));
    if (!operators.includes(question.operator)) {
      form.replaceChildren(el("div", { class: "fields" }, el("label", {}, "operator", operator)));
      operator.selectedIndex = -1;
    } else operator.value = question.operator;
    operator.addEventListener("change", () => {
      question = exampleFor(operator.value);
      draw();
      change();
      document.getElementById("operator").focus();
    });
    if (!operators.includes(question.operator)) return;
    const { versions } = definitions[question.operator];
    const opset = el("select", { id: "opset" }, versions.flatMap(({ since_version: since, opset_versions: all }) =>
      all.map(one => el("option", { value: one }, one === since ? String(one) : `${one} (since_version ${since})`))));
    const newest = versions[versions.length - 1].opset_versions;
    const wanted = question.opset || String(newest[newest.length - 1]);
    if (![...opset.options].some(({ value }) => value === wanted)) opset.append(el("option", { value: wanted }, wanted));
    opset.value = wanted;
    opset.addEventListener("change", () => {
      question.opset = opset.value;
      draw();
      change();
      document.getElementById("opset").focus();
    });
    const version = versionAt(Number(wanted));
    const attributes = version.attributes.map(name =>
      wordField(el("code", {}, name), "a-" + name, () => question.settings.get(name) || "", value => (value ? question.settings.set(name, value) : question.settings.delete(name)), { placeholder: "not given" }));
    // What the address has and the definition does not, which the oracle's error names.
    const known = new Set([...version.operands.map(({ name }) => name), ...version.attributes]);
    const others = [...question.settings.keys()].filter(name => !known.has(name)).map(name =>
      wordField(el("code", {}, name), "a-" + name, () => question.settings.get(name) || "", value => (value ? question.settings.set(name, value) : question.settings.delete(name)), {}));
    form.replaceChildren(
      el("div", { class: "fields" }, el("label", {}, "operator", operator), el("label", {}, "opset_version", opset)),
      el("div", { class: "operands-of" }, version.operands.map(operandField)),
      el("div", { class: "fields" }, attributes, others),
      el("div", { class: "fields" },
        wordField("element worked through", "element", () => question.element, value => (question.element = value), { inputmode: "numeric", placeholder: "0" }),
        wordField("an answer to judge", "actual", () => question.actual, value => (question.actual = value), { placeholder: "such as [3,4]" })),
      el("p", { class: "actions" }, el("button", { class: "plain", type: "submit", id: "ask" }, "Explain"), copyButton("Copy link", linkText),
        el("button", { class: "plain", type: "button", id: "example", onclick: () => {
          question = exampleFor(question.operator);
          draw();
          change();
        } }, "Example")));
  };
  form.addEventListener("submit", event => {
    event.preventDefault();
    if (document.activeElement && document.activeElement.matches("input")) document.activeElement.dispatchEvent(new Event("change"));
    else change();
  });
  const follow = () => {
    question = location.hash.length > 1 ? questionIn(location.hash.slice(1)) : exampleFor(operators[0]);
    draw();
    show();
  };
  addEventListener("hashchange", follow);
  follow();
  const start = () =>
    startOracle().then(
      oracle => {
        ask = oracle;
        show();
      },
      error => {
        status.textContent = `The oracle could not be loaded (${error.message || error}). This page needs a browser with WebAssembly.`;
      },
    );
  return [
    [
      el("h1", {}, "Explain: what is right, and why"),
      el("p", { class: "lead" }, "Type one question to an operator. The oracle of qconform answers it here, step by step and with the bits of ",
        el("code", {}, "qconform explain"), ". The address of the page holds the question. Numbers: ", el("code", {}, "2.5"), ", ", el("code", {}, "[[1,-0],[inf,nan]]"),
        ", a code such as ", el("code", {}, "0x7f"), ". It covers the operators of the list; graphs are only explained on the command line."),
      form, status, answer, published,
    ],
    start,
  ];
}
