// SPDX-License-Identifier: Apache-2.0

public import ConfigDI

/// What is wrong with the registered types of a registry, as `Registry.verify` found it.
public struct RegistryVerificationError: Error, Sendable, CustomStringConvertible {
  /// One type, and what is wrong with it.
  public struct Failure: Sendable {
    /// The name of the type in module files.
    public let typeName: String
    /// What is wrong.
    public let message: String
  }

  /// What is wrong, in ascending order of the types' names; at least one.
  public let failures: [Failure]

  /// All messages, an empty line between two of them.
  public var description: String {
    failures.map { "type \"\($0.typeName)\": \($0.message)" }.joined(separator: "\n\n")
  }
}

extension Registry {
  /// Checks that each registered type can be built from its declared arguments, that defaults convert, and that nothing is left
  /// when the container is disposed of.
  ///
  /// A module is made for each type, with the types that it needs, and its service is built and disposed of. Arguments receive
  /// their defaults, else a sample of their type: `"sample"`, `1`, `true`, `1s`, an empty list. A service argument receives the
  /// first registered type that provides its own; optional ones, lists and maps none. Types with run-time arguments, and those that
  /// need what the application gives, are checked for their defaults alone.
  ///
  /// ```swift
  /// @Test func registry() async throws {
  ///   var registry = makeRegistry()
  ///   registry.add("ConnectionMock", as: (any Connection).self) { ConnectionMock() }
  ///   try await registry.verify(values: ["FileStore.path": "/tmp/store"])
  /// }
  /// ```
  ///
  /// - Parameter values: Values for arguments, by the name of the type, a dot and the key; for those whose sample would not do.
  /// - Throws: `RegistryError` where the registry has mistakes, `RegistryVerificationError` with all that is wrong else.
  public func verify(
    values: [String: Value] = [:], isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try validate()
    let types = catalog.types
    var failures: [RegistryVerificationError.Failure] = []
    for type in types {
      for message in wrongDefaults(of: type) {
        failures.append(RegistryVerificationError.Failure(typeName: type.name, message: message))
      }
      guard !type.isGiven, !type.arguments.contains(where: \.isRuntime) else { continue }
      var sample = SampleModule(types, values)
      do {
        try await build(sample.service(of: type), in: sample)
      } catch is SampleModule.NeedsGiven {
        continue
      } catch {
        failures.append(RegistryVerificationError.Failure(typeName: type.name, message: "\(error)"))
      }
    }
    let known = Set(types.flatMap { type in type.arguments.map { "\(type.name).\($0.key)" } })
    for key in values.keys.sorted() where !known.contains(key) {
      failures.append(
        RegistryVerificationError.Failure(typeName: key, message: "a value is given for an argument that there is not"))
    }
    if !failures.isEmpty { throw RegistryVerificationError(failures: failures) }
  }

  /// What is wrong with the defaults of a type.
  private func wrongDefaults(of type: TypeDescriptor) -> [String] {
    type.arguments.indices.compactMap { index in
      guard let value = type.arguments[index].defaultValue,
        let mismatch = mismatch(ofType: type.name, argument: index, value: value)
      else { return nil }
      let reason = type.arguments[index].isSecret ? "" : ": \(mismatch)"
      return "the default of \"\(type.arguments[index].key)\" does not convert\(reason)"
    }
  }

  /// Builds a service of a module, and disposes of it.
  private func build(
    _ id: String, in sample: SampleModule, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    let container = try await Container(text: sample.text, name: "<\(id)>", registry: self)
    do {
      try await container.buildAsync(named: id)
    } catch {
      container.dispose()
      throw error
    }
    let left = container.keptObjects
    container.dispose()
    let held = left.filter { $0.isAlive }.map { "\"\($0.id)\"" }
    if !held.isEmpty {
      throw SampleModule.Refusal(
        description: "\(held.joined(separator: ", ")) is still held by somebody after the container was disposed of")
    }
  }
}

extension ArgumentDescriptor {
  /// Whether the look-up brings the argument along.
  fileprivate var isRuntime: Bool { if case .runtime = kind { true } else { false } }
}

/// A module of services of registered types, with what they need.
private struct SampleModule {
  /// Why a type cannot be put into a module.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// A type that needs what only the application can give.
  struct NeedsGiven: Error {}

  /// The types.
  private let types: [TypeDescriptor]
  /// The values that the caller gives, by type and key.
  private let values: [String: Value]
  /// The services so far, by id.
  private var services: [Value.Entry] = []
  /// The ids of the services whose needs are being put together, outermost first.
  private var open: [String] = []

  /// An empty module.
  init(_ types: [TypeDescriptor], _ values: [String: Value]) {
    self.types = types
    self.values = values
  }

  /// The module as a file.
  var text: String {
    let scopes = Set(types.flatMap(\.arguments).compactMap(\.openedScope)).sorted()
    return JSONWriter.text(
      of: ["configdi": 1, "module": "sample", "scopes": .list(scopes.map(Value.string)), "services": .map(services)]
        as Value
    )
  }

