// SPDX-License-Identifier: Apache-2.0
// The fuzzers compile this file and the library as one module, with the imports of the library removed.
package import ConfigDI
internal import ConfigDITooling

extension Document {
  /// Reads arbitrary bytes, and returns the defects of the document, of the positions of its findings and, if there are
  /// no findings, of the document written in each syntax that can represent it.
  ///
  /// - Parameters:
  ///   - added: Syntaxes in addition to those of the library.
  ///   - nesting: The maximum nesting. It is low because mutations of the input reach few levels.
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

  /// Returns the syntaxes in which the document changes when it is written and read again. Empty if it has findings.
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
