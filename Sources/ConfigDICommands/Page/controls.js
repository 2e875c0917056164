// SPDX-License-Identifier: Apache-2.0

// Input and navigation: pointer, keyboard, search, environments, the fragment of the URL, printing.

const environmentField = document.getElementById("environment"), comparedField = document.getElementById("compared");
const search = document.getElementById("search"), matchList = document.getElementById("matches");
const bar = document.getElementById("bar"), hint = document.getElementById("hint");

// The matches of the search, and the start of the path whose end the user is about to select.
let found = [];
let pathStart = null;

/** Announces a text to screen readers. */
function say(text) {
  document.getElementById("said").textContent = text;
}

// MARK: - Changing the view

/** Computes the layout again and redraws everything. */
function refresh() {
  arrange();
  fit(layout.items);
  refreshAround();
}

/** Updates everything around the drawing, and stores the state in the URL. */
function refreshAround() {
  fillAround();
  noteAddress();
}

/** Updates the panel, the bar, the counts and the legend. */
function fillAround() {
  fillPanel();
  fillBar();
  fillCounts();
  fillLegend();
}

/** Builds the graph of the selected environment. Clears selected nodes that it does not have. */
function rebuildGraph() {
  graph = graphOf(state.environment, state.compared);
  for (const field of ["selected", "focus", "from", "to"]) {
    const isGroup = field === "selected" && String(state[field]).startsWith("group ");
    if (state[field] !== null && !graph.nodes.has(state[field]) && !isGroup) state[field] = null;
  }
}

/** Shows an environment, and compares it with another one or none. */
function setEnvironment(environment, compared) {
  state.environment = environment;
  state.compared = compared === environment ? null : compared;
  fillEnvironments();
  rebuildGraph();
  refresh();
  say(`${environmentName(environment)}, ${graph.nodes.size} services`);
}

/** Selects a node, or none. If the start of a path was selected, selects its end. */
function choose(key, { reveals = false } = {}) {
  if (pathStart !== null && key !== null && graph.nodes.has(key)) return setPath(pathStart, key);
  const node = graph.nodes.get(key);
  if (node !== undefined && isFolded(node)) return unfoldTo(node);
  if (node !== undefined && isPart && !layout.byKey.has(key)) return leavePart(key);
  state.selected = key;
  drawn = null;
  const item = layout.byKey.get(key);
  if (reveals && item !== undefined) reveal(item);
  else show();
  if (item !== undefined) say(wordsOf(item.node));
  return refreshAround();
}

/** Goes to a node outside of the drawn part: moves the focus to it, or leaves the path. */
function leavePart(key) {
  if (state.focus !== null) return setFocus(key);
  Object.assign(state, { from: null, to: null });
  arrange();
  return choose(key, { reveals: true });
}

/** Unfolds the group of a node and shows the node. */
function unfoldTo(node) {
  state.folded.delete(node.group);
  state.selected = node.key;
  arrange();
  reveal(layout.byKey.get(node.key));
  say(wordsOf(node));
  refreshAround();
}

/** Shows only the nodes around a node, or everything. */
function setFocus(key) {
  state.focus = key;
  if (key !== null) state.selected = key;
  refresh();
}

/** Folds or unfolds a group. */
function toggleFold(name) {
  const folds = new Set(state.folded);
  if (!folds.delete(name)) folds.add(name);
  setFolds(folds);
}

/** Folds exactly the given groups. */
function setFolds(names) {
  state.folded = names;
  // The selection moves from a node to its folded group. A selected group that is unfolded is deselected.
  const node = graph.nodes.get(state.selected);
  if (node !== undefined) state.selected = drawnKey(node);
  else if (state.selected !== null && !names.has(state.selected.slice("group ".length))) state.selected = null;
  refresh();
}

/** Asks the user to select the end of a path. */
function startPath(key) {
  pathStart = key;
  const name = nameOf(graph.nodes.get(key));
  hint.textContent = `Choose where the path from ${name} leads: by a click, a search, or the arrow keys and Enter. Esc ends this.`;
  hint.hidden = false;
  say(hint.textContent);
}

/** Shows the path between two nodes, or none. */
function setPath(from, to) {
  pathStart = null;
  hint.hidden = true;
  Object.assign(state, { from, to });
  if (from !== null) Object.assign(state, { selected: null, focus: null });
  unfoldPath();
  arrange();
  fitPath();
  refreshAround();
}

