// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// Something that is compared whole.
struct ComparedLeaf {
  /// What is printed.
  let shown: Value
  /// What it is.
  let real: Value
  /// Whether a secret is in it.
  var isSecret = false
  /// Whether it comes from a parameter, so that another module may keep it secret.
  var isExpanded = false
}

/// An entry of a map. A type and no tuple, as the compiler finds an enumeration circular that holds tuples of itself.
struct ComparedEntry {
  /// The key.
  let key: String
  /// The value.
  let value: ComparedValue

  /// An entry of a map.
  init(_ key: String, _ value: ComparedValue) {
    self.key = key
    self.value = value
  }
}

/// A value in two forms: as it is printed, and as it is, secrets included. Both are compared, one is shown.
indirect enum ComparedValue {
  /// Something that is compared whole.
  case leaf(ComparedLeaf)
  /// A list.
  case list([ComparedValue])
  /// A map.
  case map([ComparedEntry])

  /// A value without secrets.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  init(_ value: Value) {
    switch value {
    case .list(let elements): self = .list(elements.map { ComparedValue($0) })
    case .map(let entries): self = .map(entries.map { ComparedEntry($0.key, ComparedValue($0.value)) })
    default: self = .leaf(ComparedLeaf(shown: value, real: value))
    }
  }

  /// A value of which only a mask is shown.
  init(_ value: Value, maskedBy parameter: String) {
    self = .leaf(ComparedLeaf(shown: .string("<secret \(parameter)>"), real: value, isSecret: true))
  }

  /// An expanded datum. What is missing is, in its real form, the text that a file writes there.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  ///
  /// - Parameters:
  ///   - declared: The datum before expansion.
  ///   - isExpanded: Whether a parameter gave the list or map in which it stands.
  init(_ datum: Datum, declared: Datum?, isExpanded: Bool = false) {
    let isExpanded = isExpanded || declared?.isText ?? false
    guard datum.secrets.isEmpty else {
      self = .leaf(ComparedLeaf(shown: datum.printed, real: datum.real(declared: declared), isSecret: true))
      return
    }
    switch datum.content {
    case .list(let elements):
      self = .list(
        elements.indices.map {
          ComparedValue(elements[$0], declared: declared?.element($0), isExpanded: isExpanded)
        })
    case .map(let entries):
      let parts = declared?.members ?? [:]
      self = .map(
        entries.map {
          ComparedEntry($0.key, ComparedValue($0.value, declared: parts[[UInt8]($0.key.utf8)], isExpanded: isExpanded))
        })
    case .scalar, .text, .unset, .broken:
      self = .leaf(ComparedLeaf(shown: datum.printed, real: datum.real(declared: declared), isExpanded: isExpanded))
    }
  }
}

// MARK: - Forms

extension ComparedValue {
  /// The value as it is printed.
  var shown: Value { value { $0.shown } }

  /// The value as it is printed, what comes from parameters as `<hidden>` where that is asked for.
  func shown(hidingExpanded: Bool) -> Value {
    value { $0.isExpanded && hidingExpanded ? .string("<hidden>") : $0.shown }
  }

  /// The value as it is, for a comparison; never shown.
  var real: Value { value { $0.real } }

  /// The value as it is but for its secrets, which are as they are printed.
  var realButSecrets: Value { value { $0.isSecret ? $0.shown : $0.real } }

  /// The value with a form of each leaf.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private func value(_ form: (ComparedLeaf) -> Value) -> Value {
    switch self {
    case .leaf(let leaf): form(leaf)
    case .list(let elements): .list(elements.map { $0.value(form) })
    case .map(let entries): .map(entries.map { Value.Entry(key: $0.key, value: $0.value.value(form)) })
    }
  }

  /// Whether a secret is in the value.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  var holdsSecret: Bool {
    switch self {
    case .leaf(let leaf): leaf.isSecret
    case .list(let elements): elements.contains(where: \.holdsSecret)
    case .map(let entries): entries.contains(where: \.value.holdsSecret)
    }
  }
}

extension Datum {
  /// Whether the datum is a text with placeholders.
  fileprivate var isText: Bool { if case .text = content { true } else { false } }

  /// The expanded datum, secrets included; of a text that holds something missing the rest, of something missing alone the text
  /// that names it.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  fileprivate func real(declared: Datum?) -> Value {
    switch content {
    case .scalar(let value): return value
    case .text(let text): return .string(text.written)
    case .list(let elements): return .list(elements.indices.map { elements[$0].real(declared: declared?.element($0)) })
    case .map(let entries):
      let parts = declared?.members ?? [:]
      return .map(
        entries.map { Value.Entry(key: $0.key, value: $0.value.real(declared: parts[[UInt8]($0.key.utf8)])) })
    case .unset(_, _, let text): return text.map(Value.string) ?? declared?.written ?? printed
    case .broken: return printed
    }
  }

  /// The element of a list at a place; nil where this is no list, or has none there.
  fileprivate func element(_ place: Int) -> Datum? {
    guard case .list(let elements) = content, elements.indices.contains(place) else { return nil }
    return elements[place]
  }

  /// The values of a map by key in UTF-8; none of anything else.
  fileprivate var members: [[UInt8]: Datum] {
    guard case .map(let entries) = content else { return [:] }
    return Dictionary(entries.map { ([UInt8]($0.key.utf8), $0.value) }) { first, _ in first }
  }
}
