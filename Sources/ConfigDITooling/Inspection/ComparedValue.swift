// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// A value that is compared as a whole.
struct ComparedLeaf {
  /// The printed form, with secrets of either module as masks.
  let shown: Value
  /// The real value, which may contain secrets.
  let real: Value
  /// Whether the value contains a secret.
  var isSecret = false
  /// Whether the value contains what only the other module declares secret.
  var isForeign = false

  /// The form for output.
  var printed: Value { isForeign ? ComparedLeaf.hidden : shown }

  /// The text shown for a plain value that is, or may be, a secret of the other module.
  static let hidden = Value.string("<hidden>")
}

/// An entry of a map. Not a tuple, because the compiler rejects an enumeration with tuples of itself as circular.
struct ComparedEntry {
  /// The key.
  let key: String
  /// The value.
  let value: ComparedValue

  /// Creates an entry of a map.
  init(_ key: String, _ value: ComparedValue) {
    self.key = key
    self.value = value
  }
}

/// A value in a printed form and in its real form with secrets. Both are compared, only the printed one is shown.
indirect enum ComparedValue {
  /// A value that is compared as a whole.
  case leaf(ComparedLeaf)
  /// A list.
  case list([ComparedValue])
  /// A map.
  case map([ComparedEntry])

  /// Creates a value without secrets.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  init(_ value: Value) {
    switch value {
    case .list(let elements): self = .list(elements.map { ComparedValue($0) })
    case .map(let entries): self = .map(entries.map { ComparedEntry($0.key, ComparedValue($0.value)) })
    default: self = .leaf(ComparedLeaf(shown: value, real: value))
    }
  }

  /// Creates a value that is printed as a mask.
  init(_ value: Value, maskedBy parameter: String, isForeign: Bool) {
    self = .leaf(
      ComparedLeaf(shown: .string("<secret \(parameter)>"), real: value, isSecret: true, isForeign: isForeign))
  }

  /// Creates a value from an expanded datum. The real form of a missing part is its text in the file.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  ///
  /// - Parameters:
  ///   - declared: The datum before expansion.
  ///   - foreign: The parameters that only the other module declares secret.
  init(_ datum: Datum, declared: Datum?, foreign: Set<String> = []) {
    guard datum.secrets.isEmpty else {
      self = .leaf(
        ComparedLeaf(
          shown: datum.printed, real: datum.real(declared: declared), isSecret: true,
          isForeign: !foreign.isDisjoint(with: datum.secrets)))
      return
    }
    switch datum.content {
    case .list(let elements):
      self = .list(
        elements.indices.map { ComparedValue(elements[$0], declared: declared?.element($0), foreign: foreign) })
    case .map(let entries):
      let parts = declared?.members ?? [:]
      self = .map(
        entries.map {
          ComparedEntry($0.key, ComparedValue($0.value, declared: parts[[UInt8]($0.key.utf8)], foreign: foreign))
        })
    case .scalar, .text, .unset, .broken:
      self = .leaf(ComparedLeaf(shown: datum.printed, real: datum.real(declared: declared)))
    }
  }
}

// MARK: - Forms

extension ComparedValue {
  /// The printed form, with secrets of either module as masks.
  var shown: Value { value { $0.shown } }

  /// The form for output.
  var printed: Value { value { $0.printed } }

  /// The real form with secrets. It is compared, and never shown.
  var real: Value { value { $0.real } }

  /// The real form with its secrets in printed form.
  var realWithPrintedSecrets: Value { value { $0.isSecret ? $0.printed : $0.real } }

  /// Whether the value contains a secret.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  var containsSecret: Bool {
    switch self {
    case .leaf(let leaf): leaf.isSecret
    case .list(let elements): elements.contains(where: \.containsSecret)
    case .map(let entries): entries.contains(where: \.value.containsSecret)
    }
  }

  /// Returns the value with each leaf replaced by one of its forms.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private func value(_ form: (ComparedLeaf) -> Value) -> Value {
    switch self {
    case .leaf(let leaf): form(leaf)
    case .list(let elements): .list(elements.map { $0.value(form) })
    case .map(let entries): .map(entries.map { Value.Entry(key: $0.key, value: $0.value.value(form)) })
    }
  }
}

extension Datum {
  /// Returns the expanded datum with secrets. Of a string with a missing part, the result has the rest; for a missing
  /// value alone, it is the string that names it.
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

  /// Returns the list element at an index, or `nil` if the datum is not a list or the index is out of bounds.
  fileprivate func element(_ place: Int) -> Datum? {
    guard case .list(let elements) = content, elements.indices.contains(place) else { return nil }
    return elements[place]
  }

  /// The values of a map by key in UTF-8; empty if the datum is not a map.
  fileprivate var members: [[UInt8]: Datum] {
    guard case .map(let entries) = content else { return [:] }
    return Dictionary(entries.map { ([UInt8]($0.key.utf8), $0.value) }) { first, _ in first }
  }
}
