// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxBuilder

  /// A generated initializer for the stored properties without an initial value.
  struct MemberwiseInitializer {
    /// A property that the initializer sets.
    struct Property {
      /// The name, as written.
      let name: TokenSyntax
      /// The type, as written in the source.
      let type: TypeSyntax
      /// Whether the property is initialized with `nil` by default.
      let isImplicitlyNil: Bool
    }

    /// The properties in order.
    private(set) var properties: [Property] = []
    /// The access level of the initializer: the lowest of the type's and the properties', but at least `internal`.
    private var access: Access
    /// Whether the initializer can be called anywhere. This is written, since the default isolation of the target may
    /// be the main actor.
    private let isNonisolated: Bool

    /// Reads the properties of a type. Reports those that the initializer cannot set.
    init(of subject: Subject, _ findings: inout Findings) {
      access = subject.access
      isNonisolated = subject.isolation == .none && !subject.isActor
      let needsValue: (DeclSyntax) -> Bool = { declaration in
        guard let variable = declaration.as(VariableDeclSyntax.self), variable.isStored else { return false }
        return variable.bindings.contains { !$0.isComputed && $0.initializer == nil }
      }
      if let condition = subject.members.firstCondition(over: needsValue) {
        findings.report(conditional, at: condition)
      }
      for member in subject.members {
        guard let variable = member.decl.as(VariableDeclSyntax.self), variable.isStored else { continue }
        read(variable, &findings)
      }
    }

    /// Reads the properties of a declaration.
    private mutating func read(_ variable: VariableDeclSyntax, _ findings: inout Findings) {
      var read: [Property] = []
      // In `let a, b: Int` the type applies to both names.
      var type: TypeSyntax?
      for binding in variable.bindings.reversed() {
        if binding.initializer != nil || binding.isComputed {
          type = nil
          continue
        }
        type = binding.typeAnnotation?.type ?? type
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
          findings.report(pattern, at: binding.pattern)
          continue
        }
        guard let type else {
          let annotated = binding.with(\.pattern.trailingTrivia, [])
            .with(\.typeAnnotation, TypeAnnotationSyntax(colon: .colonToken(trailingTrivia: .space), type: placeholder))
          findings.report(
            untyped(name.text), at: name, fixIts: [.replacing(binding, with: annotated, "add a type annotation")])
          continue
        }
        let isOptional = type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
        let isImplicitlyNil = isOptional && variable.bindingSpecifier.tokenKind == .keyword(.var)
        if let wrapper = variable.attributes.plain.first(where: \.mayWrap) {
          if wrapper.bringsValue || isImplicitlyNil { continue }
          findings.report(wrapped(name.text, by: wrapper.baseName), at: wrapper)
          continue
        }
        read.append(Property(name: name, type: type, isImplicitlyNil: isImplicitlyNil))
      }
      guard !read.isEmpty else { return }
      properties.append(contentsOf: read.reversed())
      let least = Access(variable.modifiers) ?? .internal
      if least.rawValue < access.rawValue { access = least }
    }

    /// The declaration; `nil` if there are no properties to set, so that the compiler's own initializer is used.
    var declaration: DeclSyntax? {
      if properties.isEmpty { return nil }
      let parameters = properties.map { property in
        let type = (property.type.isFunction ? "@escaping " : "") + property.type.trimmedDescription
        return "\(property.name.text): \(type)\(property.isImplicitlyNil ? " = nil" : "")"
      }
      // Without backticks, `await` would be the keyword.
      let lines = properties.map { "self.\($0.name.text) = \($0.name.text == "await" ? "`await`" : $0.name.text)" }
      return """
        \(raw: access.modifier)\(raw: isNonisolated ? "nonisolated " : "")init(\(raw: parameters.joined(separator: ", "))) {
          \(raw: lines.joined(separator: "\n  "))
        }
        """
    }
  }

  extension VariableDeclSyntax {
    /// Whether the declaration may contain properties that an initializer must set.
    fileprivate var isStored: Bool { !modifiers.has(.static, .class, .lazy) }
  }

  extension PatternBindingSyntax {
    /// Whether the property has accessors other than observers.
    fileprivate var isComputed: Bool {
      switch accessorBlock?.accessors {
      case nil: false
      case .getter: true
      case .accessors(let accessors):
        !accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
      }
    }
  }

  extension AttributeSyntax {
    /// Whether the attribute may be a property wrapper, or a macro that changes the property.
    fileprivate var mayWrap: Bool {
      let plain = [
        "IBInspectable", "NSCopying", "ObservationIgnored", "available", "nonobjc", "objc", "usableFromInline",
      ]
      return !plain.contains(baseName) && !namesGlobalActor
    }

    /// Whether the attribute is a wrapper of this library, which looks up the value.
    fileprivate var bringsValue: Bool { ["Injected", "LazyInjected"].contains(baseName) }
  }

  extension TypeSyntax {
    /// Whether a parameter of the type has to be `@escaping` to be stored.
    fileprivate var isFunction: Bool {
      var type = self
      while true {
        if let attributed = type.as(AttributedTypeSyntax.self) {
          type = attributed.baseType
        } else if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first
        {
          type = only.type
        } else {
          return type.is(FunctionTypeSyntax.self)
        }
      }
    }
  }

  /// The placeholder that an editor lets the user fill in.
  private let placeholder: TypeSyntax = "<#type#>"
  /// The message about properties that may not be compiled.
  private let conditional = "\"@Resolvable\" cannot read stored properties inside \"#if\"; declare an initializer"
  /// The message about properties that are declared by a pattern.
  private let pattern = "a tuple pattern is not supported; declare each property by itself, or declare an initializer"
  /// The message about a property without a type.
  private func untyped(_ name: String) -> String { "property \"\(name)\" needs a type or an initial value" }
  /// The message about a property whose wrapper may supply the value.
  private func wrapped(_ name: String, by wrapper: String) -> String {
    "\"@\(wrapper)\" may or may not initialize \"\(name)\"; write an initial value, or declare an initializer"
  }
#endif
