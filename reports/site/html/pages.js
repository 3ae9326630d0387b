// The other pages, and which of them this one is.

const compareVersions = (a, b) => a.localeCompare(b, "en", { numeric: true });
// A version is left out at first if a newer one, with the same options, was asked as many
// operators.
const newest = backend =>
  !BACKENDS.some(
    other =>
      other.name === backend.name &&
      other.options === backend.options &&
      compareVersions(other.version, backend.version) > 0 &&
      Object.keys(backend.operators).every(op => other.operators[op]),
  );
// A release of a history is shown at first if it is the newest, and has operators that no
// report of its version has; and then no older version that it covers is.
const covers = (operators, columns) =>
  operators.every(op => columns.some(column => column.operators[op]));
function releaseColumns() {
  return site.histories.flatMap(({ id, backend, level, columns }) =>
    columns.map(({ version, operators }, i) => ({
      id: `${id}@${version}`,
      name: backend,
      version,
      options: `level ${level}`,
      label: `${backend} ${version}`,
      page: `history-${id}.html`,
      operators,
      first:
        i === columns.length - 1 &&
        !covers(Object.keys(operators), BACKENDS.filter(one => one.name === backend && one.version === version)),
    })),
  );
}
const notAsked = () =>
  el("span", { class: "none", title: "not asked" }, "\u2013", el("span", { class: "visually-hidden" }, "not asked"));

function scoreboardPage() {
  const asked = new URLSearchParams(location.hash.slice(1)).get("backends");
  const releases = releaseColumns();
  const older = backend =>
    releases.some(
      release =>
        release.first &&
        release.name === backend.name &&
        compareVersions(release.version, backend.version) > 0 &&
        covers(Object.keys(backend.operators), [release]),
    );
  const columns = BACKENDS.map(backend => ({
    ...backend,
    page: pageOfBackend(backend),
    first: newest(backend) && !older(backend),
  }));
  // Releases stand next to the reports of their backend.
  for (const { backend } of site.histories) {
    const own = releases.filter(({ name }) => name === backend);
    const place = columns.map(({ name }) => name).lastIndexOf(backend);
    columns.splice(place < 0 ? columns.length : place + 1, 0, ...own);
  }
  const chosen = new Set(
    asked === null ? columns.filter(({ first }) => first).map(({ id }) => id) : asked.split(","),
  );
  const body = el("div", { class: "scroll" });
  const draw = () => {
    const shown = columns.filter(({ id }) => chosen.has(id));
    body.replaceChildren(
      el(
        "table",
        { class: "list board", id: "board" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "operator or family"),
          shown.map(backend => el("th", { scope: "col" }, link(backend.page, breakable(backend.name, AT_LABELS)),
            el("small", {}, ` ${backend.version}`), el("small", {}, ` ${backend.options}`))))),
        el("tbody", {}, site.operators.map(op =>
          el("tr", {},
            el("th", { scope: "row" }, link(pageOfOperator(op), breakable(op, AT_LABELS))),
            shown.map(backend => el("td", {}, backend.operators[op] ? scoreOf(backend.operators[op]) : notAsked()))))),
        el("tfoot", {}, el("tr", {}, el("th", { scope: "row" }, "all"),
          shown.map(backend => el("td", {}, scoreOf(addCounts(Object.values(backend.operators))))))),
      ),
    );
  };
  const boxesOf = list => list.map(backend => {
    const box = el("input", { type: "checkbox", value: backend.id });
    box.checked = chosen.has(backend.id);
    box.addEventListener("change", () => {
      if (box.checked) chosen.add(backend.id);
      else chosen.delete(backend.id);
      try {
        history.replaceState(null, "", "#backends=" + columns.map(({ id }) => id).filter(id => chosen.has(id)).join(","));
      } catch (error) {
        /* a sandbox */
      }
      draw();
    });
    return el("label", {}, box, " ", backend.label);
  });
  draw();
  return [
    [
      el("h1", {}, "Who gives the bits that ONNX's quantization asks for?"),
      el("p", { class: "lead" },
        "A cell is an operator, or a small graph, with a since_version, data types and granularity. It passes if every bit of every answer is one that the specification allows. ",
        "Numbers are cells that pass, of those that the backend supports."),
      el("section", { class: "card" },
        el("details", { class: "choices", id: "choose" }, el("summary", {}, `Choose backends and versions (${columns.length})`),
          el("fieldset", {}, el("legend", { class: "visually-hidden" }, "Backends"), boxesOf(BACKENDS)),
          site.histories.map(({ backend, level }) =>
            el("fieldset", {}, el("legend", {}, `${backend} through time, level ${level}`), boxesOf(releases.filter(({ name }) => name === backend))))),
        body, legend()),
      compareCard(),
      card("Backends", el("ul", { class: "backends" }, BACKENDS.map(backend =>
        el("li", {}, link(pageOfBackend(backend), backend.label),
          el("img", { src: `badge-${backend.id}.svg`, alt: "", loading: "lazy", height: 20 }),
          el("small", {}, `${plural(backend.findings, "finding")}, level ${backend.level}`))))),
      site.histories.length
        ? card("Through time", el("ul", {}, site.histories.map(({ id, backend, from, to, releases, findings }) =>
            el("li", {}, link(`history-${id}.html`, backend), `: ${plural(releases, "release")}, ${from} to ${to}, ${plural(findings, "finding")}`))))
        : "",
    ],
  ];
}

