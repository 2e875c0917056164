// SPDX-License-Identifier: Apache-2.0

// The panel with details of the selected service. Everything from the module is inserted as text, never as markup.

const panel = document.getElementById("panel");

/** Creates an element with attributes and contents. Strings in the contents become text nodes. */
function make(name, attributes, ...contents) {
  const element = document.createElement(name);
  for (const key of Object.keys(attributes)) element.setAttribute(key, attributes[key]);
  element.append(...contents);
  return element;
}

/** Creates a button with an action. */
function makeButton(text, action, attributes) {
  const button = make("button", { type: "button", ...attributes }, text);
  button.addEventListener("click", action);
  return button;
}

/** Creates a part of the panel with a heading, or returns an empty text if it has no contents. */
function section(title, ...contents) {
  return contents.length === 0 ? "" : make("section", {}, make("h3", {}, title), ...contents);
}

/** Shows the details of the selection. */
function fillPanel() {
  const node = graph.nodes.get(state.selected);
  const group = visible.nodes.get(state.selected);
  panel.replaceChildren();
  const path = chosenPath();
  if (path !== null) panel.append(pathSection(path));
  if (node !== undefined) panel.append(...aboutNode(node));
  else if (group !== undefined && group.kind === "group") panel.append(...aboutGroup(group));
  else panel.append(...aboutModule());
  panel.scrollTop = 0;
}

/** Creates a button that selects a node, with the look of a link. */
function nodeButton(node, text) {
  const button = makeButton(text || node.id, () => choose(node.key, { reveals: true }), { class: "link" });
  if (node.change !== "") button.append(make("span", { class: `mark is-${node.change}`, title: node.change }, changeSigns[node.change]));
  return button;
}

/** Returns the name of a node in a list. */
function nameOf(node) {
  return node.kind === "decorator" ? `${node.type} (decorates ${node.id})` : node.id;
}

// MARK: - A service

/** Returns the parts of the panel about a service or a decorator. */
function aboutNode(node) {
  const service = data.services[node.place];
  const prefix = node.kind === "decorator" ? `decorate[${node.decorator}].` : "";
  return [
    make("h2", {}, node.kind === "decorator" ? node.type : node.id),
    make("p", { class: "kind" }, ...kindWords(node)),
    actions(node),
    node.change === "" ? "" : changesOf(node, service),
    references("Uses", node.uses, "target"),
    references("Used by", node.usedBy, "source"),
    decisions("Decided by", service.parts, prefix, node.change === "removed" ? state.compared : state.environment),
  ];
}

/** Returns the type, scope and tags of a service, or the service of a decorator. */
function kindWords(node) {
  if (node.kind === "decorator") {
    return ["decorates ", nodeButton(graph.nodes.get(node.id))];
  }
  const scope = make("span", { class: `scope ${scopeClass(node.scope)}` }, node.scope);
  const tags = node.tags.map((tag) => make("span", { class: "tag" }, tag));
  return [make("code", {}, node.type), " ", scope, ...tags];
}

/** Returns the buttons for a node. */
function actions(node) {
  const isFocused = state.focus === node.key;
  const row = make(
    "p", { class: "actions" },
    makeButton(isFocused ? "End focus" : "Focus", () => setFocus(isFocused ? null : node.key), {
      "aria-pressed": String(isFocused),
    }),
    makeButton("Path to…", () => startPath(node.key), {}));
  if (presentGroupNames.has(node.group) && !isPart) {
    row.append(makeButton(`Fold ${node.group}`, () => toggleFold(node.group), {}));
  }
  return row;
}

/** Returns a list of references. */
function references(title, edges, end) {
  const list = make("ul", { class: "references" });
  for (const edge of edges) {
    const kind = edge.kind === "direct" ? "" : edge.kind;
    const item = make("li", { class: edge.change === "" ? "" : `is-${edge.change}` }, nodeButton(edge[end], nameOf(edge[end])));
    item.append(make("span", { class: "faint" }, [edge.argument, kind].filter(Boolean).join(", ")));
    list.append(item);
  }
  return section(`${title} ${edges.length}`, ...(edges.length === 0 ? [] : [list]));
}

