// SPDX-License-Identifier: Apache-2.0

// Draws the visible part of a layout. Only boxes and lines in the window and a margin around it are elements of the
// page. If the drawing is too small to be read, all boxes of a scope are one path.

const svg = document.getElementById("diagram"), canvas = document.getElementById("canvas");
const lineLayer = document.getElementById("lines"), boxLayer = document.getElementById("boxes");
const readableScale = 0.5, leastScale = 0.25, greatestScale = 3;

let layout = { items: [], links: [], byKey: new Map() };
let view = { x: 0, y: 0, scale: 1 };
// What is currently drawn: a rectangle of the layout, and whether boxes have texts.
let drawn = null;
// The elements of the drawn boxes, by item.
const boxElements = new Map();

// MARK: - Texts

const ruler = document.createElement("canvas").getContext("2d");
const fonts = {
  name: "600 13px system-ui, sans-serif", fact: "11.5px system-ui, sans-serif", group: "600 22px system-ui, sans-serif",
};

/** Returns the width of a text. */
function widthOf(text, font) {
  ruler.font = fonts[font];
  return ruler.measureText(text).width;
}

/** Shortens a text to a number of characters. Keeps the end of an id, which tells more than its start. */
function clip(text, length, keepsEnd) {
  const signs = [...text];
  if (signs.length <= length) return text;
  return keepsEnd ? `…${signs.slice(1 - length).join("")}` : `${signs.slice(0, length - 1).join("")}…`;
}

/** Returns the two lines of text in the box of a node. */
function linesOf(node) {
  if (node.kind === "group") return [clip(node.id, 30, true), `${node.members.length} services`];
  if (node.kind === "decorator") return [clip(node.type, 30, false), `decorates ${clip(node.id, 24, true)}`];
  const scope = node.scope === "shared" ? "" : ` · ${clip(node.scope, 14, false)}`;
  return [clip(node.id, 30, true), clip(node.type, 34, false) + scope];
}

/** Returns the size of the box of a node. */
function sizeOf(node) {
  const [name, fact] = linesOf(node);
  // Folded groups are larger, because they are read at a small scale.
  if (node.kind === "group") return { width: Math.ceil(Math.max(120, widthOf(name, "group") + 32)), height: 64 };
  return { width: Math.ceil(Math.max(84, widthOf(name, "name") + 26, widthOf(fact, "fact") + 26)), height: 44 };
}

// MARK: - Elements

/** Adds an SVG element. */
function draw(parent, name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key of Object.keys(attributes)) element.setAttribute(key, attributes[key]);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

// The scopes in the order of the legend: those of the format, then those of the module.
const scopes = scopeNames();

function scopeNames() {
  const named = new Set(["shared", "transient", "weak", "graph"]);
  const own = new Set();
  for (const service of data.services) for (const facts of service.facts || []) if (!named.has(facts.scope)) own.add(facts.scope);
  return [...named, ...[...own].sort()];
}

/** Returns the class with the colour of a scope. */
function scopeClass(scope) {
  const place = scopes.indexOf(scope);
  return place < 0 ? "" : `scope-${place < 4 ? place : 4 + (place - 4) % 4}`;
}

/**
 * Adds the path data of a line in pieces: each straight segment and each rounded corner. Only visible pieces are added,
 * as a line may be much longer than the window. Links of a bundle have common pieces, which the set contains once.
 */
function addPieces(points, pieces) {
  const last = points.length - 1;
  for (let place = 0; place < last; place++) {
    const corner = points[place], next = points[place + 1];
    if (!touch(boundsOf([corner, next]), drawn.area)) continue;
    const start = place === 0 ? corner : towards(corner, next, 5);
    const end = place + 1 === last ? next : towards(next, corner, 5);
    pieces.add(`M${start.x} ${start.y}L${end.x} ${end.y}`);
    if (place + 1 === last) continue;
    const turned = towards(next, points[place + 2], 5);
    pieces.add(`M${end.x} ${end.y}Q${next.x} ${next.y} ${turned.x} ${turned.y}`);
  }
}

