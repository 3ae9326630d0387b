// Pages in Markdown, as docs/findings has them: headings, paragraphs, lists, tables, code, and
// links to each other. Everything else is text.

const NOTES = () => (dataOf("pages") || { pages: {} }).pages;
const pageOfNote = (name, part) => `pages.html#${encodeURIComponent(name)}${part ? `/${part}` : ""}`;

// Links to pages that the site has; others are for people who have the repository.
function noteLink(text, href) {
  const name = href.replace(/#.*/, "").replace(/^.*\//, "").replace(/\.md$/, "");
  return href.endsWith(".md") && !href.startsWith("../") && name in NOTES()
    ? el("a", { href: pageOfNote(name) }, inlineNote(text))
    : el("span", {}, inlineNote(text));
}

// `code`, [links](to) and **strong** words.
function inlineNote(text) {
  const parts = [];
  let rest = text;
  for (;;) {
    const found = /`([^`]+)`|\[((?:[^\][`]|`[^`]*`)+)\]\(([^)\s]+)\)|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*/.exec(rest);
    if (!found) return [...parts, rest];
    const [whole, code, words, href, strong, stressed] = found;
    parts.push(rest.slice(0, found.index));
    if (code) parts.push(el("code", {}, code));
    else if (href) parts.push(noteLink(words, href));
    else if (strong) parts.push(el("strong", {}, inlineNote(strong)));
    else parts.push(el("em", {}, inlineNote(stressed)));
    rest = rest.slice(found.index + whole.length);
  }
}

// A block of code. Each command in it can be copied, without "$ " and the breaks of its line.
function codeOfNote(lines) {
  const shown = [];
  let printed = [];
  const flush = () => {
    if (printed.length) shown.push(el("pre", { class: "scroll" }, printed.join("\n")));
    printed = [];
  };
  for (let i = 0; i < lines.length; i += 1) {
    if (!lines[i].startsWith("$ ")) {
      printed.push(lines[i]);
      continue;
    }
    flush();
    let command = lines[i].slice(2);
    while (command.endsWith("\\") && i + 1 < lines.length) {
      i += 1;
      command = command.slice(0, -1) + lines[i].replace(/^(> ?| +)/, "");
    }
    shown.push(copyLine(command));
  }
  flush();
  return shown;
}

function tableOfNote(lines) {
  const cells = line => line.replace(/^\||\|\s*$/g, "").split(/(?<!\\)\|/).map(text => text.trim().replace(/\\\|/g, "|"));
  const [head, , ...rows] = lines.map(cells);
  return el("div", { class: "scroll" },
    el("table", { class: "list" },
      el("thead", {}, el("tr", {}, head.map(text => el("th", { scope: "col" }, inlineNote(text))))),
      el("tbody", {}, rows.map(row => el("tr", {}, row.map(text => el("td", {}, inlineNote(text))))))));
}

// The number of a heading "## 3. What it does", which is a part of its address.
const partOf = heading => (/^(\d+)\. /.exec(heading) || [])[1];

function noteElements(text) {
  const lines = text.split("\n");
  const shown = [];
  let i = 0;
  const take = test => {
    const taken = [];
    while (i < lines.length && test(lines[i], taken.length)) taken.push(lines[i++]);
    return taken;
  };
  const item = /^(?:[-*]|\d+\.) /;
  while (i < lines.length) {
    const line = lines[i];
    const heading = /^(#+) (.*)/.exec(line);
    if (!line.trim()) i += 1;
    else if (line.startsWith("<!--")) {
      while (i < lines.length && !lines[i].includes("-->")) i += 1;
      i += 1;
    } else if (heading) {
      i += 1;
      const part = partOf(heading[2]);
      shown.push(el(heading[1].length === 1 ? "h1" : "h2", { id: part ? `part-${part}` : null, tabindex: part ? "-1" : null }, inlineNote(heading[2])));
    } else if (line.startsWith("```")) {
      i += 1;
      shown.push(codeOfNote(take(one => !one.startsWith("```"))));
      i += 1;
    } else if (line.startsWith("|")) shown.push(tableOfNote(take(one => one.startsWith("|"))));
    else if (item.test(line)) {
      const items = [];
      take(one => {
        if (item.test(one)) items.push(one.replace(item, ""));
        else if (/^\s+\S/.test(one)) items.push(`${items.pop()} ${one.trim()}`);
        else return false;
        return true;
      });
      shown.push(el("ul", {}, items.map(one => el("li", {}, inlineNote(one)))));
    } else {
      const paragraph = take((one, before) => one.trim() && (!before || !/^(#+ |```|\||<!--|- )/.test(one)));
      shown.push(el("p", {}, inlineNote(paragraph.join(" "))));
    }
  }
  return shown;
}

// The numbered classes of a page: number, title and text of each.
function classesOf(name) {
  return NOTES()[name]
    .split(/\n(?=##+ )/)
    .map(section => {
      const [head, ...body] = section.split("\n");
      const found = /^##+ (\d+)\. (.*)/.exec(head);
      return found && { page: name, part: found[1], title: found[2], text: body.join(" ") };
    })
    .filter(Boolean);
}

// A list of what pages say that were checked by hand.
function notedList(classes) {
  return el("ul", { class: "noted" }, classes.map(({ page, part, title }) =>
    el("li", {}, el("a", { href: pageOfNote(page, part) }, inlineNote(title)), el("small", {}, ` ${site.notes[page].title}`))));
}

function notesPage() {
  const place = el("article", { class: "card note" });
  const follow = () => {
    const [name, part] = hashText().split("/");
    const found = name in NOTES() ? name : "";
    place.replaceChildren(
      ...[
        found
          ? noteElements(NOTES()[found])
          : [el("h1", {}, "Checked by hand"), el("ul", {}, Object.entries(site.notes).map(([one, { title }]) => el("li", {}, el("a", { href: pageOfNote(one) }, title))))],
      ].flat(Infinity).filter(Boolean),
    );
    const target = part && document.getElementById(`part-${part}`);
    if (target) {
      target.scrollIntoView();
      target.focus({ preventScroll: true });
    } else scrollTo(0, 0);
  };
  addEventListener("hashchange", follow);
  return [[place], follow];
}
