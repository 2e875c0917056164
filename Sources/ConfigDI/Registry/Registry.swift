// SPDX-License-Identifier: Apache-2.0

/// The types that module files can name, and the builders that make them.
///
/// The application fills a registry in code; a module file says which of its types make up the application. Keys and types
/// of the arguments are declared, so that a file is checked before anything is built.
///
/// ```swift
/// var registry = Registry()
/// registry.add("ConsoleLogger", as: (any Logger).self, ConsoleLogger.init)
/// registry.add(
///   "SMTPMailer", as: (any Mailer).self, SMTPMailer.init,
///   .value("host"), .value("port", default: 25), .service("logger"))
/// ```
///
/// A mistake, such as two additions of one name, is thrown as a `RegistryError` by the load that uses the registry, or
/// earlier by `validate()`; so that no call of `add` needs a `try`.
public struct Registry: Sendable {
  /// The registered types by name; of two additions of one name the first.
  private var registrations: [String: BuildableType] = [:]
  /// The Swift types of each short name; of more than one the qualified names are used.
  private var typesByName: [String: Set<ObjectIdentifier>] = [:]
  private var mistakes: [RegistryError.Mistake] = []

  /// A registry without types.
  public init() {}

  /// Takes over all types of another registry, with its mistakes.
  ///
  /// For libraries that bring registrations of their own. A name that both have is a mistake, even for the same call of
  /// `add`.
  public mutating func merge(_ other: Registry) {
    mistakes.append(contentsOf: other.mistakes)
    let added = other.registrations.values.sorted { $0.descriptor.name < $1.descriptor.name }
    // Types that share their names there need not do so here.
    for registration in added { insert(registration.renamed(TypeName.name)) }
  }

  /// What the registered types are, as data: for the tool `configdi`, which runs without the application.
  ///
  /// Of two additions of one name the first is in the catalog. Its sources are files without lines, so that an edit elsewhere in
  /// a file leaves the catalog as it is.
  public var catalog: Catalog {
    Catalog(
      types: registrations.values.map { type in
        var descriptor = type.descriptorForCatalog
        descriptor.source = type.origin.file
        return descriptor
      })
  }

  /// The same with the lines of the registrations, as `App/Registrations.swift:12`.
  public var catalogWithLines: Catalog { Catalog(types: registrations.values.map(\.descriptorForCatalog)) }

  /// What a check of a module asks about the types, with lines, and without what only tools need that write code.
  var catalogForChecks: Catalog { Catalog(types: registrations.values.map(\.descriptor)) }

  /// Checks that no mistake was made while the registry was filled. A load does so by itself.
  ///
  /// - Throws: `RegistryError` with all mistakes.
  public func validate() throws(RegistryError) {
    if !mistakes.isEmpty { throw RegistryError(mistakes: mistakes) }
  }

  /// Why a value does not convert for an argument, or nil where it does; also nil where there is no such argument.
  ///
  /// For the check of types that only the application can convert, before anything is linked.
  ///
  /// - Parameters:
  ///   - typeName: the name of the registered type.
  ///   - argument: the place of the argument in the type's descriptor, from 0.
  ///   - value: the value of the file.
  /// - Complexity: that of the conversion.
  package func mismatch(ofType typeName: String, argument: Int, value: Value) -> ValueMismatch? {
    registrations[typeName]?.mismatch(argument, value)
  }

  /// The registered type of a name; nil where there is none.
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

  /// Takes care that no two Swift types bear one name in module files.
  private mutating func nameTypes(of registration: BuildableType) {
    var changed: [String] = []
    for type in registration.namedTypes {
      let name = TypeName.name(of: type)
      let isNew = typesByName[name, default: []].insert(ObjectIdentifier(type)).inserted
      switch typesByName[name]?.count {
      case 1: break
      case 2 where isNew: changed = Array(registrations.keys)
      default: if changed.isEmpty { changed = [registration.descriptor.name] }
      }
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
