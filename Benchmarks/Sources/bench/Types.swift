// SPDX-License-Identifier: Apache-2.0

/// A protocol by which a service is looked up.
protocol Logger: Sendable {
  /// A number, so that the protocol has a requirement.
  var level: Int { get }
}

/// A service that is looked up by a protocol.
final class ConsoleLogger: Logger {
  let level: Int

  /// Creates a logger with a level.
  init(level: Int) { self.level = level }
}

/// A service that is looked up by its class.
final class Clock: Sendable {}

/// A transient service without dependencies.
final class Ticket: Sendable {}

/// A class that is not registered.
final class Missing: Sendable {}

/// A service made from a run-time argument.
final class Numbered: Sendable {
  /// The argument.
  let number: Int

  /// Creates an instance with a number.
  init(_ number: Int) { self.number = number }
}

/// The first leaf of the graph.
final class LeafA: Sendable {}

/// The second leaf of the graph.
final class LeafB: Sendable {}

/// The third leaf of the graph.
final class LeafC: Sendable {}

/// An inner node of the graph, with two dependencies.
final class MiddleA: Sendable {
  /// The first dependency.
  let first: LeafA
  /// The second dependency.
  let second: LeafB

  /// Creates a node with two dependencies.
  init(_ first: LeafA, _ second: LeafB) {
    self.first = first
    self.second = second
  }
}

/// An inner node of the graph, with one dependency.
final class MiddleB: Sendable {
  /// The dependency.
  let leaf: LeafC

  /// Creates a node with one dependency.
  init(_ leaf: LeafC) { self.leaf = leaf }
}

/// The root of the graph of six objects.
final class Root: Sendable {
  /// The first dependency.
  let first: MiddleA
  /// The second dependency.
  let second: MiddleB

  /// Creates the root.
  init(_ first: MiddleA, _ second: MiddleB) {
    self.first = first
    self.second = second
  }
}
