// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// `configdi explain`: what one id is and who decided each part of it.
  struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "explain",
      abstract: "Explain a service, parameter, alias or template: which file decided each part.",
      discussion: """
        Shows each part with the place that decided it and what stood there before, the condition, what it uses and what \
        uses it. Where a service and a parameter have one id, the service is meant; write parameters.ID for the other. A \
        missing variable is no error, its value is <unset NAME>. Where the composition has errors, they are printed \
        instead.

        EXAMPLES:
          configdi explain app.json mailer -e prod
          configdi explain app.json parameters.mail.host -e prod --format json
        """)

    @OptionGroup var options: ModuleOptions

    @Argument(help: "The id of a service, parameter, alias or template.")
    var id: String

    @OptionGroup var environment: EnvironmentOption

    @Option(help: "The output format.")
    var format: OutputFormat = .text

    func run() throws {
      let composed = try options.composed(in: environment, findingsAs: format)
      let explainer = Explainer(composed.graph)
      guard let explanation = explainer.explanation(of: id) else {
        let near = SuggestionIndex.help(suggestions(for: id, among: explainer.ids)).map { "; " + $0 } ?? "."
        throw ValidationError("No service, parameter, alias or template has the id \"\(id)\"\(near)")
      }
      switch format {
      case .text: StandardStream.output.write(explanation.text(usesColor: StandardStream.output.usesColor))
      case .json: StandardStream.output.write(JSONWriter.text(of: explanation.value) + "\n")
      }
      try composed.end()
    }
  }
#endif