/** Returns the point at a distance from a corner towards another point, but at most half way. */
function towards(corner, other, radius) {
  const length = Math.hypot(other.x - corner.x, other.y - corner.y);
  const part = length === 0 ? 0 : Math.min(radius, length / 2) / length;
  const round = (value) => Math.round(value * 10) / 10;
  return { x: round(corner.x + (other.x - corner.x) * part), y: round(corner.y + (other.y - corner.y) * part) };
}

/** Returns the path data of the arrowhead at the end of a line. */
function headAt(points) {
  const end = points[points.length - 1], before = points[points.length - 2];
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const x = (end.x - before.x) / length, y = (end.y - before.y) / length;
  const corner = (side) => `${end.x - 7 * x - 3.5 * side * y} ${end.y - 7 * y + 3.5 * side * x}`;
  return `M${end.x} ${end.y}L${corner(1)}L${corner(-1)}Z`;
}

/** Returns whether a point is in the drawn area. */
function isNear({ x, y }) {
  return touch({ left: x, right: x, top: y, bottom: y }, drawn.area);
}

/** Draws links. All lines of the same style are one path, and so are their arrowheads. */
function drawLinks(links, marks) {
  const paths = new Map(), heads = new Map();
  for (const { link, points } of links) {
    const change = linkChange(link);
    const look = `line ${styleOf(link)} ${change === "" ? "" : `is-${change}`} ${marks}`;
    if (!paths.has(look)) paths.set(look, new Set());
    addPieces(points, paths.get(look));
    const head = `head ${change === "" ? "" : `is-${change}`} ${marks}`;
    if (!heads.has(head)) heads.set(head, new Set());
    if (isNear(points[points.length - 1])) heads.get(head).add(headAt(points));
  }
  for (const [look, pieces] of paths) draw(lineLayer, "path", { class: look, d: [...pieces].join("") });
  for (const [look, triangles] of heads) draw(lineLayer, "path", { class: look, d: [...triangles].join("") });
}

/** Returns the description of a node as text, for screen readers and the tooltip. */
function wordsOf(node) {
  const change = node.change === "" ? "" : `, ${node.change}`;
  if (node.kind === "group") return `group ${node.id}, ${node.members.length} services, folded${change}`;
  if (node.kind === "decorator") return `decorator ${node.type} of ${node.id}${change}`;
  return `${node.id}, ${node.type}, ${node.scope}${change}, uses ${node.uses.length}, used by ${node.usedBy.length}`;
}

const changeSigns = { added: "+", removed: "−", changed: "≠" };

/** Draws the box of a node. */
function drawBox(item, marks) {
  const { node, width, height } = item;
  const classes = ["box", node.kind, scopeClass(node.scope), node.change === "" ? "" : `is-${node.change}`, marks];
  const box = draw(boxLayer, "g", {
    class: classes.join(" "), transform: `translate(${item.x} ${item.y - height / 2})`, role: "button",
    id: `box-${item.number}`, "aria-label": wordsOf(node),
  });
  box.dataset.marks = marks;
  if (node.kind === "group") draw(box, "rect", { class: "behind", x: 4, y: -4, width, height, rx: 6 });
  draw(box, "rect", { class: "frame", width, height, rx: 6 });
  if (node.kind !== "group") draw(box, "path", { class: "stripe", d: `M6 0H5Q0 0 0 6V${height - 6}Q0 ${height} 6 ${height}Z` });
  drawLines(box, item);
  if (node.change !== "") drawBadge(box, node.change, width);
  return box;
}

/** Draws the two lines of text in a box. */
function drawLines(box, { node, height }) {
  const [name, fact] = linesOf(node);
  const center = height / 2 + (node.kind === "group" ? 3 : 0);
  drawName(box, name, node, center - 3);
  draw(box, "text", { class: "fact", x: 14, y: center + (node.kind === "group" ? 17 : 13) }, fact);
}

/** Draws the first line of a box. The group at the start of an id is less prominent. */
function drawName(box, name, node, y) {
  const line = draw(box, "text", { class: "name", x: 14, y });
  const prefix = node.kind === "service" && node.group !== "" ? `${node.group}.` : "";
  if (prefix !== "" && name.startsWith(prefix)) {
    draw(line, "tspan", { class: "prefix" }, prefix);
    line.append(name.slice(prefix.length));
  } else {
    line.textContent = name;
  }
}

