// SPDX-License-Identifier: Apache-2.0

public import ConfigDI

/// The problems of the registered types that `Registry.verify` found.
public struct RegistryVerificationError: Error, Sendable, CustomStringConvertible {
  /// One type and its problem.
  public struct Failure: Sendable {
    /// The name of the type in module files.
    public let typeName: String
    /// The description of the problem.
    public let message: String
  }

  /// The problems of types, in ascending order of their names, then those of `values`; at least one.
  public let failures: [Failure]

  /// All messages, separated by empty lines.
  public var description: String {
    failures.map { "type \"\($0.typeName)\": \($0.message)" }.joined(separator: "\n\n")
  }
}

extension Registry {
  /// Checks that each registered type can be built from its declared arguments, that defaults convert, and that no
  /// instance stays alive after the container was disposed of.
  ///
  /// For each type a module with the type and its dependencies is made, and its service is built and disposed of.
  /// Arguments receive their defaults, or else a sample of their type: `"sample"`, `1`, `true`, `1s`, an empty list. A
  /// service argument receives the first registered type that provides its own; optionals, lists and maps stay empty.
  /// For types that have run-time arguments or need given instances, only the defaults are checked.
  ///
  /// ```swift
  /// @Test func registry() async throws {
  ///   var registry = makeRegistry()
  ///   registry.add("ConnectionMock", as: (any Connection).self) { ConnectionMock() }
  ///   try await registry.verify(values: ["FileStore.path": "/tmp/store"])
  /// }
  /// ```
  ///
  /// - Parameter values: Values for arguments whose sample is not suitable, by the name of the type, a dot and the key.
  /// - Throws: `RegistryError` if the registry has mistakes, or else `RegistryVerificationError` with all problems.
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
      guard !type.isGiven, !type.takesRuntimeArguments else { continue }
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
        RegistryVerificationError.Failure(
          typeName: key, message: "a value is given, but no registered type has this argument"))
    }
    if !failures.isEmpty { throw RegistryVerificationError(failures: failures) }
  }

  /// Returns the problems of the defaults of a type.
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
    let product: Container.KeptObject?
    do {
      product = try await container.buildAsync(named: id)
    } catch {
      try? await container.shutdownUncancelled()
      throw error
    }
    var left = container.keptObjects
    // An instance of a type that is not Sendable is transient, so the container does not cache it.
    if let product, !left.contains(where: { $0.id == id }) { left.append(product) }
    try await container.shutdownUncancelled()
    // The task that has awaited a builder may retain the product for another moment.
    for _ in 0..<100 where left.contains(where: \.isAlive) { try? await Task.sleep(for: .milliseconds(10)) }
    let held = left.filter { $0.isAlive }.map { "\"\($0.id)\"" }
    if !held.isEmpty {
      throw SampleModule.Refusal(
        description: "still retained after the container was disposed of: \(held.joined(separator: ", "))")
    }
  }
}

extension TypeDescriptor {
  /// Whether look-ups pass arguments.
  fileprivate var takesRuntimeArguments: Bool {
    arguments.contains { if case .runtime = $0.kind { true } else { false } }
  }
}

/// A module with services of registered types and their dependencies.
private struct SampleModule {
  /// The reason why a type cannot be added to a module.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// The error of a type that needs an instance from the application.
  struct NeedsGiven: Error {}

  /// The registered types.
  private let types: [TypeDescriptor]
  /// The values that the caller passes, by type and key.
  private let values: [String: Value]
  /// The services so far, by id.
  private var services: [Value.Entry] = []
  /// The services whose dependencies are being added, outermost first: the id, and whether the service before looks it
  /// up later.
  private var open: [(id: String, isDeferred: Bool)] = []
  /// The errors of types that cannot be built, whatever service needs them, by id. Without them, a type that many
  /// services need would be tried again in each combination of the services that may provide the others.
  private var failures: [String: any Error] = [:]
  /// The number of failures because of a service that was open, which another consumer may not have.
  private var contextualFailureCount = 0

  /// Creates an empty module.
  init(_ types: [TypeDescriptor], _ values: [String: Value]) {
    self.types = types
    self.values = values
  }

  /// The text of the module file.
  var text: String {
    let scopes = Set(types.flatMap(\.arguments).compactMap(\.openedScope)).sorted()
    return JSONWriter.text(
      of: ["configdi": 1, "module": "sample", "scopes": .list(scopes.map(Value.string)), "services": .map(services)]
        as Value
    )
  }

