// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDI
  internal import ConfigDITooling

  /// A wiring diagram as one page of HTML that needs nothing else: no other file, no network.
  ///
  /// The data stand in the page as JSON and reach it as text alone, so that no name of a module can become markup or code.
  /// If one did, the page's policy would not run it: it allows one script and one style, by their hashes.
  struct DiagramPage {
    /// The wiring.
    private let diagram: WiringDiagram
    /// The environment that it was composed in, or nil.
    private let environment: String?

    /// A page about a diagram.
    init(_ diagram: WiringDiagram, environment: String?) {
      self.diagram = diagram.visible
      self.environment = environment
    }

    /// The page; ends with a line break.
    var text: String {
      // A browser hashes the content of an element with its line breaks.
      let (style, script) = ("\n\(DiagramPage.style)\n", "\n\(DiagramPage.script)\n")
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
        content="default-src 'none'; style-src \(DiagramPage.hash(of: style)); script-src \(DiagramPage.hash(of: script))">
        <title>\(DiagramPage.escaped(title)) - wiring</title>
        <style>\(style)</style>
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
        <script>\(script)</script>
        </body>
        </html>

        """
    }

    /// The nodes and edges as JSON in which no tag can begin.
    private var data: String { JSONWriter.text(of: diagram.value, .line).escaping { $0 == "<" ? "\\u003c" : nil } }

    /// A text for the content of an element.
    private static func escaped(_ text: String) -> String {
      text.visible.escaping { scalar in
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        default: nil
        }
      }
    }

    /// What allows an inline script or style of this very text (Content Security Policy Level 3, section 2.3.1).
    private static func hash(of text: String) -> String { "'sha256-\(Base64.text(of: SHA256.hash(of: text.utf8)))'" }
  }

  extension WiringDiagram {
    /// The diagram with what is not safe to show in argument keys escaped; ids and types have letters and signs alone.
    fileprivate var visible: WiringDiagram {
      var diagram = self
      for index in diagram.edges.indices { diagram.edges[index].argument = diagram.edges[index].argument.visible }
      return diagram
    }
  }
#endif
