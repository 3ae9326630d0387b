// Wiring: state to view, keys, pointer.

function update() {
  const chosen = entryById.get(state.cell);
  if (chosen && !inView(chosen)) state.only = ""; // such as that of a link
  const shown = [];
  for (const entry of entries) {
    entry.shown = matches(entry);
    if (entry.shown) shown.push(entry);
  }
  updateMaps();
  updateFilters(shown);
  updateList(shown);
  updatePanel();
  writeHash();
}

let opener = null; // what had the focus before the panel opened
function select(change, focusPanel = false) {
  if ("cell" in change && change.cell && entryById.has(change.cell)) {
    if (!state.cell && !state.tile) opener = document.activeElement;
    state.tile = tileKey(entryById.get(change.cell).cell);
  }
  const keepFocus = document.activeElement?.dataset?.cell;
  Object.assign(state, change);
  if (!("cell" in change) && !("tile" in change)) listed = STEP;
  update();
  if (focusPanel) {
    const panel = document.getElementById("panel");
    panel.focus({ preventScroll: true });
    const { top } = panel.getBoundingClientRect();
    // The findings may fill the window: their evidence is further down.
    if (top < 0 || top > innerHeight / 2) panel.scrollIntoView();
  }
  else if (keepFocus)
    document.querySelector(`#panel [data-cell="${CSS.escape(keepFocus)}"]`)?.focus();
}

function openTile(tile, focusPanel) {
  if (!state.tile) opener = document.activeElement;
  const only = tile.entries.length === 1 ? tile.entries[0].id : "";
  select({ tile: tile.key, cell: only });
  if (focusPanel)
    (document.querySelector("#panel .pick") || document.getElementById("panel")).focus();
}
function closePanel() {
  select({ tile: "", cell: "" });
  if (opener && document.contains(opener)) opener.focus();
  opener = null;
}

document.getElementById("maps").addEventListener("click", event => {
  const button = event.target.closest(".tile");
  if (!button) return;
  const entry = event.target.entry; // a square
  if (entry && event.detail > 0) select({ cell: entry.id });
  else openTile(button.tile, event.detail === 0); // 0: by key
});

document.addEventListener("keydown", event => {
  const target = event.target;
  const typing = target.matches("input, select, textarea");
  if (event.key === "Escape" && (state.tile || state.cell)) {
    closePanel();
    event.preventDefault();
    return;
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    controls.q.focus();
    event.preventDefault();
    return;
  }
  const arrows = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"];
  if (!arrows.includes(event.key)) return;
  if (target.classList.contains("tile")) {
    moveInMap(target, event.key);
    event.preventDefault();
  } else if (target.classList.contains("pick")) {
    const all = [...document.querySelectorAll("#panel .pick")];
    const row = target.closest("tr").querySelectorAll(".pick").length;
    const step = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -row,
      ArrowDown: row,
      Home: -all.length,
      End: all.length,
    }[event.key];
    const next = Math.min(Math.max(all.indexOf(target) + step, 0), all.length - 1);
    all[next].focus();
    event.preventDefault();
  }
});

const tip = document.getElementById("tip");
document.getElementById("maps").addEventListener("pointermove", event => {
  const entry = event.target.entry;
  if (!entry || event.pointerType === "touch") {
    tip.hidden = true;
    return;
  }
  const word = B ? pairOf(entry) : shownVerdict(entry.cell) || "not asked";
  tip.replaceChildren(el("code", {}, entry.id), ` ${word}`);
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(event.clientX + 12, innerWidth - box.width - 8)) + "px";
  tip.style.top =
    (event.clientY + 18 + box.height > innerHeight
      ? event.clientY - box.height - 10
      : event.clientY + 18) + "px";
});
document.getElementById("maps").addEventListener("pointerleave", () => {
  tip.hidden = true;
});

restoreTheme();
// To what a filter far away from the map selects.
function showMap() {
  document.getElementById("filters").scrollIntoView();
  const first = document.querySelector("#maps .card:not([hidden]) use:not(.off)");
  const scroll = first?.closest(".scroll");
  if (!scroll) return;
  // On a narrow screen the first match may be to the right of what the map shows.
  const box = first.closest("td").getBoundingClientRect();
  const shown = scroll.getBoundingClientRect();
  if (box.right > shown.right) scroll.scrollLeft += box.right - shown.right + 8;
}
addEventListener("hashchange", () => {
  readHash();
  update();
  showMap();
});
readHash();
drawTop();
drawFilters();
drawTables();
update();
