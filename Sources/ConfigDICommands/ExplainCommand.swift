// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// `configdi explain`: prints the parts of the entry with an id and the place in the files that set each part, or the
  /// explanation of a diagnostic code.
  struct ExplainCommand: PrintingCommand {
    static let configuration = CommandConfiguration(
      commandName: "explain",
      abstract: "Explain a service, parameter, alias, binding or template, or the code of a finding.",
      usage: """
        configdi explain [<options>] <module> <id>
        configdi explain [--format <format>] <code>
        """,
      discussion: """
        Shows each part with the place that set it, its earlier values, and the parameters, variables and defaults \
        from which its value comes; what layers removed; the condition and its result; what it uses and what uses \
        it; and in an environment what differs from the module without one. If a service and a parameter have the \
        same id, the service is explained; write parameters.ID for the parameter. A missing variable is not an \
        error: its value is <unset NAME>. If the composition has errors, they are printed instead.

        With only the code of a finding, explains the code, with an example and a fix.

        EXAMPLES:
          configdi explain app.json mailer -e prod
          configdi explain app.json parameters.mail.host -e prod --format json
          configdi explain CDI0501
        """)

    @Argument(help: CompositionOptions.moduleHelp, completion: NameCompletion.moduleOrCode)
    var module: String

    @OptionGroup var options: CompositionOptions

    @Argument(
      help: "The id of a service, parameter, alias or template, or the name of a binding.",
      completion: NameCompletion.explained)
    var id: String?

    @OptionGroup var environment: EnvironmentOption

    @Option(help: "The output format.")
    var format: OutputFormat = .text

    @OptionGroup var printing: OutputOptions

    func validate() throws {
      try options.checkSyntax(of: module)
      if id == nil, !CodeExplanation.isCode(module) {
        throw ValidationError("explain requires a module and an id, or the code of a finding.")
      }
    }

    func run() throws {
      guard let id else { return try explainCode(module) }
      let composed = try options.composed(module, in: environment, findingsAs: format)
      let explainer = Explainer(composed.graph)
      let base = environment.environment == nil ? nil : composed.base
      let explanation = base.map { explainer.explanation(of: id, since: $0) } ?? explainer.explanation(of: id)
      guard let explanation else {
        let near = SuggestionIndex.clause(suggestions(for: id, among: explainer.ids))
        throw ExitCode.refusal(
          "no service, parameter, alias, binding or template has the id \"\(id)\"\(near)", as: format)
      }
      switch format {
      case .text: StandardStream.output.write(explanation.text(usesColor: StandardStream.output.usesColor))
      case .json: StandardStream.output.write(JSONWriter.text(of: explanation.value) + "\n")
      }
      try composed.end(isText: format == .text, dependsOnTypes: explanation.hasReferences)
    }

    /// Prints the explanation of a diagnostic code.
    private func explainCode(_ code: String) throws {
      let page = CodePage(PackageResources.DiagnosticCodes_md)
      guard let explanation = page[code] else {
        let near = SuggestionIndex.clause(suggestions(for: code.uppercased(), among: page.codes))
        throw ExitCode.refusal("no finding has the code \"\(code)\"\(near)", as: format)
      }
      switch format {
      case .text: StandardStream.output.write(explanation.text)
      case .json: StandardStream.output.write(JSONWriter.text(of: explanation.value) + "\n")
      }
    }
  }
#endif
