// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The explanation of an id of a composed module: its entry, the tokens that decided the parts, its uses and its users.
package struct Explanation: Sendable {
  /// The id.
  package let id: String
  /// The section of the entry that it names.
  package let section: Section
  /// The entry as `resolve` prints it; for a template, what the template itself declares.
  package let definition: Value
  /// The token that decided each part, ascending by path. Parts with their default value have none.
  package private(set) var decisions: [Decision] = []
  /// The arguments of a service and its decorators that are bound by type, with the paths as keys.
  package private(set) var bound: [Value.Entry] = []
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
  package var hasReferences: Bool { section == .services && !isExcluded && !isRemoved }

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
    Value([
      "id": .string(id), "kind": .string(section.entryInWords), "definition": definition,
      "when": condition.map { value(of: $0) },
      "decisions": .list(decisions.map { $0.value(of: .part) }),
      "bound": Value.list(bound.map { ["path": .string($0.key), "value": $0.value] }).unlessEmpty,
      "removed": Value.list(removals.map(\.value)).unlessEmpty,
      "names": Value.list(names.map { $0.value(of: .part) }).unlessEmpty,
      "uses": .list(uses.map(Value.string)), "usedBy": .list(usedBy.map(Value.string)),
      "users": Value.list(users.map(\.value)).unlessEmpty,
      "sinceBase": sinceBase?.value,
    ])
  }

  /// Returns the condition in JSON, with its result and environment.
  private func value(of condition: Decision) -> Value {
    condition.value(of: .condition)
      .adding(["holds": .boolean(!isExcluded), "environment": environment.map(Value.string)])
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
    let earlier = role == .earlier ? nil : Value.list(before.map { $0.value(of: .earlier) })
    return Value([
      "path": role == .part ? .string(path) : nil, "parameter": parameter.map(Value.string),
      "value": value, "verb": .string(verb.rawValue),
      "file": .string(location.file), "line": location.line, "column": location.column,
      "before": role == .condition ? earlier?.unlessEmpty : earlier,
      "source": source?.value,
      "from": Value.list(from.map { $0.value(of: .link) }).unlessEmpty,
    ])
  }
}

extension Explanation.Source {
  /// The source in JSON. The path of a file source is under `path`, because `file` is the module file that names it.
  fileprivate var value: Value {
    Value([
      kind == .file ? Keyword.path.text : kind.rawValue: .string(name),
      "set": .boolean(isSet), "default": .boolean(hasDefault),
      "file": .string(location.file), "line": location.line, "column": location.column,
    ])
  }
}

extension Explanation.Removal {
  /// The removal in JSON.
  fileprivate var value: Value {
    Value([
      "path": .string(path), "verb": .string(verb.rawValue),
      "file": .string(location.file), "line": location.line, "column": location.column,
      "before": .list(before.map { $0.value(of: .earlier) }),
    ])
  }
}

extension Explanation.User {
  /// The reference in JSON.
  fileprivate var value: Value {
    let head: Value = ["id": .string(id), "argument": .string(argument)]
    return switch kind {
    case .id: head
    case .alias(let name): head.adding(["alias": .string(name)])
    case .tag(let name): head.adding(["tag": .string(name)])
    case .type(let name): head.adding(["type": .string(name)])
    }
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
  /// The line in JSON.
  fileprivate var line: Value? { start.map { .integer(Int64($0.line)) } }
  /// The column in JSON.
  fileprivate var column: Value? { start.map { .integer(Int64($0.column)) } }
}