  /// Adds a service of a type, and what it needs.
  ///
  /// - Returns: its id.
  mutating func service(of type: TypeDescriptor) throws -> String {
    let id = SampleModule.id(of: type, types)
    if services.contains(where: { $0.key == id }) { return id }
    if open.contains(id) {
      throw Refusal(
        description: "each way to build it leads back to it: \((open + [id]).joined(separator: " -> "))")
    }
    open.append(id)
    defer { open.removeLast() }
    if let decorated = type.arguments.compactMap(\.decoratedType).first {
      // A decorator stands on a service that it can decorate.
      guard let inner = try provider(of: decorated) else {
        throw Refusal(description: "no registered type provides \"\(decorated)\", which it decorates")
      }
      let part = try entries(of: type)
      // A service of its own, since the decorator may need the other one, too.
      guard case .map(var entries) = services.first(where: { $0.key == inner })?.value else {
        throw Refusal(description: "nothing can be decorated")
      }
      entries.append(Value.Entry(key: "decorate", value: [.map(part)]))
      // What it stands on may provide more than it does, and it more than that.
      let provided = types.first { SampleModule.id(of: $0, types) == inner }?.provides ?? []
      let common = type.provides.filter(provided.contains)
      entries.append(Value.Entry(key: "provides", value: .list(common.map { .string($0) })))
      services.append(Value.Entry(key: id, value: .map(entries)))
      return id
    }
    var part = try entries(of: type)
    part.append(Value.Entry(key: "scope", value: .string(type.isSendable ? "shared" : "transient")))
    services.append(Value.Entry(key: id, value: .map(part)))
    return id
  }

  /// What the file says of a service, or a decorator, of a type.
  private mutating func entries(of type: TypeDescriptor) throws -> [Value.Entry] {
    var inject: [Value.Entry] = []
    var data: [Value.Entry] = []
    for argument in type.arguments {
      switch argument.kind {
      case .value(let wanted):
        let given = values["\(type.name).\(argument.key)"]
        if given == nil, argument.hasDefault || argument.isOptional { continue }
        guard let value = given ?? SampleModule.sample(of: wanted) else {
          throw Refusal(
            description: "argument \"\(argument.key)\" needs a value: give one for \"\(type.name).\(argument.key)\"")
        }
        data.append(Value.Entry(key: argument.key, value: value))
      case .service(let wanted, let wrapper):
        switch wrapper {
        case .list: inject.append(Value.Entry(key: argument.key, value: []))
        case .map: inject.append(Value.Entry(key: argument.key, value: ["map": [:]]))
        case .direct, .lazy, .provider:
          if argument.isOptional { continue }
          guard let id = try provider(of: wanted) else {
            throw Refusal(
              description: "no registered type provides \"\(wanted)\", which argument \"\(argument.key)\" needs")
          }
          inject.append(Value.Entry(key: argument.key, value: .string(id)))
        }
      case .decorated, .runtime, .scope, .resolver: continue
      }
    }
    var part: [Value.Entry] = [Value.Entry(key: "type", value: .string(type.name))]
    if !inject.isEmpty { part.append(Value.Entry(key: "inject", value: .map(inject))) }
    if !data.isEmpty { part.append(Value.Entry(key: "values", value: .map(data))) }
    return part
  }

  /// Adds a service that provides a type: of the first that can be built.
  ///
  /// - Returns: its id; nil where no type provides it.
  private mutating func provider(of wanted: String) throws -> String? {
    var refusal: (any Error)?
    for type in types where type.provides.contains(wanted) && !type.arguments.contains(where: \.isRuntime) {
      if type.arguments.contains(where: { $0.decoratedType != nil }) { continue }
      if type.isGiven {
        refusal = refusal ?? NeedsGiven()
        continue
      }
      let before = services
      do { return try service(of: type) } catch {
        services = before
        refusal = refusal ?? error
      }
    }
    if let refusal { throw refusal }
    return nil
  }

  /// The id of the service of a type: its name where that is one.
  private static func id(of type: TypeDescriptor, _ types: [TypeDescriptor]) -> String {
    var name = type.name
    if name.withUTF8({ NameGrammar.id.accepts($0) }) { return name }
    return "type\((types.firstIndex { $0.name == type.name } ?? 0) + 1)"
  }

  /// A value of a type; nil for one that only the application knows.
  private static func sample(of type: ValueType) -> Value? {
    switch type {
    case .string: "sample"
    case .integer: 1
    case .real: 1.0
    case .boolean: true
    case .duration: "1s"
    case .size: "1KiB"
    case .bytes: "c2FtcGxl"
    case .url: "https://example.org/"
    case .list, .optional(.list): []
    case .map, .optional(.map): [:]
    case .optional(let wrapped): sample(of: wrapped)
    case .oneOf(let values): values.first
    case .named: nil
    }
  }
}

extension ArgumentDescriptor {
  /// The scope that the argument opens; nil for another argument.
  fileprivate var openedScope: String? { if case .scope(let name) = kind { name } else { nil } }
  /// The type that the argument decorates; nil for another argument.
  fileprivate var decoratedType: String? { if case .decorated(let type) = kind { type } else { nil } }
}
