// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

extension ServiceAccessors {
  /// The generated code; ends with a line break. It is the same for the same module and catalog.
  ///
  /// Its declarations are `nonisolated`, since the default isolation of the client's target may be the main actor.
  package var swift: String {
    var lines = [
      "// Written by configdi from the module \"\(module.visible)\"; what is changed here is lost.",
      "// swift-format-ignore-file",
    ]
    lines += imports.map { (names.access == "internal" ? "" : names.access + " ") + "import \($0)" }
    let scopes = Set(members.compactMap(\.facts.scope)).sorted()
    for scope in [nil] + scopes.map(Optional.init) { lines += container(of: scope) }
    for (id, reason) in omissions {
      lines += ["", "// \"\(id)\" has no property here: \(written(reason))."]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The Swift modules of the types in the code.
  private var imports: [String] {
    var modules: Set = ["ConfigDI"]
    for type in members.flatMap({ [$0.facts.type] + $0.facts.parameters.map(\.type) }) {
      modules.formUnion(
        type.typePaths.compactMap { $0.contains(".") ? $0.split(separator: ".").first.map(String.init) : nil })
    }
    return modules.subtracting(["Swift", names.module].compactMap(\.self)).sorted()
  }

  /// Returns a type as the code writes it. Types of the code's own module are written without the module, because a
  /// type with the name of the module may hide it.
  private func written(_ type: String) -> String {
    guard let module = names.module else { return type }
    return type.mappingTypePaths { $0.hasPrefix(module + ".") ? String($0.dropFirst(module.utf8.count + 1)) : $0 }
  }

  /// Returns the type whose members need an open scope, or no scope, and the extensions that give access to it.
  private func container(of scope: String?) -> [String] {
    let base = names.type ?? (SwiftName(id: module)?.capitalized ?? "") + "Services"
    let scopeName = scope.flatMap { SwiftName(id: $0) }
    let type = scopeName.map { "\(base)Of\($0.capitalized)" } ?? base
    let accessor = scopeName.map { $0.text + SwiftName.capitalized(names.accessor) } ?? names.accessor
    let access = names.access == "internal" ? "" : names.access + " "
    let words =
      scope.map { "The services of the module \"\(module.visible)\" that need an open scope \"\($0)\"" }
      ?? "The services of the module \"\(module.visible)\""
    var lines: [String] = []
    for extended in scope == nil ? ["Resolving"] : ["Scope", "Resolver"] {
      let source = extended == "Resolving" ? "Self" : "ConfigDI.\(extended)"
      lines += [
        "", "nonisolated extension ConfigDI.\(extended) {", "  /// \(words).",
        "  \(access)var \(SwiftName.declared(accessor)): \(type)<\(source)> { \(type)(source: self) }", "}",
      ]
    }
    lines += [
      "", "/// \(words), each by its id.", "nonisolated \(access)struct \(type)<_Source: ConfigDI.Resolving> {",
      "  /// What looks them up.",
      "  fileprivate let source: _Source",
    ]
    for member in members where member.facts.scope == scope { lines += [""] + declaration(of: member, access) }
    // `Sendable`, so that members of the main actor can be awaited from other isolations.
    return lines + ["}", "", "extension \(type): Sendable where _Source: Sendable {}"]
  }

  /// Returns a property, or a function if the member takes arguments or is asynchronous.
  private func declaration(of member: Member, _ access: String) -> [String] {
    let facts = member.facts
    let type = written(facts.type)
    let result = member.isOptional ? (type.hasPrefix("any ") ? "(\(type))?" : "\(type)?") : type
    let call = "resolve" + (member.isOptional ? "Optional" : "") + (facts.isAwaited ? "Async" : "")
    // The type is inferred: in an expression, its name may be that of a property, such as of a service with this id.
    var arguments = ["named: \"\(member.id)\""]
    if facts.isAwaited { arguments.append("isolation: isolation") }
    // Labels may be alike, the names behind them may not.
    var taken: Set = ["isolation"]
    var names: [String] = []
    var parameters: [String] = []
    for parameter in facts.parameters {
      let label = SwiftName(id: parameter.key)?.text ?? "argument"
      let name = SwiftName.declared(taken.insert(label).inserted ? label : SwiftName.unused(like: label, &taken))
      names.append(name)
      let declared = SwiftName.declared(label)
      parameters.append("\(declared == name ? name : "\(declared) \(name)"): \(written(parameter.type))")
    }
    if !names.isEmpty { arguments.append("arguments: " + names.joined(separator: ", ")) }
    var lines = ["  /// \(words(about: member))."]
    if let deprecated = facts.deprecated {
      lines.append("  @available(*, deprecated, message: \"\(deprecated.quotedInSwift)\")")
    }
    if facts.isOnMainActor, !facts.isAwaited { lines.append("  @MainActor") }
    let name = SwiftName.declared(member.name)
    let body = "try \(facts.isAwaited ? "await " : "")source.\(call)(\(arguments.joined(separator: ", ")))"
    guard facts.isAwaited || !names.isEmpty else {
      return lines + [
        "  \(access)var \(name): \(result) {", "    get throws(ConfigDI.ResolutionError) { \(body) }", "  }",
      ]
    }
    if facts.isAwaited { parameters.append("isolation: isolated (any Actor)? = #isolation") }
    let effects = (facts.isAwaited ? "async " : "") + "throws(ConfigDI.ResolutionError)"
    return lines + [
      "  \(access)func \(name)(\(parameters.joined(separator: ", "))) \(effects) -> \(result) {", "    \(body)", "  }",
    ]
  }

  /// Returns the comment of a member: its id and type, and the environments of each type if they differ or not all
  /// environments have the service.
  private func words(about member: Member) -> String {
    guard member.types.count > 1 || member.isOptional else { return "`\(member.id)`: \(member.types[0].type)" }
    let types = member.types.map { "\($0.type) in \($0.environments.joined(separator: ", "))" }
    return "`\(member.id)`: " + types.joined(separator: "; ") + (member.isOptional ? "; nil elsewhere" : "")
  }
}

extension SwiftName {
  /// Returns an unused name, made by appending a number, and marks it as taken.
  fileprivate static func unused(like name: String, _ taken: inout Set<String>) -> String {
    var number = 2
    while !taken.insert("\(name)\(number)").inserted { number += 1 }
    return "\(name)\(number)"
  }
}

extension String {
  /// The names in the text of a type, each with its modules and outer types: `App.Cache` and `Swift.String` in
  /// `App.Cache<Swift.String>.Entry`.
  fileprivate var typePaths: [String] {
    var paths: [String] = []
    _ = mappingTypePaths {
      if !$0.hasPrefix(".") { paths.append($0) }
      return $0
    }
    return paths
  }

  /// Returns the text of a type with each name in it replaced.
  fileprivate func mappingTypePaths(_ replace: (String) -> String) -> String {
    var (result, path) = ("", "")
    for character in self + " " {
      if character.isLetter || character.isNumber || character == "_" || character == "." {
        path.append(character)
      } else {
        if !path.isEmpty { result += replace(path) }
        path = ""
        result.append(character)
      }
    }
    return String(result.dropLast())
  }

  /// The text with the escapes of a Swift string literal.
  fileprivate var quotedInSwift: String {
    unicodeScalars.map { scalar in
      switch scalar {
      case "\\": #"\\"#
      case "\"": #"\""#
      case " "..."~": String(scalar)
      default: "\\u{\(String(scalar.value, radix: 16))}"
      }
    }.joined()
  }
}
