// SPDX-License-Identifier: Apache-2.0

/// A value that exists only while it is used.
///
/// Each use builds one, runs an action with it, and lets it go, also where the action throws. For what should never be held
/// longer than its job takes: a transaction, a connection.
///
/// ```swift
/// let billing = try container.resolve(Isolated<any UserBilling>.self, arguments: userID)
/// try billing.use { billing in try billing.add(payment) }
/// ```
///
/// It stands alone, too: `Isolated { Transaction() }`. Of a service that others keep, such as a shared one, the action
/// receives the kept instance, which stays; `onDispose` is called for an instance that nobody else keeps.
public struct Isolated<Value>: Sendable {
  private let provider: Provider<Value>
  /// Gives back what a value holds that a closure has built.
  private let onDispose: @Sendable (Value) -> Void

  /// A value that a closure builds for each use.
  ///
  /// - Parameters:
  ///   - onDispose: gives back what the value holds, after each use.
  ///   - build: builds the value.
  public init(
    onDispose: @escaping @Sendable (Value) -> Void = { _ in }, _ build: @escaping @Sendable () throws -> Value
  ) {
    provider = Provider(build)
    self.onDispose = onDispose
  }

  /// A value that a provider gives for each use.
  public init(_ provider: Provider<Value>) {
    self.provider = provider
    onDispose = { _ in }
  }

  /// Builds a value, runs an action with it, and lets it go.
  ///
  /// - Throws: what the action throws; `ResolutionError` where the value cannot be built.
  public func use<Result>(_ action: (Value) throws -> Result) throws -> Result {
    let instance = try provider.getOwned()
    defer { giveBack(instance) }
    return try action(instance.value(as: Value.self))
  }

  /// Builds a value, with builders awaited, runs an action with it, and lets it go.
  ///
  /// - Throws: what the action throws; `ResolutionError` where the value cannot be built.
  public func use<Result>(
    isolation: isolated (any Actor)? = #isolation, _ action: (Value) async throws -> Result
  ) async throws -> Result {
    let instance = try await provider.awaitedGetOwned(isolation: isolation)
    defer { giveBack(instance) }
    // Made for this use, and handed to nothing but the action.
    nonisolated(unsafe) let value = instance.value(as: Value.self)
    return try await action(value)
  }

  /// Gives back what a value holds, and what its decorators wrap.
  private func giveBack(_ instance: AnyInstance) {
    onDispose(instance.value(as: Value.self))
    instance.disposeWrapped()
  }
}

extension Isolated: CustomStringConvertible {
  public var description: String { "an isolated \(TypeName.name(of: Value.self))" }
}

extension Isolated: LookUpForm {
  static var sought: Any.Type { Value.self }

  static func parts(_ request: Request, in state: ContainerState) throws(ResolutionError) -> FormParts<Isolated>? {
    try Provider<Value>.parts(request, in: state)?.map { Isolated($0) }
  }

  static func parts(of cell: CellPlace, _ resolution: Resolution) -> FormParts<Isolated> {
    Provider<Value>.parts(of: cell, resolution).map { Isolated($0) }
  }
}

extension Isolated: DeferredForm {
  // For a module file it is a provider: something that is looked up at each use.
  static var deferredType: Any.Type { Value.self }
  static var wrapper: ArgumentDescriptor.Wrapper { .provider }
  static var deferred: @Sendable (CellPlace, BuilderCall) -> Isolated {
    { cell, call in Isolated(Provider(Deferred(cell, of: call, sharing: false))) }
  }
}
