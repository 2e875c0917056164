// SPDX-License-Identifier: Apache-2.0

/// Checks that the data of every service fit the types of its arguments, and that secrets go where they may.
struct ValueCheck {
  let graph: WiringGraph
  /// What the application has against a value, where it is there to ask.
  let conversion: ModuleChecks.Conversion?
  /// The parameters whose declaration says that they are secret. A value can be hidden for a declaration that a layer took
  /// back; an argument may receive that.
  private let secrets: Set<String>

  /// A check of a graph whose types are known.
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
        guard let place = type.place(of: value.name) else { continue }
        guard let wanted = type.data[place] else { continue }
        /// The argument in words, which are made where something is reported.
        func owner() -> String { "argument \"\(type.descriptor.arguments[place].key)\" of \(holder.inWords)" }
        let reportedBefore = ownBag.reported
        check(value.content, wanted, owner, &ownBag)
        if ownBag.reported == reportedBefore { checkConversion(value.content, type.name, place, owner, &ownBag) }
        if !type.isSecret[place] { checkSecrets(value.content, owner, &ownBag) }
      }
      bag.append(ownBag, owner: holder.id)
    }
  }

  /// Reports the innermost data that do not fit a type.
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
            owner(), "expected \(type.acceptedInWords), found \"\(name)\" of type \"\(parameter.rawValue)\"",
            at: .node(value.node)))
      }
    case (.scalar(let scalar), _):
      for mismatch in type.mismatches(of: scalar, isSecret: !value.secrets.isEmpty) {
        bag.report(.mismatch(owner(), mismatch.message, at: .node(value.node)))
      }
    case (.list, _):
      bag.report(.mismatch(owner(), "expected \(type.inWords), found a list", at: .node(value.node)))
    case (.map, _):
      bag.report(.mismatch(owner(), "expected \(type.inWords), found a map", at: .node(value.node)))
    }
  }

  /// Reports what the application has against a datum that fits as far as the catalog knows.
  private func checkConversion(
    _ value: Datum, _ type: String, _ argument: Int, _ owner: () -> String, _ bag: inout DiagnosticBag
  ) {
    guard let conversion, let plain = value.value,
      let mismatch = conversion(type, argument, plain, !value.allSecrets.isEmpty)
    else { return }
    bag.report(.mismatch(owner(), mismatch.message, at: .node(value.part(at: mismatch.path).node)))
  }

  /// Reports the innermost data with secrets.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private func checkSecrets(_ value: Datum, _ owner: () -> String, _ bag: inout DiagnosticBag) {
    if !value.secrets.isEmpty {
      let declared = value.secrets.filter(secrets.contains)
      if !declared.isEmpty { bag.report(.secretLeak(owner(), declared, at: .node(value.node))) }
      return
    }
    switch value.content {
    case .list(let elements): for element in elements { checkSecrets(element, owner, &bag) }
    case .map(let entries): for entry in entries { checkSecrets(entry.value, owner, &bag) }
    case .scalar, .text, .unset, .broken: break
    }
  }
}

extension Datum {
  /// The innermost part along a path of keys and positions.
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
  /// Whether a parameter of which only the type is known can fit.
  fileprivate func accepts(_ parameter: ParameterType) -> Bool {
    switch (parameter, self) {
    case (_, .named), (.json, _), (.map, .map): true
    case (.string, .string), (.string, .duration), (.string, .size), (.string, .bytes), (.string, .url): true
    case (.int, .integer), (.int, .real), (.double, .real), (.bool, .boolean): true
    case (.duration, .duration), (.duration, .string), (.size, .size), (.size, .string): true
    case (.list, .list(let element)): element.acceptsInside(.string)
    case (_, .oneOf(let values)): values.contains { parameter.canEqual($0) }
    default: false
    }
  }
}

extension ParameterType {
  /// Whether a parameter of which only the type is known can be a value of an enumeration.
  fileprivate func canEqual(_ value: Value) -> Bool {
    switch (self, value) {
    case (.string, .string), (.duration, .string), (.size, .string), (.int, .integer), (.double, .real),
      (.bool, .boolean):
      true
    default: false
    }
  }
}

extension ValueType {
  /// Whether an element of a list of which only the type is known can fit: the elements of such a list are texts.
  fileprivate func acceptsInside(_ parameter: ParameterType) -> Bool {
    if case .optional(let wrapped) = self { wrapped.acceptsInside(parameter) } else { accepts(parameter) }
  }

  /// What the type wants, in words; of a list also what it holds.
  fileprivate var acceptedInWords: String {
    if case .list = self { "a list of type \(notation)" } else { inWords }
  }
}

// MARK: - Messages

extension Finding {
  /// A datum that does not fit an argument's type.
  fileprivate static func mismatch(_ owner: String, _ message: String, at place: Place) -> Finding {
    Finding(.valueMismatch, "\(owner): \(message)", at: place)
  }

  /// A secret in an argument that may not hold one.
  fileprivate static func secretLeak(_ owner: String, _ secrets: [String], at place: Place) -> Finding {
    Finding(
      .secretLeak, "\(owner) is not declared secret, but receives secret \(secrets.quotedList)", at: place,
      help: "declare the argument secret where the type is registered")
  }
}
