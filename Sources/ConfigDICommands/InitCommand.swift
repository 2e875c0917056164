// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// `configdi init`: writes a starter module.
  struct InitCommand: PrintingCommand {
    static let configuration = CommandConfiguration(
      commandName: "init",
      abstract: "Create a starter module: an entry module and one layer, ready to validate.",
      discussion: """
        The folder is created if it is missing. Existing files are never overwritten: if one of them exists, nothing \
        is written and the exit status is 1. The files refer to the schema that is written beside them, so that \
        editors check and complete them. If there are no settings of VS Code, they are written as well, as an \
        example for files that do not name the schema. configdi schema writes a more complete schema.

        EXAMPLES:
          configdi init
          configdi init Configs
        """)

    @Argument(help: ArgumentHelp("The folder to write to.", valueName: "dir"), completion: .directory)
    var folder = "."

    @Option(help: "The output format.")
    var format: OutputFormat = .text

    @OptionGroup var printing: OutputOptions

    func run() throws {
      let paths = StarterModule.files.map { Path.normalize(Path.join(folder, $0.name)) }
      let existing = paths.filter { FileWriter(path: $0).exists }
      guard existing.isEmpty else {
        throw ExitCode.refusal(
          "\(existing.quotedList) \(existing.count == 1 ? "exists" : "exist"); nothing was written", as: format)
      }
      for (path, file) in zip(paths, StarterModule.files) { try FileWriter.create(file.text, at: path) }
      // Existing settings belong to the user and stay unchanged.
      let settings = Path.normalize(Path.join(folder, StarterModule.settings.name))
      let hasSettings = FileWriter(path: settings).exists
      if !hasSettings { try FileWriter.create(StarterModule.settings.text, at: settings) }
      StandardStream.output.write(text(about: paths + (hasSettings ? [] : [settings])))
    }

    /// Returns the list of written files. As text it ends with a command to try next, unless quiet.
    private func text(about paths: [String]) -> String {
      switch format {
      case .text:
        let hint = printing.quiet ? "" : "try: \(ToolContext.current.name) validate \(paths[0].visible)\n"
        return paths.map { "wrote \($0.visible)\n" }.joined() + hint
      case .json: return JSONWriter.report { $0.member("files", paths) }
      }
    }
  }
#endif
