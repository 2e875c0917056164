// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftDiagnostics
  import SwiftParser
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import SwiftSyntaxMacroExpansion
  import SwiftSyntaxMacros

  @testable import ConfigDIMacros

  /// The result of expanding the macros of a source text.
  struct Expansion {
    /// The expanded source.
    let text: String
    /// The diagnostics: line and column, both 1-based, and the message.
    let findings: [String]
    /// For each fix-it its message, and the source with the fix-it applied.
    let fixed: [(message: String, text: String)]

    /// Expands the macros of a source text.
    ///
    /// - Parameter conforms: Whether the types conform to `Resolvable` without the macro, as the compiler would find
    ///   out.
    init(_ source: String, conforms: Bool = false) {
      let file = Parser.parse(source: source)
      let root = BasicMacroExpansionContext(
        sourceFiles: [file: .init(moduleName: "Module", fullFilePath: "/Module/File.swift")])
      let macros = [
        "Injectable": MacroSpec(type: InjectableMacro.self),
        "Resolvable": MacroSpec(type: ResolvableMacro.self, conformances: conforms ? [] : ["Resolvable"]),
      ]
      let expanded = file.expand(
        macroSpecs: macros,
        contextGenerator: {
          BasicMacroExpansionContext(sharingWith: root, lexicalContext: $0.allMacroLexicalContexts())
        }, indentationWidth: .spaces(2)
      ).description
      // Versions of swift-syntax differ in whether the line break after the attribute is kept.
      text = String(expanded.drop { $0.isNewline })
      findings = root.diagnostics.map { diagnostic in
        let place = root.location(for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "")
        return "\(place.line):\(place.column) \(diagnostic.message)"
      }
      fixed = root.diagnostics.flatMap(\.fixIts).map { fixIt in
        (fixIt.message.message, Expansion.apply(fixIt, to: source, in: root))
      }
    }

    /// Returns the lines that begin with a text, without indentation.
    func lines(beginningWith start: String) -> [String] {
      text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix(start) }.map(String.init)
    }

    /// Expands the macros of a structure `T` with an initializer of the given signature.
    init(making signature: String) { self.init(holding: "init\(signature) {}") }

    /// Expands the macros of a structure `T` with the given members.
    init(holding members: String) { self.init("@Resolvable struct T {\n  \(members)\n}") }

    /// The line that calls the initializer; `nil` if there is none.
    var call: String? {
      text.split(separator: "\n").map { $0.drop { $0 == " " } }
        .first { ["T(", "try T(", "await T(", "try await T("].contains(where: $0.hasPrefix) }.map(String.init)
    }

    /// The generated arguments, each without the common prefix.
    var arguments: [String] {
      lines(beginningWith: "let _argument").compactMap { line in
        line.firstRange(of: "ConfigDI.BuilderArgument<").map { String(line[$0.upperBound...]) }
      }
    }

    /// Returns the source with a fix-it applied.
    private static func apply(_ fixIt: FixIt, to source: String, in context: BasicMacroExpansionContext) -> String {
      var edits: [(start: Int, end: Int, text: String)] = []
      for change in fixIt.changes {
        switch change {
        case .replace(let old, let new):
          let start = context.location(for: old.position, anchoredAt: old, fileName: "").offset
          edits.append((start, start + old.totalLength.utf8Length, new.description))
        case .replaceLeadingTrivia(let token, let trivia):
          let start = context.location(for: token.position, anchoredAt: Syntax(token), fileName: "").offset
          edits.append((start, start + token.leadingTriviaLength.utf8Length, trivia.description))
        default: break
        }
      }
      var bytes = Array(source.utf8)
      for edit in edits.sorted(by: { $0.start > $1.start }) {
        bytes.replaceSubrange(edit.start..<edit.end, with: edit.text.utf8)
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
#endif
