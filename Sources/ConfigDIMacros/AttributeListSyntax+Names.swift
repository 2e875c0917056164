// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftSyntax

  extension AttributeSyntax {
    /// The attribute's name without the module before it, and without generic arguments.
    var baseName: String {
      if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
      return attributeName.as(IdentifierTypeSyntax.self)?.name.text ?? attributeName.trimmedDescription
    }
  }

  extension AttributeListSyntax {
    /// The attributes that stand under no condition.
    var plain: [AttributeSyntax] { compactMap { $0.as(AttributeSyntax.self) } }

    /// Whether an attribute of the name stands here.
    func has(_ name: String) -> Bool { plain.contains { $0.baseName == name } }

    /// Whether code that uses the declaration does not compile anywhere.
    var makeUnavailable: Bool {
      plain.contains { attribute in
        let words = attribute.arguments?.tokens(viewMode: .sourceAccurate).map(\.text) ?? []
        return attribute.baseName == "available" && words.contains("*") && words.contains("unavailable")
      }
    }

    /// The global actor that an attribute names; nil where none does.
    var isolation: Isolation? {
      if has("MainActor") { return .mainActor }
      return plain.contains { $0.baseName.hasSuffix("Actor") } ? .otherActor : nil
    }
  }

  extension DeclModifierListSyntax {
    /// Whether one of the keywords stands here. `private(set)` is not taken for `private`.
    func has(_ keywords: Keyword...) -> Bool {
      contains { modifier in modifier.detail == nil && keywords.contains { modifier.name.tokenKind == .keyword($0) } }
    }
  }
#endif
