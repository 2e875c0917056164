// SPDX-License-Identifier: Apache-2.0

/// The list of all checks of a graph. Each check has a file of its own.
package struct ModuleChecks: Sendable {
  /// Converts a value as the registry would, given a type by name and an argument by index. Returns the mismatch; `nil`
  /// if the value can be converted. The message omits the value if it is secret.
  typealias Conversion = (
    _ type: String, _ argument: Int, _ value: Value, _ isSecret: Bool
  ) -> ValueType.Mismatch?

  /// Runs all checks, in order.
  ///
  /// - Parameters:
  ///   - isAwaited: Returns which types a synchronous load cannot build; `nil` if nothing is loaded or the load awaits.
  ///   - isCatalogSound: Whether the catalog has no errors. If `false`, checks that depend on types are skipped, as
  ///     their results would be guesses: a lazy argument, for example, breaks a cycle.
  /// - Complexity: Linear in services, references and data.
  static func run(
    over graph: WiringGraph, converting conversion: Conversion? = nil,
    refusing isAwaited: AwaitedStartCheck.IsAwaited? = nil, isCatalogSound: Bool = true, bag: inout DiagnosticBag
  ) {
    // Without all references, checks would report wrong results, such as unused services.
    guard !graph.isCutShort else { return bag.uses.markAll() }
    LifetimeCheck(graph: graph).run(&bag)
    UsageCheck(graph: graph).run(&bag)
    TagCheck(graph).run(&bag)
    DeprecationCheck(graph: graph).run(&bag)
    guard isCatalogSound else { return }
    CycleCheck(graph: graph).run(&bag)
    CaptiveDependencyCheck(graph).run(&bag)
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
