// SPDX-License-Identifier: Apache-2.0

/// A property whose value is looked up when its owner is created.
///
/// ```swift
/// final class Checkout {
///   @Injected var mailer: any Mailer
///   @Injected(named: "logger.audit") var audit: any Logger
///   @Injected(from: tools) var parser: any Parser
/// }
/// ```
///
/// Without `from:` it looks up in `Container.current`. Stops the program with the full error message if the look-up
/// throws.
///
/// The look-up takes place before the initializer of the owner begins, also if that assigns `_mailer`. A class with such a
/// property is not `Sendable`, since the property is variable. In both cases let the initializer receive the service.
@propertyWrapper public struct Injected<Service> {
  /// The service.
  public let wrappedValue: Service

  /// Looks up the service now. Stops the program with the full error message if the look-up throws.
  ///
  /// - Parameters:
  ///   - container: where to look up; `nil` for the current container.
  ///   - name: the name of the service; `nil` to look it up by type.
  public init(
    from container: (any Resolving)? = nil, named name: String? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    wrappedValue = orStop(fileID, line) { try (container ?? Container.current).resolve(Service.self, named: name) }
  }
}

extension Injected: Sendable where Service: Sendable {}

/// A property whose value is looked up when it is first read, and then cached.
///
/// ```swift
/// final class Checkout {
///   @LazyInjected var mailer: any Mailer
/// }
/// ```
///
/// Without `from:` it looks up in the container of the `withContainer` around the creation of its owner, or, outside of
/// one, in `Container.current` at the first read. Copies share the value, which is looked up once for all threads. It
/// stops the program with the full error message if the look-up throws; `$mailer.get()` throws instead,
/// `$mailer.getAsync()` also awaits async builders, and `$mailer.dispose()` drops the value.
///
/// It retains the container of the `withContainer`. An instance that this container caches should receive its services by
/// its initializer instead, since the two would keep each other alive.
@propertyWrapper public struct LazyInjected<Service> {
  /// The `Lazy` that looks up and caches the value.
  public let projectedValue: Lazy<Service>
  /// The place of the property, where the program is said to stop.
  @usableFromInline let fileID: StaticString
  @usableFromInline let line: UInt

  /// Creates a property that looks up the service at the first read.
  ///
  /// - Parameters:
  ///   - container: where to look up; `nil` for the current container.
  ///   - name: the name of the service; `nil` to look it up by type.
  public init(
    from container: (any Resolving & Sendable)? = nil, named name: String? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    let container = container ?? Container.ofTask
    projectedValue = Lazy(named: name) { container ?? Container.current }
    (self.fileID, self.line) = (fileID, line)
  }

  /// The service. Stops the program with the full error message if the look-up throws.
  @inlinable public var wrappedValue: Service { projectedValue.value(neededAt: fileID, line) }
}

extension LazyInjected: Sendable where Service: Sendable {}
