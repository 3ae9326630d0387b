// The heat maps: one per operator. A tile is output type x since_version x
// granularity; in it every legal cell is one square, inputs in rows.

const uniqueSorted = (items, rank) => [...new Set(items)].sort((a, b) => rank(a) - rank(b));
const typeRank = type => raw.typeOrder.indexOf(type);
const granularityRank = name => raw.granularities.indexOf(name);

// Rows and columns within tiles: one operand type down, the others across.
function axesOf(op, cells) {
  const { types, main_type: row } = operatorOf(op);
  const rest = cells[0].types
    .map((type, i) => i)
    .filter(i => i !== row && i !== cells[0].types.length - 1);
  const nameOf = i => types[i] || "T" + (i + 1);
  const columnKey = cell => rest.map(i => cell.types[i]).join(" ");
  // Parts of a model may have equal types: each has a row of its own.
  const rowKey = cell => cell.types[row] + (cell.part ? " " + cell.part.name : "");
  const rows = [...new Map(cells.map(cell => [rowKey(cell), typeRank(cell.types[row])]))]
    .sort((a, b) => a[1] - b[1])
    .map(([key]) => key);
  const columns = [
    ...new Map(cells.map(cell => [columnKey(cell), rest.map(i => typeRank(cell.types[i]))])),
  ]
    .sort((a, b) => {
      for (let i = 0; i < rest.length; ++i) {
        if (a[1][i] !== b[1][i]) return a[1][i] - b[1][i];
      }
      return 0;
    })
    .map(([key]) => key);
  return {
    rows,
    columns,
    rowOf: cell => rows.indexOf(rowKey(cell)),
    columnOf: cell => columns.indexOf(columnKey(cell)),
    rowName: nameOf(row),
    columnName: rest.map(nameOf).join(" "),
  };
}

// What is drawn: the cells in view (`inView`), operator by operator.
let tiles = []; // { key, op, since, granularity, output, entries, axes, square, buttons }
let operators = [];
let tileByKey = new Map();
const tileKey = cell =>
  isFamily(cell.op)
    ? `${cell.op}/${cell.granularity}`
    : `${cell.op}/${cell.since}/${cell.granularity}/${cell.output}`;
const tileOf = cell => tileByKey.get(tileKey(cell));

function layOut() {
  tiles = [];
  operators = raw.ops
    .map(op => [op, entries.filter(entry => entry.cell.op === op && inView(entry))])
    .filter(([, own]) => own.length)
    .map(([op, own]) => (isFamily(op) ? layOutFamily : layOutOperator)(op, own));
  tileByKey = new Map(tiles.map(tile => [tile.key, tile]));
}

function layOutOperator(op, own) {
  const groups = new Map();
  const columns = new Map(); // since -> its entries
  for (const entry of own) {
    const { since, granularity, output } = entry.cell;
    const key = tileKey(entry.cell);
    if (!groups.has(key))
      groups.set(key, { key, op, since, granularity, output, entries: [], buttons: [], squares: [] });
    groups.get(key).entries.push(entry);
    if (!columns.has(since)) columns.set(since, []);
    columns.get(since).push(entry);
  }
  // Every tile of a since_version has the same axes, so that squares line up.
  const versions = [...columns.keys()]
    .sort((a, b) => a - b)
    .map(since => {
      const list = columns.get(since);
      const opsets = list.flatMap(entry => entry.cell.opsets.map(([version]) => version));
      return {
        since,
        axes: axesOf(
          op,
          list.map(entry => entry.cell),
        ),
        granularities: uniqueSorted(
          list.map(entry => entry.cell.granularity),
          granularityRank,
        ),
        opsets: opsets.length ? [Math.min(...opsets), Math.max(...opsets)] : null,
      };
    });
  const squares = versions.reduce(
    (sum, { axes, granularities }) => sum + axes.columns.length * granularities.length,
    0,
  );
  const square = squares <= 72 ? 12 : 8; // with its gap
  for (const tile of groups.values()) {
    tile.axes = versions.find(version => version.since === tile.since).axes;
    tile.square = square;
    tile.name = `${op} to ${tile.output}`;
    tile.place = `${tile.output}, since_version ${tile.since}, ${tile.granularity}`;
    tiles.push(tile);
  }
  return {
    op,
    versions,
    groups,
    square,
    count: own.length,
    outputs: uniqueSorted(
      own.map(entry => entry.cell.output),
      typeRank,
    ),
  };
}

