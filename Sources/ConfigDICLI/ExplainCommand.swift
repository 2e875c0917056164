// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI

  /// `configdi explain`: one service, alias, parameter or template.
  struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "explain",
      abstract: "Tells what one id is, who decided each part of it, and who uses it.",
      discussion: """
        Every part of a service or parameter is shown with the file that decided it and with what stood there before, \
        layer by layer. A path such as parameters.level names the section as well, where several have the id. A missing \
        variable is no error. Where the composition has errors, they are printed instead.

        EXAMPLES:
          configdi explain app.json mailer -e prod
          configdi explain app.json parameters.mail.host -e prod --format json
        """)

    @OptionGroup var options: ModuleOptions

    @Argument(help: "The id of a service, an alias, a parameter or a template.")
    var id: String

    @OptionGroup var environment: EnvironmentOption

    @Option(help: "The form of the output.")
    var format: OutputFormat = .text

    func run() throws {
      let composed = try options.composed(in: environment, findingsAs: format)
      let explainer = Explainer(composed.graph)
      guard let explanation = explainer.explanation(of: id) else {
        let near = suggestions(for: id, among: explainer.ids)
        let help = near.isEmpty ? "" : " Did you mean \(near.map { "\"\($0)\"" }.joined(separator: " or "))?"
        throw ValidationError("The module has nothing with the id \"\(id)\".\(help)")
      }
      switch format {
      case .text: StandardStream.output.write(explanation.text)
      case .json:
        var writer = JSONWriter()
        writer.value(explanation.value)
        StandardStream.output.write(writer.text + "\n")
      }
      try composed.end()
    }
  }
#endif
