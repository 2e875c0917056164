// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  extension DiagramPage {
    /// The script of the page: places the services in layers, each left of what it uses, and lets a reader search,
    /// move about and follow references.
    static let script = layoutScript + "\n" + drawingScript + "\n" + readingScript

    /// Reads the data and finds the place of each service.
    ///
    /// Layers by the longest way from a service that nothing uses, without the references that close a circle; within a
    /// layer by the mean place of the neighbours. A long layer is broken into several columns.
    private static let layoutScript = #"""
      "use strict";
      const data = JSON.parse(document.getElementById("data").textContent);
      const nodes = data.nodes.map((node) => ({ ...node, uses: [], usedBy: [], rank: 0, place: 0 }));
      const byID = new Map(nodes.map((node) => [node.id, node]));
      const edges = [];
      for (const { from, to, argument, kind } of data.edges) {
        const edge = { source: byID.get(from), target: byID.get(to), argument, kind, closes: false };
        edges.push(edge);
        edge.source.uses.push(edge);
        edge.target.usedBy.push(edge);
      }

      // Depth first, without recursion: a reference back to a service that is still open closes a circle.
      function findCircles() {
        const finished = [];
        const state = new Map();
        const roots = [...nodes].sort((a, b) => a.usedBy.length - b.usedBy.length);
        for (const root of roots) {
          if (state.has(root)) continue;
          const stack = [[root, 0]];
          state.set(root, "open");
          while (stack.length > 0) {
            const top = stack[stack.length - 1];
            const edge = top[0].uses[top[1]++];
            if (edge === undefined) {
              state.set(top[0], "done");
              finished.push(top[0]);
              stack.pop();
            } else if (state.get(edge.target) === "open") {
              edge.closes = true;
            } else if (!state.has(edge.target)) {
              state.set(edge.target, "open");
              stack.push([edge.target, 0]);
            }
          }
        }
        return finished.reverse();
      }

      function layers() {
        for (const node of findCircles()) {
          for (const edge of node.uses) {
            if (!edge.closes) edge.target.rank = Math.max(edge.target.rank, node.rank + 1);
          }
        }
        const layers = [];
        for (const node of nodes) (layers[node.rank] ??= []).push(node);
        for (const layer of layers) layer.forEach((node, place) => { node.place = place / layer.length; });
        for (let sweep = 0; sweep < 12; sweep++) {
          const forward = sweep % 2 === 0;
          for (const layer of forward ? layers : [...layers].reverse()) {
            for (const node of layer) {
              const ends = forward ? node.usedBy.map((edge) => edge.source) : node.uses.map((edge) => edge.target);
              if (ends.length > 0) node.mean = ends.reduce((sum, end) => sum + end.place, 0) / ends.length;
              else node.mean = node.place;
            }
            layer.sort((a, b) => a.mean - b.mean || a.place - b.place);
            layer.forEach((node, place) => { node.place = (place + 0.5) / layer.length; });
          }
        }
        return layers;
      }

      const clip = (text) => text.length > 34 ? text.slice(0, 33) + "\u2026" : text;
      const rowHeight = 58, boxHeight = 38, gap = 70;
      let x = 0;
      for (const layer of layers()) {
        const rows = Math.max(14, Math.ceil(Math.sqrt(nodes.length) * 2));
        const columns = Math.ceil(layer.length / rows);
        const count = Math.ceil(layer.length / columns);
        for (let start = 0; start < layer.length; start += count) {
          const column = layer.slice(start, start + count);
          const length = Math.max(...column.map((node) => Math.max(clip(node.id).length, clip(node.type).length)));
          const width = Math.max(90, length * 7 + 18);
          column.forEach((node, row) => {
            Object.assign(node, { x, y: (row - column.length / 2) * rowHeight, width });
          });
          x += width + (start + count < layer.length ? 24 : gap);
        }
      }
      """#

    /// Draws the services and references.
    private static let drawingScript = #"""

      const svg = document.getElementById("diagram");
      function add(parent, name, attributes = {}, text = "") {
        const element = document.createElementNS("http://www.w3.org/2000/svg", name);
        for (const key of Object.keys(attributes)) element.setAttribute(key, attributes[key]);
        element.textContent = text;
        parent.append(element);
        return element;
      }

      const head = add(add(svg, "defs"), "marker", {
        id: "head", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto",
        markerUnits: "userSpaceOnUse",
      });
      add(head, "path", { d: "M0 0 8 4 0 8Z" });
      const canvas = add(svg, "g");

      function way({ source, target }) {
        const x1 = source.x + source.width, y1 = source.y + boxHeight / 2;
        const x2 = target.x, y2 = target.y + boxHeight / 2;
        if (source === target) {
          return `M${x1} ${y1} C${x1 + 40} ${y1 - 50} ${source.x - 40} ${y1 - 50} ${source.x} ${y1}`;
        }
        const bend = x2 > x1 ? Math.max(30, (x2 - x1) / 2) : 60;
        return `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
      }

      for (const edge of edges) {
        edge.element = add(canvas, "path", {
          class: `edge ${edge.kind}`, d: way(edge), "marker-end": "url(#head)",
        });
        add(edge.element, "title", {}, `${edge.source.id}: ${edge.argument} (${edge.kind}) is ${edge.target.id}`);
      }
      for (const node of nodes) {
        const label = `${node.id}: ${node.type}, ${node.scope}`;
        node.element = add(canvas, "g", {
          class: node.scope === "shared" ? "node" : "node other", transform: `translate(${node.x} ${node.y})`,
          tabindex: 0, role: "button", "aria-label": label,
        });
        add(node.element, "title", {}, label);
        add(node.element, "rect", { width: node.width, height: boxHeight });
        add(node.element, "text", { x: 9, y: 16 }, clip(node.id));
        add(node.element, "text", { x: 9, y: 30 }, clip(node.type));
      }
      """#

    /// Moves the drawing, searches it and shows what belongs to a service.
    private static let readingScript = #"""

      let view = { x: 0, y: 0, scale: 1 };
      function show() {
        canvas.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
      }
      function fit(shown = nodes) {
        if (shown.length === 0) return;
        const bounds = svg.getBoundingClientRect();
        const left = Math.min(...shown.map((node) => node.x));
        const right = Math.max(...shown.map((node) => node.x + node.width));
        const top = Math.min(...shown.map((node) => node.y));
        const bottom = Math.max(...shown.map((node) => node.y + boxHeight));
        const scale = Math.min((bounds.width - 40) / (right - left), (bounds.height - 40) / (bottom - top), 1.2);
        view = {
          x: bounds.width / 2 - (left + right) / 2 * scale, y: bounds.height / 2 - (top + bottom) / 2 * scale, scale,
        };
        show();
      }
      function center(node) {
        const bounds = svg.getBoundingClientRect();
        view.scale = Math.max(view.scale, 0.8);
        view.x = bounds.width / 2 - (node.x + node.width / 2) * view.scale;
        view.y = bounds.height / 2 - (node.y + boxHeight / 2) * view.scale;
        show();
      }

      svg.addEventListener("wheel", (event) => {
        event.preventDefault();
        const bounds = svg.getBoundingClientRect();
        const x = event.clientX - bounds.left, y = event.clientY - bounds.top;
        const scale = Math.min(4, Math.max(0.03, view.scale * Math.exp(-event.deltaY * 0.0015)));
        view.x = x - (x - view.x) * scale / view.scale;
        view.y = y - (y - view.y) * scale / view.scale;
        view.scale = scale;
        show();
      }, { passive: false });
      let drag = null;
      svg.addEventListener("pointerdown", (event) => {
        drag = { x: event.clientX - view.x, y: event.clientY - view.y, moved: false, from: event };
      });
      window.addEventListener("pointermove", (event) => {
        if (drag === null) return;
        if (Math.hypot(event.clientX - drag.from.clientX, event.clientY - drag.from.clientY) > 4) drag.moved = true;
        if (!drag.moved) return;
        view.x = event.clientX - drag.x;
        view.y = event.clientY - drag.y;
        show();
      });
      window.addEventListener("pointerup", () => setTimeout(() => { drag = null; }));

      const details = document.getElementById("details");
      function put(parent, name, text = "") {
        const element = document.createElement(name);
        element.textContent = text;
        parent.append(element);
        return element;
      }
      function list(title, found, end) {
        put(details, "h3", `${title} (${found.length})`);
        const items = put(details, "ul");
        for (const edge of found) {
          const item = put(items, "li");
          const button = put(item, "button", edge[end].id);
          button.type = "button";
          button.addEventListener("click", () => { choose(edge[end]); center(edge[end]); });
          put(item, "span", ` ${edge.argument}, ${edge.kind}`);
        }
      }
      function choose(node) {
        for (const element of canvas.children) element.classList.remove("chosen", "uses", "used");
        svg.classList.toggle("focused", node !== null);
        svg.classList.remove("searched");
        details.replaceChildren();
        if (node === null) {
          put(details, "p", "Click a service to see what it uses and what uses it.");
          return;
        }
        node.element.classList.add("chosen");
        for (const edge of node.uses) {
          edge.element.classList.add("uses");
          edge.target.element.classList.add("uses");
        }
        for (const edge of node.usedBy) {
          edge.element.classList.add("used");
          edge.source.element.classList.add("used");
        }
        put(details, "h2", node.id);
        const facts = put(details, "dl");
        for (const [term, text] of [["type", node.type], ["scope", node.scope], ["tags", node.tags.join(", ")]]) {
          if (text === "") continue;
          put(facts, "dt", term);
          put(facts, "dd", text);
        }
        list("uses", node.uses, "target");
        list("used by", node.usedBy, "source");
      }
      for (const node of nodes) {
        node.element.addEventListener("click", (event) => {
          event.stopPropagation();
          if (drag === null || !drag.moved) choose(node);
        });
        node.element.addEventListener("keydown", (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          choose(node);
        });
      }
      svg.addEventListener("click", () => { if (drag === null || !drag.moved) choose(null); });

      const search = document.getElementById("search");
      let matches = [];
      let shown = 0;
      search.addEventListener("input", () => {
        const wanted = search.value.trim().toLowerCase();
        choose(null);
        matches = wanted === "" ? [] : nodes.filter((node) =>
          [node.id, node.type, ...node.tags].some((text) => text.toLowerCase().includes(wanted)));
        shown = 0;
        for (const node of nodes) node.element.classList.toggle("match", matches.includes(node));
        svg.classList.toggle("searched", wanted !== "");
        document.getElementById("matches").textContent = wanted === "" ? "" : `${matches.length} found`;
      });
      search.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || matches.length === 0) return;
        const node = matches[shown++ % matches.length];
        choose(node);
        center(node);
      });
      window.addEventListener("keydown", (event) => {
        if (event.key !== "Escape") return;
        search.value = "";
        search.dispatchEvent(new Event("input"));
      });
      document.getElementById("fit").addEventListener("click", () => fit());
      document.getElementById("theme").addEventListener("click", () => {
        const root = document.documentElement;
        const isDark = root.dataset.theme
          ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
        root.dataset.theme = isDark ? "light" : "dark";
      });
      fit();
      """#
  }
#endif
