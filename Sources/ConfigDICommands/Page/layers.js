// SPDX-License-Identifier: Apache-2.0

// A layered drawing, step one: which box stands in which column, and in which order (Sugiyama, Tagawa and Toda, 1981).
//
// Each box stands left of what it uses. All references to one box share a line, a bundle, which has an item of its own in
// each column that it passes, so that no line runs behind a box.

const boxGap = 14, laneHeight = 9, shape = 1.4, columnGap = 90;

/** The order of a search in depth, what is finished last first; marks the links that close a circle as reversed. */
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

/** Finishes an item and all that it leads to; without recursion, as chains may be long. */
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

/** Notes the neighbours of each item, with circles broken. */
function connect(links) {
  for (const link of links) {
    link.tail = link.isReversed ? link.to : link.from;
    link.head = link.isReversed ? link.from : link.to;
    link.tail.heads.push(link.head);
    link.head.tails.push(link.tail);
  }
}

/** How high a column may be for the whole to fill a screen. */
function columnHeight(items) {
  const total = items.reduce((sum, item) => sum + item.height + boxGap, 0);
  const width = items.reduce((sum, item) => sum + item.width, 0) / items.length + columnGap;
  return Math.max(420, Math.sqrt(total * width / shape));
}

/** The items that wait for nothing more when a column is full. */
function releasedBy(column) {
  return column.flatMap((item) => item.heads).filter((head) => --head.waits === 0);
}

/** Puts each item in a column right of all that use it; those with the longest way to go come first. */
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
 * The bundles of links: those that begin or end at one item share a line, whichever are more, so that neither a service that
 * many use nor one that uses many fills the drawing. Links that close circles share one where they end at one item.
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

/** Adds the items of a bundle to the columns that it passes. */
function addLanes(bundle, columns) {
  const first = bundle.links.reduce((least, link) => Math.min(least, link.tail.column), Infinity);
  const last = bundle.links.reduce((most, link) => Math.max(most, link.head.column), 0);
  for (let column = first + 1; column < last; column++) {
    const lane = { bundle, column, width: 0, height: laneHeight, before: [], after: [], weight: 4 };
    bundle.lanes.set(column, lane);
    columns[column].push(lane);
  }
}

/** Notes which items of neighbouring columns a bundle joins. */
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

/** Joins two items that other links of the bundle may have joined. */
function joinOnce(left, right, join) {
  const [list, item] = left.bundle === undefined ? [left.after, right] : [right.before, left];
  if (!list.includes(item)) join(left, right);
}

/** Orders the items of each column by the mean place of their neighbours, to and fro. */
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

/** The mean of a property of some items; of none a given value. */
function meanOf(items, property, otherwise) {
  if (items.length === 0) return otherwise;
  let sum = 0;
  for (const item of items) sum += item[property];
  return sum / items.length;
}
