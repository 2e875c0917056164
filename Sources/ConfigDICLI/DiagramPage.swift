// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDI
  internal import ConfigDITooling

  /// A wiring diagram as one page of HTML that needs nothing else: no other file, no network.
  ///
  /// The data stand in the page as JSON and reach it as text alone, so that no name of a module can become markup or code.
  struct DiagramPage {
    /// The wiring.
    private let diagram: WiringDiagram
    /// The environment that it was composed in, or nil.
    private let environment: String?

    /// A page about a diagram.
    init(_ diagram: WiringDiagram, environment: String?) {
      self.diagram = diagram
      self.environment = environment
    }

    /// The page; ends with a line break.
    var text: String {
      let title = diagram.module + (environment.map { " (\($0))" } ?? "")
      let services = "\(diagram.nodes.count) \(diagram.nodes.count == 1 ? "service" : "services")"
      let references = "\(diagram.edges.count) \(diagram.edges.count == 1 ? "reference" : "references")"
      return """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <meta http-equiv="Content-Security-Policy" \
        content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
        <title>\(DiagramPage.escaped(title)) - wiring</title>
        <style>
        \(DiagramPage.style)
        </style>
        </head>
        <body>
        <header>
        <h1>\(DiagramPage.escaped(title))</h1>
        <p>\(services), \(references)</p>
        <input id="search" type="search" placeholder="Search id, type or tag" aria-label="Search" autocomplete="off">
        <output id="matches"></output>
        <button id="fit" type="button">Fit</button>
        <button id="theme" type="button">Dark or light</button>
        </header>
        <main>
        <svg id="diagram" role="group" aria-label="Services and what they hold of one another"></svg>
        <aside id="details" aria-live="polite"><p>Click a service to see what it uses and what uses it.</p></aside>
        </main>
        <noscript><p>This page draws its diagram with a script of its own.</p></noscript>
        <script id="data" type="application/json">\(data)</script>
        <script>
        \(DiagramPage.script)
        </script>
        </body>
        </html>

        """
    }

    /// The nodes and edges as JSON in which no tag can begin.
    private var data: String {
      JSONWriter.text(of: diagram.value, .line)
        .split(separator: "<", omittingEmptySubsequences: false).joined(separator: "\\u003c")
    }

    /// A text for the content of an element.
    private static func escaped(_ text: String) -> String {
      text.unicodeScalars.reduce(into: "") { escaped, scalar in
        switch scalar {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        default: escaped.unicodeScalars.append(scalar)
        }
      }
    }
  }
#endif
