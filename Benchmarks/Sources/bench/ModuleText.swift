// SPDX-License-Identifier: Apache-2.0

import ConfigDI

/// A service of a large module: two others and a datum.
final class Node: Sendable {
  /// The first of the two others, or nil.
  let left: Node?
  /// The second of the two others, or nil.
  let right: Node?
  /// A datum.
  let size: Int

  /// A service.
  init(_ left: Node?, _ right: Node?, _ size: Int) {
    self.left = left
    self.right = right
    self.size = size
  }
}

/// A large module as a text, and what it needs.
enum ModuleText {
  /// How many registered types the services have.
  private static let typeCount = 50

  /// The registered types of the module.
  static var registry: Registry {
    var registry = Registry()
    for number in 0..<typeCount {
      registry.add(
        "Node\(number)", as: Node.self, .service("left", Node?.self), .service("right", Node?.self),
        .value("size", Int.self)
      ) { Node($0, $1, $2) }
    }
    return registry
  }

  /// The module, of about 90 bytes a service: each has a type, a datum and, but for the first, two others.
  static func text(serviceCount: Int) -> String {
    var text = "{\"configdi\":1,\"module\":\"large\",\"bindings\":{\"Node\":\"s0\"},\"services\":{\n"
    for number in 0..<serviceCount {
      text += "\"s\(number)\":{\"type\":\"Node\(number % typeCount)\",\"inject\":{"
      if number > 0 { text += "\"left\":\"s\((number - 1) / 2)\",\"right\":\"s\(number * 2 / 3)\"" }
      text += "},\"values\":{\"size\":\(number)}}" + (number < serviceCount - 1 ? ",\n" : "\n")
    }
    return text + "}}\n"
  }
}
