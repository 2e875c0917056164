// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// A module file in another syntax.
///
/// What the file says stays as it is, its paths too; comments and the way that numbers are written get lost.
package struct Conversion: Sendable {
  /// What stands in the way, sorted; the text is there if and only if nothing does.
  package let diagnostics: [Diagnostic]
  /// How many findings there are, also those that are not kept.
  package let counts: FindingCounts
  /// The file in the other syntax.
  package let text: String?
  /// The file that was read, and what of it is not shown: another file may declare its parameters secret.
  package let source: TextRenderer.Source

  /// Reads a file and writes it in another syntax.
  ///
  /// - Parameters:
  ///   - entry: The file. Its imports are not looked at.
  ///   - path: The path of the file to be written, whose ending tells the syntax.
  ///   - syntaxes: The syntaxes that can be read beside those of the library; no other is written either.
  package init(
    of entry: Entry, to path: String, files access: any FileAccess, syntaxes: [ModuleSyntax] = [],
    limits: Limits = Limits()
  ) {
    let files = ModuleFiles(reading: entry, root: nil, access: access, limits: limits, syntaxes: syntaxes)
    let document = files.documents.documents[Int(files.entryFile.index)]
    var bag = files.findings[Int(files.entryFile.index)]
    if case .failure(let failure) = files.entry {
      let start = Place.bytes(files.entryFile, start: 0, end: 0, path: "")
      bag.report(failure.finding(of: entry.name, at: start, missing: .unreadableFile))
    }
    let syntax = Syntax(path: path)
    if let syntax, Syntax.readable(with: syntaxes).contains(syntax) {
      for node in document.unwritableNodes(in: syntax) { bag.report(.unwritable(at: document.reference(node))) }
      text = bag.hasErrors ? nil : document.text(in: syntax)
    } else {
      let failure = syntax.map { ModuleFiles.Failure.syntaxNotBuiltIn($0) } ?? .unknownExtension
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
  /// A text that XML cannot hold.
  fileprivate static func unwritable(at node: NodeRef) -> Finding {
    Finding(
      .invalidCharacter, "a property list cannot contain a character of this string", at: node,
      help: "XML does not allow control characters; convert to another syntax, or write the bytes as base64 data")
  }
}
