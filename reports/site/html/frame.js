// What all pages of the site have: data, head, foot, and the address of what is shown.

// Data of data-NAME.js, unpacked once.
const dataOf = name => {
  const packed = (self.qconformData || {})[name];
  return packed ? unpack(packed) : null;
};
const site = dataOf("index");
const VERDICTS = site.verdicts; // worst first
const BACKENDS = site.backends;
const kind = document.body.dataset.kind;
const subject = document.body.dataset.subject;
// The data of this page; its explanations are those of words.js.
const raw = { explanations: {}, ...(dataOf(kind === "backend" ? "findings" : kind) || {}) };

const pageOfBackend = backend => `backend-${backend.id}.html`;
const pageOfOperator = op => site.pages[op] || "";
const pageOfCell = (op, cell) => pageOfOperator(op) && `${pageOfOperator(op)}#${encodeURIComponent(cell)}`;
const pageOfFinding = finding => `findings.html#${encodeURIComponent(finding)}`;
// What stands after # in the address.
function hashText() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch (error) {
    return "";
  }
}
const link = (href, ...children) => (href ? el("a", { href }, children) : el("span", {}, children));

function card(title, ...children) {
  return el("section", { class: "card" }, el("header", {}, el("h2", {}, title)), children);
}

function drawFrame() {
  const places = [
    ["scoreboard", "index.html", "Scoreboard"],
    ["findings", "findings.html", "Findings"],
    ...(Object.keys(site.notes).length ? [["pages", "pages.html", "Checked by hand"]] : []),
    ...(site.explains ? [["explain", "explain.html", "Explain"]] : []),
    ...site.histories.map(({ id, backend }) => ["history", `history-${id}.html`, `${backend} through time`]),
  ];
  document.getElementById("top").replaceChildren(
    el(
      "div",
      { class: "brand" },
      el("strong", {}, el("a", { href: "index.html" }, "qconform")),
      el("span", { class: "tagline" }, "conformance of ONNX quantization, bit by bit"),
      el("span", { class: "grow" }),
      themeButton(),
    ),
    el(
      "nav",
      { "aria-label": "Pages" },
      places.map(([place, href, text]) =>
        el("a", { href, "aria-current": place === kind && location.pathname.endsWith(href) ? "page" : null }, text),
      ),
    ),
  );
  document.getElementById("foot").replaceChildren(
    `Made by ${site.tool} from ${plural(BACKENDS.reduce((sum, one) => sum + one.reports, 0), "report")}. ` +
      "A verdict is about the cases that were asked at the level that the backend's page names.",
  );
}
restoreTheme();
