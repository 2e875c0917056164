// SPDX-License-Identifier: Apache-2.0

/// A type in which code registers services: a container, for code that fills it and looks up nothing.
///
/// ```swift
/// func registerStorage(in services: some Registering) {
///   services.register((any Store).self) { FileStore() }
///   services.autoregister(Archive.init)
/// }
///
/// registerStorage(in: container)
/// ```
///
/// Look-ups are in `Resolving`. All forms of `register` and `autoregister` call the one requirement, so a type of your
/// own implements only that, such as one that lists what a feature registers:
///
/// ```swift
/// struct Listed: Registering {
///   let container: Container
///   let list: NameList
///
///   func register<Product>(_ service: CodeService<Product>) {
///     list.append(service.name ?? "\(Product.self)")
///     container.register(service)
///   }
/// }
/// ```
public protocol Registering: Sendable {
  /// Registers a service that one of the other forms has prepared.
  func register<Product>(_ service: CodeService<Product>)
}

extension Container: Registering {
  public func register<Product>(_ service: CodeService<Product>) { state.register(service) }
}
