// SPDX-License-Identifier: Apache-2.0

import ConfigDI

/// A service of a large module, with two dependencies and a value.
final class Node: Sendable {
  /// The first dependency, or `nil`.
  let left: Node?
  /// The second dependency, or `nil`.
  let right: Node?
  /// The value.
  let size: Int

  /// Creates a service.
  init(_ left: Node?, _ right: Node?, _ size: Int) {
    self.left = left
    self.right = right
    self.size = size
  }
}

/// The text of a large module, and its registry.
enum ModuleText {
  /// The number of registered types.
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

  /// Returns the module, with about 90 bytes per service: a type, a value and, except for the first, two dependencies.
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
