// SPDX-License-Identifier: Apache-2.0

/// The checks of the wiring, in the order in which they run. Each stands in a file of its own.
package struct ModuleChecks: Sendable {
  /// Reports what the application has against a value for an argument, by the type's name and the argument's place. The
  /// message shows the value only where it is no secret.
  typealias Conversion = (
    _ type: String, _ argument: Int, _ value: Value, _ isSecret: Bool
  ) -> ValueType.Mismatch?

  /// Runs all checks over a graph.
  ///
  /// - Parameters:
  ///   - isAwaited: Which types a load that does not await cannot build; nil where nothing is loaded, or the load awaits.
  ///   - isCatalogSound: Whether the types are known as far as they should be. Where a catalog is broken, what
  ///     depends on the types would only be guesses: a lazy argument, for one, breaks a cycle.
  /// - Complexity: linear in services, references and data.
  static func run(
    over graph: WiringGraph, converting conversion: Conversion? = nil,
    refusing isAwaited: AwaitedStartCheck.IsAwaited? = nil, isCatalogSound: Bool = true, bag: inout DiagnosticBag
  ) {
    // What was not followed would be called unused, missing or fine.
    guard !graph.isCutShort else { return bag.uses.markAll() }
    LifetimeCheck(graph: graph).run(&bag)
    UsageCheck(graph: graph).run(&bag)
    TagCheck(graph).run(&bag)
    DeprecationCheck(graph: graph).run(&bag)
    guard isCatalogSound else { return }
    CycleCheck(graph: graph).run(&bag)
    CaptiveCheck(graph).run(&bag)
    AmbiguityCheck(graph: graph).run(&bag)
    MisplacedReferenceCheck(graph: graph).run(&bag)
    guard let types = graph.types else { return }
    TypeCheck(graph: graph, types: types).run(&bag)
    var arguments = ArgumentCheck(graph)
    arguments.run(&bag)
    ValueCheck(graph, conversion).run(&bag)
    var references = ReferenceTypeCheck(graph)
    references.run(&bag)
    ProvidesCheck(graph: graph).run(&bag)
    DecoratorCheck(graph: graph).run(&bag)
    SharingCheck(graph: graph, isLoad: conversion != nil).run(&bag)
    RuntimeArgumentCheck(graph: graph).run(&bag)
    WeakCheck(graph: graph).run(&bag)
    GivenCheck(graph: graph).run(&bag)
    ScopeOpeningCheck(graph: graph).run(&bag)
    if let isAwaited { AwaitedStartCheck(graph: graph, isAwaited: isAwaited).run(&bag) }
  }
}
