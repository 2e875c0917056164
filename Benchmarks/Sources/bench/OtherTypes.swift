// SPDX-License-Identifier: Apache-2.0

import ConfigDI

/// One of a thousand types that are registered in addition to those that are looked up, so that the tables are as full
/// as in a large application.
final class Other<A: Digit, B: Digit, C: Digit>: Sendable {
  /// Creates an instance.
  init() {}
}

/// A decimal digit as a type.
protocol Digit: Sendable {}

// swift-format-ignore: OneCasePerLine, AlwaysUseLowerCamelCase
/// The decimal digits.
enum Digits {
  enum D0: Digit {}
  enum D1: Digit {}
  enum D2: Digit {}
  enum D3: Digit {}
  enum D4: Digit {}
  enum D5: Digit {}
  enum D6: Digit {}
  enum D7: Digit {}
  enum D8: Digit {}
  enum D9: Digit {}

  /// The digits in order.
  static let all: [any Digit.Type] = [
    D0.self, D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self, D9.self,
  ]
}

/// The thousand other types.
enum OtherTypes {
  /// Calls a closure for each type, with its number.
  static func forEach(_ body: (_ number: Int, _ entry: any OtherType.Type) throws -> Void) rethrows {
    for (a, first) in Digits.all.enumerated() {
      for (b, second) in Digits.all.enumerated() {
        for (c, third) in Digits.all.enumerated() {
          try body(a * 100 + b * 10 + c, type(first, second, third))
        }
      }
    }
  }

  /// Returns the type for three digits.
  private static func type<A: Digit, B: Digit, C: Digit>(
    _ first: A.Type, _ second: B.Type, _ third: C.Type
  ) -> any OtherType.Type {
    Other<A, B, C>.self
  }
}

/// The operations that the other types have in common.
protocol OtherType: AnyObject, Sendable {
  /// Returns a new instance.
  static func make() -> Self

  /// Registers the type in a registry, under a type name.
  static func register(as name: String, in registry: inout Registry)

  /// Registers the type in code.
  static func register(in container: Container)

  /// Registers the type in code, under a service name.
  static func register(in container: Container, named name: String)

  /// A closure that makes an instance.
  static var closure: @Sendable () -> Any { get }
}

extension Other: OtherType {
  static func make() -> Other { Other() }

  static func register(as name: String, in registry: inout Registry) {
    registry.add(name, as: Other.self) { Other() }
  }

  static func register(in container: Container) { container.register(Other.self) { Other() } }

  static func register(in container: Container, named name: String) {
    container.register(Other.self, named: name) { Other() }
  }

  static var closure: @Sendable () -> Any { { Other() } }
}
