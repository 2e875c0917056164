// SPDX-License-Identifier: Apache-2.0

// Layered drawing, step two: the vertical position of each box and each lane.

/** Moves numbers minimally so that each is at least `gaps[i]` greater than the previous (pool adjacent violators). */
function spread(wanted, gaps, weights) {
  const offsets = [];
  const blocks = [];
  wanted.forEach((value, place) => {
    offsets.push(place === 0 ? 0 : offsets[place - 1] + gaps[place]);
    let block = { sum: (value - offsets[place]) * weights[place], weight: weights[place], count: 1 };
    while (blocks.length > 0) {
      const last = blocks[blocks.length - 1];
      if (last.sum / last.weight < block.sum / block.weight) break;
      blocks.pop();
      block = { sum: block.sum + last.sum, weight: block.weight + last.weight, count: block.count + last.count };
    }
    blocks.push(block);
  });
  const moved = [];
  for (const block of blocks) {
    for (let count = 0; count < block.count; count++) moved.push(block.sum / block.weight + offsets[moved.length]);
  }
  return moved;
}

/** Returns the minimum distance between the centres of two neighbours of a column. */
function distance(one, other) {
  const isLane = one.bundle !== undefined && other.bundle !== undefined;
  return (one.height + other.height) / 2 + (isLane ? 0 : boxGap);
}

/** Places the items of a column near their neighbours on one side. */
function placeColumn(column, side) {
  const gaps = column.map((item, place) => place === 0 ? 0 : distance(column[place - 1], item));
  const wanted = column.map((item) => meanOf(item[side], "y", item.y));
  const weights = column.map((item) => item[side].length === 0 ? 0.2 : item.weight);
  spread(wanted, gaps, weights).forEach((y, place) => { column[place].y = y; });
}

/** Sets the vertical position of each item: stacked at first, then near its neighbours, in alternating sweeps. */
function placeColumns(columns) {
  for (const column of columns) {
    let y = 0;
    column.forEach((item, place) => {
      y += place === 0 ? 0 : distance(column[place - 1], item);
      item.y = y;
    });
    for (const item of column) item.y -= y / 2;
  }
  for (let sweep = 0; sweep < 6; sweep++) {
    for (const column of columns) placeColumn(column, "before");
    for (const column of [...columns].reverse()) placeColumn(column, "after");
  }
}

/** Aligns each lane with the previous item of its bundle, as far as its neighbours in the column leave room. */
function straightenLanes(columns) {
  for (const column of columns) {
    column.forEach((lane, place) => {
      if (lane.bundle === undefined) return;
      const wanted = meanOf(lane.before, "y", lane.y);
      const least = place === 0 ? -Infinity : column[place - 1].y + distance(column[place - 1], lane);
      const most = place === column.length - 1 ? Infinity : column[place + 1].y - distance(lane, column[place + 1]);
      lane.y = Math.max(least, Math.min(most, wanted));
    });
  }
}

/** Creates a table of the vertical positions, in whole pixels, at which bundles run between two columns. */
function heightTable() {
  const bundles = new Map();
  return {
    add(y, bundle) {
      const key = Math.round(y);
      if (!bundles.has(key)) bundles.set(key, []);
      bundles.get(key).push(bundle);
    },
    /** Returns a position close to `y` at which no other bundle runs, or `y` if there is none. */
    free(y, bundle) {
      const isFree = (height) => [-2, -1, 0, 1, 2].every(
        (offset) => (bundles.get(Math.round(height) + offset) || []).every((other) => other === bundle));
      const offset = [0, 3, -3].find((candidate) => isFree(y + candidate));
      return offset === undefined ? y : y + offset;
    },
  };
}

/** Moves lanes away from other bundles' positions in the previous column, so that two lines do not look like one. */
function separateLanes(columns) {
  columns.slice(1).forEach((column, place) => {
    const table = heightTable();
    for (const item of columns[place]) if (item.bundle !== undefined) table.add(item.y, item.bundle);
    for (const item of column) if (item.bundle !== undefined) item.y = table.free(item.y, item.bundle);
  });
}

/** Moves the ports on one side of the boxes away from the positions of lines on the other side of the gap. */
function separatePorts(columns, side, ports) {
  columns.forEach((column, place) => {
    const table = heightTable();
    for (const item of columns[place + side] || []) {
      if (item.bundle !== undefined) table.add(item.y, item.bundle);
      else if (side > 0) for (const [bundle, y] of item.arriving || []) table.add(y, bundle);
    }
    for (const item of column) {
      if (item.bundle !== undefined || item[ports].size * 7 > item.height) continue;
      for (const [bundle, y] of item[ports]) item[ports].set(bundle, clampToBox(item, table.free(y, bundle)));
    }
  });
}

/** Sets the ports on the left (-1) or right (1) sides of boxes: lines nearly straight, ports apart and on the box. */
function placePorts(items, links, end, side, ports) {
  const wanted = new Map(items.map((item) => [item, new Map()]));
  for (const link of links) {
    const other = link.bundle.lanes.get(link[end].column + side);
    const heights = wanted.get(link[end]);
    if (!heights.has(link.bundle)) heights.set(link.bundle, []);
    const far = side > 0 ? link.head : link.tail;
    heights.get(link.bundle).push(other === undefined ? portOr(far, link.bundle, side) : other.y);
  }
  for (const [item, bundles] of wanted) {
    const met = [...bundles].map(([bundle, heights]) => ({
      bundle, y: clampToBox(item, heights.reduce((sum, y) => sum + y, 0) / heights.length),
    }));
    met.sort((one, other) => one.y - other.y);
    item[ports] = new Map(apart(item, met.map((port) => port.y)).map((y, place) => [met[place].bundle, y]));
  }
}

/** Returns the position of a bundle's port on a box, or the centre of the box if its ports are not set yet. */
function portOr(item, bundle, side) {
  const ports = side > 0 ? item.arriving : item.leaving;
  return ports === undefined || !ports.has(bundle) ? item.y : ports.get(bundle);
}

/** Returns positions on the side of a box, moved apart. */
function apart(item, heights) {
  const gap = Math.min(8, (item.height - 12) / Math.max(1, heights.length - 1));
  const top = item.y - item.height / 2 + 6, bottom = item.y + item.height / 2 - 6;
  const moved = spread(heights, heights.map(() => gap), heights.map(() => 1));
  return moved.map((y, place) => Math.min(
    Math.max(y, top + place * gap), bottom - (heights.length - 1 - place) * gap));
}

/** Returns the position on the side of a box that is nearest to `y`. */
function clampToBox(item, y) {
  const reach = item.height / 2 - 6;
  return Math.min(item.y + reach, Math.max(item.y - reach, y));
}
