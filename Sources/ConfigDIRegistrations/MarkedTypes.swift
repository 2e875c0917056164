// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftParser
  import SwiftSyntax

  /// A visitor that finds the types with `@Resolvable` in a file.
  ///
  /// If a file has syntax errors, the readable parts are used. The compiler reports the errors.
  final class MarkedTypes: SyntaxVisitor {
    /// The types to register, in the order of the file.
    private(set) var types: [MarkedType] = []
    /// The marked types that cannot be registered, in the order of the file.
    private(set) var problems: [Problem] = []
    /// The imports of the file.
    private(set) var imports: [Import] = []

    /// The path of the file, as the build names it.
    private let file: String
    /// Converts positions to lines and columns.
    private let converter: SourceLocationConverter
    /// The types and extensions around the current node, outermost first.
    private var outer: [Group] = []
    /// The compilation conditions around the current node, outermost first.
    private var conditions: [String] = []

    /// A type or extension that may contain other types.
    private struct Group {
      /// The name, or the extended type.
      var name: String
      /// The reason why generated code cannot name it; `nil` if it can.
      var obstacle: Obstacle?
    }

    /// Finds the types of a file.
    ///
    /// - Parameters:
    ///   - source: The text of the file.
    ///   - file: The path of the file, as the build names it.
    init(in source: String, of file: String) {
      self.file = file
      let tree = Parser.parse(source: source)
      converter = SourceLocationConverter(fileName: file, tree: tree)
      super.init(viewMode: .sourceAccurate)
      walk(tree)
    }

    /// Enters a type, and records it if it is marked.
    private func enter(_ type: some NamedDeclSyntax & DeclGroupSyntax, _ generics: GenericParameterClauseSyntax?) {
      outer.append(Group(name: type.name.text, obstacle: Obstacle(type, isGeneric: generics != nil)))
      let marks = type.attributes.marks
      guard !marks.isEmpty else { return }
      let name = outer.map(\.name).joined(separator: ".")
      let location = converter.location(for: type.name.positionAfterSkippingLeadingTrivia)
      let place = Place(file: location.file, line: location.line, column: location.column)
      if let obstacle = outer.lazy.compactMap(\.obstacle).first {
        problems.append(Problem(message: cannotName(name, obstacle.rawValue), place: place))
      } else {
        types += marks.map { MarkedType(name: name, conditions: conditions + $0, place: place) }
      }
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
      enter(node, node.genericParameterClause)
      return .visitChildren
    }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
      enter(node, node.genericParameterClause)
      return .visitChildren
    }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
      enter(node, node.genericParameterClause)
      return .visitChildren
    }
    // A mark on an enumeration is an error, which the macro reports.
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
      outer.append(
        Group(name: node.name.text, obstacle: Obstacle(node, isGeneric: node.genericParameterClause != nil)))
      return .visitChildren
    }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
      let obstacle = Obstacle(node, isGeneric: node.genericWhereClause != nil)
      outer.append(Group(name: node.extendedType.trimmedDescription, obstacle: obstacle))
      return .visitChildren
    }

    override func visitPost(_ node: StructDeclSyntax) { outer.removeLast() }
    override func visitPost(_ node: ClassDeclSyntax) { outer.removeLast() }
    override func visitPost(_ node: ActorDeclSyntax) { outer.removeLast() }
    override func visitPost(_ node: EnumDeclSyntax) { outer.removeLast() }
    override func visitPost(_ node: ExtensionDeclSyntax) { outer.removeLast() }

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
      let kind = node.importKindSpecifier.map { "\($0.text) " } ?? ""
      imports.append(
        Import(
          file: file, module: node.path.first?.name.text ?? "", imported: kind + node.path.trimmedDescription,
          isInternal: node.modifiers.contains { $0.name.text != "public" }, conditions: conditions))
      return .skipChildren
    }

    // Types declared in a body can be named only there.
    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
      let around = conditions
      for branch in node.branches {
        conditions = around + branch.conditions
        walk(branch.elements)
      }
      conditions = around
      return .skipChildren
    }
  }

  /// Why generated code cannot name a type, or not everywhere. The raw value is the predicate of a sentence.
  private enum Obstacle: String {
    case isPrivate = "is private"
    case isGeneric = "is generic"
    case isLimited = "has an attribute @available"

    /// Creates the reason why generated code cannot name a type or the contents of an extension; `nil` if it can.
    init?(_ group: some DeclGroupSyntax, isGeneric: Bool) {
      if group.modifiers.contains(where: { ["private", "fileprivate"].contains($0.name.text) }) {
        self = .isPrivate
      } else if isGeneric {
        self = .isGeneric
      } else if group.attributes.conditional.contains(where: { $0.attribute.name == "available" }) {
        self = .isLimited
      } else {
        return nil
      }
    }
  }

  extension IfConfigDeclSyntax {
    /// The branches that are not empty, each with its compilation conditions.
    fileprivate var branches: [(conditions: [String], elements: IfConfigClauseSyntax.Elements)] {
      var refused: [String] = []
      return clauses.compactMap { clause in
        let condition = clause.condition?.trimmedDescription
        let conditions = refused.map { "!(\($0))" } + [condition].compactMap(\.self)
        if let condition { refused.append(condition) }
        return clause.elements.map { (conditions, $0) }
      }
    }
  }

  extension AttributeListSyntax {
    /// All attributes, each with the compilation conditions around it in the list, outermost first.
    fileprivate var conditional: [(attribute: AttributeSyntax, conditions: [String])] {
      var found: [(attribute: AttributeSyntax, conditions: [String])] = []
      for element in self {
        switch element {
        case .attribute(let attribute): found.append((attribute, []))
        case .ifConfigDecl(let config):
          for branch in config.branches {
            guard case .attributes(let list) = branch.elements else { continue }
            found += list.conditional.map { ($0.attribute, branch.conditions + $0.conditions) }
          }
        }
      }
      return found
    }

    /// The compilation conditions of each `@Resolvable` that registers its type: several if branches of one `#if` have
    /// one each.
    fileprivate var marks: [[String]] {
      conditional.filter { attribute, _ in
        guard ["Resolvable", "ConfigDI.Resolvable"].contains(attribute.name) else { return false }
        guard case .argumentList(let arguments) = attribute.arguments else { return true }
        return arguments.first { $0.label?.text == "registered" }?.expression.trimmedDescription != "false"
      }.map(\.conditions)
    }
  }

  extension AttributeSyntax {
    /// The name, including the module name if it is written.
    fileprivate var name: String { attributeName.trimmedDescription }
  }

  /// The message about a type that generated code cannot name, or cannot name everywhere.
  private func cannotName(_ name: String, _ reason: String) -> String {
    "\"\(name)\" \(reason), so that addResolvableTypes() cannot register it; write @Resolvable(registered: false), and "
      + "register it by hand"
  }
#endif
