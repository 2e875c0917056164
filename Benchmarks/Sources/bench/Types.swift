// SPDX-License-Identifier: Apache-2.0

/// A protocol by which a service is looked up.
protocol Logger: Sendable {
  /// A number, so that the protocol has something.
  var level: Int { get }
}

/// A service that is looked up by a protocol.
final class ConsoleLogger: Logger {
  let level: Int

  /// A logger of a level.
  init(level: Int) { self.level = level }
}

/// A service that is looked up by its class.
final class Clock: Sendable {}

/// A class without dependencies, of which every look-up makes a new instance.
final class Ticket: Sendable {}

/// A class that is registered nowhere.
final class Missing: Sendable {}

/// A class whose instances are made of a run-time argument.
final class Numbered: Sendable {
  /// The argument.
  let number: Int

  /// An instance of a number.
  init(_ number: Int) { self.number = number }
}

/// The first object that the bottom of a graph needs nothing for.
final class LeafA: Sendable {}

/// The second object at the bottom of a graph.
final class LeafB: Sendable {}

/// The third object at the bottom of a graph.
final class LeafC: Sendable {}

/// An object in the middle of a graph, with two others.
final class MiddleA: Sendable {
  /// The first of the two.
  let first: LeafA
  /// The second of the two.
  let second: LeafB

  /// An object with two others.
  init(_ first: LeafA, _ second: LeafB) {
    self.first = first
    self.second = second
  }
}

/// An object in the middle of a graph, with one other.
final class MiddleB: Sendable {
  /// The other.
  let leaf: LeafC

  /// An object with another.
  init(_ leaf: LeafC) { self.leaf = leaf }
}

/// The top of a graph of six objects.
final class Root: Sendable {
  /// The first of the two objects below.
  let first: MiddleA
  /// The second of the two objects below.
  let second: MiddleB

  /// An object with all others below it.
  init(_ first: MiddleA, _ second: MiddleB) {
    self.first = first
    self.second = second
  }
}
