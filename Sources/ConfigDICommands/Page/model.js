// SPDX-License-Identifier: Apache-2.0

// The data of the page, and the graph of one environment.

const data = JSON.parse(document.getElementById("data").textContent);

/**
 * Returns whether a form's set, a list of ranges, contains an environment. A form without a set is in all sound ones.
 */
function holds(form, environment) {
  if (form.in === undefined) return true;
  const bounds = data.sets[form.in];
  for (let place = 0; place < bounds.length; place += 2) {
    if (environment >= bounds[place] && environment <= bounds[place + 1]) return true;
  }
  return false;
}

/** Returns the forms in a list that hold in an environment. */
function formsIn(list, environment) {
  return (list || []).filter((form) => holds(form, environment));
}

/** Returns the name of an environment for display. */
function environmentName(number) {
  const name = data.environments[number].name;
  return name === undefined ? "no environment" : name;
}

// The paths of parts whose default is `false`.
const flags = /^(eager|private)$/;

/** Returns a key that is equal for equal values of a part. A missing part equals a removed one and its default. */
function stateOf(part) {
  if (part === undefined || part.removed || (part.value === "false" && flags.test(part.path))) return "";
  return `state ${part.state || 0}`;
}

// The paths of parts that are also shown as facts or edges, or that do not change the service.
const untold = /^(type|scope|extends|decorate|(aliases|bindings)\b.*)$/;

/** Returns the parts of a service whose values differ between two environments, each with both forms. */
function changedParts(service, environment, compared) {
  const pairs = new Map();
  for (const part of service.parts || []) {
    if (part.in === undefined || untold.test(part.path)) continue;
    const pair = pairs.get(part.path) || {};
    if (holds(part, environment)) pair.to = part;
    if (holds(part, compared)) pair.from = part;
    pairs.set(part.path, pair);
  }
  const changes = [];
  for (const [path, { from, to }] of pairs) {
    if (stateOf(from) !== stateOf(to)) changes.push({ path, from, to });
  }
  return changes;
}

/** Returns the facts of a service that differ between two environments, in the same form as changed parts. */
function changedFacts(service, environment, compared) {
  const [from] = formsIn(service.facts, compared);
  const [to] = formsIn(service.facts, environment);
  if (from === to || from === undefined || to === undefined) return [];
  const text = (fact) => fact === undefined ? undefined : { value: [].concat(fact).join(", ") };
  return ["type", "scope", "tags", "decorators"]
    .map((path) => ({ path, from: text(from[path]), to: text(to[path]) }))
    .filter((change) => stateText(change.from) !== stateText(change.to));
}

/** Returns the text of a form, or an empty text if there is none. */
function stateText(form) {
  return form === undefined ? "" : form.value;
}

/** Returns whether a service has a reference in only one of two environments. */
function hasChangedEdge(service, environment, compared) {
  return (service.edges || []).some((edge) => holds(edge, environment) !== holds(edge, compared));
}

/** Returns how a service differs from the compared environment: "added", "removed", "changed", or "" if it does not. */
function changeOf(service, environment, compared) {
  if (compared === null) return "";
  const isThere = holds(service, environment), wasThere = holds(service, compared);
  if (isThere !== wasThere) return isThere ? "added" : "removed";
  const differs = changedFacts(service, environment, compared).length > 0
    || hasChangedEdge(service, environment, compared)
    || changedParts(service, environment, compared).length > 0;
  return differs ? "changed" : "";
}

/** Returns the number of leading components, separated by dots, that all ids have in common. */
function commonSteps(ids) {
  const steps = ids.map((id) => id.split("."));
  let count = 0;
  while (ids.length > 1 && steps.every((own) => own.length > count + 1 && own[count] === steps[0][count])) count++;
  return count;
}

const allSteps = commonSteps(data.services.map((service) => service.id));
// The group of each service, by index: its id up to the first component that not all ids share, or "" if no other
// service has it.
const groups = groupNames();

function groupNames() {
  const names = data.services.map((service) => service.id.split(".").slice(0, allSteps + 1).join("."));
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) || 0) + 1);
  return names.map((name) => counts.get(name) > 1 ? name : "");
}

/** Creates a node of the graph. `decorator` is the index of a decorator, or -1 for the service itself. */
function makeNode(place, facts, decorator, change) {
  const service = data.services[place];
  const isDecorator = decorator >= 0;
  return {
    key: isDecorator ? `${service.id}#${decorator}` : service.id, place, decorator, change,
    id: service.id, group: groups[place], kind: isDecorator ? "decorator" : "service",
    type: isDecorator ? facts.decorators[decorator] : facts.type, scope: facts.scope, tags: facts.tags || [],
    uses: [], usedBy: [],
  };
}

/** Returns the graph of an environment's services and decorators, with those that only a compared environment has. */
function graphOf(environment, compared) {
  const nodes = new Map();
  const chains = data.services.map((service, place) => {
    const change = changeOf(service, environment, compared);
    const [facts] = formsIn(service.facts, change === "removed" ? compared : environment);
    if (!holds(service, change === "removed" ? compared : environment) || facts === undefined) return null;
    const chain = [makeNode(place, facts, -1, change)];
    (facts.decorators || []).forEach((_, number) => chain.push(makeNode(place, facts, number, change)));
    for (const node of chain) nodes.set(node.key, node);
    return chain;
  });
  const edges = [];
  chains.forEach((chain, place) => {
    if (chain === null) return;
    addChain(chain, edges);
    addReferences(data.services[place], chain, chains, edges, { environment, compared });
  });
  for (const edge of edges) {
    edge.source.uses.push(edge);
    edge.target.usedBy.push(edge);
  }
  return { nodes, edges };
}

/** Adds the edges from the outermost decorator to the service. */
function addChain(chain, edges) {
  for (let place = chain.length - 1; place > 0; place--) {
    edges.push({ source: chain[place], target: chain[place - 1], argument: "", kind: "wraps", change: chain[0].change });
  }
}

/** Returns how a reference differs from the compared environment, or null if neither environment has it. */
function edgeChange(edge, environment, compared) {
  const isThere = holds(edge, environment), wasThere = compared === null ? isThere : holds(edge, compared);
  if (isThere === wasThere) return isThere ? "" : null;
  return isThere ? "added" : "removed";
}

/** Adds the references of a service and its decorators. The target of a reference is the outermost decorator. */
function addReferences(service, chain, chains, edges, { environment, compared }) {
  for (const edge of service.edges || []) {
    const change = edgeChange(edge, environment, compared);
    const target = chains[edge.to];
    const source = chain[edge.decorator === undefined ? 0 : edge.decorator + 1];
    if (change === null || target === null || source === undefined) continue;
    const kind = edge.kind === "decorator" ? "direct" : edge.kind;
    edges.push({ source, target: target[target.length - 1], argument: edge.argument, kind, change });
  }
}
