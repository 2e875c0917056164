// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftDiagnostics
  import SwiftParser
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import SwiftSyntaxMacroExpansion
  import SwiftSyntaxMacros

  @testable import ConfigDIMacros

  /// What comes of a text whose macros are expanded.
  struct Expansion {
    /// The text behind the expansion.
    let text: String
    /// What was told: line and column, both 1-based, and the message.
    let findings: [String]
    /// The text that each way to mend something gives, under the message of that way.
    let mended: [(message: String, text: String)]

    /// Expands the macros of a text.
    ///
    /// - Parameter conforms: whether the types are `Resolvable` without the macro, as the compiler would find out.
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
      // Whether a break stays where the attribute was, differs between versions of swift-syntax.
      text = String(expanded.drop { $0.isNewline })
      findings = root.diagnostics.map { diagnostic in
        let place = root.location(for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "")
        return "\(place.line):\(place.column) \(diagnostic.message)"
      }
      mended = root.diagnostics.flatMap(\.fixIts).map { fixIt in
        (fixIt.message.message, Expansion.apply(fixIt, to: source, in: root))
      }
    }

    /// The lines that begin with a text, without what is before them.
    func lines(beginningWith start: String) -> [String] {
      text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix(start) }.map(String.init)
    }

    /// Expands the macros of a structure `T` with an initializer of the given signature.
    init(making signature: String) { self.init(holding: "init\(signature) {}") }

    /// Expands the macros of a structure `T` with the given members.
    init(holding members: String) { self.init("@Resolvable struct T {\n  \(members)\n}") }

    /// How the initializer is called.
    var call: String? {
      text.split(separator: "\n").map { $0.drop { $0 == " " } }
        .first { ["T(", "try T(", "await T(", "try await T("].contains(where: $0.hasPrefix) }.map(String.init)
    }

    /// The arguments, each without what all of them begin with.
    var arguments: [String] {
      lines(beginningWith: "let _argument").compactMap { line in
        line.firstRange(of: "ConfigDI.BuilderArgument<").map { String(line[$0.upperBound...]) }
      }
    }

    /// Changes a text as a fix-it says.
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
