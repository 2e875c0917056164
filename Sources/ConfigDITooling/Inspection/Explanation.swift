// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The explanation of an id of a composed module: its entry, the tokens that decided the parts, its uses and its users.
package struct Explanation: Sendable {
  /// The kind of entry that an id names.
  package enum Kind: String, Sendable {
    case service, alias, parameter, template, binding
  }

  /// The id.
  package let id: String
  /// The kind of entry that it names.
  package let kind: Kind
  /// The entry as `resolve` prints it; for a template, what the template itself declares.
  package let definition: Value
  /// The token that decided each part, ascending by path. Parts with their default value have none.
  package private(set) var decisions: [Decision] = []
  /// The parts that files removed, ascending by path, except parts that were defined again. The path is empty if the
  /// whole entry was removed.
  package private(set) var removals: [Removal] = []
  /// The condition of a service, or `nil` if it has none. Its `from` lists the parameters that it compares.
  package private(set) var condition: Decision?
  /// Whether the condition disables the service.
  package private(set) var isExcluded = false
  /// The environment in which the condition was evaluated, or `nil` if there was none.
  package private(set) var environment: String?
  /// The ids that it uses, ascending: other services for a service, other parameters for a parameter.
  package private(set) var uses: [String] = []
  /// The ids that use it, ascending.
  package private(set) var usedBy: [String] = []
  /// The references to a service, ascending by the id of the service that has the reference.
  package private(set) var users: [User] = []
  /// The aliases and bindings whose target is the service, ascending by path.
  package private(set) var names: [Decision] = []
  /// The difference from the module without an environment. `nil` if it was not computed, if the entry exists in
  /// neither, or if it is a template that exists in both.
  package var sinceBase: BaseChange?

  /// Whether a file removes the whole entry.
  package var isRemoved: Bool { removals.contains { $0.path.isEmpty } }

  /// Whether it has references or is referenced, some of which only the registered types may tell.
  package var hasReferences: Bool { kind == .service && !isExcluded && !isRemoved }

  /// A part of an entry, with the token that decided its value.
  package struct Decision: Sendable {
    /// The path of the part within the entry, such as `values.host`.
    package let path: String
    /// The value of the part, with secrets as `<secret NAME>`.
    package let value: Value
    /// How the token decided the value.
    package let verb: Verb
    /// The location of the token.
    package let location: Diagnostic.Location
    /// The earlier values, the latest first.
    package let before: [Decision]
    /// The parameter whose value this is, for a decision in `from`.
    package var parameter: String?
    /// The variable, file or configuration value that a parameter reads.
    package var source: Source?
    /// The parameters that give the value, in the order in which a file names them.
    package var from: [Decision] = []
  }

  /// A variable, file or configuration value that a parameter reads.
  package struct Source: Sendable {
    /// The kind of the source.
    package let kind: TextSource.Kind
    /// The name, as written.
    package let name: String
    /// The later sources of the parameter, which are missing as well, in words: `variable PORT`.
    package let others: [String]
    /// Whether the source has a value.
    package let isSet: Bool
    /// Whether the parameter has a default.
    package let hasDefault: Bool
    /// The location of the token that names the source.
    package let location: Diagnostic.Location
  }

  /// A removed part, or a removed entry.
  package struct Removal: Sendable {
    /// The path of the part within the entry; empty for the whole entry.
    package let path: String
    /// How the token removed it.
    package let verb: Verb
    /// The location of the token.
    package let location: Diagnostic.Location
    /// The earlier values, the latest first.
    package let before: [Decision]
  }

  /// A reference to a service.
  package struct User: Sendable {
    /// How a reference leads to a service.
    package enum ReferenceKind: Sendable {
      /// By its id.
      case id
      /// By an alias.
      case alias(String)
      /// By a tag of the service.
      case tag(String)
      /// By the type of an autowired argument.
      case type(String)
    }

    /// The id of the service that has the reference.
    package let id: String
    /// The argument that receives the service, such as `inject.log` or `decorate[0].inject.log`.
    package let argument: String
    /// How the reference leads to the service.
    package let kind: ReferenceKind
  }

  /// The difference between the module without an environment and the module in an environment.
  package enum BaseChange: Sendable {
    /// The entry exists only in the environment.
    case added
    /// The entry exists only without the environment.
    case removed
    /// The entry exists in both. The list has the parts that differ, and may be empty.
    case changed([ModuleDifference.Change])
  }

  /// How a token decided or removed a part.
  package enum Verb: String, Sendable {
    /// By a plain section.
    case define
    /// By a template.
    case template
    /// Under `override`.
    case override
    /// Under `replace`.
    case replace
    /// By an argument of the caller, such as `--set`.
    case set
    /// Under `remove`; only for removals.
    case remove
  }
}

