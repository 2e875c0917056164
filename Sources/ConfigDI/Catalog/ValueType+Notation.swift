// SPDX-License-Identifier: Apache-2.0

extension ValueType {
  /// The greatest nesting of `[...]` and `?` in a notation. A deeper notation is the name of a type.
  private static let maximumDepth = 64

  /// Creates the type of a notation in the catalog: `Int`, `[String: UInt16]`, `Duration?`.
  ///
  /// An unknown name is the name of a type that decodes itself. An enumeration has no notation.
  ///
  /// - Complexity: linear in the length of the text.
  public init(notation: String) {
    var core = Substring(notation)
    var layers: [Layer] = []
    while layers.count < ValueType.maximumDepth, let (layer, inner) = ValueType.outermostLayer(of: core) {
      layers.append(layer)
      core = inner
    }
    // Deeper than any real type. The whole notation becomes a name, so that its levels are never traversed.
    let isTooDeep = layers.count == ValueType.maximumDepth && ValueType.outermostLayer(of: core) != nil
    self = isTooDeep ? .named(notation) : layers.reversed().reduce(ValueType(name: String(core))) { $1($0) }
  }

  /// The notation of the type in the catalog. An enumeration has none, and is shown as its values: `"debug" | "info"`.
  public var notation: String {
    var opening = ""
    var closings: [String] = []
    var type = self
    while true {
      switch type {
      case .list(let element):
        opening += "["
        closings.append("]")
        type = element
      case .map(let element):
        opening += "[String: "
        closings.append("]")
        type = element
      case .optional(let wrapped):
        closings.append("?")
        type = wrapped
      default:
        return opening + type.name + closings.reversed().joined()
      }
    }
  }

  /// Whether the type contains an enumeration, which the notation cannot express.
  var holdsEnumeration: Bool {
    var type = self
    while true {
      switch type {
      case .list(let inner), .map(let inner), .optional(let inner): type = inner
      case .oneOf: return true
      default: return false
      }
    }
  }

  /// Creates the type of a name without brackets.
  private init(name: String) {
    switch name {
    case "String": self = .string
    case "Double": self = .real(isSingle: false)
    case "Float": self = .real(isSingle: true)
    case "Bool": self = .boolean
    case "Duration": self = .duration
    case "Size": self = .size
    case "Bytes": self = .bytes
    case "URL": self = .url
    default: self = IntegerType(rawValue: name).map(ValueType.integer) ?? .named(name)
    }
  }

  /// The name of a type that is not a list, map or optional.
  private var name: String {
    switch self {
    case .string: "String"
    case .integer(let type): type.rawValue
    case .real(let isSingle): isSingle ? "Float" : "Double"
    case .boolean: "Bool"
    case .duration: "Duration"
    case .size: "Size"
    case .bytes: "Bytes"
    case .url: "URL"
    case .oneOf(let values): values.map(\.inWords).joined(separator: " | ")
    case .named(let name): name
    case .list, .map, .optional: notation
    }
  }
}

// MARK: - Layers

extension ValueType {
  /// The part of a notation that surrounds an inner type, as the function that makes the outer type of the inner one.
  private typealias Layer = (ValueType) -> ValueType

  /// Returns the outermost layer of a notation and the text inside it; `nil` if there is no layer.
  private static func outermostLayer(of text: Substring) -> (Layer, Substring)? {
    if text.utf8.last == UInt8(ascii: "?") {
      let inner = text.dropLast()
      return inner.isEmpty ? nil : ({ .optional($0) }, inner)
    }
    guard text.utf8.first == UInt8(ascii: "["), text.utf8.last == UInt8(ascii: "]") else { return nil }
    let inside = text.dropFirst().dropLast()
    switch firstColon(of: inside) {
    case .unbalanced:
      return nil
    case .none:
      let element = inside.trimmed
      return element.isEmpty ? nil : ({ .list($0) }, element)
    case .some(let colon):
      let element = inside[colon...].dropFirst().trimmed
      guard inside[..<colon].trimmed == "String", !element.isEmpty else { return nil }
      return ({ .map($0) }, element)
    }
  }

  /// The result of searching a text for a colon outside of all brackets.
  private enum Colon {
    case unbalanced
    case none
    case some(Substring.Index)
  }

  /// Finds the first colon outside of all brackets.
  private static func firstColon(of text: Substring) -> Colon {
    var depth = 0
    var colon: Substring.Index?
    for index in text.utf8.indices {
      switch text.utf8[index] {
      case UInt8(ascii: "["), UInt8(ascii: "<"), UInt8(ascii: "("): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: ">"), UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: ":") where depth == 0 && colon == nil: colon = index
      default: break
      }
      if depth < 0 { return .unbalanced }
    }
    guard depth == 0 else { return .unbalanced }
    return colon.map(Colon.some) ?? .none
  }
}

extension Substring {
  /// The text without leading and trailing spaces.
  fileprivate var trimmed: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}
