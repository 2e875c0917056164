// SPDX-License-Identifier: Apache-2.0

/// Something in which code registers services: a container, for who shall fill it and look nothing up in it.
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
/// What looks services up is `Resolving`. All forms of `register` and `autoregister` come down to one, which is all that a
/// type of your own needs in order to take part, such as one that keeps a list of what a feature registers:
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
  /// Registers a service, as one of the other forms has put it together.
  func register<Product>(_ service: CodeService<Product>)
}

extension Container: Registering {
  public func register<Product>(_ service: CodeService<Product>) { state.register(service) }
}
