// A report of the reader's own, next to those of the site. It never leaves the browser.

const MOST_LISTED = 200;

// Loads data that only some readers need.
function load(name) {
  if (dataOf(name)) return Promise.resolve(dataOf(name));
  return new Promise((resolve, reject) => {
    const script = el("script", { src: `data-${name}.js` });
    script.addEventListener("load", () => resolve(dataOf(name)));
    script.addEventListener("error", () => reject(new Error(`data-${name}.js cannot be loaded`)));
    document.body.append(script);
  });
}

// The verdicts of a report, or of a compact one, by cell.
function verdictsIn(report) {
  const found = new Map();
  if (report.compact_report_version) {
    for (const [version, pairs] of Object.entries(report.cells))
      for (let i = 0; i < pairs.length; i += 2) {
        const shape = report.shapes[pairs[i + 1]];
        for (let j = 0; j < shape.length; j += 2)
          found.set(
            `${version}/${report.types[pairs[i]]}/${report.granularities[shape[j]]}`,
            report.outcomes[shape[j + 1]].verdict,
          );
      }
    return found;
  }
  for (const { cell, verdict } of report.results.cells) found.set(cell, verdict);
  return found;
}

function readOwn(text, name) {
  let report = null;
  try {
    report = JSON.parse(text);
    if (report.packed_report_version) report = unpack(report);
    const verdicts = verdictsIn(report);
    const { backend } = report.compact_report_version ? report : report.results;
    return { name, label: `${backend.name} ${backend.version}`.trim(), verdicts };
  } catch (error) {
    throw new Error(`${name}: expected a report of qconform, got ${report ? "another document" : "a text that is no JSON"}`);
  }
}

// "passes", "deviates", ...: as the page of two reports has it.
function standing(verdict) {
  if (!verdict) return "not asked";
  if (isPass(verdict)) return "passes";
  if (isDeviation(verdict)) return "deviates";
  return ["unsupported", "partial", "refused_legal"].includes(verdict) ? verdict : "not judged";
}

function comparison(own, data, b) {
  const ids = data.groups.flatMap(([begin, ends]) => ends.map(end => begin + end));
  const letters = data.backends[b];
  const theirs = new Map(
    ids.map((id, i) => [id, letters[i] === "-" ? null : data.verdicts[letters.charCodeAt(i) - 97]]),
  );
  const counts = new Map();
  const differing = [];
  for (const [cell, verdict] of own.verdicts) {
    const other = theirs.get(cell) || null;
    const key = [standing(verdict), standing(other)];
    counts.set(key.join("|"), (counts.get(key.join("|")) || 0) + 1);
    if (key[0] !== key[1] && other) differing.push([cell, verdict, other]);
  }
  const backend = BACKENDS[b];
  return [
    el("p", { class: "lead" }, `${own.label} (${own.name}): ${plural(own.verdicts.size, "cell")}, next to ${backend.label}.`),
    tableOf(
      [["yours", ""], [backend.label, ""], ["cells", "num"]],
      [...counts].sort((x, y) => y[1] - x[1]).map(([key, count]) => [...key.split("|"), digits(count)]),
      { id: "pairs" },
    ),
    el("h3", {}, `${plural(differing.length, "cell")} of both where they stand differently`),
    el("div", { class: "scroll" },
      tableOf(
        [["cell", ""], ["yours", ""], [backend.label, ""]],
        differing.slice(0, MOST_LISTED).map(([cell, verdict, other]) => [
          link(pageOfCell(cell.split("/")[0], cell), el("code", {}, breakable(cell))),
          verdictLabel(verdict),
          verdictLabel(other),
        ]),
        { id: "differing" },
      )),
    differing.length > MOST_LISTED ? el("p", { class: "why" }, `and ${digits(differing.length - MOST_LISTED)} more`) : "",
  ];
}

function compareCard() {
  let own = null;
  const result = el("div", { id: "comparison", role: "status" });
  const choice = el("select", { id: "beside" }, BACKENDS.map((backend, b) => el("option", { value: b }, backend.label)));
  const file = el("input", { type: "file", id: "own", accept: ".json,application/json" });
  const show = async () => {
    if (!own) return;
    try {
      result.replaceChildren(...[comparison(own, await load("verdicts"), Number(choice.value))].flat(Infinity).filter(Boolean));
    } catch (error) {
      result.replaceChildren(el("p", { class: "banner" }, error.message));
    }
  };
  const take = async dropped => {
    if (!dropped) return;
    try {
      own = readOwn(await dropped.text(), dropped.name);
      await show();
    } catch (error) {
      own = null;
      result.replaceChildren(el("p", { class: "banner" }, error.message));
    }
    box.scrollIntoView({ block: "nearest" });
  };
  file.addEventListener("change", () => take(file.files[0]));
  choice.addEventListener("change", show);
  const box = card(
    "Compare your own report",
    el("p", { class: "lead" }, "Drop a report of ", el("code", {}, "qconform run"), " anywhere on this page, or choose the file. It is read here and sent nowhere."),
    el("div", { class: "fields" }, el("label", {}, "your report", file), el("label", {}, "next to", choice)),
    result,
  );
  box.id = "compare";
  for (const event of ["dragenter", "dragover"])
    document.addEventListener(event, one => {
      one.preventDefault();
      document.body.classList.add("dropping");
    });
  document.addEventListener("dragleave", one => {
    if (!one.relatedTarget) document.body.classList.remove("dropping");
  });
  document.addEventListener("drop", one => {
    one.preventDefault();
    document.body.classList.remove("dropping");
    take(one.dataTransfer.files[0]);
  });
  return box;
}
