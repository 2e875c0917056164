// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// `configdi convert`: writes a module file in another syntax.
  struct ConvertCommand: PrintingCommand {
    static let configuration = CommandConfiguration(
      commandName: "convert",
      abstract: "Convert a module file to another syntax, chosen by the file extension.",
      discussion: """
        The keys keep their order. Paths are not changed, so a file in another folder does not find its imports. \
        Comments are lost. Bytes are data in a property list and base64 text elsewhere. A property list is written \
        as XML. If the file itself has errors, they are printed, and nothing is written. The input is never changed.
        """)

    @Argument(
      help: ArgumentHelp("The file to read; - for standard input.", valueName: "in"),
      completion: .file(extensions: Syntax.allCases.flatMap(\.endings)))
    var input: String

    @Argument(
      help: ArgumentHelp("The file to write.", valueName: "out"),
      completion: .file(extensions: Syntax.allCases.flatMap(\.endings)))
    var output: String

    @Option(help: ArgumentHelp("The syntax of standard input.", valueName: "syntax"))
    var syntax: Syntax?

    @Option(help: "The format of findings.")
    var format: OutputFormat = .text

    @OptionGroup var printing: OutputOptions

    func validate() throws {
      if (input == "-") != (syntax != nil) {
        throw ValidationError(
          input == "-"
            ? "Standard input requires --syntax."
            : "--syntax is for standard input; a file's extension gives its syntax.")
      }
    }

    func run() throws {
      let files = DiskFiles()
      let target = files.canonicalPath(of: output)
      guard input == "-" || files.canonicalPath(of: input) != target else {
        throw ValidationError("IN and OUT are the same file.")
      }
      let conversion = Conversion(of: try entry(), to: output, files: files, syntaxes: .builtIn)
      if let text = conversion.text { try FileWriter.writeOrReplace(text, at: output, makesFolders: false) }
      (format == .text ? StandardStream.error : .output).write(report(conversion))
      if conversion.text == nil { throw ExitCode(ExitStatus.findings.rawValue) }
    }

    /// Returns the source to convert: a file, or the text on the standard input.
    private func entry() throws -> Entry {
      guard let syntax else { return .file(input) }
      return try .standardInput(syntax)
    }

    /// Returns the findings in the chosen format. As text the result is empty if there are no findings.
    private func report(_ conversion: Conversion) -> String {
      let diagnostics = conversion.diagnostics
      switch format {
      case .text:
        let source = conversion.source
        return TextRenderer(usesColor: StandardStream.error.usesColor) { _ in source }.findings(diagnostics)
      case .json:
        return JSONWriter.report { writer in
          writer.key("diagnostics")
          JSONRenderer.write(diagnostics, to: &writer)
          writer.member("errors", conversion.counts.errors)
          writer.member("warnings", conversion.counts.warnings)
        }
      }
    }
  }
#endif
