// Small helpers that make elements. Texts are only ever set as text.

function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === "") continue;
    element.append(child);
  }
  return element;
}

const SVG = "http://www.w3.org/2000/svg";
function svg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// A verdict of a later version has no symbol of its own.
const symbolHref = name => "#s-" + (document.getElementById("s-" + name) ? name : "mistrusted");

function symbol(name) {
  const picture = svg("svg", { class: "sym", viewBox: "0 0 8 8", "aria-hidden": "true" });
  picture.append(svg("use", { href: symbolHref(name) }));
  return picture;
}

function verdictLabel(verdict) {
  return el("span", { class: "verdict" }, symbol(verdict), el("span", {}, verdict));
}

// A text of the program's own with its `code`.
const withCode = text =>
  text.split("`").map((part, i) => (i % 2 ? el("code", {}, part) : part));

// A long name that may be broken after these letters.
const breakable = (name, at = /(?<=[/-])/) =>
  name.split(at).map((part, i) => (i ? [el("wbr"), part] : part));
const AT_WORDS = /(?<=[/+_:;-])/;

// A button that copies `text()`.
function copyButton(label, text) {
  const button = el(
    "button",
    {
      class: "plain",
      type: "button",
      onclick: async () => {
        try {
          await navigator.clipboard.writeText(text());
        } catch (error) {
          // No clipboard for this page: select a text, and copy it the old way.
          const area = el("textarea", { class: "visually-hidden" });
          area.value = text();
          document.body.append(area);
          area.select();
          document.execCommand("copy");
          area.remove();
          button.focus();
        }
        button.textContent = "Copied";
        setTimeout(() => {
          button.textContent = label;
        }, 1500);
      },
    },
    label,
  );
  return button;
}

function copyLine(text) {
  return el(
    "div",
    { class: "copy" },
    el("code", {}, text),
    copyButton("Copy", () => text),
  );
}

// Attributes of an element that does `go` wherever it is clicked. Keys need a link or a
// button in it.
function clickable(go) {
  const onclick = event => {
    if (!event.target.closest("a, button") && getSelection().isCollapsed) go();
  };
  return go ? { class: "go", onclick } : {};
}

// `head`: texts and classes of the columns. A row is an array of cells, or { cells, go }; a
// single cell is the head of the rows that follow.
function tableOf(head, rows, attributes = {}) {
  return el(
    "table",
    { class: "list", ...attributes },
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        head.map(([text, kind]) => el("th", { class: kind, scope: "col" }, text)),
      ),
    ),
    el(
      "tbody",
      {},
      rows.map(row =>
        el(
          "tr",
          clickable(row.go),
          row.length === 1
            ? el("th", { scope: "rowgroup", colspan: head.length }, row[0])
            : (row.cells || row).map((cell, i) => el("td", { class: head[i][1] }, cell)),
        ),
      ),
    ),
  );
}

// Switches between light and dark, and remembers it.
function themeButton() {
  return el(
    "button",
    {
      class: "plain",
      type: "button",
      id: "theme",
      onclick: () => {
        const root = document.documentElement;
        const dark = root.dataset.theme
          ? root.dataset.theme === "dark"
          : matchMedia("(prefers-color-scheme: dark)").matches;
        root.dataset.theme = dark ? "light" : "dark";
        try {
          localStorage.setItem("qconform-theme", root.dataset.theme);
        } catch (error) {
          /* not stored, then */
        }
      },
    },
    "Light / dark",
  );
}

// Takes the theme that themeButton remembered.
function restoreTheme() {
  try {
    const stored = localStorage.getItem("qconform-theme");
    if (stored === "dark" || stored === "light") document.documentElement.dataset.theme = stored;
  } catch (error) {
    /* no storage for this page */
  }
}
