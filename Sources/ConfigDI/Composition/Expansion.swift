// SPDX-License-Identifier: Apache-2.0

/// Puts the values of parameters in the place of their placeholders.
package struct Expansion {
  /// The documents of the composition.
  var documents: DocumentSet
  /// The names of the load.
  private let names: NameTable
  /// How much may be read: `fileSize` bounds what all placeholders give together, `nesting` how deep values become.
  private let limits: Limits
  /// What is known of each parameter.
  private var values: [Name: Known] = [:]
  /// The size of all that placeholders gave so far.
  private var size = 0
  /// Whether it was told that they give too much.
  private var isExhausted = false

  /// A parameter's value.
  private struct Known {
    /// The value.
    let value: ComposedValue
    /// Its bytes of text and, weighed, its elements.
    let size: Int
    /// How many maps and lists in it lie inside one another.
    let depth: Int
  }

  /// An expansion that knows no parameter's value yet.
  package init(documents: DocumentSet, names: NameTable, limits: Limits) {
    self.documents = documents
    self.names = names
    self.limits = limits
  }

  /// Makes a parameter's value known.
  package mutating func define(_ name: Name, as value: ComposedValue) {
    let value = value.withoutBrokenParts
    // The names of secrets are handed on as well.
    let size = value.size + value.allSecrets.count * ComposedValue.elementSize
    values[name] = Known(value: value, size: size, depth: value.depth)
  }

  /// The value of a datum; what is wrong with it is told. `owner` names who holds it.
  package mutating func expand(
    _ datum: Datum, of owner: @autoclosure () -> String, into bag: inout DiagnosticBag
  ) -> ComposedValue {
    expand(datum, 0, owner, &bag)
  }
}

// MARK: - Data

extension Expansion {
  /// The value of a datum inside of some number of maps and lists.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private mutating func expand(
    _ datum: Datum, _ level: Int, _ owner: () -> String, _ bag: inout DiagnosticBag
  ) -> ComposedValue {
    if case .node(let node) = datum, documents[node].kind == .string { return expandText(at: node, level, owner, &bag) }
    var content: ComposedValue.Content
    if let entries = documents.entries(of: datum) {
      content = .map(
        entries.map { ComposedValue.Entry(key: $0.text, value: expand($0.datum, level + 1, owner, &bag)) })
    } else if let (elements, _) = documents.elements(of: datum) {
      content = .list(elements.map { expand($0, level + 1, owner, &bag) })
    } else {
      content = documents.value(of: datum).map(ComposedValue.Content.scalar) ?? .broken
    }
    return ComposedValue(content: content, place: .node(datum.place), isLiteral: true)
  }

  /// The value of the string at a node.
  private mutating func expandText(
    at node: NodeRef, _ level: Int, _ owner: () -> String, _ bag: inout DiagnosticBag
  ) -> ComposedValue {
    let text = documents.text(of: node)
    guard text.utf8.mentionsParameter else {
      return ComposedValue(content: .scalar(.string(text)), place: .node(node), isLiteral: true)
    }
    var broken = ComposedValue(content: .broken, place: .node(node))
    guard let placeholders = PlaceholderText(text) else {
      bag.report(.malformedPlaceholder(at: node))
      return broken
    }
    if let name = placeholders.onlyPlaceholder {
      return value(named: name, at: node, level, owner, &bag)?.placed(at: .node(node)) ?? broken
    }
    var parts = TextParts()
    for piece in placeholders.pieces {
      switch piece {
      case .literal(let literal):
        parts.append(literal)
      case .placeholder(let name):
        guard let found = value(named: name, at: node, level, owner, &bag) else {
          parts.isBroken = true
          continue
        }
        if !parts.append(found) { bag.report(.collectionInText(name, at: node)) }
      }
    }
    broken.secrets = parts.secrets
    return parts.isBroken ? broken : parts.value(at: node)
  }

  /// The value of a parameter that a text names, or nil where there is none, which is told.
  private mutating func value(
    named name: String, at node: NodeRef, _ level: Int, _ owner: () -> String, _ bag: inout DiagnosticBag
  ) -> ComposedValue? {
    guard let known = names.existingName(name).flatMap({ values[$0] }) else {
      bag.report(.unknownParameter(name, owner(), at: node))
      return nil
    }
    guard level + known.depth <= limits.nesting else {
      bag.report(.expansionTooDeep(limits.nesting, at: node))
      return nil
    }
    guard known.size <= limits.fileSize - size else {
      if !isExhausted { bag.report(.expansionTooLarge(of: "placeholders", limits.fileSize, at: node)) }
      isExhausted = true
      return nil
    }
    size += known.size
    return known.value
  }
}