/** Unfolds the groups of the nodes on a path, unless only the nodes between its ends are drawn. */
function unfoldPath() {
  if (nodesBetween() === null) for (const node of pathNodes()) state.folded.delete(node.group);
}

/** Returns the nodes of the selected path. */
function pathNodes() {
  const path = chosenPath();
  return path === null || path.edges === null ? [] : path.edges.flatMap((edge) => [edge.source, edge.target]);
}

/** Shows the whole path, or everything if there is none. */
function fitPath() {
  const items = pathNodes().map((node) => layout.byKey.get(node.key)).filter((item) => item !== undefined);
  fit(items.length > 0 ? items : layout.items);
}

/** Cancels the first of these that is active: the choice of a path's end, the path, the selected node, the focus. */
function goBack() {
  if (pathStart !== null) {
    pathStart = null;
    hint.hidden = true;
  } else if (state.from !== null) setPath(null, null);
  else if (state.selected !== null && state.selected !== state.focus) choose(null);
  else if (state.focus !== null) setFocus(null);
}

// MARK: - Around the drawing

/** Fills the two lists of environments. */
function fillEnvironments() {
  if (data.environments.length < 2) return;
  document.getElementById("environment-field").hidden = false;
  environmentField.replaceChildren();
  comparedField.replaceChildren(make("option", { value: "" }, "none"));
  data.environments.forEach((environment, number) => {
    const name = environmentName(number);
    const text = environment.hasErrors ? `${name} (has errors)` : name;
    for (const field of [environmentField, comparedField]) {
      const option = make("option", { value: String(number) }, text);
      option.disabled = environment.hasErrors === true || (field === comparedField && number === state.environment);
      field.append(option);
    }
  });
  environmentField.value = String(state.environment);
  comparedField.value = state.compared === null ? "" : String(state.compared);
}

/** Shows the numbers of services and references. */
function fillCounts() {
  const services = [...graph.nodes.values()].filter((node) => node.kind === "service" && node.change !== "removed").length;
  const edges = graph.edges.filter((edge) => edge.kind !== "wraps" && edge.change !== "removed").length;
  const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
  document.getElementById("counts").textContent = `${plural(services, "service")}, ${plural(edges, "reference")}`;
}

/** Shows which part of the graph is drawn: the depth and directions of the focus, or a path. */
function fillBar() {
  const focus = graph.nodes.get(state.focus);
  bar.hidden = !isPart;
  const count = make("span", { class: "faint" }, `${visible.nodes.size} of ${graph.nodes.size}`);
  if (isPart && focus === undefined) {
    bar.replaceChildren("Between the ends of the path", count, makeButton("Show all", () => setPath(null, null), {}));
  }
  if (focus === undefined) return;
  const depth = make("select", { "aria-label": "Depth" });
  for (const [value, text] of [["1", "1 step"], ["2", "2 steps"], ["3", "3 steps"], ["4", "4 steps"], ["all", "all steps"]]) {
    depth.append(make("option", { value }, text));
  }
  depth.value = state.depth === Infinity ? "all" : String(state.depth);
  depth.addEventListener("change", () => setReach(depth.value === "all" ? Infinity : Number(depth.value), state.way));
  const way = make("select", { "aria-label": "Direction" });
  for (const [value, text] of [["both", "both ways"], ["uses", "what it uses"], ["usedBy", "what uses it"]]) {
    way.append(make("option", { value }, text));
  }
  way.value = state.way;
  way.addEventListener("change", () => setReach(state.depth, way.value));
  bar.replaceChildren(
    "Around", make("strong", {}, nameOf(focus)), depth, way, count, makeButton("Show all", () => setFocus(null), {}));
}

/** Changes the depth and directions of the focus. Keeps the keyboard focus. */
function setReach(depth, way) {
  const label = document.activeElement === null ? null : document.activeElement.getAttribute("aria-label");
  state.depth = depth;
  state.way = way;
  refresh();
  const field = [...bar.querySelectorAll("select")].find((element) => element.getAttribute("aria-label") === label);
  if (field !== undefined) field.focus();
}

