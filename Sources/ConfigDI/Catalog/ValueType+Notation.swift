// SPDX-License-Identifier: Apache-2.0

extension ValueType {
  /// The greatest nesting of `[...]` and `?` in a notation. A deeper notation is the name of a type.
  private static let maximumDepth = 64

  /// Creates the type of a notation in the catalog: `Int`, `[String: UInt16]`, `Duration?`.
  ///
  /// An unknown name is the name of a type that decodes itself. An enumeration has no notation.
  ///
  /// - Complexity: linear in the length of the text.
  public init(notation: String) { self = ValueType(Substring(notation), depth: 0) ?? .named(notation) }

  /// Creates the type of a part of a notation; `nil` if it is deeper than any real type.
  ///
  /// Recursive: the depth is bounded by `maximumDepth`.
  private init?(_ text: Substring, depth: Int) {
    guard let (layer, inner) = ValueType.outermostLayer(of: text) else {
      self.init(name: String(text))
      return
    }
    guard depth < ValueType.maximumDepth, let type = ValueType(inner, depth: depth + 1) else { return nil }
    self = layer(type)
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
    let (isBalanced, colon) = firstColon(of: inside)
    let element = (colon.map { inside[$0...].dropFirst() } ?? inside).trimmed
    guard isBalanced, !element.isEmpty else { return nil }
    guard let colon else { return ({ .list($0) }, element) }
    return inside[..<colon].trimmed == "String" ? ({ .map($0) }, element) : nil
  }

  /// Finds the first colon outside of all brackets, and whether the brackets are balanced.
  private static func firstColon(of text: Substring) -> (isBalanced: Bool, colon: Substring.Index?) {
    var depth = 0
    var colon: Substring.Index?
    for index in text.utf8.indices {
      switch text.utf8[index] {
      case UInt8(ascii: "["), UInt8(ascii: "<"), UInt8(ascii: "("): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: ">"), UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: ":") where depth == 0 && colon == nil: colon = index
      default: break
      }
      if depth < 0 { break }
    }
    return (depth == 0, colon)
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
