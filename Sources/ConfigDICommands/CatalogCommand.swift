// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI

  /// `catalog`: exports the registered types as data. Only embedded tools have the command, because `configdi` has no
  /// registry.
  struct CatalogCommand: PrintingCommand {
    static let configuration = CommandConfiguration(
      commandName: "catalog",
      abstract: "Export the registered types as a catalog, for tools that run without the application.",
      discussion: """
        Prints the catalog, or writes it to a file. A file that is already up to date is not written, so that it \
        causes no rebuild and no commit. With --check nothing is written, and the exit status is 1 if the file is \
        out of date.
        """)

    @Argument(
      help: ArgumentHelp("The file to write; default: the standard output.", valueName: "file"), completion: .file())
    var path: String?

    @Flag(help: "Compare with the file instead of writing it.")
    var check = false

    @Flag(help: "Include the line numbers of registrations, not only their files.")
    var lines = false

    @OptionGroup var printing: OutputOptions

    func validate() throws {
      if check, path == nil { throw ValidationError("--check requires a file.") }
    }

    func run() throws {
      let registry = ToolContext.current.registry ?? Registry()
      let text = (lines ? registry.catalogWithLines : registry.catalog).json
      guard let path else { return StandardStream.output.write(text) }
      let files = DiskFiles()
      let target = files.canonicalPath(of: path)
      let current = try? files.contents(of: target, limit: .max).get()
      if current == Array(text.utf8) { return }
      if check {
        let reason = current == nil ? "cannot be read" : "is not what the registry has"
        StandardStream.error.write("error: \"\(path.visible)\" \(reason)\n")
        throw ExitCode(ExitStatus.findings.rawValue)
      }
      try FileWriter.writeOrReplace(text, at: path)
      if !printing.quiet { StandardStream.output.write("wrote \(path.visible)\n") }
    }
  }
#endif