// What one square shows, in the view "a", "b", "who" or "changes"; "a" and "b" at a
// setting, if that is not "".
function symbolOf(entry, view, setting = "") {
  if (view === "changes") return entry.change;
  if (view === "who") return whoOf(entry);
  return verdictAt(entry[view], setting);
}

function drawTile(tile, view, setting = "") {
  const { rows, columns } = tile.axes;
  const picture = svg("svg", {
    width: columns.length * tile.square - 1,
    height: rows.length * tile.square - 1,
    "aria-hidden": "true",
  });
  for (const entry of tile.entries) {
    const use = svg("use", {
      x: tile.axes.columnOf(entry.cell) * tile.square,
      y: tile.axes.rowOf(entry.cell) * tile.square,
      width: tile.square - 1,
      height: tile.square - 1,
    });
    use.entry = entry;
    picture.append(use);
    tile.squares.push({ use, entry, view, setting, shown: "", off: false });
  }
  const button = el("button", {
    class: "tile",
    type: "button",
    "data-tile": tile.key,
    tabindex: "-1",
  });
  button.append(picture);
  button.tile = tile;
  tile.buttons.push(button);
  return button;
}

function drawMap(operator, view) {
  const table = el("table", {
    class: "map",
    role: "grid",
    "aria-label": `${operator.op}: output type by since_version and granularity`,
  });
  table.append(
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("th", { class: "axis" }, "since_version \u2192"),
        operator.versions.map(version =>
          el(
            "th",
            {
              class: "version first",
              colspan: version.granularities.length,
              scope: "colgroup",
              title: version.opsets ? `opset_version ${version.opsets.join(" to ")}` : null,
            },
            String(version.since),
          ),
        ),
      ),
      el(
        "tr",
        {},
        el("th", { class: "axis" }, "granularity \u2192", el("br"), "output type \u2193"),
        operator.versions.map(version =>
          version.granularities.map((granularity, i) =>
            el(
              "th",
              {
                scope: "col",
                class:
                  (version.axes.columns.length * operator.square < 32 ? "turned" : "") + (i ? "" : " first"),
                title: granularity,
              },
              el("span", {}, shortGranularity(granularity)),
            ),
          ),
        ),
      ),
    ),
  );
  const body = el("tbody");
  for (const output of operator.outputs) {
    body.append(
      el(
        "tr",
        {},
        el("th", { scope: "row" }, output),
        operator.versions.map(version =>
          version.granularities.map((granularity, i) => {
            const tile = operator.groups.get(
              `${operator.op}/${version.since}/${granularity}/${output}`,
            );
            return el("td", { class: i ? "" : "first" }, tile ? drawTile(tile, view) : "");
          }),
        ),
      ),
    );
  }
  table.append(body);
  return el("div", { class: "scroll" }, table);
}

// What a tile's rows and columns are.
function axesText(operator) {
  if (isFamily(operator.op))
    return `Each square is a ${ROW}: down since_versions, across the graph's types.`;
  const most = (name, a, b) => (b.axes[name].length > a.axes[name].length ? b : a);
  const names = key => {
    const { axes } = operator.versions.reduce((a, b) => most(key, a, b));
    const name = key === "rows" ? axes.rowName : axes.columnName;
    const list = axes[key];
    // Rows of a model's parts have their names, which are long.
    const isShort = list.length <= 8 && list.join("").length < 100;
    return isShort ? `${name} (${list.join(", ")})` : `${name} (${list.length} kinds)`;
  };
  return `Each square is a ${ROW}. In a tile: down ${names("rows")}; across ${names("columns")}.`;
}

const VIEWS = {
  a: () => `A: ${A.backend}`,
  b: () => `B: ${B.backend}`,
  who: () => "Who passes",
  changes: () => "What differs from B to A",
};