/** Returns the differences of a service from the compared environment. */
function changesOf(node, service) {
  const other = environmentName(state.compared);
  if (node.change === "added") return section(`Not in ${other}`, reasonAway(service, state.compared));
  if (node.change === "removed") {
    return section(`Only in ${other}`, reasonAway(service, state.environment));
  }
  const changes = changedFacts(service, state.environment, state.compared)
    .concat(changedParts(service, state.environment, state.compared));
  const list = make("dl", { class: "changes" });
  for (const { path, from, to } of changes) {
    list.append(make("dt", {}, path), make("dd", {}, ...changeWords(from, to)));
  }
  const hasEdges = hasChangedEdge(service, state.environment, state.compared);
  return section(`Differs from ${other}`, list, hasEdges ? make("p", { class: "faint" }, "Other references; see below.") : "");
}

/** Returns two values, the second one emphasized. Different secrets have the same text. */
function changeWords(from, to) {
  const text = (part) => part === undefined || part.removed ? null : part.value;
  const before = text(from), after = text(to);
  if (before === after) return [make("ins", {}, `${after} `), make("span", { class: "faint" }, "differs where it is not shown")];
  return [
    before === null ? make("span", { class: "faint" }, "absent") : make("del", {}, before), " → ",
    after === null ? make("span", { class: "faint" }, "absent") : make("ins", {}, after),
  ];
}

/** Returns the reason why a service is not in an environment. */
function reasonAway(service, environment) {
  const parts = formsIn(service.parts, environment);
  const removal = parts.find((part) => part.path === "" && part.removed);
  const condition = parts.find((part) => part.path === "when");
  if (removal !== undefined) return make("p", {}, "removed at ", placeOf(removal.at));
  if (condition !== undefined) {
    return make("p", {}, "disabled by its condition ", make("code", {}, condition.value), " at ", placeOf(condition.at));
  }
  return make("p", { class: "faint" }, `No file of ${environmentName(environment)} defines it.`);
}

// MARK: - History

/** Returns the file, line and column of a location. */
function placeOf(at) {
  if (at === undefined) return make("span", { class: "place" }, "command line");
  return make("span", { class: "place" }, [data.files[at[0]], ...at.slice(1)].join(":"));
}

