// SPDX-License-Identifier: Apache-2.0
// The fuzzers compile this file together with the library, as one module.
#if canImport(ConfigDI)
  @testable import ConfigDI
#endif

extension Document {
  /// What is wrong with the document in every syntax that can hold it, if it was read without a finding.
  func problemsOfWriting(with bag: DiagnosticBag, syntaxes: [ModuleSyntax] = []) -> [String] {
    guard bag.findings.isEmpty, !nodes.contains(where: { $0.kind == .date }), let json = text(in: .json) else {
      return []
    }
    return Syntax.readable(with: syntaxes).filter { unwritableNodes(in: $0).isEmpty }.compactMap { syntax in
      var bag = DiagnosticBag()
      let text = text(in: syntax, with: syntaxes) ?? ""
      let again = Document(
        reading: SourceFile(name: "again", text: text), file: file, syntax: syntax, syntaxes: syntaxes, bag: &bag)
      return bag.findings.isEmpty && again.text(in: .json) == json ? nil : "\(syntax): \(text) \(bag.findings)"
    }
  }
}
