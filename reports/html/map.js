// The heat maps: one per operator. A tile is output type x since_version x
// granularity; in it every legal cell is one square, inputs in rows.

const SQUARE = 8; // with its gap
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
  const rows = uniqueSorted(
    cells.map(cell => cell.types[row]),
    typeRank,
  );
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
    rowOf: cell => rows.indexOf(cell.types[row]),
    columnOf: cell => columns.indexOf(columnKey(cell)),
    rowName: nameOf(row),
    columnName: rest.map(nameOf).join(" "),
  };
}

const tiles = []; // { key, op, since, granularity, output, entries, axes, buttons }
const operators = raw.ops
  .filter(op => entries.some(entry => entry.cell.op === op))
  .map(op => {
    const own = entries.filter(entry => entry.cell.op === op);
    const groups = new Map();
    const columns = new Map(); // since -> its entries
    for (const entry of own) {
      const { since, granularity, output } = entry.cell;
      const key = `${op}/${since}/${granularity}/${output}`;
      if (!groups.has(key))
        groups.set(key, { key, op, since, granularity, output, entries: [], buttons: [] });
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
    for (const tile of groups.values()) {
      tile.axes = versions.find(version => version.since === tile.since).axes;
      tiles.push(tile);
    }
    return {
      op,
      versions,
      groups,
      count: own.length,
      outputs: uniqueSorted(
        own.map(entry => entry.cell.output),
        typeRank,
      ),
    };
  });
const tileByKey = new Map(tiles.map(tile => [tile.key, tile]));
const tileOf = cell => tileByKey.get(`${cell.op}/${cell.since}/${cell.granularity}/${cell.output}`);

// What one square shows, in the view "after", "before" or "changes".
function symbolOf(entry, view) {
  if (view === "changes") return entry.change;
  return shownVerdict(view === "before" ? entry.before : old ? entry.after : entry.cell);
}

function drawTile(tile, view) {
  const { rows, columns } = tile.axes;
  const picture = svg("svg", {
    width: columns.length * SQUARE - 1,
    height: rows.length * SQUARE - 1,
    "aria-hidden": "true",
  });
  tile.squares = tile.squares || [];
  for (const entry of tile.entries) {
    const use = svg("use", {
      x: tile.axes.columnOf(entry.cell) * SQUARE,
      y: tile.axes.rowOf(entry.cell) * SQUARE,
      width: SQUARE - 1,
      height: SQUARE - 1,
    });
    use.entry = entry;
    picture.append(use);
    tile.squares.push({ use, entry, view, shown: "", off: false });
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
        el("th"),
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
        el("th"),
        operator.versions.map(version =>
          version.granularities.map((granularity, i) =>
            el(
              "th",
              {
                scope: "col",
                class:
                  (version.axes.columns.length * SQUARE < 32 ? "turned" : "") + (i ? "" : " first"),
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

function drawMaps() {
  for (const tile of tiles) {
    tile.buttons = [];
    tile.squares = [];
  }
  const views = !old ? ["after"] : state.view === "both" ? ["before", "after"] : [state.view];
  const host = document.getElementById("maps");
  host.replaceChildren(
    ...operators.map(operator => {
      const axes = operator.versions[operator.versions.length - 1].axes;
      return el(
        "div",
        { class: "card", "data-op": operator.op },
        el(
          "header",
          {},
          el("h2", {}, operator.op),
          el(
            "p",
            {},
            `${plural(operator.count, "cell")}, each a square; in a tile ${axes.rowName} down, ${axes.columnName} across`,
          ),
        ),
        el(
          "div",
          { class: "sides" },
          views.map(view =>
            el(
              "figure",
              { "data-view": view },
              old
                ? el(
                    "figcaption",
                    {},
                    view === "changes"
                      ? "Changes"
                      : view === "before"
                        ? `Old: ${old.backend}`
                        : `New: ${main.backend}`,
                  )
                : "",
              drawMap(operator, view),
            ),
          ),
        ),
      );
    }),
  );
  const names = state.view === "changes" && old ? Object.keys(CHANGES) : [...VERDICTS].reverse();
  const present = new Set(
    tiles.flatMap(tile => tile.squares.map(square => symbolOf(square.entry, square.view))),
  );
  host.lastChild?.append(
    el(
      "div",
      { class: "legend" },
      names.filter(name => present.has(name)).map(name => el("span", {}, symbol(name), name)),
    ),
  );
  for (const card of host.children) {
    const first = card.querySelector(".tile");
    if (first) first.tabIndex = 0;
  }
  document.body.classList.toggle("both", Boolean(old) && state.view === "both");
  drawnFor = state.view;
}
let drawnFor = null;

function tileLabel(tile) {
  const counts = new Map();
  for (const entry of tile.entries) {
    const name = old && state.view === "changes" ? entry.change : shownVerdict(entry.cell);
    if (name) counts.set(name, (counts.get(name) || 0) + 1);
  }
  return (
    `${tile.output}, since_version ${tile.since}, ${tile.granularity}: ` +
    [...counts].map(([name, count]) => `${count} ${name}`).join(", ")
  );
}

function updateMaps() {
  if (old && drawnFor !== state.view) drawMaps();
  for (const tile of tiles) {
    for (const square of tile.squares) {
      const name = symbolOf(square.entry, square.view) || "";
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
