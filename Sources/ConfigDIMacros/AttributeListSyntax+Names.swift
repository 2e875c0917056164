// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftSyntax

  extension AttributeSyntax {
    /// The name of the attribute, without the module and without generic arguments.
    var baseName: String {
      if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
      return attributeName.as(IdentifierTypeSyntax.self)?.name.text ?? attributeName.trimmedDescription
    }

    /// Whether the attribute is a global actor by its name. `@globalActor` declares one and isolates nothing.
    var namesGlobalActor: Bool { baseName.hasSuffix("Actor") && baseName != "globalActor" }
  }

  extension AttributeListSyntax {
    /// The attributes that are not under a compilation condition.
    var plain: [AttributeSyntax] { compactMap { $0.as(AttributeSyntax.self) } }

    /// Returns whether the list has an attribute with the name.
    func has(_ name: String) -> Bool { plain.contains { $0.baseName == name } }

    /// Whether the declaration is unavailable on all platforms, so that no code can use it.
    var makeUnavailable: Bool {
      plain.contains { attribute in
        let words = attribute.arguments?.tokens(viewMode: .sourceAccurate).map(\.text) ?? []
        return attribute.baseName == "available" && words.contains("*") && words.contains("unavailable")
      }
    }

    /// The global actor of the attributes; `nil` if there is none.
    var isolation: Isolation? {
      if has("MainActor") { return .mainActor }
      return plain.contains(where: \.namesGlobalActor) ? .otherActor : nil
    }
  }

  extension DeclModifierListSyntax {
    /// Returns whether the list has one of the keywords. `private(set)` does not count as `private`.
    func has(_ keywords: Keyword...) -> Bool {
      contains { modifier in modifier.detail == nil && keywords.contains { modifier.name.tokenKind == .keyword($0) } }
    }
  }
#endif