/** Draws the sign of a change. */
function drawBadge(box, change, width) {
  draw(box, "circle", { class: "badge", cx: width, cy: 0, r: 8 });
  draw(box, "text", { class: "sign", x: width, y: 4 }, changeSigns[change]);
}

// MARK: - Visibility

/** Returns the rectangle of the layout that the window shows, enlarged by a margin in pixels. */
function seen(margin) {
  const { width, height } = svg.getBoundingClientRect();
  return {
    left: (-view.x - margin) / view.scale, top: (-view.y - margin) / view.scale,
    right: (width - view.x + margin) / view.scale, bottom: (height - view.y + margin) / view.scale,
  };
}

/** Returns whether two rectangles touch. */
function touch(one, other) {
  return one.left <= other.right && other.left <= one.right && one.top <= other.bottom && other.top <= one.bottom;
}

/** Returns whether a rectangle is inside another one. */
function lies(inner, outer) {
  return inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;
}

/** Returns the rectangle of an item. */
function boxOf(item) {
  return {
    left: item.x, right: item.x + item.width, top: item.y - item.height / 2, bottom: item.y + item.height / 2,
  };
}

/** Returns whether texts are drawn: if they are readable or, in a small drawing, at half that scale. */
function hasTexts() {
  return view.scale >= (layout.items.length > 120 ? readableScale : leastScale);
}

/** Moves the drawing to the view. Redraws it if the view shows something that is not drawn. */
function show() {
  canvas.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
  const isReadable = hasTexts();
  if (drawn !== null && drawn.isReadable === isReadable && lies(seen(0), drawn.area)) return;
  drawn = { isReadable, area: isReadable ? seen(240) : everything };
  redraw();
}

const everything = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };

/** Draws the contents of the area to be drawn. */
function redraw() {
  const marks = marksOf();
  lineLayer.replaceChildren();
  svg.classList.toggle("has-marks", marks.hasMarks);
  svg.classList.toggle("is-far", !drawn.isReadable);
  const links = layout.links.filter((link) => touch(link.box, drawn.area));
  drawLinks(links.filter((link) => !marks.links.has(link)), "");
  for (const mark of ["is-user", "is-used", "on-path"]) {
    drawLinks(links.filter((link) => marks.links.get(link) === mark), mark);
  }
  const items = layout.items.filter((item) => marks.items.has(item) || touch(boxOf(item), drawn.area));
  if (drawn.isReadable) drawBoxes(items, marks);
  else drawFar(items, marks);
  const chosen = layout.byKey.get(state.selected);
  if (chosen === undefined || !drawn.isReadable) svg.removeAttribute("aria-activedescendant");
  else svg.setAttribute("aria-activedescendant", `box-${chosen.number}`);
}

/** Draws boxes. Keeps the elements of boxes that look the same, as most do while the view moves. */
function drawBoxes(items, marks) {
  if (boxElements.size === 0) boxLayer.replaceChildren();
  const wanted = new Set(items);
  for (const [item, element] of boxElements) {
    if (wanted.has(item) && element.dataset.marks === (marks.items.get(item) || "")) continue;
    element.remove();
    boxElements.delete(item);
  }
  for (const item of items) {
    if (!boxElements.has(item)) boxElements.set(item, drawBox(item, marks.items.get(item) || ""));
  }
}

/** Draws boxes without texts. All boxes of the same style are one path. */
function drawFar(items, marks) {
  const paths = new Map();
  boxLayer.replaceChildren();
  boxElements.clear();
  for (const item of items) {
    const { node } = item;
    const look = ["far", node.kind, scopeClass(node.scope), node.change && `is-${node.change}`, marks.items.get(item)]
      .filter(Boolean).join(" ");
    const box = `M${item.x} ${item.y - item.height / 2}h${item.width}v${item.height}h${-item.width}Z`;
    paths.set(look, (paths.get(look) || "") + box);
  }
  for (const [look, d] of paths) draw(boxLayer, "path", { class: look, d });
}

