// SPDX-License-Identifier: Apache-2.0

extension ValueType {
  /// How many `[...]` and `?` a notation may put around one another; what goes deeper is the name of a type.
  private static let greatestDepth = 64

  /// The type that the catalog's notation stands for: `Int`, `[String: UInt16]`, `Duration?`.
  ///
  /// What is none of the known types is the name of one that decodes itself. An enumeration has no notation.
  ///
  /// - Complexity: linear in the length of the text.
  public init(notation: String) {
    var core = Substring(notation)
    var layers: [Layer] = []
    while layers.count < ValueType.greatestDepth, let (layer, inner) = Layer.outermost(of: core) {
      layers.append(layer)
      core = inner
    }
    // Deeper than any real type: taken as a name whole, so that it is not walked.
    let isTooDeep = layers.count == ValueType.greatestDepth && Layer.outermost(of: core) != nil
    if isTooDeep {
      self = .named(notation)
    } else {
      self = layers.reversed().reduce(ValueType(name: String(core))) { type, layer in
        switch layer {
        case .list: .list(type)
        case .map: .map(type)
        case .optional: .optional(type)
        }
      }
    }
  }

  /// The type in the catalog's notation; an enumeration, which has none, is shown as its values: `"debug" | "info"`.
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

  /// Whether an enumeration stands somewhere in the type, which the notation cannot express.
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

  /// The type of a name without brackets.
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

  /// The name of a type that is no list, map or optional.
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

/// What a notation puts around a type.
private enum Layer {
  /// `[T]`
  case list
  /// `[String: T]`
  case map
  /// `T?`
  case optional

  /// The outermost layer of a notation and what stands inside, or nil where it has none.
  static func outermost(of text: Substring) -> (Layer, Substring)? {
    if text.utf8.last == UInt8(ascii: "?") {
      let inner = text.dropLast()
      return inner.isEmpty ? nil : (.optional, inner)
    }
    guard text.utf8.first == UInt8(ascii: "["), text.utf8.last == UInt8(ascii: "]") else { return nil }
    let inside = text.dropFirst().dropLast()
    switch firstColon(of: inside) {
    case .unbalanced:
      return nil
    case .none:
      let element = inside.trimmed
      return element.isEmpty ? nil : (.list, element)
    case .some(let colon):
      let element = inside[colon...].dropFirst().trimmed
      guard inside[..<colon].trimmed == "String", !element.isEmpty else { return nil }
      return (.map, element)
    }
  }

  /// Whether a text has a colon outside of all brackets, and where.
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
  /// The text without the spaces around it.
  fileprivate var trimmed: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}
