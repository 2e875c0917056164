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
/// Without `from:` it looks up in `Container.current`. It stops the program with the whole message where the look-up throws.
@propertyWrapper public struct Injected<Service> {
  /// The service.
  public let wrappedValue: Service

  /// Looks the service up now. Stops the program with the whole message where the look-up throws.
  ///
  /// - Parameters:
  ///   - container: where to look up; nil: the current container.
  ///   - name: the name of the service; nil: its type decides.
  public init(from container: (any Resolving)? = nil, named name: String? = nil) {
    do {
      wrappedValue = try (container ?? Container.current).resolve(Service.self, named: name)
    } catch {
      fatalError(error.description)
    }
  }
}

extension Injected: Sendable where Service: Sendable {}

/// A property whose value is looked up when it is first read, and the same afterwards.
///
/// ```swift
/// final class Checkout {
///   @LazyInjected var mailer: any Mailer
/// }
/// ```
///
/// Without `from:` it looks up in the container of the `withContainer` around its owner's creation, else in the one that is
/// current at the first read. Copies share the value, which is looked up once under many threads. It stops the program with
/// the whole message where the look-up throws; `$mailer.get()` throws instead, `$mailer.getAsync()` also awaits builders,
/// and `$mailer.dispose()` drops the value.
@propertyWrapper public struct LazyInjected<Service> {
  /// The value, once it was looked up.
  public let projectedValue: Lazy<Service>

  /// Looks the service up later.
  ///
  /// - Parameters:
  ///   - container: where to look up; nil: the current container.
  ///   - name: the name of the service; nil: its type decides.
  public init(from container: (any Resolving & Sendable)? = nil, named name: String? = nil) {
    let container = container ?? Current.container
    projectedValue = Lazy(named: name) { container ?? Container.current }
  }

  /// The service. Stops the program with the whole message where the look-up throws.
  @inlinable public var wrappedValue: Service { projectedValue.value }
}

extension LazyInjected: Sendable where Service: Sendable {}
