// SPDX-License-Identifier: Apache-2.0

/// What the declared arguments of a builder receive, in the order of its parameters.
final class Inputs: Sendable {
  /// For each argument a `Supplier` of its type.
  let suppliers: [any AnySupplier]

  /// The suppliers of a builder.
  init(_ suppliers: [any AnySupplier]) { self.suppliers = suppliers }
}

/// A service of which a declared argument receives the instance.
enum Target: Sendable {
  /// The service of a cell, whichever it is by then.
  case cell(CellPlace)
  /// What a decorator wraps, as one of its types, by the place among them.
  case wrapped(Registration, index: Int)
}

/// A cell of a container.
struct CellPlace: Sendable {
  /// The container.
  let home: ContainerState
  /// The number of the cell.
  let number: Int

  /// A cell of a container.
  init(_ home: ContainerState, _ number: Int) {
    self.home = home
    self.number = number
  }
}

/// A supplier of any type.
protocol AnySupplier: AnyObject, Sendable {
  /// The services whose instances the argument receives or is put together of; none where it is not made of instances.
  var targets: [Target] { get }
  /// Whether the argument is looked up in a way that may have to await.
  var mayAwait: Bool { get }
  /// The argument.
  ///
  /// - Parameter parts: an instance of each target.
  /// - Throws: what the argument's own look-up throws, where it has no targets.
  func value(of parts: [AnyInstance], for call: BuilderCall) throws -> AnyInstance
  /// The argument, with builders awaited; nil where it has targets, or there is nothing to await.
  ///
  /// - Throws: what the argument's own look-up throws.
  func awaitedValue(for call: BuilderCall, isolation: isolated (any Actor)?) async throws -> AnyInstance?
}

/// Gives an argument of a builder its value, each time the builder is called.
final class Supplier<Input>: AnySupplier, @unchecked Sendable {
  // Unchecked for the constant: a value from a file, which is `Sendable`, or the nil of an optional.

  /// Looks the argument up with builders awaited.
  typealias Awaiting = @Sendable (BuilderCall, isolated (any Actor)?) async throws -> Input

  /// Where the values come from.
  private enum Source {
    /// The same value at each call.
    case constant(Input)
    /// The instance of one target.
    case target(Target)
    /// The instances of several targets, put together.
    case targets([Target], @Sendable ([AnyInstance]) -> Input)
    /// What a closure gives, and where there is something to await, another one that awaits it.
    case computed(Maker<Input>, Awaiting?)
  }

  /// Where the values come from.
  private let source: Source

  /// A supplier of the same value at each call.
  init(constant: Input) { source = .constant(constant) }
  /// A supplier of the instance of a target, whose type is `Input`.
  init(_ target: Target) { source = .target(target) }
  /// A supplier of the instances of several targets, which a closure puts together.
  init(_ targets: [Target], _ combine: @escaping @Sendable ([AnyInstance]) -> Input) { source = .targets(targets, combine) }
  /// A supplier of what a closure gives.
  ///
  /// - Parameter awaiting: gives the same with builders awaited; nil where there is nothing to await.
  init(_ compute: @escaping Maker<Input>, awaiting: Awaiting? = nil) { source = .computed(compute, awaiting) }

  /// The value for a call.
  ///
  /// - Throws: what the look-up for the argument throws.
  func value(for call: BuilderCall) throws -> Input {
    switch source {
    case .constant(let value): return value
    case .target(.cell(let cell)): return try cell.home.service(Input.self, in: cell.number, call.resolution.withoutArguments)
    case .target(.wrapped(let registration, let index)):
      return try registration.home.made(Input.self, registration, index: index, call.resolution)
    case .targets(let targets, let combine):
      return combine(try targets.map { try $0.instance(call.resolution) })
    case .computed(let compute, _): return try compute(call)
    }
  }

  var targets: [Target] {
    switch source {
    case .constant, .computed: []
    case .target(let target): [target]
    case .targets(let targets, _): targets
    }
  }

  var mayAwait: Bool { if case .computed(_, _?) = source { true } else { false } }

  func value(of parts: [AnyInstance], for call: BuilderCall) throws -> AnyInstance {
    switch source {
    case .constant, .computed: Instance<Input>(try value(for: call))
    case .target: parts[0]
    case .targets(_, let combine): Instance<Input>(combine(parts))
    }
  }

  func awaitedValue(for call: BuilderCall, isolation: isolated (any Actor)?) async throws -> AnyInstance? {
    guard case .computed(_, let awaiting?) = source else { return nil }
    return Instance<Input>(try await awaiting(call, isolation))
  }
}