/** Returns the marks of items and links: the selected node with its neighbours, or the path, and the search matches. */
function marksOf() {
  const items = new Map(), links = new Map();
  const path = chosenPath();
  const chosen = layout.byKey.get(state.selected);
  if (path !== null && path.edges !== null) {
    markPath(path, items, links);
  } else if (chosen !== undefined) {
    for (const link of layout.links) {
      if (link.from === chosen) markLink(items, links, link, link.to, "is-used");
      else if (link.to === chosen) markLink(items, links, link, link.from, "is-user");
    }
  }
  for (const node of found) {
    const item = layout.byKey.get(drawnKey(node));
    if (item !== undefined) items.set(item, `${items.get(item) || ""} is-found`);
  }
  if (chosen !== undefined) items.set(chosen, "is-chosen");
  return { items, links, hasMarks: items.size > 0 };
}

/** Marks a link and the item at its other end. */
function markLink(items, links, link, item, mark) {
  links.set(link, mark);
  if (!items.has(item)) items.set(item, mark);
}

/** Marks the boxes and lines of a path. */
function markPath(path, items, links) {
  const keys = new Set(path.edges.map((edge) => `${drawnKey(edge.source)}\n${drawnKey(edge.target)}`));
  for (const link of layout.links) {
    if (!keys.has(`${link.from.node.key}\n${link.to.node.key}`)) continue;
    links.set(link, "on-path");
    items.set(link.from, "on-path");
    items.set(link.to, "on-path");
  }
}

// MARK: - The view

/** Returns the bounding box of items. For all items it includes the lines. */
function boundsOfItems(items) {
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  const boxes = items.map(boxOf).concat(items.length === layout.items.length ? layout.links.map((link) => link.box) : []);
  for (const box of boxes) {
    bounds.left = Math.min(bounds.left, box.left);
    bounds.top = Math.min(bounds.top, box.top);
    bounds.right = Math.max(bounds.right, box.right);
    bounds.bottom = Math.max(bounds.bottom, box.bottom);
  }
  return bounds;
}

/** Moves and scales the view so that it shows the given items. */
function fit(items) {
  if (items.length === 0) return show();
  const { width, height } = svg.getBoundingClientRect();
  const bounds = boundsOfItems(items);
  const scale = Math.min(
    1.15, (width - 64) / (bounds.right - bounds.left), (height - 96) / (bounds.bottom - bounds.top));
  view = {
    scale: Math.max(0.02, scale),
    x: width / 2 - (bounds.left + bounds.right) / 2 * scale, y: height / 2 - 12 - (bounds.top + bounds.bottom) / 2 * scale,
  };
  return show();
}

/** Moves the view to an item, at a scale at which it can be read. */
function reveal(item) {
  const { width, height } = svg.getBoundingClientRect();
  const box = boxOf(item), area = seen(-60);
  if (view.scale >= 0.6 && lies(box, area)) return show();
  view.scale = Math.max(view.scale, 0.85);
  view.x = width / 2 - (item.x + item.width / 2) * view.scale;
  view.y = height / 2 - item.y * view.scale;
  return show();
}

/** Changes the scale, with a fixed point of the window. */
function zoom(factor, x, y) {
  const scale = Math.min(greatestScale, Math.max(0.02, view.scale * factor));
  view = { scale, x: x - (x - view.x) * scale / view.scale, y: y - (y - view.y) * scale / view.scale };
  showSoon();
}

let frame = 0;

/** Schedules one update of the view for the next frame, for any number of events. */
function showSoon() {
  if (frame === 0) {
    frame = requestAnimationFrame(() => {
      frame = 0;
      show();
    });
  }
}

/** Computes the visible nodes and their layout again. */
function arrange() {
  presentGroupNames = new Set(presentGroups().keys());
  visible = findVisible();
  layout = layoutOf([...visible.nodes.values()], visible.links);
  layout.items.forEach((item, number) => { item.number = number; });
  boxElements.clear();
  drawn = null;
}
