// SPDX-License-Identifier: Apache-2.0

/// Checks that the data of each holder fit the argument types, and that only secret arguments receive secrets.
struct ValueCheck {
  let graph: WiringGraph
  /// The conversion of the registry; `nil` if there is only a catalog.
  let conversion: ModuleChecks.Conversion?
  /// The parameters that are declared secret in the composed module. A value can also be masked because of a
  /// declaration that a later layer revokes; such a value may go to any argument.
  private let secrets: Set<String>

  /// Creates a check of a graph whose types are known.
  init(_ graph: WiringGraph, _ conversion: ModuleChecks.Conversion?) {
    self.graph = graph
    self.conversion = conversion
    let parameters = graph.definition.parameters.lazy.filter { $0.declaration.isSecret?.value == true }
    secrets = Set(parameters.map { graph.definition.names[$0.name] })
  }

  func run(_ bag: inout DiagnosticBag) {
    for holder in graph.holders where !holder.values.isEmpty {
      guard let type = holder.argumentType else { continue }
      var ownBag = DiagnosticBag()
      for value in holder.values {
        guard let place = type.place(of: value.name), let wanted = type.data[place] else { continue }
        /// The description of the argument for messages. A function, so that it is built only if something is reported.
        func owner() -> String { "argument \"\(type.descriptor.arguments[place].key)\" of \(holder.inWords)" }
        let reportedBefore = ownBag.reported
        check(value.content, wanted, owner, &ownBag)
        if ownBag.reported == reportedBefore { checkConversion(value.content, type.name, place, owner, &ownBag) }
        if !type.isSecret[place] { checkSecrets(value.content, owner, &ownBag) }
      }
      bag.append(ownBag, owner: holder.id)
    }
  }

  /// Reports the innermost parts of a value that do not fit a type.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private func check(_ value: Datum, _ type: ValueType, _ owner: () -> String, _ bag: inout DiagnosticBag) {
    switch (value.content, type) {
    case (.broken, _), (.text, _), (.list, .named), (.map, .named):
      return
    case (_, .optional(let wrapped)):
      check(value, wrapped, owner, &bag)
    case (.list(let elements), .list(let element)):
      for value in elements { check(value, element, owner, &bag) }
    case (.map(let entries), .map(let element)):
      for entry in entries { check(entry.value, element, owner, &bag) }
    case (.unset(let parameter, let name, _), _):
      if !type.accepts(parameter) {
        bag.report(
          .mismatch(
            owner(),
            "expected \(type.acceptedInWords), found \(Datum.mark(ofMissing: name)) of type \"\(parameter.rawValue)\"",
            at: value.node))
      }
    case (.scalar(let scalar), _):
      for mismatch in type.mismatches(of: scalar, isSecret: !value.isShownInMessages) {
        bag.report(.mismatch(owner(), mismatch.message, at: value.node))
      }
    case (.list, _):
      bag.report(.mismatch(owner(), "expected \(type.inWords), found a list", at: value.node))
    case (.map, _):
      bag.report(.mismatch(owner(), "expected \(type.inWords), found a map", at: value.node))
    }
  }

  /// Reports a value that the registry cannot convert. Called for values that fit the type in the catalog.
  private func checkConversion(
    _ value: Datum, _ type: String, _ argument: Int, _ owner: () -> String, _ bag: inout DiagnosticBag
  ) {
    guard let conversion, let plain = value.value,
      let mismatch = conversion(type, argument, plain, !value.isShownInMessages)
    else { return }
    bag.report(.mismatch(owner(), mismatch.message, at: value.part(at: mismatch.path).node))
  }

  /// Reports the innermost parts of a value that contain secrets.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private func checkSecrets(_ value: Datum, _ owner: () -> String, _ bag: inout DiagnosticBag) {
    if !value.secrets.isEmpty {
      let declared = value.secrets.filter(secrets.contains)
      if !declared.isEmpty { bag.report(.secretLeak(owner(), declared, at: value.node)) }
      return
    }
    for part in value.parts { checkSecrets(part, owner, &bag) }
  }
}

extension Datum {
  /// Returns the part at a path of keys and indices, or the innermost part on it that exists.
  fileprivate func part(at path: [ValueType.Mismatch.Step]) -> Datum {
    var part = self
    for step in path {
      switch (part.content, step) {
      case (.list(let elements), .index(let index)) where elements.indices.contains(index):
        part = elements[index]
      case (.map(let entries), .key(let key)):
        guard let entry = entries.first(where: { $0.key.utf8.elementsEqual(key.utf8) }) else { return part }
        part = entry.value
      default:
        return part
      }
    }
    return part
  }
}

extension ValueType {
  /// Returns whether a parameter whose value is not known can fit, judging by its type.
  fileprivate func accepts(_ parameter: ParameterType) -> Bool {
    switch (parameter, self) {
    case (_, .named), (.json, _), (.map, .map): true
    case (.string, .string), (.string, .duration), (.string, .size), (.string, .bytes), (.string, .url): true
    case (.int, .integer), (.int, .real), (.double, .real), (.bool, .boolean): true
    case (.duration, .duration), (.duration, .string), (.size, .size), (.size, .string): true
    case (.list, .list(let element)): element.acceptsStrings
    case (_, .oneOf(let values)): values.contains { parameter.canEqual($0) }
    default: false
    }
  }

  /// Whether an element of a list parameter with an unknown value can fit. Such elements are strings.
  private var acceptsStrings: Bool {
    if case .optional(let wrapped) = self { wrapped.acceptsStrings } else { accepts(.string) }
  }

  /// The expected type in words. For a list, includes the type of its elements.
  fileprivate var acceptedInWords: String {
    if case .list = self { "a list of type \(notation)" } else { inWords }
  }
}

extension ParameterType {
  /// Returns whether a parameter whose value is not known can equal a value of an enumeration.
  fileprivate func canEqual(_ value: Value) -> Bool {
    switch (self, value) {
    case (.string, .string), (.duration, .string), (.size, .string), (.int, .integer), (.double, .real),
      (.bool, .boolean):
      true
    default: false
    }
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for a value that does not fit the type of an argument.
  fileprivate static func mismatch(_ owner: String, _ message: String, at node: NodeRef) -> Finding {
    Finding(.valueMismatch, "\(owner): \(message)", at: node)
  }

  /// Returns the finding for a secret in an argument that is not declared secret.
  fileprivate static func secretLeak(_ owner: String, _ secrets: [String], at node: NodeRef) -> Finding {
    Finding(
      .secretLeak, "\(owner) is not declared secret, but receives secret \(secrets.quotedList)", at: node,
      help: "declare the argument secret where the type is registered")
  }
}
