// SPDX-License-Identifier: Apache-2.0

/// A type whose instances a container can make by itself.
///
/// The macro `@Resolvable` writes the conformance; a type without it says the same by hand:
///
/// ```swift
/// extension SMTPMailer: Resolvable {
///   static var injection: Injection<SMTPMailer> {
///     Injection(BuilderArgument<String>.parameter("host"), BuilderArgument<Int>.parameter("port", default: 25)) {
///       SMTPMailer(host: $0, port: $1)
///     }
///   }
/// }
/// ```
public protocol Resolvable {
  /// What is made: the type itself, and for a class that others inherit from still that class.
  associatedtype Injected = Self

  /// How an instance is made, and of what.
  static var injection: Injection<Injected> { get }
}

/// How an instance is made: the arguments, and the closure that takes them.
public struct Injection<Product>: Sendable {
  /// The registration but for its name and place; nil where making an instance waits.
  private let draft: Registration?

  /// An instance that is made at once.
  ///
  /// - Parameters:
  ///   - arguments: the arguments, in the order of the closure's parameters.
  ///   - build: makes an instance of its arguments. May be called from any thread, and from several at once.
  public init<each Input>(
    _ arguments: repeat BuilderArgument<each Input>, build: @escaping @Sendable (repeat each Input) throws -> Product
  ) {
    draft = Registration(
      name: "", as: [.itself], isSendable: false, deprecated: nil, origin: Origin(file: "", line: 0),
      arguments: (repeat each arguments), build: build)
  }

  /// The registration under a name.
  fileprivate func registration(name: String, isSendable: Bool, origin: Origin) -> Registration? {
    guard let draft else { return nil }
    var descriptor = draft.descriptor
    descriptor.name = name
    descriptor.isSendable = isSendable
    descriptor.source = origin.description
    return Registration(
      descriptor: descriptor, origin: origin, provided: draft.provided, argumentTypes: draft.argumentTypes,
      link: draft.link, mismatch: draft.mismatch)
  }

  /// An instance whose making waits.
  ///
  /// - Parameters:
  ///   - arguments: the arguments, in the order of the closure's parameters.
  ///   - build: makes an instance of its arguments. May be called from any thread, and from several at once.
  public init<each Input>(
    _ arguments: repeat BuilderArgument<each Input>,
    build: @escaping @Sendable (repeat each Input) async throws -> Product
  ) {
    draft = nil
  }

  /// An instance that is made on the main actor.
  ///
  /// - Parameters:
  ///   - actor: the main actor.
  ///   - arguments: the arguments, in the order of the closure's parameters.
  ///   - build: makes an instance of its arguments.
  public init<each Input>(
    on actor: MainActor, _ arguments: repeat BuilderArgument<each Input>,
    build: @escaping @MainActor @Sendable (repeat each Input) throws -> Product
  ) {
    draft = nil
  }

  /// An instance that is made on the main actor, and whose making waits.
  ///
  /// - Parameters:
  ///   - actor: the main actor.
  ///   - arguments: the arguments, in the order of the closure's parameters.
  ///   - build: makes an instance of its arguments.
  public init<each Input>(
    on actor: MainActor, _ arguments: repeat BuilderArgument<each Input>,
    build: @escaping @MainActor @Sendable (repeat each Input) async throws -> Product
  ) {
    draft = nil
  }
}

extension Registry {
  /// Registers a type that says itself how it is made.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - name: the name in module files; without it the type's own.
  public mutating func add<Product: Resolvable & Sendable>(
    _ type: Product.Type, name: String? = nil, fileID: String = #fileID, line: Int = #line
  ) where Product.Injected == Product {
    let origin = Origin(file: fileID, line: line)
    let name = name ?? TypeName.name(of: type)
    let registration = Product.injection.registration(name: name, isSendable: true, origin: origin)
    if let registration { insert(registration) }
  }

  /// Registers a type that says itself how it is made, and whose instances are not `Sendable`.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - name: the name in module files; without it the type's own.
  public mutating func add<Product: Resolvable>(
    _ type: Product.Type, name: String? = nil, fileID: String = #fileID, line: Int = #line
  ) where Product.Injected == Product {
    let origin = Origin(file: fileID, line: line)
    let name = name ?? TypeName.name(of: type)
    let registration = Product.injection.registration(name: name, isSendable: false, origin: origin)
    if let registration { insert(registration) }
  }
}