  /// Adds a service of a type, and its dependencies.
  ///
  /// - Parameter isDeferred: whether the service that needs it looks it up later.
  /// - Returns: its id.
  mutating func service(of type: TypeDescriptor, isDeferred: Bool = false) throws -> String {
    let id = SampleModule.id(of: type, types)
    if services.contains(where: { $0.key == id }) { return id }
    if let start = open.firstIndex(where: { $0.id == id }) {
      // A cycle of which a part is looked up later can be built.
      if isDeferred || open[(start + 1)...].contains(where: \.isDeferred) { return id }
      contextualFailureCount += 1
      throw Refusal(
        description: "every way to build it is a cycle: \((open.map(\.id) + [id]).joined(separator: " -> "))")
    }
    open.append((id, isDeferred))
    defer { open.removeLast() }
    if let decorated = type.arguments.compactMap(\.decoratedType).first {
      // A decorator needs a service to decorate.
      guard let inner = try provider(of: decorated, as: .direct) else {
        throw Refusal(description: "no registered type provides \"\(decorated)\", which it decorates")
      }
      let part = try entries(of: type)
      // A separate service, since the decorator may need the undecorated one, too.
      guard case .map(var entries) = services.first(where: { $0.key == inner })?.value else {
        contextualFailureCount += 1
        throw Refusal(description: "the only service to decorate, \"\(inner)\", depends on this decorator")
      }
      entries.append(Value.Entry(key: "decorate", value: [.map(part)]))
      if !type.isSendable {
        entries.removeAll { $0.key == "scope" }
        entries.append(Value.Entry(key: "scope", value: "transient"))
      }
      // The decorated service and the decorator may each provide types that the other does not.
      let provided = types.first { SampleModule.id(of: $0, types) == inner }?.provides ?? []
      let common = type.provides.filter(provided.contains)
      entries.append(Value.Entry(key: "provides", value: .list(common.map { .string($0) })))
      services.append(Value.Entry(key: id, value: .map(entries)))
      return id
    }
    var part = try entries(of: type)
    let isShared = type.isSendable && !type.takesRuntimeArguments
    part.append(Value.Entry(key: "scope", value: .string(isShared ? "shared" : "transient")))
    services.append(Value.Entry(key: id, value: .map(part)))
    return id
  }

  /// Returns the entries of a service, or a decorator, of a type in the file.
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
          guard let id = try provider(of: wanted, as: wrapper) else {
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

  /// Adds a service that provides a type: of the first registered type that can be built.
  ///
  /// - Parameter wrapper: the form of the argument. Only a `Provider` can pass run-time arguments.
  /// - Returns: its id; `nil` if no registered type provides the type.
  private mutating func provider(of wanted: String, as wrapper: ArgumentDescriptor.Wrapper) throws -> String? {
    var refusal: (any Error)?
    let able = types.filter { type in
      type.provides.contains(wanted) && !type.arguments.contains { $0.decoratedType != nil }
    }
    let withArguments = wrapper == .provider ? able.filter(\.takesRuntimeArguments) : []
    for type in able.filter({ !$0.takesRuntimeArguments }) + withArguments {
      if type.isGiven {
        refusal = refusal ?? NeedsGiven()
        continue
      }
      let id = SampleModule.id(of: type, types)
      if let failure = failures[id] {
        refusal = refusal ?? failure
        continue
      }
      let before = (services, contextualFailureCount)
      do { return try service(of: type, isDeferred: wrapper != .direct) } catch {
        services = before.0
        if contextualFailureCount == before.1 { failures[id] = error }
        refusal = refusal ?? error
      }
    }
    if let refusal { throw refusal }
    return nil
  }

  /// Returns the id of the service of a type: the type's name if that is a valid id, or else `type` and a number, with
  /// underscores behind it if another type has that name.
  private static func id(of type: TypeDescriptor, _ types: [TypeDescriptor]) -> String {
    var name = type.name
    if name.withUTF8({ NameGrammar.id.accepts($0) }) { return name }
    var id = "type\((types.firstIndex { $0.name == type.name } ?? 0) + 1)"
    while types.contains(where: { $0.name == id }) { id += "_" }
    return id
  }

  /// Returns a sample value of a type; `nil` for a type that only the application knows.
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
  /// The scope that the argument opens; `nil` for another argument.
  fileprivate var openedScope: String? { if case .scope(let name) = kind { name } else { nil } }
  /// The type that the argument decorates; `nil` for another argument.
  fileprivate var decoratedType: String? { if case .decorated(let type) = kind { type } else { nil } }
}