/** Shows the meaning of the colours and lines that occur. */
function fillLegend() {
  const legend = document.getElementById("legend");
  const nodes = [...visible.nodes.values()];
  const kinds = new Set(visible.links.map(styleOf));
  const names = new Set(nodes.map((node) => node.scope));
  legend.replaceChildren();
  const add = (look, text) => legend.append(make("span", {}, make("i", { class: look, "aria-hidden": "true" }), text));
  for (const scope of scopes) if (names.has(scope)) add(`scope-key ${scopeClass(scope)}`, scope);
  if (nodes.some((node) => node.kind === "decorator")) add("scope-key decorator", "decorator");
  if (nodes.some((node) => node.kind === "group")) add("scope-key group", "folded group");
  if (kinds.has("optional")) add("line-key optional", "optional");
  if (kinds.has("later")) add("line-key later", "lazy or provider");
  for (const change of ["added", "removed", "changed"]) {
    if (nodes.some((node) => node.change === change)) add(`sign-key is-${change}`, change);
  }
}

// MARK: - Search

/** Returns the nodes whose id, type or a tag contains a text. Ids that equal the text or begin with it come first. */
function servicesMatching(text) {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [];
  const rank = (node) => {
    const id = node.id.toLowerCase();
    if (node.kind === "service" && id === wanted) return 0;
    return id.startsWith(wanted) ? 1 : id.includes(wanted) ? 2 : 3;
  };
  return [...graph.nodes.values()]
    .filter((node) => [node.id, node.type, ...node.tags].some((word) => word.toLowerCase().includes(wanted)))
    .sort((one, other) => rank(one) - rank(other));
}

let match = 0;

/** Shows the matches in a list, and marks them in the drawing. */
function runSearch() {
  found = servicesMatching(search.value);
  match = 0;
  fillMatches();
  drawn = null;
  show();
}

/** Fills the list of matches, with at most twelve. */
function fillMatches() {
  const isOpen = search.value.trim() !== "" && document.activeElement === search;
  matchList.hidden = !isOpen;
  search.setAttribute("aria-expanded", String(isOpen));
  matchList.replaceChildren();
  if (!isOpen) return search.removeAttribute("aria-activedescendant");
  found.slice(0, 12).forEach((node, place) => {
    const item = make("li", { role: "option", id: `match-${place}`, "aria-selected": String(place === match) },
      make("span", {}, nameOf(node)), make("span", { class: "faint" }, node.kind === "service" ? node.type : ""));
    item.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      take(node);
    });
    matchList.append(item);
  });
  const more = found.length === 0 ? "Nothing found" : found.length > 12 ? `${found.length - 12} more` : "";
  if (more !== "") matchList.append(make("li", { class: "faint", role: "presentation" }, more));
  if (found.length > 0) search.setAttribute("aria-activedescendant", `match-${match}`);
  return say(`${found.length} found`);
}

/** Ends the search and selects a node. */
function take(node) {
  search.value = "";
  found = [];
  svg.focus();
  fillMatches();
  choose(node.key, { reveals: true });
}

search.addEventListener("input", runSearch);
search.addEventListener("focus", fillMatches);
search.addEventListener("blur", fillMatches);
search.addEventListener("keydown", (event) => {
  const count = Math.min(found.length, 12);
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    match = count === 0 ? 0 : (match + (event.key === "ArrowDown" ? 1 : count - 1)) % count;
    fillMatches();
  } else if (event.key === "Enter" && count > 0) {
    event.preventDefault();
    take(found[match]);
  } else if (event.key === "Escape") {
    event.stopPropagation();
    search.value = "";
    runSearch();
    svg.focus();
  }
});

// MARK: - Keys

/** Returns the nearest of some items, with vertical distance weighted more. Returns null if there are none. */
function nearest(item, items) {
  const far = (other) => Math.abs(other.y - item.y) + Math.abs(other.x - item.x) / 4;
  return items.reduce((best, other) => best === null || far(other) < far(best) ? other : best, null);
}

/** Returns the item to which an arrow key leads. */
function neighbour(item, key) {
  if (key === "ArrowRight") return nearest(item, layout.links.filter((link) => link.from === item).map((link) => link.to));
  if (key === "ArrowLeft") return nearest(item, layout.links.filter((link) => link.to === item).map((link) => link.from));
  const sign = key === "ArrowDown" ? 1 : -1;
  const column = layout.items.filter((other) => Math.abs(other.x - item.x) < 1 && (other.y - item.y) * sign > 0);
  const rest = layout.items.filter((other) => (other.y - item.y) * sign > 0);
  return nearest(item, column.length > 0 ? column : rest);
}

