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
  return el("span", { class: "verdict" }, symbol(verdict), verdict);
}

function copyLine(text) {
  const code = el("code", {}, text);
  const button = el(
    "button",
    {
      class: "plain",
      type: "button",
      onclick: async () => {
        try {
          await navigator.clipboard.writeText(text);
        } catch (error) {
          // no clipboard for this page: select, and copy the old way
          const range = document.createRange();
          range.selectNodeContents(code);
          const selection = getSelection();
          selection.removeAllRanges();
          selection.addRange(range);
          document.execCommand("copy");
        }
        button.textContent = "Copied";
        setTimeout(() => {
          button.textContent = "Copy";
        }, 1500);
      },
    },
    "Copy",
  );
  return el("div", { class: "copy" }, code, button);
}

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
          {},
          row.map((cell, i) => el("td", { class: head[i][1] }, cell)),
        ),
      ),
    ),
  );
}
