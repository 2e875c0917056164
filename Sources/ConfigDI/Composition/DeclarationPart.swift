// SPDX-License-Identifier: Apache-2.0

/// A part of an entry, and the token that declares it.
struct DeclarationPart {
  /// The path of the part within the entry, such as `values.host`.
  let path: String
  /// The token.
  let node: NodeRef
}

extension ParameterDeclaration {
  /// The parts that the parameter declares. The source has the path `value`, even if it is a variable or a file.
  var parts: [DeclarationPart] {
    let tokens: [(String, NodeRef?)] = [
      ("value", source?.node), ("type", typeNode), ("default", fallback?.node), ("oneOf", allowed?.node),
      ("min", least?.node), ("max", greatest?.node), ("secret", isSecret?.node), ("deprecated", deprecated?.node),
    ]
    return tokens.compactMap { path, node in node.map { DeclarationPart(path: path, node: $0) } }
  }
}

extension ServiceDeclaration {
  /// Returns the parts that the service or template declares. A map in `values` is split into its leaves.
  func parts(_ names: NameTable) -> [DeclarationPart] {
    var parts: [DeclarationPart] = []
    func add(_ path: String, _ node: NodeRef?) {
      if let node { parts.append(DeclarationPart(path: path, node: node)) }
    }
    add("extends", self.extends?.node)
    add("type", type?.node)
    add("provides", self.provides?.node)
    add("scope", scope?.node)
    add("when", self.condition?.node)
    add("eager", self.isEager?.node)
    add("private", self.isPrivate?.node)
    add("autowire", self.isAutowired?.node)
    add("deprecated", self.deprecated?.node)
    for tag in self.tags {
      let path = PathStep.path("tags", appending: names[tag.name.name])
      add(path, tag.name.node)
      add(path + ".order", tag.order?.node)
      add(path + ".key", tag.key?.node)
    }
    add("decorate", self.decorators?.node)
    for (number, decorator) in (self.decorators?.appended ?? []).enumerated() {
      add("decorate[\(number)]", decorator.node)
      decorator.arguments.addParts(to: &parts, at: "decorate[\(number)].", names)
    }
    arguments.addParts(to: &parts, at: "", names)
    return parts
  }
}

extension ArgumentDeclarations {
  /// Adds a part for each argument. `prefix` is empty, or a path that ends with a dot.
  fileprivate func addParts(to parts: inout [DeclarationPart], at prefix: String, _ names: NameTable) {
    for argument in inject {
      let path = PathStep.path(prefix + "inject", appending: names[argument.name])
      parts.append(DeclarationPart(path: path, node: argument.content.node))
    }
    for argument in values {
      argument.content.addParts(to: &parts, at: PathStep.path(prefix + "values", appending: names[argument.name]))
    }
  }
}

extension Datum {
  /// Adds a part for each leaf of a map, or one part for any other datum and for an empty map.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  fileprivate func addParts(to parts: inout [DeclarationPart], at path: String) {
    guard case .map(let entries) = content, !entries.isEmpty else {
      return parts.append(DeclarationPart(path: path, node: node))
    }
    for entry in entries { entry.value.addParts(to: &parts, at: PathStep.path(path, appending: entry.key)) }
  }
}

extension PathStep {
  /// Returns a path extended by a key. The key is quoted in brackets if it cannot be written after a dot.
  package static func path(_ path: String, appending key: String) -> String {
    if isPlain(key) { return path + "." + key }
    var bytes = Array(path.utf8)
    appendQuoted(key, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