function drawMaps() {
  layOut();
  const views = !B ? ["a"] : state.view === "both" ? ["a", "b"] : [state.view];
  const host = document.getElementById("maps");
  host.replaceChildren(
    ...operators.map(operator =>
      el(
        "div",
        { class: "card", "data-op": operator.op },
        el("header", {}, el("h2", {}, operator.op), el("p", {}, plural(operator.count, ROW))),
        el("p", { class: "why" }, axesText(operator)),
        el(
          "div",
          { class: "sides" },
          views.map(view =>
            el(
              "figure",
              { "data-view": view },
              B ? el("figcaption", {}, VIEWS[view]()) : "",
              (isFamily(operator.op) ? drawFamily : drawMap)(operator, view),
            ),
          ),
        ),
      ),
    ),
  );
  const hidden = entries.length - operators.reduce((sum, operator) => sum + operator.count, 0);
  if (hidden)
    host.append(
      el(
        "p",
        { class: "why" },
        `${plural(hidden, "unsupported cell")} not shown. `,
        el("button", { class: "text", type: "button", onclick: () => select({ only: "" }) }, "Show all"),
      ),
    );
  const lists = { who: Object.keys(WHO), changes: Object.keys(CHANGES) };
  const names = lists[views[0]] || [...VERDICTS].reverse();
  const present = new Set(
    tiles.flatMap(tile => tile.squares.map(square => symbolOf(square.entry, square.view, square.setting))),
  );
  host.firstChild?.append(
    el(
      "div",
      { class: "legend" },
      names
        .filter(name => present.has(name))
        .map(name =>
          el(
            "span",
            { title: WHO[name] || CHANGES[name] || WORDS[name] },
            symbol(name),
            name.replace(/_/g, B && views[0] === "who" ? " " : "_"),
          ),
        ),
    ),
  );
  for (const card of host.children) {
    const first = card.querySelector(".tile");
    if (first) first.tabIndex = 0;
  }
  document.body.classList.toggle("both", Boolean(B) && state.view === "both");
  drawnFor = state.view + state.only;
}
let drawnFor = null;

// What the page says of an entry in the present view.
const wordFor = entry =>
  !B ? shownVerdict(entry.cell) : symbolOf(entry, state.view === "both" ? "a" : state.view);

function tileLabel(tile) {
  const counts = new Map();
  for (const entry of tile.entries) {
    const name = wordFor(entry);
    if (name) counts.set(name, (counts.get(name) || 0) + 1);
  }
  return (
    `${tile.place}: ` +
    [...counts].map(([name, count]) => `${count} ${name}`).join(", ")
  );
}

function updateMaps() {
  if (drawnFor !== state.view + state.only) drawMaps();
  // An operator without a match is hidden, unless nothing matches at all.
  const matching = new Set(tiles.filter(tile => tile.entries.some(entry => entry.shown)).map(({ op }) => op));
  const cards = [...document.querySelectorAll("#maps .card")];
  for (const card of cards) card.hidden = matching.size > 0 && !matching.has(card.dataset.op);
  cards.find(card => !card.hidden)?.append(document.querySelector("#maps .legend"));
  for (const tile of tiles) {
    for (const square of tile.squares) {
      const name = symbolOf(square.entry, square.view, square.setting) || "";
      const off = !square.entry.shown;
      if (name !== square.shown) {
        if (name) square.use.setAttribute("href", symbolHref(name));
        else square.use.removeAttribute("href");
        square.shown = name;
      }
      if (off !== square.off) {
        square.use.setAttribute("class", off ? "off" : "");
        square.off = off;
      }
    }
    const label = tileLabel(tile);
    for (const button of tile.buttons) {
      button.setAttribute("aria-label", label);
      button.setAttribute("aria-pressed", String(state.tile === tile.key));
    }
  }
}

// Arrow keys go from tile to tile; one tile of each map is in the tab order.
function moveInMap(button, key) {
  const table = button.closest("table");
  const all = [...table.querySelectorAll(".tile")];
  const here = button.getBoundingClientRect();
  const middle = box => [box.left + box.width / 2, box.top + box.height / 2];
  const [x, y] = middle(here);
  let best = null;
  if (key === "Home") best = all[0];
  else if (key === "End") best = all[all.length - 1];
  else {
    let distance = Infinity;
    for (const other of all) {
      const [ox, oy] = middle(other.getBoundingClientRect());
      const along = { ArrowRight: ox - x, ArrowLeft: x - ox, ArrowDown: oy - y, ArrowUp: y - oy }[
        key
      ];
      const across =
        key === "ArrowRight" || key === "ArrowLeft" ? Math.abs(oy - y) : Math.abs(ox - x);
      if (along > 2 && along + 6 * across < distance) {
        distance = along + 6 * across;
        best = other;
      }
    }
  }
  if (!best) return;
  for (const tile of all) tile.tabIndex = -1;
  best.tabIndex = 0;
  best.focus();
  best.scrollIntoView({ block: "nearest", inline: "nearest" });
}
