// SPDX-License-Identifier: Apache-2.0

/// The types that module files can name, and the builders that make their instances.
///
/// The application fills a registry in code; a module file declares services of its types. The keys and types of the
/// arguments are declared, so that a file is checked before anything is built.
///
/// ```swift
/// var registry = Registry()
/// registry.add("ConsoleLogger", as: (any Logger).self, ConsoleLogger.init)
/// registry.add(
///   "SMTPMailer", as: (any Mailer).self, SMTPMailer.init,
///   .value("host"), .value("port", default: 25), .service("logger"))
/// ```
///
/// A mistake, such as two registrations of one name, is thrown as a `RegistryError` by the load that uses the registry,
/// or earlier by `validate()`, so that no call of `add` needs a `try`.
public struct Registry: Sendable {
  /// The registered types by name; the first of two registrations with one name.
  private var registrations: [String: BuildableType] = [:]
  /// The Swift types of each short name. If there is more than one, their qualified names are used.
  private var typesByName: [String: Set<ObjectIdentifier>] = [:]
  private var mistakes: [RegistryError.Mistake] = []

  /// Creates a registry without types.
  public init() {}

  /// Adds all types of another registry, and its mistakes.
  ///
  /// For libraries with registrations of their own. A name that is in both registries is a mistake, even if both got it
  /// from the same call of `add`.
  public mutating func merge(_ other: Registry) {
    mistakes.append(contentsOf: other.mistakes)
    let added = other.registrations.values.ascending(by: \.descriptor.name)
    // Types whose short names collide in the other registry need not collide here.
    for registration in added { insert(registration.renamed(TypeName.name)) }
  }

  /// The registered types as data, for the tool `configdi`, which runs without the application.
  ///
  /// Of two registrations with one name the first is in the catalog. Its sources are files without lines, so that an
  /// edit elsewhere in a file does not change the catalog.
  public var catalog: Catalog {
    Catalog(
      types: registrations.values.map { type in
        var descriptor = type.descriptorForCatalog
        descriptor.source = type.origin.file
        return descriptor
      })
  }

  /// The catalog with the lines of the registrations, as `App/Registrations.swift:12`.
  public var catalogWithLines: Catalog { Catalog(types: registrations.values.map(\.descriptorForCatalog)) }

  /// The catalog for the check of a module: with lines, and without what only code generators need.
  var catalogForChecks: Catalog { Catalog(types: registrations.values.map(\.descriptor)) }

  /// Throws if a mistake was made while the registry was filled. A load does this check itself.
  ///
  /// - Throws: `RegistryError` with all mistakes.
  public func validate() throws(RegistryError) {
    if !mistakes.isEmpty { throw RegistryError(mistakes: mistakes) }
  }

  /// Returns why a value does not convert for an argument; `nil` if it does, or there is no such argument.
  ///
  /// For the check of types that only the application can convert, before anything is linked.
  ///
  /// - Parameters:
  ///   - typeName: the name of the registered type.
  ///   - argument: the index of the argument in the type's descriptor, from 0.
  ///   - value: the value in the file.
  /// - Complexity: that of the conversion.
  package func mismatch(ofType typeName: String, argument: Int, value: Value) -> ValueMismatch? {
    registrations[typeName]?.mismatch(argument, value)
  }

  func type(named name: String) -> BuildableType? { registrations[name] }

  mutating func insert(_ registration: BuildableType) {
    let name = registration.descriptor.name
    if let first = registrations[name] {
      mistakes.append(.duplicateName(name, first: first.origin, second: registration.origin))
      return
    }
    var text = name
    if !text.withUTF8({ NameGrammar.type.accepts($0) }) {
      mistakes.append(.invalidName(name, at: registration.origin))
    }
    registrations[name] = registration
    nameTypes(of: registration)
    var keys: Set<String> = []
    for argument in registration.descriptor.arguments where !keys.insert(argument.key).inserted {
      mistakes.append(.duplicateArgument(argument.key, of: name, at: registration.origin))
    }
  }

  /// Gives each Swift type a unique name in module files: qualified if its short name is not unique.
  private mutating func nameTypes(of registration: BuildableType) {
    var changed: Set<String> = []
    for type in registration.namedTypes {
      let name = TypeName.name(of: type)
      let isNew = typesByName[name, default: []].insert(ObjectIdentifier(type)).inserted
      guard let types = typesByName[name], types.count > 1 else { continue }
      changed.insert(registration.descriptor.name)
      guard isNew, types.count == 2 else { continue }
      // Those that name the first type have called it by its short name.
      let others = registrations.values.filter { $0.namedTypes.contains { types.contains(ObjectIdentifier($0)) } }
      changed.formUnion(others.map(\.descriptor.name))
    }
    let typesByName = typesByName
    for name in changed {
      registrations[name] = registrations[name]?.renamed { type in
        let name = TypeName.name(of: type)
        return typesByName[name]?.count == 1 ? name : TypeName.qualifiedName(of: type)
      }
    }
  }
}
