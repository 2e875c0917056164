// SPDX-License-Identifier: Apache-2.0

/// A syntax of module files whose reader is in another library, so that this one needs no package for it.
///
/// The syntax of YAML, `ModuleSyntax.yaml`, is in the product `ConfigDIYAML`, which needs the package trait `YAML`.
///
/// ```swift
/// let container = try Container(module: "app.yaml", registry: registry, syntaxes: [.yaml])
/// ```
public struct ModuleSyntax: Sendable {
  /// The syntax.
  package let syntax: Syntax
  /// A function that reads the text of a file and reports findings to the bag, as `Document(reading:)` documents it.
  package typealias Reading =
    @Sendable (UnsafeBufferPointer<UInt8>, DocumentBuilder, inout DiagnosticBag) -> Document
  /// Reads a text. The builder has an empty document.
  let read: Reading

  /// Creates a syntax with its reader.
  package init(_ syntax: Syntax, read: @escaping Reading) {
    self.syntax = syntax
    self.read = read
  }
}

extension Syntax {
  /// Whether the library has a reader for the syntax.
  private var isBuiltIn: Bool { self != .yaml }

  /// Returns the syntaxes that can be read with the built-in readers and the given ones.
  package static func readable(with syntaxes: [ModuleSyntax]) -> [Syntax] {
    allCases.filter { $0.isBuiltIn || syntaxes.map(\.syntax).contains($0) }
  }
}

// MARK: - Messages

extension Finding {
  /// Returns CDI0109 for a file in a syntax of the format that this program was built without.
  package static func syntaxNotBuiltIn(_ syntax: Syntax, _ path: String, at place: Place) -> Finding {
    Finding(
      .unknownFileEnding,
      "\"\(path)\" is a \(syntax.rawValue.uppercased()) file, for which this program has no support", at: place,
      help: "build configdi with the package trait \"YAML\"; in an application, enable the trait, depend on the "
        + "product ConfigDIYAML and load with `syntaxes: [.yaml]`",
      subject: path)
  }
}
