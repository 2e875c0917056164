// SPDX-License-Identifier: Apache-2.0

/// A syntax of module files that another library brings, so that this one needs no package for it.
///
/// YAML is one: `ConfigDIYAML`, a product of this package that needs its trait `YAML`, has `ModuleSyntax.yaml`.
///
/// ```swift
/// let container = try Container(module: "app.yaml", registry: registry, syntaxes: [.yaml])
/// ```
public struct ModuleSyntax: Sendable {
  /// The syntax.
  package let syntax: Syntax
  /// Fills an empty document from its source and reports to the bag; what `Document(reading:)` promises, it keeps.
  package let read: @Sendable (_ document: Document, _ limits: Limits, _ bag: inout DiagnosticBag) -> Document
  /// A syntax with its reader.
  package init(
    _ syntax: Syntax,
    read: @escaping @Sendable (_ document: Document, _ limits: Limits, _ bag: inout DiagnosticBag) -> Document
  ) {
    self.syntax = syntax
    self.read = read
  }
}

extension Syntax {
  /// Whether the library reads the syntax by itself.
  private var isBuiltIn: Bool { self != .yaml }

  /// The syntaxes that can be read with the help of some others.
  package static func readable(with syntaxes: [ModuleSyntax]) -> [Syntax] {
    allCases.filter { $0.isBuiltIn || syntaxes.map(\.syntax).contains($0) }
  }
}

// MARK: - Messages

extension Finding {
  /// CDI0109 for a syntax that the format has, and that this program was built without.
  package static func syntaxNotBuiltIn(_ syntax: Syntax, _ path: String, at place: Place) -> Finding {
    var finding = Finding(
      .unknownFileEnding,
      "\"\(path)\" is a \(syntax.rawValue.uppercased()) file, for which this program has no support",
      at: place)
    finding.help =
      "build configdi with the package trait \"YAML\"; in an application, enable the trait, depend on the product "
      + "ConfigDIYAML and load with `syntaxes: [.yaml]`"
    finding.subject = path
    return finding
  }
}
