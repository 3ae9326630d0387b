// Families of small graphs: a row for each graph with its drawing, and a column for each
// setting that was varied, such as the optimization levels of a backend.

const isFamily = op => op.startsWith("graphs.");

// "DQ,DQ-Add-Q.per_tensor" is a graph, with its nodes from left to right, and a granularity.
function graphOf(name) {
  const dot = name.lastIndexOf(".");
  return {
    stages: name
      .slice(0, dot)
      .split("-")
      .map(stage => stage.split(",")),
    granularity: name.slice(dot + 1),
  };
}

// Boxes and arrows. A stage of several nodes has them one below the other; each node feeds
// the node of the next stage that stands beside it, or the only one.
function drawGraph(name) {
  const { stages } = graphOf(name);
  const [height, gap, arrow] = [17, 5, 16];
  const most = Math.max(...stages.map(stage => stage.length));
  const total = most * height + (most - 1) * gap;
  const middle = (stage, i) =>
    total / 2 + (i - (stage.length - 1) / 2) * (height + gap);
  const widths = stages.map(stage => Math.max(...stage.map(node => node.length)) * 6.4 + 10);
  const starts = [];
  let x = arrow;
  for (const width of widths) {
    starts.push(x);
    x += width + arrow;
  }
  const picture = svg("svg", {
    class: "graph",
    width: x,
    height: total,
    viewBox: `0 0 ${x} ${total}`,
    role: "img",
    "aria-label": `graph ${stages.map(stage => stage.join(" and ")).join(", then ")}`,
  });
  const line = (x1, y1, x2, y2) => {
    picture.append(svg("line", { x1, y1, x2: x2 - 3, y2 }));
    picture.append(
      svg("path", { d: `M${x2} ${y2}l-5 -3v6z` }),
    );
  };
  stages.forEach((stage, s) => {
    stage.forEach((node, i) => {
      const [left, y] = [starts[s], middle(stage, i)];
      const right = left + widths[s];
      const isData = node === "FLOAT"; // an operand that is not dequantized
      if (!isData)
        picture.append(
          svg("rect", { x: left, y: y - height / 2, width: widths[s], height, rx: 3 }),
        );
      const text = svg("text", { x: left + widths[s] / 2, y: y + 3.6 });
      text.textContent = node;
      picture.append(text);
      if (s === 0 && !isData) line(2, y, left, y);
      const next = stages[s + 1];
      if (!next) return line(right, y, right + arrow - 2, y);
      const targets =
        next.length === 1
          ? [0]
          : next.length === stage.length
            ? [i]
            : next.map((_, target) => target);
      for (const target of targets) line(right, y, starts[s + 1], middle(next, target));
    });
  });
  return picture;
}

// Rows and columns within the tile of a graph: since_versions down, types across; of very
// many types the first goes down, too.
function graphAxes(op, cells) {
  const { types } = operatorOf(op);
  const splits = new Set(cells.map(cell => cell.types.join(" "))).size > 40;
  const columnTypes = cell => (splits ? cell.types.slice(1) : cell.types);
  const down = cell => [cell.since, ...(splits ? [typeRank(cell.types[0])] : [])];
  const across = cell => columnTypes(cell).map(typeRank);
  // Parts of a model have a row each.
  const rowKey = cell =>
    cell.since + (splits ? " " + cell.types[0] : "") + (cell.part ? " " + cell.part.name : "");
  const columnKey = cell => columnTypes(cell).join(" ");
  const sorted = (key, ranks) =>
    [...new Map(cells.map(cell => [key(cell), ranks(cell)]))]
      .sort(([, a], [, b]) => {
        const i = a.findIndex((rank, at) => rank !== b[at]);
        return i < 0 ? 0 : a[i] - (b[i] ?? -1);
      })
      .map(([name]) => name);
  const rows = sorted(rowKey, down);
  const columns = sorted(columnKey, across);
  return {
    rows,
    columns,
    rowOf: cell => rows.indexOf(rowKey(cell)),
    columnOf: cell => columns.indexOf(columnKey(cell)),
    rowName: "since_version" + (splits ? " and " + (types[0] || "T1") : ""),
    columnName: "types",
  };
}

// The settings that a report has verdicts of, in its order; one column if it has none.
function settingsOf(own, view) {
  const settings = own.flatMap(entry => ((entry[view] || {}).varied || []).map(one => one.setting));
  return settings.length ? [...new Set(settings)] : [""];
}
// The verdict of a row at a setting.
function verdictAt(cell, setting) {
  if (!cell || !setting) return shownVerdict(cell);
  const varied = (cell.varied || []).find(one => one.setting === setting);
  return varied ? varied.verdict : null;
}

function layOutFamily(op, own) {
  const groups = new Map();
  for (const entry of own) {
    const key = tileKey(entry.cell);
    if (!groups.has(key))
      groups.set(key, { key, op, entries: [], buttons: [], squares: [], square: 8 });
    groups.get(key).entries.push(entry);
  }
  for (const tile of groups.values()) {
    tile.axes = graphAxes(
      op,
      tile.entries.map(entry => entry.cell),
    );
    tile.graph = tile.entries[0].cell.granularity;
    tile.name = tile.place = tile.graph;
    tiles.push(tile);
  }
  return { op, groups, own, count: own.length };
}

function drawFamily(operator, view) {
  const settings = settingsOf(operator.own, view);
  const table = el(
    "table",
    {
      class: "map graphs",
      role: "grid",
      "aria-label": `${operator.op}: graphs${settings[0] ? " by setting" : ""}`,
    },
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("th", { class: "axis" }, "graph"),
        settings.map(setting =>
          el("th", { class: "first", scope: "col" }, setting || ROW + "s"),
        ),
      ),
    ),
  );
  const body = el("tbody");
  for (const tile of operator.groups.values()) {
    body.append(
      el(
        "tr",
        {},
        el(
          "th",
          { scope: "row", title: tile.graph },
          drawGraph(tile.graph),
          el("small", {}, graphOf(tile.graph).granularity),
        ),
        settings.map(setting => el("td", { class: "first" }, drawTile(tile, view, setting))),
      ),
    );
  }
  table.append(body);
  return el("div", { class: "scroll" }, table);
}

// What a cell was at each setting, and without which optimizers it passes.
function settingTable(cell) {
  if (!cell.varied || !cell.varied.length) return "";
  return [
    el("h3", {}, "At each setting"),
    tableOf(
      [
        ["setting", ""],
        ["verdict", ""],
        ["what makes the difference", ""],
      ],
      cell.varied.map(({ setting, verdict, without = [], not_found: why = "", reading = "", diagnosis = "" }) => [
        setting,
        verdictLabel(verdict),
        without.length
          ? ["conformant without ", ...without.map((one, i) => [i ? " and " : "", el("code", {}, one)])]
          : why || diagnosis || reading,
      ]),
    ),
  ];
}
