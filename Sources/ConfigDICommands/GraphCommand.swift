// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// `configdi graph`: the wiring of a module as a drawing.
  struct GraphCommand: PrintingCommand {
    static let configuration = CommandConfiguration(
      commandName: "graph",
      abstract: "Print the graph of services and references.",
      discussion: """
        The form dot, which is also that of text, is for Graphviz, mermaid for pages that draw Mermaid. A missing variable \
        is no error. Where the composition has errors, they are printed instead.

        The form html is one page that needs nothing else. It has all environments of the module: the reader switches \
        between them and sees what differs. -e says which is shown first; one that has errors is left out, and no \
        value is shown where a file that cannot be read may declare it secret. The page tells \
        who decided each part of a service, searches, focuses on what is around a service, finds the path between two, \
        and folds services whose ids begin alike. It holds no secrets.

        EXAMPLES:
          configdi graph app.json -e prod | dot -Tsvg > wiring.svg
          configdi graph app.json -e prod --format html > wiring.html
        """)

    @Argument(help: CompositionOptions.moduleHelp, completion: CompositionOptions.moduleCompletion)
    var module: String

    @OptionGroup var options: CompositionOptions

    @OptionGroup var environment: EnvironmentOption

    @Option(help: "The output format.")
    var format: DiagramFormat = .text

    @OptionGroup var printing: OutputOptions

    func validate() throws { try options.checkSyntax(of: module) }

    func run() throws {
      let composed = try options.composed(
        module, in: environment, readingAllEnvironments: format == .html, findingsAs: format == .json ? .json : .text)
      lazy var diagram = WiringDiagram(of: composed.module)
      switch format {
      case .text, .dot: StandardStream.output.write(diagram.dot)
      case .mermaid: StandardStream.output.write(diagram.mermaid)
      case .html: writePage(about: composed)
      case .json: StandardStream.output.write(JSONWriter.text(of: diagram.value) + "\n")
      }
      try composed.end(isText: format != .json)
    }

    /// Writes the page about all environments, and says which of them are left out.
    private func writePage(about composed: ComposedModule) {
      var page = WiringPage()
      composed.forEachEnvironment { composition in
        let (name, graph) = (composition.environment, composition.graph)
        page.hidesValues = !composition.knowsSecrets
        // Without any layer a module may be incomplete on purpose.
        if name == nil, graph == nil { return }
        page.add(name, graph, isShown: name == environment.environment)
      }
      StandardStream.output.write(WiringPageText(page).text)
      let invalid = page.environmentsWithErrors
      guard !invalid.isEmpty else { return }
      let names = invalid.map { "\"\($0.visible)\"" }.joined(separator: ", ")
      let noun = invalid.count == 1 ? "environment" : "environments"
      StandardStream.error.writeHint("the page leaves out \(noun) \(names), whose errors validate prints")
      guard page.hidesValues else { return }
      StandardStream.error.writeHint("the page shows no values: what was not read may declare some of them secret")
    }
  }

  /// The forms of a drawing.
  enum DiagramFormat: String, CaseIterable, ExpressibleByArgument {
    /// The same as `dot`.
    case text
    /// For Graphviz.
    case dot
    /// For pages that draw Mermaid.
    case mermaid
    /// For programs.
    case json
    /// One page that needs nothing else.
    case html
  }
#endif