extension ComposedValue {
  /// The value itself, or, where something in it was told as an error, no more of it than that it is a list or a map: what
  /// holds it must not grow until it is an error as well.
  fileprivate var withoutBrokenParts: ComposedValue {
    guard isBroken else { return self }
    var copy = self
    let part = ComposedValue(content: .broken, place: place)
    switch content {
    case .list: copy.content = .list([part])
    case .map: copy.content = .map([Entry(key: "", value: part)])
    case .scalar, .unset, .broken: break
    }
    return copy
  }

  /// How many bytes an element of a list or map counts as: it takes more than its text.
  static let elementSize = 16

  /// The bytes of text in the value and, weighed, its elements.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  fileprivate var size: Int {
    switch content {
    case .scalar(let value): value.canonicalText?.utf8.count ?? 1
    case .list(let elements): elements.reduce(0) { $0 + $1.size + ComposedValue.elementSize }
    case .map(let entries):
      entries.reduce(0) { $0 + $1.key.utf8.count + $1.value.size + ComposedValue.elementSize }
    case .unset, .broken: 1
    }
  }

  /// How many maps and lists in the value lie inside one another.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  fileprivate var depth: Int {
    switch content {
    case .list(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
    case .map(let entries): 1 + (entries.lazy.map(\.value.depth).max() ?? 0)
    case .scalar, .unset, .broken: 0
    }
  }
}

// MARK: - Messages

extension Finding {
  /// A placeholder of a parameter that is not there.
  fileprivate static func unknownParameter(_ name: String, _ owner: String, at node: NodeRef) -> Finding {
    var finding = Finding(.unknownParameter, "\(owner) uses unknown parameter \"\(name)\"", at: node)
    finding.subject = name
    return finding
  }

  /// A placeholder that is not written as one.
  fileprivate static func malformedPlaceholder(at node: NodeRef) -> Finding {
    var finding = Finding(.malformedPlaceholder, "malformed placeholder", at: node)
    finding.help = "write ${name} for a parameter, and $${ for the characters ${"
    return finding
  }

  /// A list or a map in the midst of a text.
  fileprivate static func collectionInText(_ name: String, at node: NodeRef) -> Finding {
    var finding = Finding(
      .collectionInText, "parameter \"\(name)\" is a list or a map, which cannot be part of a longer string", at: node)
    finding.help = "write exactly \"${\(name)}\", or use a parameter with a scalar value"
    finding.subject = name
    return finding
  }

  /// What placeholders or templates, which `parts` names, repeat beyond all measure.
  static func expansionTooLarge(of parts: String, _ limit: Int, at node: NodeRef) -> Finding {
    var finding = Finding(
      .tooLarge, "the expanded \(parts) of the module exceed the limit of \(limit) bytes", at: node)
    finding.label = "the limit is exceeded here"
    return finding
  }

  /// A value that lies too deep in others by its placeholder.
  fileprivate static func expansionTooDeep(_ limit: Int, at node: NodeRef) -> Finding {
    Finding(.nestedTooDeeply, "the expanded value is nested deeper than \(limit) levels", at: node)
  }
}