function backendPage() {
  const b = BACKENDS.findIndex(({ id }) => id === subject);
  const backend = BACKENDS[b];
  const own = raw.findings.filter(({ of }) => of.some(one => one.b === b));
  own.sort((x, y) => y.of.find(one => one.b === b).count - x.of.find(one => one.b === b).count);
  const counts = addCounts(Object.values(backend.operators));
  const facts = [
    ["runs as", backend.spec],
    ["vendor", backend.vendor],
    ["device", backend.device],
    ["level", backend.level],
    ["ONNX", backend.onnx],
    ["CPU", backend.cpu],
    ["features of the CPU", backend.features.join(" ")],
    ["asked", backend.start],
    ...Object.entries(backend.details),
    ["results", `sha256:${backend.digest}`],
  ].filter(([, text]) => text);
  const pages = Object.keys(site.notes).filter(name => site.notes[name].of.includes(b));
  const noted = pages.flatMap(classesOf);
  const history = site.histories.find(one => one.backend === backend.spec || one.backend === backend.name);
  return [
    [
      el("h1", {}, backend.label),
      el("p", { class: "lead" },
        `${digits(passesOf(counts))} of ${plural(supportedOf(counts), "supported cell")} pass, ${digits(deviationsOf(counts))} deviate, ${digits(counts.unsupported || 0)} are declined; ${plural(own.length, "finding")}.`),
      el("p", { class: "badges" }, el("img", { src: `badge-${backend.id}.svg`, alt: `Badge of ${backend.label}`, height: 20 })),
      backend.complete ? "" : el("p", { class: "banner" }, "A report of this backend is incomplete."),
      backend.suites > 1 ? el("p", { class: "banner quiet" }, `Its ${backend.reports} reports were made by ${backend.suites} versions of the suite: what each cell was asked is in its own report.`) : "",
      el("p", { class: "actions" },
        el("a", { class: "plain", href: `report-${backend.id}.html` }, "All evidence, with maps and filters"),
        history ? el("a", { class: "plain", href: `history-${history.id}.html` }, "Through time") : "",
        pages.map(name => el("a", { class: "plain", href: pageOfNote(name) }, site.notes[name].title))),
      card("By operator", el("div", { class: "scroll" },
        tableOf([["operator or family", ""], ["pass", "score-column"], ["deviate", "num"], ["declined", "num"]],
          Object.entries(backend.operators).sort(([x], [y]) => site.operators.indexOf(x) - site.operators.indexOf(y)).map(([op, one]) => [
            link(pageOfOperator(op), op), scoreOf(one), digits(deviationsOf(one)), digits(one.unsupported || 0)])))),
      noted.length ? card("Checked by hand", notedList(noted)) : "",
      card("Findings", own.length ? own.map(finding => findingBox(finding, false, b)) : el("p", {}, "None.")),
      card("What was run", el("dl", { class: "facts" }, facts.map(([what, text]) => [el("dt", {}, what), el("dd", {}, text)]))),
    ],
  ];
}

