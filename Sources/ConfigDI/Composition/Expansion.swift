// SPDX-License-Identifier: Apache-2.0

/// Replaces placeholders by the values of parameters.
package struct Expansion {
  /// The names of the load.
  private let names: NameTable
  /// The limits: `fileSize` for the total size of what placeholders insert, `nesting` for the depth of values.
  private let limits: Limits
  /// The values of the parameters defined so far.
  private var values: [Name: Known] = [:]
  /// The total size of the values that placeholders have inserted so far, in bytes.
  private var size = 0
  /// Whether it was reported that this size exceeds the limit.
  private var isExhausted = false

  /// A parameter's value.
  private struct Known {
    let value: Datum
    /// The size of the value and of the names of its secrets, in bytes.
    let size: Int
    /// The nesting depth of the maps and lists in the value.
    let depth: Int
  }

  /// Creates an expansion that knows no parameters.
  package init(names: NameTable, limits: Limits) {
    self.names = names
    self.limits = limits
  }

  /// Defines the value of a parameter.
  package mutating func define(_ name: Name, as value: Datum) {
    let value = value.withoutBrokenParts
    // The names of secrets are copied with each expansion, too.
    let size = value.size + value.allSecrets.count * Datum.elementSize
    values[name] = Known(value: value, size: size, depth: value.depth)
  }

  /// Expands the placeholders of a datum, and reports mistakes in them. Messages call the datum's declaration `owner`.
  package mutating func expand(
    _ datum: Datum, of owner: @autoclosure () -> String, into bag: inout DiagnosticBag
  ) -> Datum {
    // A datum without placeholders keeps sharing its storage with the file.
    datum.containsPlaceholder ? expand(datum, 0, owner(), &bag) : datum
  }
}

// MARK: - Data

extension Expansion {
  /// Expands a datum inside `level` maps and lists.
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

  private mutating func expand(
    _ text: PlaceholderText, at node: NodeRef, _ level: Int, _ owner: String, _ bag: inout DiagnosticBag
  ) -> Datum {
    if text.pieces.last == .malformed {
      bag.report(.malformedPlaceholder(at: node))
      return Datum(.broken, at: node)
    }
    if let name = text.onlyPlaceholder {
      return value(of: name, at: node, level, owner, &bag)?.mapped { $0.node = node } ?? Datum(.broken, at: node)
    }
    var (expanded, secrets, isConfigured, isBroken) = ("", Set<String>(), false, false)
    // The name of a missing source that the text depends on.
    var missing: String?
    for piece in text.pieces {
      switch piece {
      case .literal(let literal):
        expanded += literal
      case .malformed: break
      case .placeholder(let name):
        let found = value(of: name, at: node, level, owner, &bag)
        secrets.formUnion(found?.allSecrets ?? [])
        isConfigured = isConfigured || found?.isConfigured == true
        switch found?.content {
        case .scalar(let scalar)? where scalar.canonicalText != nil:
          expanded += scalar.canonicalText ?? ""
        case .unset(let type, let source, let part)? where type != .list:
          missing = source
          expanded += part ?? Datum.mark(ofMissing: source)
        case .broken?, nil:
          isBroken = true
        case .scalar?, .list?, .map?, .unset?, .text?:
          bag.report(.collectionInText(names[name], at: node))
          isBroken = true
        }
      }
    }
    let content: Datum.Content = missing.map { .unset(.string, name: $0, text: expanded) } ?? .scalar(.string(expanded))
    var datum = Datum(isBroken ? .broken : content, at: node)
    datum.secrets = Datum.union([Array(secrets)])
    datum.isConfigured = isConfigured
    return datum
  }

  /// Returns the value of a parameter, or `nil` after reporting an unknown parameter or an exceeded limit.
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
  /// The value; a list or a map with a broken part is reduced to one broken part. So what contains a broken value does
  /// not also exceed the size limit.
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
  /// A placeholder of an unknown parameter.
  fileprivate static func unknownParameter(_ name: String, _ owner: String, at node: NodeRef) -> Finding {
    Finding(.unknownParameter, "\(owner) uses unknown parameter \"\(name)\"", at: node, subject: name)
  }

  /// A malformed placeholder.
  fileprivate static func malformedPlaceholder(at node: NodeRef) -> Finding {
    Finding(
      .malformedPlaceholder, "malformed placeholder", at: node,
      help: "write ${name} for a parameter, and $${ for the characters ${")
  }

  /// A list or a map in a longer text.
  fileprivate static func collectionInText(_ name: String, at node: NodeRef) -> Finding {
    Finding(
      .collectionInText, "parameter \"\(name)\" is a list or a map, which cannot be part of a longer string", at: node,
      help: "write exactly \"${\(name)}\", or use a parameter with a scalar value", subject: name)
  }

  /// Placeholders or templates, which `parts` names, that expand to more bytes than the limit.
  static func expansionTooLarge(of parts: String, _ limit: Int, at node: NodeRef) -> Finding {
    Finding(
      .tooLarge, "the expanded \(parts) of the module exceed the limit of \(limit) bytes", at: node,
      label: "the limit is exceeded here")
  }

  /// A placeholder that makes a value exceed the nesting limit.
  fileprivate static func expansionTooDeep(_ limit: Int, at node: NodeRef) -> Finding {
    Finding(.nestedTooDeeply, "the expanded value is nested deeper than \(limit) levels", at: node)
  }
}
