// SPDX-License-Identifier: Apache-2.0

// What the reader has chosen, and the part of the graph that this leaves to draw.

// Above this many services, those with a common beginning of the id are folded at first.
const foldingSize = 150;
// Up to this many services, a path is shown among all of them, or among all that lie between its ends.
const pathSize = 60;

// Names that end in numbers stand in the order of these.
const byNumber = new Intl.Collator("en", { numeric: true });

const state = {
  environment: data.shown, compared: null, selected: null, focus: null, depth: 1, way: "both", from: null, to: null,
  folded: new Set(),
};
// The graph of the environment, and what of it is drawn.
let graph = { nodes: new Map(), edges: [] };
let visible = { nodes: new Map(), links: [] };

/** The groups that the services of the graph have, with how many services each, by name. */
function presentGroups() {
  const counts = new Map();
  for (const node of graph.nodes.values()) {
    if (node.group !== "" && node.kind === "service") counts.set(node.group, (counts.get(node.group) || 0) + 1);
  }
  return new Map([...counts].filter(([, count]) => count > 1).sort(([one], [other]) => byNumber.compare(one, other)));
}

/** The groups that are folded where the reader has not said which. */
function firstFolds() {
  return new Set(graph.nodes.size > foldingSize ? presentGroups().keys() : []);
}

/** The nodes that are reached from one by references in one direction, up to a depth. */
function nodesReached(start, depth, list, end) {
  const reached = new Set([start]);
  let level = [start];
  const follow = (edge, next, isLast) => {
    // A decorator and its service are one thing to a reader.
    const isWrap = edge.kind === "wraps";
    if (reached.has(edge[end]) || (!isWrap && isLast)) return;
    reached.add(edge[end]);
    (isWrap ? level : next).push(edge[end]);
  };
  for (let steps = 0; level.length > 0; steps++) {
    const next = [];
    for (const node of level) node[list].forEach((edge) => follow(edge, next, steps >= depth));
    level = next;
  }
  return reached;
}

/** The nodes around one, in the directions asked for. */
function nodesAround(start, depth, way) {
  const uses = way === "usedBy" ? [start] : nodesReached(start, depth, "uses", "target");
  const users = way === "uses" ? [start] : nodesReached(start, depth, "usedBy", "source");
  return new Set([...uses, ...users]);
}

/** The edges of a shortest way between two nodes; null where there is none. */
function pathBetween(from, to) {
  const reached = new Map([[from, null]]);
  for (const node of reached.keys()) {
    if (node === to) break;
    for (const edge of node.uses) if (!reached.has(edge.target)) reached.set(edge.target, edge);
  }
  if (!reached.has(to)) return null;
  const edges = [];
  for (let edge = reached.get(to); edge !== null; edge = reached.get(edge.source)) edges.push(edge);
  return edges.reverse();
}

/** The path that the reader asked for: its edges, and whether it leads the other way round; null without one. */
function chosenPath() {
  const from = graph.nodes.get(state.from), to = graph.nodes.get(state.to);
  if (from === undefined || to === undefined) return null;
  const edges = pathBetween(entryOf(from), to);
  if (edges !== null) return { from, to, edges, isReversed: false };
  const other = pathBetween(entryOf(to), from);
  return { from, to, edges: other, isReversed: other !== null };
}

/** Where a path is shown in a drawing that is large, what lies between its ends; else null. */
function nodesBetween() {
  const path = state.focus === null ? chosenPath() : null;
  if (path === null || path.edges === null || path.edges.length === 0 || graph.nodes.size <= pathSize) return null;
  const onPath = new Set(path.edges.flatMap((edge) => [edge.source, edge.target]));
  const [first] = path.edges;
  const users = nodesReached(path.edges[path.edges.length - 1].target, Infinity, "usedBy", "source");
  const between = [...nodesReached(first.source, Infinity, "uses", "target")].filter((node) => users.has(node));
  return between.length <= pathSize ? new Set(between) : onPath;
}

/** The node by which others reach a service: its outermost decorator. */
function entryOf(node) {
  let entry = node;
  for (;;) {
    const wrap = entry.usedBy.find((edge) => edge.kind === "wraps");
    if (wrap === undefined) return entry;
    entry = wrap.source;
  }
}

/** The node that stands for a group that is folded. */
function groupNode(name) {
  return {
    key: `group ${name}`, id: name, group: name, kind: "group", type: "", scope: "", tags: [], change: "", members: [],
    uses: [], usedBy: [],
  };
}

/** The key of what is drawn for a node: of its group where that is folded. */
function drawnKey(node) {
  return isFolded(node) ? `group ${node.group}` : node.key;
}

/** Whether a node is drawn as a part of its group. Of a part of the graph each node is drawn by itself. */
function isFolded(node) {
  return !isPart && state.folded.has(node.group) && presentGroupNames.has(node.group);
}

let presentGroupNames = new Set();
// Whether the reader sees a part of the graph alone: what is around a node, or between two.
let isPart = false;

/** Finds the nodes and links to draw. Several references from one node to another are one link. */
function findVisible() {
  const focus = graph.nodes.get(state.focus);
  const kept = focus === undefined ? nodesBetween() : nodesAround(focus, state.depth, state.way);
  isPart = kept !== null;
  const nodes = new Map();
  const drawn = new Map();
  for (const node of graph.nodes.values()) {
    if (kept !== null && !kept.has(node)) continue;
    const key = drawnKey(node);
    if (!nodes.has(key)) nodes.set(key, isFolded(node) ? groupNode(node.group) : { ...node, uses: [], usedBy: [] });
    const target = nodes.get(key);
    if (target.kind === "group") addMember(target, node);
    drawn.set(node, target);
  }
  return { nodes, links: linksOf(drawn) };
}

/** Adds a service to the node of its group. */
function addMember(group, node) {
  if (node.kind === "service") group.members.push(node);
  if (node.change !== "") group.change = group.change === "" || group.change === node.change ? node.change : "changed";
}

/** The links between the nodes that are drawn. */
function linksOf(drawn) {
  const links = new Map();
  for (const edge of graph.edges) {
    const source = drawn.get(edge.source), target = drawn.get(edge.target);
    if (source === undefined || target === undefined || (source === target && source.kind === "group")) continue;
    const key = `${source.key}\n${target.key}`;
    let link = links.get(key);
    if (link === undefined) {
      link = { source, target, edges: [] };
      links.set(key, link);
      source.uses.push(link);
      target.usedBy.push(link);
    }
    link.edges.push(edge);
  }
  return [...links.values()];
}

/** How a link is drawn: by the reference in it that says most. */
function styleOf(link) {
  const kinds = new Set(link.edges.map((edge) => edge.kind));
  if (kinds.has("wraps")) return "wraps";
  if (kinds.has("direct") || kinds.has("list") || kinds.has("map")) return "plain";
  return kinds.has("optional") ? "optional" : "later";
}

/** How a link differs from the compared environment. */
function linkChange(link) {
  const [first] = link.edges;
  return link.edges.every((edge) => edge.change === first.change) ? first.change : "";
}
