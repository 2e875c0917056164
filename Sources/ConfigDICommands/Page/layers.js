// SPDX-License-Identifier: Apache-2.0

// Layered drawing, step one: the assignment of boxes to columns, and their order in each column (Sugiyama, Tagawa and
// Toda, 1981).
//
// Each box is left of the boxes that it uses. All references to one box share a line, called a bundle. A bundle has an
// item in each column that it crosses, called a lane, so that no line crosses a box.

const boxGap = 14, laneHeight = 9, shape = 1.4, columnGap = 90;

/** Returns the items in reverse postorder of a depth-first search. Marks the links that close a cycle as reversed. */
function orderWithoutCircles(items, links) {
  const uses = new Map(items.map((item) => [item, []]));
  const isUsed = new Set();
  for (const link of links) {
    link.isReversed = false;
    uses.get(link.from).push(link);
    isUsed.add(link.to);
  }
  const done = new Set();
  for (const root of [...items].sort((one, other) => isUsed.has(one) - isUsed.has(other))) {
    if (!done.has(root)) searchInDepth(root, uses, done);
  }
  return [...done].reverse();
}

/** Completes an item and all items reachable from it. Not recursive, since chains may be long. */
function searchInDepth(root, uses, done) {
  const stack = [[root, 0]], open = new Set([root]);
  while (stack.length > 0) {
    const top = stack[stack.length - 1];
    const link = uses.get(top[0])[top[1]++];
    if (link === undefined) {
      open.delete(top[0]);
      done.add(top[0]);
      stack.pop();
    } else if (open.has(link.to)) {
      link.isReversed = true;
    } else if (!done.has(link.to)) {
      open.add(link.to);
      stack.push([link.to, 0]);
    }
  }
}

/** Records the neighbours of each item, with cycles broken by reversed links. */
function connect(links) {
  for (const link of links) {
    link.tail = link.isReversed ? link.to : link.from;
    link.head = link.isReversed ? link.from : link.to;
    link.tail.heads.push(link.head);
    link.head.tails.push(link.tail);
  }
}

/** Returns the maximum height of a column with which the drawing has about the shape of a screen. */
function columnHeight(items) {
  const total = items.reduce((sum, item) => sum + item.height + boxGap, 0);
  const width = items.reduce((sum, item) => sum + item.width, 0) / items.length + columnGap;
  return Math.max(420, Math.sqrt(total * width / shape));
}

/** Returns the items that are ready to be placed after a column, because all their users are placed. */
function releasedBy(column) {
  return column.flatMap((item) => item.heads).filter((head) => --head.waits === 0);
}

/** Assigns each item to a column right of all its users. Items with the longest path ahead come first. */
function assignColumns(order) {
  for (const item of [...order].reverse()) {
    item.reach = item.heads.reduce((reach, head) => Math.max(reach, head.reach + 1), 0);
    item.waits = item.tails.length;
  }
  const limit = columnHeight(order);
  const columns = [];
  let ready = order.filter((item) => item.waits === 0);
  while (ready.length > 0) {
    ready.sort((one, other) => other.reach - one.reach);
    let height = 0, count = 0;
    while (count < ready.length && (count === 0 || height + ready[count].height + boxGap <= limit)) {
      height += ready[count++].height + boxGap;
    }
    const column = ready.slice(0, count);
    for (const item of column) item.column = columns.length;
    ready = ready.slice(count).concat(releasedBy(column));
    columns.push(column);
  }
  return columns;
}

/**
 * Returns the bundles of links. Links with a common start or a common end share a line, whichever are more, so that
 * neither a service with many users nor one with many references fills the drawing. Links that close cycles share a
 * line by their end.
 */
function bundlesOf(links) {
  const bundles = new Map();
  for (const link of links) {
    const beginsAtOne = link.isReversed || link.tail.heads.length > link.head.tails.length;
    const root = beginsAtOne ? link.tail : link.head;
    const key = link.isReversed ? "reversed" : beginsAtOne ? "tail" : "head";
    if (!bundles.has(root)) bundles.set(root, new Map());
    const own = bundles.get(root);
    if (!own.has(key)) own.set(key, { links: [], lanes: new Map(), tracks: new Map() });
    link.bundle = own.get(key);
    link.bundle.links.push(link);
  }
  return [...bundles.values()].flatMap((own) => [...own.values()]);
}

/** Adds the lanes of a bundle to the columns that it crosses. */
function addLanes(bundle, columns) {
  const first = bundle.links.reduce((least, link) => Math.min(least, link.tail.column), Infinity);
  const last = bundle.links.reduce((most, link) => Math.max(most, link.head.column), 0);
  for (let column = first + 1; column < last; column++) {
    const lane = { bundle, column, width: 0, height: laneHeight, before: [], after: [], weight: 4 };
    bundle.lanes.set(column, lane);
    columns[column].push(lane);
  }
}

/** Records which items of neighbouring columns a bundle connects. */
function joinColumns(bundle) {
  const join = (left, right) => {
    left.after.push(right);
    right.before.push(left);
  };
  for (const [column, lane] of bundle.lanes) {
    if (bundle.lanes.has(column + 1)) join(lane, bundle.lanes.get(column + 1));
  }
  for (const { tail, head } of bundle.links) {
    if (head.column === tail.column + 1) {
      join(tail, head);
      continue;
    }
    joinOnce(tail, bundle.lanes.get(tail.column + 1), join);
    joinOnce(bundle.lanes.get(head.column - 1), head, join);
  }
}

/** Connects two items, unless another link of the bundle has connected them. */
function joinOnce(left, right, join) {
  const [list, item] = left.bundle === undefined ? [left.after, right] : [right.before, left];
  if (!list.includes(item)) join(left, right);
}

/** Orders the items of each column by the mean position of their neighbours, in alternating sweeps. */
function orderColumns(columns) {
  for (const column of columns) column.forEach((item, place) => { item.place = (place + 0.5) / column.length; });
  for (let sweep = 0; sweep < 10; sweep++) {
    const side = sweep % 2 === 0 ? "before" : "after";
    for (const column of sweep % 2 === 0 ? columns : [...columns].reverse()) {
      for (const item of column) item.mean = meanOf(item[side], "place", item.place);
      column.sort((one, other) => one.mean - other.mean || one.place - other.place);
      column.forEach((item, place) => { item.place = (place + 0.5) / column.length; });
    }
  }
}

/** Returns the mean of a property of items, or a given value if there are no items. */
function meanOf(items, property, otherwise) {
  if (items.length === 0) return otherwise;
  let sum = 0;
  for (const item of items) sum += item[property];
  return sum / items.length;
}
