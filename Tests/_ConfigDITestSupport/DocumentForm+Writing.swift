// SPDX-License-Identifier: Apache-2.0
// The fuzzers compile this file together with the library, as one module, without its imports of the library.
package import ConfigDI
internal import ConfigDITooling

extension Document {
  /// What is wrong with what comes of any bytes: its form, the places of what is told about it and, where nothing is told,
  /// the same document written in every syntax that can hold it.
  ///
  /// - Parameters:
  ///   - added: The syntaxes beside those of the library.
  ///   - nesting: How deep the bytes may nest; few levels are reached by mutations.
  package static func problems(
    ofReading bytes: [UInt8], as syntax: Syntax, with added: [ModuleSyntax] = [], nesting: Int = 16
  ) -> [String] {
    var bag = DiagnosticBag()
    let document = Document(
      reading: SourceFile(name: "any", bytes: bytes), file: FileID(0), syntax: syntax, syntaxes: added,
      limits: Limits(fileSize: 1 << 16, nesting: nesting), bag: &bag)
    return document.problems(with: bag, hasBlocks: syntax == .yaml)
      + document.problemsOfWriting(with: bag, syntaxes: added)
  }

  /// What is wrong with the document in every syntax that can hold it, if it was read without a finding.
  private func problemsOfWriting(with bag: DiagnosticBag, syntaxes: [ModuleSyntax]) -> [String] {
    guard bag.findings.isEmpty, !nodes.contains(where: { $0.kind == .date }), let json = text(in: .json) else {
      return []
    }
    return Syntax.readable(with: syntaxes).filter { unwritableNodes(in: $0).isEmpty }.compactMap { syntax in
      var bag = DiagnosticBag()
      let text = text(in: syntax) ?? ""
      let again = Document(
        reading: SourceFile(name: "again", text: text), file: file, syntax: syntax, syntaxes: syntaxes, bag: &bag)
      return bag.findings.isEmpty && again.text(in: .json) == json ? nil : "\(syntax): \(text) \(bag.findings)"
    }
  }
}