/** Selects the neighbour in the direction of an arrow key, or the first item if none is selected. */
function goTo(key) {
  const item = layout.byKey.get(state.selected);
  const next = item === undefined ? layout.items.find((other) => other.x === 0) || layout.items[0] : neighbour(item, key);
  if (next === null || next === undefined) return;
  const wasPath = pathStart;
  // While the end of a path is selected, arrow keys only move; they do not select the end.
  pathStart = null;
  choose(next.node.key, { reveals: true });
  pathStart = wasPath;
}

/** Performs the action of the Enter key on the selection. */
function enter() {
  if (state.selected === null) return;
  if (state.selected.startsWith("group ")) toggleFold(state.selected.slice("group ".length));
  else if (pathStart !== null) setPath(pathStart, state.selected);
  else setFocus(state.focus === state.selected ? null : state.selected);
}

/** Changes the scale around the centre of the window. */
function zoomMiddle(factor) {
  const { width, height } = svg.getBoundingClientRect();
  zoom(factor, width / 2, height / 2);
}

const keyActions = {
  Enter: enter, " ": enter,
  f: () => {
    const node = graph.nodes.get(state.selected) || visible.nodes.get(state.selected);
    if (node !== undefined && presentGroupNames.has(node.group)) toggleFold(node.group);
  },
  "+": () => zoomMiddle(1.25), "=": () => zoomMiddle(1.25), "-": () => zoomMiddle(0.8), 0: () => fit(layout.items),
};

svg.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const action = event.key.startsWith("Arrow") ? () => goTo(event.key) : keyActions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
});
window.addEventListener("keydown", (event) => {
  if (event.key === "Escape") goBack();
  const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  search.focus();
  search.select();
});

// MARK: - Pointer

const pointers = new Map();
let hasMoved = false;

/** Returns the node under the pointer. */
function nodeAt(event) {
  const bounds = svg.getBoundingClientRect();
  const x = (event.clientX - bounds.left - view.x) / view.scale, y = (event.clientY - bounds.top - view.y) / view.scale;
  const item = layout.items.find((other) => touch(boxOf(other), { left: x, right: x, top: y, bottom: y }));
  return item === undefined ? null : item.node;
}

svg.addEventListener("wheel", (event) => {
  event.preventDefault();
  const bounds = svg.getBoundingClientRect();
  zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - bounds.left, event.clientY - bounds.top);
}, { passive: false });

svg.addEventListener("pointerdown", (event) => {
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  if (pointers.size === 1) hasMoved = false;
});
window.addEventListener("pointermove", (event) => {
  const last = pointers.get(event.pointerId);
  if (last === undefined) return;
  const x = event.clientX - last.x, y = event.clientY - last.y;
  if (!hasMoved && Math.hypot(x, y) < 4) return;
  hasMoved = true;
  const other = [...pointers].find(([id]) => id !== event.pointerId);
  if (other !== undefined) pinch(event, last, other[1]);
  view.x += x / pointers.size;
  view.y += y / pointers.size;
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  showSoon();
});
for (const name of ["pointerup", "pointercancel"]) {
  window.addEventListener(name, (event) => pointers.delete(event.pointerId));
}

const tip = document.getElementById("tip");

// A tooltip describes the box under the pointer, also if the box is drawn without texts.
svg.addEventListener("pointermove", (event) => {
  const node = pointers.size > 0 ? null : nodeAt(event);
  tip.hidden = node === null;
  if (node === null) return;
  const bounds = svg.getBoundingClientRect();
  tip.textContent = wordsOf(node);
  tip.style.left = `${event.clientX - bounds.left + 14}px`;
  tip.style.top = `${event.clientY - bounds.top + 14}px`;
});
svg.addEventListener("pointerleave", () => { tip.hidden = true; });

/** Changes the scale by a pinch gesture. */
function pinch(event, last, other) {
  const before = Math.hypot(last.x - other.x, last.y - other.y);
  const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
  const bounds = svg.getBoundingClientRect();
  if (before > 0) zoom(after / before, other.x - bounds.left, other.y - bounds.top);
}

