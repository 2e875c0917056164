// SPDX-License-Identifier: Apache-2.0

/// Puts the values of parameters in the place of their placeholders.
package struct Expansion {
  /// The names of the load.
  private let names: NameTable
  /// How much may be read: `fileSize` bounds what all placeholders give together, `nesting` how deep values become.
  private let limits: Limits
  /// What is known of each parameter.
  private var values: [Name: Known] = [:]
  /// The size of all that placeholders gave so far.
  private var size = 0
  /// Whether it was reported that they give too much.
  private var isExhausted = false

  /// A parameter's value.
  private struct Known {
    /// The value.
    let value: Datum
    /// Its bytes of text and, weighed, its elements.
    let size: Int
    /// How many maps and lists in it lie inside one another.
    let depth: Int
  }

  /// An expansion that knows no parameter's value yet.
  package init(names: NameTable, limits: Limits) {
    self.names = names
    self.limits = limits
  }

  /// Makes a parameter's value known.
  package mutating func define(_ name: Name, as value: Datum) {
    let value = value.withoutBrokenParts
    // The names of secrets are handed on as well.
    let size = value.size + value.allSecrets.count * Datum.elementSize
    values[name] = Known(value: value, size: size, depth: value.depth)
  }

  /// The value of a datum; what is wrong with it is reported. `owner` names who holds it.
  package mutating func expand(
    _ datum: Datum, of owner: @autoclosure () -> String, into bag: inout DiagnosticBag
  ) -> Datum {
    // What has no placeholder stays shared with the file.
    datum.mentionsParameter ? expand(datum, 0, owner(), &bag) : datum
  }
}

// MARK: - Data

extension Expansion {
  /// The value of a datum inside of some number of maps and lists.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private mutating func expand(
    _ datum: Datum, _ level: Int, _ owner: String, _ bag: inout DiagnosticBag
  ) -> Datum {
    var expanded = datum
    switch datum.content {
    case .text(let text):
      return expand(text, at: datum.node, level, owner, &bag)
    case .list(let elements):
      expanded.content = .list(elements.map { expand($0, level + 1, owner, &bag) })
    case .map(let entries):
      expanded.content = .map(
        entries.map { Datum.Entry(key: $0.key, value: expand($0.value, level + 1, owner, &bag)) })
    case .scalar, .unset, .broken: break
    }
    return expanded
  }

  /// The value of a text.
  private mutating func expand(
    _ text: PlaceholderText, at node: NodeRef, _ level: Int, _ owner: String, _ bag: inout DiagnosticBag
  ) -> Datum {
    var broken = Datum(.broken, at: node)
    guard let pieces = text.pieces else {
      bag.report(.malformedPlaceholder(at: node))
      return broken
    }
    if let name = text.onlyPlaceholder {
      return value(of: name, at: node, level, owner, &bag)?.mapped { $0.node = node } ?? broken
    }
    var parts = TextParts()
    for piece in pieces {
      switch piece {
      case .literal(let literal):
        parts.append(literal)
      case .placeholder(let name):
        guard let found = value(of: name, at: node, level, owner, &bag) else {
          parts.isBroken = true
          continue
        }
        if !parts.append(found) { bag.report(.collectionInText(names[name], at: node)) }
      }
    }
    broken.secrets = parts.secrets
    return parts.isBroken ? broken : parts.value(at: node)
  }

  /// The value of a parameter that a text names, or nil where there is none, which is reported.
  private mutating func value(
    of name: Name, at node: NodeRef, _ level: Int, _ owner: String, _ bag: inout DiagnosticBag
  ) -> Datum? {
    guard let known = values[name] else {
      bag.report(.unknownParameter(names[name], owner, at: node))
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

extension Datum {
  /// The value itself, or, where something in it was reported as an error, no more of it than that it is a list or a map: what
  /// holds it must not grow until it is an error as well.
  fileprivate var withoutBrokenParts: Datum {
    guard isBroken else { return self }
    var copy = self
    let part = Datum(.broken, at: node)
    switch content {
    case .list: copy.content = .list([part])
    case .map: copy.content = .map([Entry(key: "", value: part)])
    case .scalar, .text, .unset, .broken: break
    }
    return copy
  }
}

// MARK: - Messages

extension Finding {
  /// A placeholder of a parameter that is not there.
  fileprivate static func unknownParameter(_ name: String, _ owner: String, at node: NodeRef) -> Finding {
    Finding(.unknownParameter, "\(owner) uses unknown parameter \"\(name)\"", at: node, subject: name)
  }

  /// A placeholder that is not written as one.
  fileprivate static func malformedPlaceholder(at node: NodeRef) -> Finding {
    Finding(
      .malformedPlaceholder, "malformed placeholder", at: node,
      help: "write ${name} for a parameter, and $${ for the characters ${")
  }

  /// A list or a map in the midst of a text.
  fileprivate static func collectionInText(_ name: String, at node: NodeRef) -> Finding {
    Finding(
      .collectionInText, "parameter \"\(name)\" is a list or a map, which cannot be part of a longer string", at: node,
      help: "write exactly \"${\(name)}\", or use a parameter with a scalar value", subject: name)
  }

  /// What placeholders or templates, which `parts` names, repeat beyond all measure.
  static func expansionTooLarge(of parts: String, _ limit: Int, at node: NodeRef) -> Finding {
    Finding(
      .tooLarge, "the expanded \(parts) of the module exceed the limit of \(limit) bytes", at: node,
      label: "the limit is exceeded here")
  }

  /// A value that lies too deep in others by its placeholder.
  fileprivate static func expansionTooDeep(_ limit: Int, at node: NodeRef) -> Finding {
    Finding(.nestedTooDeeply, "the expanded value is nested deeper than \(limit) levels", at: node)
  }
}
