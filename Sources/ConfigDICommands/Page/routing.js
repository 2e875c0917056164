// SPDX-License-Identifier: Apache-2.0

// Layered drawing, step three: the lines between the columns, and the complete drawing.

const trackGap = 7, lineMargin = 16;

/** Adds the crossings of a bundle: for each gap after a column, the positions that it connects on both sides. */
function addCrossings(bundle, crossings) {
  const gaps = new Map();
  const add = (column, side, y) => {
    if (!gaps.has(column)) gaps.set(column, { left: [], right: [] });
    gaps.get(column)[side].push(y);
  };
  for (const [column, lane] of bundle.lanes) {
    add(column - 1, "right", lane.y);
    add(column, "left", lane.y);
  }
  for (const { tail, head } of bundle.links) {
    add(tail.column, "left", tail.leaving.get(bundle));
    add(head.column - 1, "right", head.arriving.get(bundle));
  }
  const mean = (heights) => heights.reduce((sum, y) => sum + y, 0) / heights.length;
  for (const [column, { left, right }] of gaps) {
    const top = Math.min(...left, ...right), bottom = Math.max(...left, ...right);
    if (bottom - top < 0.5) continue;
    crossings[column].push({ bundle, column, top, bottom, left: mean(left), right: mean(right) });
  }
}

/** Assigns crossings of a gap to vertical tracks. Of those that go down, the one that starts lowest turns first. */
function assignTracks(crossings) {
  const down = crossings.filter((crossing) => crossing.left <= crossing.right).sort((a, b) => b.left - a.left);
  const up = crossings.filter((crossing) => crossing.left > crossing.right).sort((a, b) => a.left - b.left);
  const tracks = [];
  for (const crossing of [...down, ...up]) {
    const isFree = (track) => track.every(
      (other) => other.top - 8 > crossing.bottom || other.bottom + 8 < crossing.top);
    let number = tracks.findIndex(isFree);
    if (number < 0) number = tracks.push([]) - 1;
    tracks[number].push(crossing);
    crossing.bundle.tracks.set(crossing.column, number);
  }
  return tracks.length;
}

/** Sets the horizontal positions of columns, with room for tracks between. Returns the start of each gap's tracks. */
function placeAcross(columns, bundles) {
  const crossings = columns.map(() => []);
  for (const bundle of bundles) addCrossings(bundle, crossings);
  let x = 0;
  return columns.map((column, number) => {
    const width = column.reduce((widest, item) => Math.max(widest, item.width), 0);
    for (const item of column) {
      item.x = x;
      item.end = item.bundle === undefined ? x + item.width : x + width;
    }
    const count = assignTracks(crossings[number]);
    const start = x + width + lineMargin;
    x = start + Math.max(1, count) * trackGap + lineMargin;
    return start;
  });
}

/** Returns the corners of a link. */
function pointsOf(link, starts) {
  const { bundle, tail, head } = link;
  let y = tail.leaving.get(bundle);
  const points = [{ x: tail.end, y }];
  for (let column = tail.column; column < head.column; column++) {
    const next = column + 1 === head.column ? head.arriving.get(bundle) : bundle.lanes.get(column + 1).y;
    const track = bundle.tracks.get(column);
    if (track !== undefined && Math.abs(next - y) >= 0.5) {
      const x = starts[column] + track * trackGap;
      points.push({ x, y }, { x, y: next });
    }
    y = next;
  }
  points.push({ x: head.x, y });
  for (const point of points) point.y = Math.round(point.y * 10) / 10;
  return link.isReversed ? points.reverse() : points;
}

/** Returns the corners of a link from a box to itself, around its upper right corner. */
function loopPoints(item) {
  const right = item.x + item.width, top = item.y - item.height / 2;
  return [
    { x: right, y: top + 8 }, { x: right + 10, y: top + 8 }, { x: right + 10, y: top - 7 }, { x: right - 14, y: top - 7 },
    { x: right - 14, y: top },
  ];
}

/** Places the items without links in rows below the others. */
function placeLoose(loose, bottom, width) {
  let x = 0, y = bottom;
  for (const item of loose) {
    if (x > 0 && x + item.width > width) {
      x = 0;
      y += 58;
    }
    item.x = x;
    item.y = y + item.height / 2;
    x += item.width + 16;
  }
}

/** Returns the positions of nodes, and the lines of the links between them. */
function layoutOf(nodes, links) {
  const items = nodes.map((node) => ({
    node, ...sizeOf(node), heads: [], tails: [], before: [], after: [], x: 0, y: 0, weight: 1,
  }));
  const byKey = new Map(items.map((item) => [item.node.key, item]));
  const all = links.map((link) => ({ link, from: byKey.get(link.source.key), to: byKey.get(link.target.key) }));
  const proper = all.filter((link) => link.from !== link.to);
  const joined = new Set(proper.flatMap((link) => [link.from, link.to]));
  const order = orderWithoutCircles(items.filter((item) => joined.has(item)), proper);
  if (order.length > 0) placeJoined(order, proper);
  const bounds = boundsOf(
    order.flatMap((item) => [{ x: item.x, y: item.y - item.height / 2 }, { x: item.x + item.width, y: item.y + item.height / 2 }])
      .concat(...proper.map((link) => link.points), { x: 0, y: order.length > 0 ? order[0].y : 0 }));
  const loose = items.filter((item) => !joined.has(item));
  placeLoose(
    loose, bounds.bottom + (order.length > 0 ? 44 : 0),
    Math.max(900, bounds.right, Math.sqrt(loose.length * 58 * 180 * shape)));
  for (const link of all) if (link.from === link.to) link.points = loopPoints(link.from);
  for (const link of all) link.box = boundsOf(link.points);
  return { items, links: all, byKey };
}

/** Places the items that have links, and sets the lines of the links. */
function placeJoined(order, links) {
  connect(links);
  const bundles = bundlesOf(links);
  growBoxes(links);
  const columns = assignColumns(order);
  for (const bundle of bundles) addLanes(bundle, columns);
  for (const bundle of bundles) joinColumns(bundle);
  orderColumns(columns);
  placeColumns(columns);
  straightenLanes(columns);
  separateLanes(columns);
  placePorts(order, links, "head", -1, "arriving");
  separatePorts(columns, -1, "arriving");
  placePorts(order, links, "tail", 1, "leaving");
  separatePorts(columns, 1, "leaving");
  const starts = placeAcross(columns, bundles);
  for (const link of links) link.points = pointsOf(link, starts);
}

/** Increases the height of boxes to make room for the lines that meet one side, up to a limit. */
function growBoxes(links) {
  const sides = { tail: new Map(), head: new Map() };
  for (const end of ["tail", "head"]) {
    for (const link of links) {
      if (!sides[end].has(link[end])) sides[end].set(link[end], new Set());
      sides[end].get(link[end]).add(link.bundle);
    }
    for (const [item, bundles] of sides[end]) item.height = Math.max(item.height, Math.min(200, bundles.size * 6 + 10));
  }
}

/** Returns the bounding box of points. */
function boundsOf(points) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y } of points) {
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}