svg.addEventListener("click", (event) => {
  if (hasMoved) return;
  const node = nodeAt(event);
  if (node === null && pathStart !== null) return;
  choose(node === null ? null : node.key);
});
svg.addEventListener("dblclick", (event) => {
  const node = nodeAt(event);
  if (node === null) return;
  if (node.kind === "group") toggleFold(node.id);
  else setFocus(node.key);
});
document.getElementById("closer").addEventListener("click", () => zoomMiddle(1.25));
document.getElementById("farther").addEventListener("click", () => zoomMiddle(0.8));
document.getElementById("fit").addEventListener("click", () => fit(layout.items));
environmentField.addEventListener("change", () => setEnvironment(Number(environmentField.value), state.compared));
comparedField.addEventListener("change", () => {
  setEnvironment(state.environment, comparedField.value === "" ? null : Number(comparedField.value));
});
window.addEventListener("resize", () => {
  drawn = null;
  show();
});

// MARK: - The URL

/** Returns the state as the fragment of the URL, including `#`. */
function addressOf() {
  const parts = new URLSearchParams();
  const name = (number) => data.environments[number].name || "";
  if (state.environment !== data.shown) parts.set("env", name(state.environment));
  if (state.compared !== null) parts.set("compare", name(state.compared));
  if (state.selected !== null) parts.set("select", state.selected);
  if (state.focus !== null) {
    parts.set("focus", state.focus);
    parts.set("depth", state.depth === Infinity ? "all" : String(state.depth));
    parts.set("way", state.way);
  }
  if (state.from !== null) {
    parts.set("from", state.from);
    parts.set("to", state.to);
  }
  const first = firstFolds();
  const isFirst = first.size === state.folded.size && [...first].every((group) => state.folded.has(group));
  if (!isFirst) for (const group of state.folded.size === 0 ? [""] : state.folded) parts.append("fold", group);
  const text = parts.toString();
  return text === "" ? "" : `#${text}`;
}

/** Stores the state in the URL, as an entry of the browser's history. */
function noteAddress() {
  const address = addressOf();
  // `pushState` is not used, because some browsers refuse it for pages of `file:` URLs.
  if (address !== location.hash) location.hash = address;
}

/** Reads the state from the URL. Sets what it does not contain to the defaults. */
function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const number = (key, otherwise) => {
    if (!parts.has(key)) return otherwise;
    const place = data.environments.findIndex(
      (environment) => !environment.hasErrors && (environment.name || "") === parts.get(key));
    return place < 0 ? otherwise : place;
  };
  state.environment = number("env", data.shown);
  const compared = number("compare", null);
  state.compared = compared === state.environment ? null : compared;
  state.selected = parts.get("select");
  state.focus = parts.get("focus");
  state.depth = parts.get("depth") === "all" ? Infinity : Math.max(1, Number(parts.get("depth")) || 1);
  state.way = ["uses", "usedBy"].includes(parts.get("way")) ? parts.get("way") : "both";
  state.from = parts.get("to") === null ? null : parts.get("from");
  state.to = state.from === null ? null : parts.get("to");
  rebuildGraph();
  if (state.from === null || state.to === null) state.from = state.to = null;
  state.folded = parts.has("fold") ? new Set(parts.getAll("fold").filter((name) => name !== "")) : firstFolds();
}

/** Reads the state from the URL and shows it. */
function followAddress() {
  pathStart = null;
  hint.hidden = true;
  readAddress();
  fillEnvironments();
  unfoldPath();
  const selected = graph.nodes.get(state.selected);
  if (selected !== undefined) state.folded.delete(selected.group);
  arrange();
  const item = layout.byKey.get(state.selected);
  fitPath();
  if (item !== undefined && state.focus === null && view.scale < readableScale) reveal(item);
  fillAround();
}

// The event is also sent if the user goes back in the history.
window.addEventListener("hashchange", () => { if (location.hash !== addressOf()) followAddress(); });

// MARK: - Print

let viewBeforePrint = null;

window.addEventListener("beforeprint", () => {
  const bounds = boundsOfItems(layout.items);
  viewBeforePrint = view;
  drawn = { isReadable: true, area: everything };
  redraw();
  canvas.removeAttribute("transform");
  const width = bounds.right - bounds.left + 40, height = bounds.bottom - bounds.top + 40;
  svg.setAttribute("viewBox", `${bounds.left - 20} ${bounds.top - 20} ${width} ${height}`);
});
window.addEventListener("afterprint", () => {
  svg.removeAttribute("viewBox");
  view = viewBeforePrint;
  drawn = null;
  show();
});

followAddress();