/** Returns the origins of the parts whose paths start with a prefix, which is not shown. */
function decisions(title, all, prefix, environment) {
  const parts = formsIn(all, environment).filter(
    (part) => part.path.startsWith(prefix) && (prefix !== "" || !/^decorate\[/.test(part.path)) && part.path !== "");
  const list = make("ul", { class: "history" });
  for (const part of parts) list.append(decision(part, part.path.slice(prefix.length), environment, new Set()));
  return section(title, ...(parts.length === 0 ? [] : [list]));
}

/** Returns one part: its value, the place that decided it, earlier values, and the parameters it comes from. */
function decision(part, name, environment, seenParameters) {
  const item = make("li", {}, make("div", { class: "path" }, name));
  if (part.removed) item.append(make("div", { class: "value faint" }, "taken out"));
  else item.append(make("code", { class: "value" }, part.value));
  item.append(decidedAt(part));
  if (part.source !== undefined) item.append(sourceWords(part.source));
  for (const earlier of part.before || []) item.append(beforeWords(earlier));
  const origins = (part.from || []).filter((place) => !seenParameters.has(place));
  if (origins.length > 0) {
    const list = make("ul", { class: "history" });
    for (const place of origins) addOrigin(list, place, environment, new Set([...seenParameters, place]));
    item.append(list);
  }
  return item;
}

/** Returns how and where a part was decided. */
function decidedAt(part) {
  if (part.verb === "by type") return make("div", { class: "faint" }, "bound by type");
  return make("div", { class: "faint" }, part.verb === "define" ? "" : `${part.verb} · `, placeOf(part.at));
}

/** Returns an earlier value of a part. */
function beforeWords(earlier) {
  const value = earlier.value === undefined ? "" : make("del", {}, earlier.value);
  return make("div", { class: "before" }, "before ", value, " ", placeOf(earlier.at));
}

/** Returns the source outside of the module that a parameter reads. */
function sourceWords(source) {
  const words = { env: "variable", file: "file", config: "configuration value" };
  const kind = Object.keys(words).find((key) => source[key] !== undefined);
  const name = `${words[kind]} ${source[kind]}`;
  if (source.set) return make("div", { class: "faint" }, `from ${name}`);
  return make("div", { class: "faint" }, source.default ? `the default, as ${name} is not set` : `${name} is not set`);
}

/** Adds the parameter from which a value comes. */
function addOrigin(list, place, environment, seenParameters) {
  const parameter = data.parameters[place];
  const [value] = formsIn((parameter.parts || []).filter((part) => part.path === "value"), environment);
  if (value !== undefined) list.append(decision(value, `\${${parameter.id}}`, environment, seenParameters));
}

// MARK: - Groups, paths, the module

/** Returns the parts of the panel about a folded group. */
function aboutGroup(group) {
  const list = make("ul", { class: "references" });
  for (const node of group.members) list.append(make("li", {}, nodeButton(node), make("span", { class: "faint" }, node.type)));
  return [
    make("h2", {}, group.id), make("p", { class: "kind" }, `${group.members.length} services, folded`),
    make("p", { class: "actions" }, makeButton("Unfold", () => toggleFold(group.id), {})), section("Services", list),
  ];
}

/** Returns the part of the panel about the selected path. */
function pathSection(path) {
  const box = make("section", { class: "path-found" }, make("h3", {}, "Path"));
  const clear = makeButton("Clear path", () => setPath(null, null), {});
  if (path.edges === null) {
    box.append(make("p", {}, `Nothing leads from ${nameOf(path.from)} to ${nameOf(path.to)}, nor back.`), clear);
    return box;
  }
  if (path.isReversed) {
    box.append(make("p", { class: "faint" }, `Nothing leads from ${nameOf(path.from)} to ${nameOf(path.to)}; this leads back.`));
  }
  const list = make("ol", {});
  const first = path.isReversed ? path.to : path.from;
  list.append(make("li", {}, nodeButton(path.edges.length === 0 ? first : path.edges[0].source, nameOf(first))));
  for (const edge of path.edges) {
    const how = edge.kind === "wraps" ? "wraps" : [edge.argument, edge.kind === "direct" ? "" : edge.kind].filter(Boolean).join(", ");
    list.append(make("li", {}, nodeButton(edge.target, nameOf(edge.target)), make("span", { class: "faint" }, how)));
  }
  box.append(list, clear);
  return box;
}

/** Returns the parts of the panel about the whole module. */
function aboutModule() {
  return [make("h2", {}, "Overview"), ...differences(), isPart ? "" : groupList(), keyList()];
}

/** Returns the services that differ from the compared environment, as links. */
function differences() {
  if (state.compared === null) return [];
  const changed = [...graph.nodes.values()].filter((node) => node.change !== "" && node.kind === "service");
  const title = `Differs from ${environmentName(state.compared)}: ${changed.length}`;
  if (changed.length === 0) return [section(title, make("p", { class: "faint" }, "Nothing differs in the services."))];
  return ["added", "removed", "changed"].map((change) => {
    const nodes = changed.filter((node) => node.change === change);
    if (nodes.length === 0) return "";
    const list = make("ul", { class: "references" }, ...nodes.map((node) => make("li", {}, nodeButton(node))));
    return section(`${nodes.length} ${change}`, list);
  });
}

/** Returns the groups, each with a button that folds or unfolds it. */
function groupList() {
  const present = presentGroups();
  if (present.size === 0) return "";
  const list = make("ul", { class: "groups" });
  for (const [name, count] of present) {
    const folds = state.folded.has(name);
    const button = makeButton("", () => toggleFold(name), { "aria-expanded": String(!folds) });
    button.append(make("span", {}, name), make("span", { class: "faint" }, folds ? `${count} folded` : String(count)));
    list.append(make("li", {}, button));
  }
  const all = make(
    "p", { class: "actions" },
    makeButton("Fold all", () => setFolds(new Set(present.keys())), {}),
    makeButton("Unfold all", () => setFolds(new Set()), {}));
  return section("Groups", all, list);
}

/** Returns the list of keyboard shortcuts. */
function keyList() {
  const keys = [
    ["← →", "to what uses it, to what it uses"], ["↑ ↓", "to its neighbours in the column"], ["Enter", "focus, or unfold a group"],
    ["F", "fold its group"], ["/", "search"], ["+ − 0", "zoom, show all"], ["Esc", "back"],
  ];
  const list = make("dl", { class: "keys" });
  for (const [key, words] of keys) list.append(make("dt", {}, make("kbd", {}, key)), make("dd", {}, words));
  return section("Keys", list);
}
