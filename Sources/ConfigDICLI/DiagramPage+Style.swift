// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  extension DiagramPage {
    /// The looks of the page, dark or light as the reader's system wants it or the button says.
    static let style = """
      :root {
        color-scheme: light dark;
        --ground: light-dark(#fbfbfa, #17191c); --panel: light-dark(#ffffff, #1f2226);
        --text: light-dark(#1d2125, #e4e6e8); --faint: light-dark(#626a73, #9aa3ad);
        --rule: light-dark(#d5d9de, #383d44); --edge: light-dark(#9aa4b0, #59626d);
        --uses: light-dark(#0b62c4, #62aaff); --used: light-dark(#a8480a, #f0a35e);
        --match: light-dark(#ffe9a8, #574a14);
      }
      :root[data-theme="light"] { color-scheme: light; }
      :root[data-theme="dark"] { color-scheme: dark; }
      * { box-sizing: border-box; }
      html, body { height: 100%; margin: 0; }
      body {
        display: flex; flex-direction: column; background: var(--ground); color: var(--text);
        font: 14px/1.45 system-ui, sans-serif;
      }
      header {
        display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; padding: 8px 14px;
        background: var(--panel); border-bottom: 1px solid var(--rule);
      }
      h1 { font-size: 16px; margin: 0; overflow-wrap: anywhere; }
      header p { margin: 0; color: var(--faint); }
      header input { margin-left: auto; width: 16em; max-width: 100%; }
      header output { min-width: 5.5em; color: var(--faint); }
      input, button {
        font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--rule); border-radius: 5px;
        padding: 3px 8px;
      }
      button { cursor: pointer; }
      main { flex: 1; display: flex; min-height: 0; }
      svg { flex: 1; min-width: 0; cursor: grab; touch-action: none; user-select: none; -webkit-user-select: none; }
      svg:active { cursor: grabbing; }
      aside {
        width: 300px; overflow: auto; padding: 10px 14px; background: var(--panel); border-left: 1px solid var(--rule);
        overflow-wrap: anywhere;
      }
      aside h2 { font-size: 15px; margin: 0 0 6px; }
      aside h3 { font-size: 12px; margin: 14px 0 4px; color: var(--faint); font-weight: 600; }
      aside dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 10px; margin: 0; }
      aside dt { color: var(--faint); }
      aside dd { margin: 0; }
      aside ul { list-style: none; margin: 0; padding: 0; }
      aside li { padding: 1px 0; }
      aside li button { border: 0; padding: 0; background: none; color: var(--uses); text-align: left; }
      aside li span { color: var(--faint); }
      noscript p { padding: 0 14px; }
      .node rect { fill: var(--panel); stroke: var(--edge); rx: 5px; }
      .node.other rect { stroke-dasharray: 5 3; }
      .node text { fill: var(--text); font-size: 12px; pointer-events: none; }
      .node text + text { fill: var(--faint); font-size: 10.5px; }
      .node { cursor: pointer; }
      .node:focus-visible { outline: none; }
      .node:focus-visible rect, .node.chosen rect { stroke: var(--uses); stroke-width: 2.5px; }
      .node.match rect { fill: var(--match); }
      .node.uses rect { stroke: var(--uses); }
      .node.used rect { stroke: var(--used); }
      .edge { fill: none; stroke: var(--edge); }
      .edge.optional { stroke-dasharray: 5 3; }
      .edge.lazy, .edge.provider { stroke-dasharray: 2 3; }
      .edge.uses { stroke: var(--uses); stroke-width: 2px; }
      .edge.used { stroke: var(--used); stroke-width: 2px; }
      #head path { fill: var(--edge); }
      svg.focused .node:not(.chosen, .uses, .used), svg.searched .node:not(.match) { opacity: 0.25; }
      svg.focused .edge:not(.uses, .used), svg.searched .edge { opacity: 0.12; }
      @media (max-width: 700px) { main { flex-direction: column; } aside { width: auto; max-height: 40%; } }
      """
  }
#endif
