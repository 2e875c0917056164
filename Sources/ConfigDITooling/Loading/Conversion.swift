// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The conversion of a module file to another syntax.
///
/// Keeps the content of the file, including its paths. Loses comments and the notation of numbers.
package struct Conversion: Sendable {
  /// The findings, sorted. `text` is `nil` if one of them is an error.
  package let diagnostics: [Diagnostic]
  /// The number of findings, including those left out of `diagnostics`.
  package let counts: FindingCounts
  /// The text in the other syntax, or `nil` if the file cannot be converted.
  package let text: String?
  /// The file that was read, and the parts of it that are not shown because they may be secret.
  package let source: TextRenderer.Source

  /// Reads a file and writes it in another syntax.
  ///
  /// - Parameters:
  ///   - entry: The file. Its imports are not read.
  ///   - path: The path of the file to be written. Its extension determines the syntax.
  ///   - syntaxes: The syntaxes that can be read and written in addition to those of the library.
  package init(
    of entry: Entry, to path: String, files access: any FileAccess, syntaxes: [ModuleSyntax] = [],
    limits: Limits = Limits()
  ) {
    let files = ModuleFiles(ModuleRequest(entry: entry, limits: limits, syntaxes: syntaxes), access)
    let document = files.documents.documents[Int(files.entryFile.index)]
    var bag = files.findings[Int(files.entryFile.index)]
    if case .failure(let failure) = files.entry {
      let start = Place.bytes(files.entryFile, start: 0, end: 0, path: "")
      bag.report(failure.finding(of: entry.name, at: start, missing: .unreadableFile))
    }
    let syntax = Syntax(path: path)
    let readable = Syntax.readable(with: syntaxes)
    if let syntax, readable.contains(syntax) {
      for node in document.unwritableNodes(in: syntax) { bag.report(.unwritable(at: document.reference(node))) }
      text = bag.hasErrors ? nil : document.text(in: syntax)
    } else {
      let failure = syntax.map { ModuleFiles.Failure.syntaxNotBuiltIn($0) } ?? .unknownExtension(readable: readable)
      bag.report(failure.finding(of: path, at: .commandLine(path: ""), missing: .fileNotFound))
      text = nil
    }
    let hidden = Redactions(secretsIn: files, isWholeLoad: false)
    source = TextRenderer.Source(document.source, masks: hidden.masks(of: document.file))
    let check = FindingsReport.Check(environment: nil, bag: bag, files: [document.file])
    let report = FindingsReport(checks: [check], documents: [document], order: [document.file], hidden: hidden)
    let (shown, truncated, _) = report.resolved()
    diagnostics = shown
    counts = FindingCounts(of: shown) + truncated
  }
}

// MARK: - Messages

extension Finding {
  /// A string with a character that XML does not allow.
  fileprivate static func unwritable(at node: NodeRef) -> Finding {
    Finding(
      .invalidCharacter, "a property list cannot contain a character of this string", at: node,
      help: "XML does not allow control characters; convert to another syntax, or write the bytes as base64 data")
  }
}