function findingsPage() {
  const words = el("input", { id: "words", type: "search", placeholder: "such as ties int8" });
  const of = el("select", { id: "of" }, el("option", { value: "" }, "all"), BACKENDS.map((backend, b) => el("option", { value: b }, backend.label)));
  const count = el("span", { id: "count", role: "status" });
  const list = el("div", { id: "findings" });
  const classes = Object.keys(site.notes).flatMap(classesOf);
  const draw = () => {
    const wanted = wordsIn(words.value);
    const found = raw.findings.filter(
      finding =>
        (of.value === "" || finding.of.some(one => String(one.b) === of.value)) &&
        hasWords(wanted, finding),
    );
    const noted = classes.filter(
      ({ page, title, text }) =>
        (of.value === "" || site.notes[page].of.includes(Number(of.value))) &&
        wanted.every(word => `${page} ${title} ${text}`.toLowerCase().includes(word)),
    );
    count.textContent = plural(found.length, "finding") + (noted.length ? `, ${noted.length} checked by hand` : "");
    list.replaceChildren(
      ...(noted.length ? [card("Checked by hand", notedList(noted))] : []),
      ...site.operators.flatMap(op => {
        const own = found.filter(finding => finding.op_type === op);
        return own.length ? [card(op, own.map(finding => findingBox(finding, false)))] : [];
      }),
    );
  };
  const place = el("div", {});
  const follow = () => {
    const finding = raw.findings.find(one => one.finding === hashText());
    place.replaceChildren(...(finding ? [el("section", { class: "card", id: "finding", tabindex: "-1" }, findingBox(finding, true))] : []));
    if (finding) place.firstChild.focus();
  };
  addEventListener("hashchange", follow);
  words.addEventListener("input", draw);
  of.addEventListener("change", draw);
  draw();
  return [
    [
      el("h1", {}, "Findings"),
      el("p", { class: "lead" }, "Deviations by what is behind them: the diagnosis if one wrong model explains every wrong bit, the clause that is offended, and the classes of types."),
      place,
      el("div", { class: "card" }, el("div", { class: "fields" }, el("label", {}, "of", of), el("label", {}, "words", words), count)),
      list,
    ],
    follow,
  ];
}

function historyPage() {
  const { backend, device, suite, releases, comparable } = raw;
  const findings = raw.findings.map(one => {
    const [op, group, clause, diagnosis, types] = one.finding.split("/");
    return { ...one, op, group, clause, diagnosis, types };
  });
  const changeOf = (release, finding) => release.changes.find(one => one.finding === finding);
  const cellOf = (finding, i) => {
    const count = finding.cells[i];
    const change = changeOf(releases[i], finding.finding);
    return el("td", { class: "num " + (change ? "changed" : ""), title: change ? `${change.state}: ${change.text}` : null },
      count ? digits(count) : change ? el("span", { class: "none" }, change.state) : "");
  };
  const words = el("input", { id: "words", type: "search", placeholder: "such as toward zero float16" });
  const count = el("span", { id: "count", role: "status" });
  const rows = el("tbody", {});
  const draw = () => {
    const wanted = wordsIn(words.value);
    const found = findings.filter(finding => hasWords(wanted, finding));
    count.textContent = plural(found.length, "finding");
    rows.replaceChildren(
      ...found.map(finding =>
        el("tr", {},
          el("th", { scope: "row", title: finding.finding },
            el("b", {}, diagnosisName(finding.diagnosis)),
            el("span", { class: "said" }, withCode(findingSentence(finding))),
            el("small", {}, `${finding.op}, ${finding.group.replace(/_/g, " ")}, ${finding.clause === "-" ? "" : `clause ${finding.clause}, `}${finding.types.replace("-", " to ")}`),
            el("span", { class: "in" }, `in ${finding.in}`)),
          releases.map((release, i) => cellOf(finding, i)))),
    );
  };
  words.addEventListener("input", draw);
  draw();
  return [
    [
      el("h1", {}, `${backend} through time`),
      el("p", { class: "lead" }, `${plural(releases.length, "release")} (${device}), asked at level ${suite.level}, seed ${suite.seed}. Which finding appeared and disappeared in which release; numbers are cells. A release has no finding in cells that it declines.`),
      comparable ? "" : el("p", { class: "banner" }, "Not all releases were asked the same: see the changes below."),
      card("Releases", el("div", { class: "scroll" }, tableOf(
        [["release", ""], ["pass of supported", "score-column"], ["deviate", "num"], ["findings", "num"]],
        releases.map(release => [release.version, scoreOf(release.verdicts), digits(release.deviations), digits(release.findings)])))),
      card("Findings by release", findings.length ? [
        el("div", { class: "fields" }, el("label", {}, "words", words), count),
        el("div", { class: "scroll" },
          el("table", { class: "list board history", id: "history" },
            el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "finding"), releases.map(release => el("th", { scope: "col", class: "num" }, release.version)))),
            rows))] : el("p", {}, "None.")),
      card("Changes", releases.filter(({ changes, other_changes: others }) => changes.length + others.length).map(release => [
        el("h3", {}, release.version),
        el("ul", {}, release.other_changes.map(text => el("li", {}, text)),
          release.changes.map(({ finding, state, text }) => el("li", {}, el("code", {}, breakable(finding)), ` ${state}: ${text}`))),
      ])),
    ],
  ];
}

const PAGES = {
  scoreboard: scoreboardPage,
  operator: operatorPage,
  backend: backendPage,
  findings: findingsPage,
  history: historyPage,
  explain: explainPage,
  pages: notesPage,
};
drawFrame();
const [content, then] = PAGES[kind]();
document.getElementById("page").replaceChildren(...[content].flat(Infinity).filter(Boolean));
if (then) then();