extension Explanation {
  /// The explanation in the form of `explain --format json`.
  package var value: Value {
    var entries: [Value.Entry] = [
      Value.Entry(key: "id", value: .string(id)), Value.Entry(key: "kind", value: .string(kind.rawValue)),
      Value.Entry(key: "definition", value: definition),
    ]
    if let condition { entries.append(Value.Entry(key: "when", value: value(of: condition))) }
    entries.append(Value.Entry(key: "decisions", value: .list(decisions.map { $0.value(of: .part) })))
    if !removals.isEmpty { entries.append(Value.Entry(key: "removed", value: .list(removals.map(\.value)))) }
    if !names.isEmpty { entries.append(Value.Entry(key: "names", value: .list(names.map { $0.value(of: .part) }))) }
    entries += [
      Value.Entry(key: "uses", value: .list(uses.map(Value.string))),
      Value.Entry(key: "usedBy", value: .list(usedBy.map(Value.string))),
    ]
    if !users.isEmpty { entries.append(Value.Entry(key: "users", value: .list(users.map(\.value)))) }
    if let sinceBase { entries.append(Value.Entry(key: "sinceBase", value: sinceBase.value)) }
    return .map(entries)
  }

  /// Returns the condition in JSON, with its result and environment.
  private func value(of condition: Decision) -> Value {
    var entries = condition.value(of: .condition).entries
    entries.append(Value.Entry(key: "holds", value: .boolean(!isExcluded)))
    if let environment { entries.append(Value.Entry(key: "environment", value: .string(environment))) }
    return .map(entries)
  }
}

extension Explanation.Decision {
  /// The role of a decision in the output.
  fileprivate enum Role {
    /// A part of the entry.
    case part
    /// The condition of a service.
    case condition
    /// An earlier value of the same part.
    case earlier
    /// The value of a parameter in `from`.
    case link
  }

  /// Returns the decision in JSON.
  ///
  /// Recursive: the depth is that of the parameters that use one another.
  fileprivate func value(of role: Role) -> Value {
    var entries: [Value.Entry] = []
    if role == .part { entries.append(Value.Entry(key: "path", value: .string(path))) }
    if let parameter { entries.append(Value.Entry(key: "parameter", value: .string(parameter))) }
    entries += [
      Value.Entry(key: "value", value: value), Value.Entry(key: "verb", value: .string(verb.rawValue)),
    ]
    entries += location.entries
    if role != .earlier {
      let before = before.map { $0.value(of: .earlier) }
      if role != .condition || !before.isEmpty { entries.append(Value.Entry(key: "before", value: .list(before))) }
    }
    if let source { entries.append(Value.Entry(key: "source", value: source.value)) }
    if !from.isEmpty { entries.append(Value.Entry(key: "from", value: .list(from.map { $0.value(of: .link) }))) }
    return .map(entries)
  }
}

extension Explanation.Source {
  /// The source in JSON. The path of a file source is under `path`, because `file` is the module file that names it.
  fileprivate var value: Value {
    .map(
      [
        Value.Entry(key: kind == .file ? Keyword.path.text : kind.rawValue, value: .string(name)),
        Value.Entry(key: "set", value: .boolean(isSet)),
        Value.Entry(key: "default", value: .boolean(hasDefault)),
      ] + location.entries)
  }
}

extension Explanation.Removal {
  /// The removal in JSON.
  fileprivate var value: Value {
    .map(
      [Value.Entry(key: "path", value: .string(path)), Value.Entry(key: "verb", value: .string(verb.rawValue))]
        + location.entries
        + [Value.Entry(key: "before", value: .list(before.map { $0.value(of: .earlier) }))])
  }
}

extension Explanation.User {
  /// The reference in JSON.
  fileprivate var value: Value {
    var entries = [Value.Entry(key: "id", value: .string(id)), Value.Entry(key: "argument", value: .string(argument))]
    switch kind {
    case .id: break
    case .alias(let name): entries.append(Value.Entry(key: "alias", value: .string(name)))
    case .tag(let name): entries.append(Value.Entry(key: "tag", value: .string(name)))
    case .type(let name): entries.append(Value.Entry(key: "type", value: .string(name)))
    }
    return .map(entries)
  }
}

extension Explanation.BaseChange {
  /// The difference in JSON.
  fileprivate var value: Value {
    switch self {
    case .added: ["added": true]
    case .removed: ["removed": true]
    case .changed(let changes): ["changed": .list(changes.map(\.value))]
    }
  }
}

extension Diagnostic.Location {
  /// The file, line and column in JSON.
  fileprivate var entries: [Value.Entry] {
    var entries = [Value.Entry(key: "file", value: .string(file))]
    if let start {
      entries += [
        Value.Entry(key: "line", value: .integer(Int64(start.line))),
        Value.Entry(key: "column", value: .integer(Int64(start.column))),
      ]
    }
    return entries
  }
}
