// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// `configdi graph`: prints the wiring of a module as a diagram.
  struct GraphCommand: PrintingCommand {
    static let configuration = CommandConfiguration(
      commandName: "graph",
      abstract: "Print the graph of services and references.",
      discussion: """
        The format dot (the same as text) is for Graphviz, the format mermaid for pages that render Mermaid. A \
        missing variable is not an error. If the composition has errors, they are printed instead.

        The format html is a single self-contained page with all environments of the module: the reader switches \
        between them and sees the differences. -e selects the one that is shown first. Environments with errors are \
        omitted, and no value is shown if a file that cannot be read may declare it as secret. The page shows what \
        set each part of a service, searches, focuses on the neighbours of a service, finds the path between two \
        services, and folds services whose ids have a common prefix. It contains no secrets.

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

    /// Writes the page about all environments, and hints about omitted environments and hidden values.
    private func writePage(about composed: ComposedModule) {
      var page = WiringPage()
      composed.forEachEnvironment { composition in
        let (name, graph) = (composition.environment, composition.graph)
        page.hidesValues = !composition.knowsSecrets
        // A module without an environment may be incomplete on purpose, so its errors are not reported.
        if name == nil, graph == nil { return }
        page.add(name, graph, isShown: name == environment.environment)
      }
      StandardStream.output.write(WiringPageText(page: page).text)
      let invalid = page.environmentsWithErrors
      if !invalid.isEmpty {
        let names = invalid.map { "\"\($0.visible)\"" }.joined(separator: ", ")
        let noun = invalid.count == 1 ? "environment" : "environments"
        StandardStream.error.writeHint("the page leaves out \(noun) \(names), whose errors validate prints")
      }
      if page.hidesValues {
        StandardStream.error.writeHint("the page shows no values: what was not read may declare some of them secret")
      }
    }
  }

  /// The output formats of a diagram.
  enum DiagramFormat: String, CaseIterable, ExpressibleByArgument {
    /// The same as `dot`.
    case text
    /// For Graphviz.
    case dot
    /// For pages that render Mermaid.
    case mermaid
    /// For programs.
    case json
    /// A single page that loads no other file.
    case html
  }
#endif
