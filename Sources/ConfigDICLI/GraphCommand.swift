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
        The form dot, which is also that of text, is for Graphviz, mermaid for pages that draw Mermaid; html is one page \
        that needs nothing else, with search and neighbours at a click. A missing variable is no error. Where the \
        composition has errors, they are printed instead.

        EXAMPLES:
          configdi graph app.json -e prod | dot -Tsvg > wiring.svg
          configdi graph app.json -e prod --format html > wiring.html
        """)

    @OptionGroup var options: ModuleOptions

    @OptionGroup var environment: EnvironmentOption

    @Option(help: "The output format.")
    var format: DiagramFormat = .text

    @OptionGroup var printing: OutputOptions

    func run() throws {
      let composed = try options.composed(in: environment, findingsAs: format == .json ? .json : .text)
      let diagram = WiringDiagram(of: composed.module)
      switch format {
      case .text, .dot: StandardStream.output.write(diagram.dot)
      case .mermaid: StandardStream.output.write(diagram.mermaid)
      case .html: StandardStream.output.write(DiagramPage(diagram, environment: environment.environment).text)
      case .json: StandardStream.output.write(JSONWriter.text(of: diagram.value) + "\n")
      }
      try composed.end(isText: format != .json)
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
