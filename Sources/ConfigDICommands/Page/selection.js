// SPDX-License-Identifier: Apache-2.0

// The state that the user selects, and the part of the graph that is drawn for it.

// If there are more services than this, groups of services with a common prefix of their ids are folded at first.
const foldingSize = 150;
// Up to this number of services, a path is shown among all services, or among all services between its ends.
const pathSize = 60;

// Compares names so that numbers in them are ordered by value.
const byNumber = new Intl.Collator("en", { numeric: true });

const state = {
  environment: data.shown, compared: null, selected: null, focus: null, depth: 1, way: "both", from: null, to: null,
  folded: new Set(),
};
// The graph of the environment, and the part of it that is drawn.
let graph = { nodes: new Map(), edges: [] };
let visible = { nodes: new Map(), links: [] };

/** Returns the groups with at least two services in the graph, by name, with the numbers of their services. */
function presentGroups() {
  const counts = new Map();
  for (const node of graph.nodes.values()) {
    if (node.group !== "" && node.kind === "service") counts.set(node.group, (counts.get(node.group) || 0) + 1);
  }
  return new Map([...counts].filter(([, count]) => count > 1).sort(([one], [other]) => byNumber.compare(one, other)));
}

/** Returns the groups that are folded if the user has not selected any. */
function firstFolds() {
  return new Set(graph.nodes.size > foldingSize ? presentGroups().keys() : []);
}

/** Returns the nodes that are reachable from a node by references in one direction, up to a depth. */
function nodesReached(start, depth, list, end) {
  const reached = new Set([start]);
  let level = [start];
  const follow = (edge, next, isLast) => {
    // Edges between a decorator and its service do not count as steps, since users regard both as one service.
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

/** Returns the nodes around a node, in the given directions. */
function nodesAround(start, depth, way) {
  const uses = way === "usedBy" ? [start] : nodesReached(start, depth, "uses", "target");
  const users = way === "uses" ? [start] : nodesReached(start, depth, "usedBy", "source");
  return new Set([...uses, ...users]);
}

/** Returns the edges of a shortest path between two nodes, or null if there is none. */
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

/** Returns the selected path: its edges, and whether it is in the opposite direction. Null if none is selected. */
function chosenPath() {
  const from = graph.nodes.get(state.from), to = graph.nodes.get(state.to);
  if (from === undefined || to === undefined) return null;
  const edges = pathBetween(entryOf(from), to);
  if (edges !== null) return { from, to, edges, isReversed: false };
  const other = pathBetween(entryOf(to), from);
  return { from, to, edges: other, isReversed: other !== null };
}

/**
 * Returns the nodes between the ends of the path, or on it if those are too many; null without a path or if the graph
 * is small.
 */
function nodesBetween() {
  const path = state.focus === null ? chosenPath() : null;
  if (path === null || path.edges === null || path.edges.length === 0 || graph.nodes.size <= pathSize) return null;
  const onPath = new Set(path.edges.flatMap((edge) => [edge.source, edge.target]));
  const [first] = path.edges;
  const users = nodesReached(path.edges[path.edges.length - 1].target, Infinity, "usedBy", "source");
  const between = [...nodesReached(first.source, Infinity, "uses", "target")].filter((node) => users.has(node));
  return between.length <= pathSize ? new Set(between) : onPath;
}

/** Returns the node to which references to a service lead: its outermost decorator. */
function entryOf(node) {
  let entry = node;
  for (;;) {
    const wrap = entry.usedBy.find((edge) => edge.kind === "wraps");
    if (wrap === undefined) return entry;
    entry = wrap.source;
  }
}

/** Creates the node that represents a folded group. */
function groupNode(name) {
  return {
    key: `group ${name}`, id: name, group: name, kind: "group", type: "", scope: "", tags: [], change: "", members: [],
    uses: [], usedBy: [],
  };
}

/** Returns the key of the node that is drawn for a node: that of its group if the group is folded. */
function drawnKey(node) {
  return isFolded(node) ? `group ${node.group}` : node.key;
}

/** Returns whether a node is drawn as a part of its group. In a part of the graph, no group is folded. */
function isFolded(node) {
  return !isPart && state.folded.has(node.group) && presentGroupNames.has(node.group);
}

let presentGroupNames = new Set();
// Whether only a part of the graph is drawn: the nodes around a node, or between two nodes.
let isPart = false;

/** Returns the nodes and links to draw. All references from one node to another form one link. */
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

/** Returns the links between the drawn nodes. */
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

/** Returns the style of a link: the first of wraps, plain, optional and later that one of its references has. */
function styleOf(link) {
  const kinds = new Set(link.edges.map((edge) => edge.kind));
  if (kinds.has("wraps")) return "wraps";
  if (kinds.has("direct") || kinds.has("list") || kinds.has("map")) return "plain";
  return kinds.has("optional") ? "optional" : "later";
}

/** Returns how a link differs from the compared environment. */
function linkChange(link) {
  const [first] = link.edges;
  return link.edges.every((edge) => edge.change === first.change) ? first.change : "";
}
