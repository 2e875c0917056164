// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// What is known of one id of a composed module: what it is, who decided each part of it, whom it uses and who uses it.
package struct Explanation: Sendable {
  /// What an id names.
  package enum Kind: String, Sendable {
    case service, alias, parameter, template, binding
  }

  /// The id.
  package let id: String
  /// What it names.
  package let kind: Kind
  /// The thing as `resolve` prints it; of a template what it says itself.
  package let definition: Value
  /// Who decided each part of it, ascending by path. What has its default was decided by nobody.
  package let decisions: [Decision]
  /// What files removed from it, ascending by path, but for what is there again. The path of a thing that was removed as a
  /// whole is empty.
  package let removals: [Removal]
  /// The condition under which a service is there, or nil; its sources are the parameters that it compares.
  package let condition: Decision?
  /// The environment in which the condition was decided, or nil.
  package let environment: String?
  /// Whether the condition takes the service out.
  package let isExcluded: Bool
  /// The ids of what it uses, ascending: of a service other services, of a parameter other parameters.
  package let uses: [String]
  /// The ids of what uses it, ascending.
  package let usedBy: [String]
  /// The references of services to a service, in the order of `usedBy`.
  package let users: [User]
  /// The aliases and bindings that stand for a service, ascending by path.
  package let names: [Decision]
  /// What differs from the module without an environment; nil where that is not known.
  package var sinceBase: BaseChange?

  /// An explanation; what is left out is not there.
  init(
    id: String, kind: Kind, definition: Value, decisions: [Decision] = [], removals: [Removal] = [],
    condition: Decision? = nil, isExcluded: Bool = false, environment: String? = nil, uses: [String] = [],
    usedBy: [String] = [], users: [User] = [], names: [Decision] = []
  ) {
    self.id = id
    self.kind = kind
    self.definition = definition
    self.decisions = decisions
    self.removals = removals
    self.condition = condition
    self.isExcluded = isExcluded
    self.environment = environment
    self.uses = uses
    self.usedBy = usedBy
    self.users = users
    self.names = names
  }

  /// Whether a file takes the thing out.
  package var isRemoved: Bool { removals.contains { $0.path.isEmpty } }

  /// Whether it has references or is referred to, which only the registered types may say.
  package var hasReferences: Bool { kind == .service && !isExcluded && !isRemoved }

  /// A part of a composed module: what it is, and the token that decided it.
  package struct Decision: Sendable {
    /// The path of the part inside of the thing, such as `values.host`.
    package let path: String
    /// What stands there, secrets as `<secret NAME>`.
    package let value: Value
    /// How the token came to decide.
    package let verb: Verb
    /// Where the token stands.
    package let location: Diagnostic.Location
    /// What stood there before, the latest first.
    package let before: [Decision]
    /// The parameter whose value this is, where it is a link between a part and what decides that.
    package var parameter: String?
    /// What a parameter reads outside the module.
    package var source: Source?
    /// The parameters from which the value comes, in the order in which a file names them.
    package var from: [Decision] = []
  }

  /// What a parameter reads outside the module.
  package struct Source: Sendable {
    /// Where the name is looked up.
    package let kind: TextSource.Kind
    /// The name, as written.
    package let name: String
    /// The sources behind it that are missing as well, in words: `variable PORT`.
    package let others: [String]
    /// Whether it is there.
    package let isSet: Bool
    /// Whether the parameter has a default.
    package let hasDefault: Bool
    /// Where a file names it.
    package let location: Diagnostic.Location
  }

  /// A part that a file removes, or a whole thing.
  package struct Removal: Sendable {
    /// The path of the part inside of the thing; empty for the thing.
    package let path: String
    /// How the token came to remove it.
    package let verb: Verb
    /// Where the token stands.
    package let location: Diagnostic.Location
    /// What stood there before, the latest first.
    package let before: [Decision]
  }

  /// A reference to a service.
  package struct User: Sendable {
    /// How a reference leads to the service.
    package enum Way: Sendable {
      /// By its id.
      case id
      /// By an alias.
      case alias(String)
      /// By a tag that it bears.
      case tag(String)
      /// By the type that an argument wants.
      case type(String)
    }

    /// The id of the service that holds the reference.
    package let id: String
    /// The argument that receives the service, such as `inject.log` or `decorate[0].inject.log`.
    package let argument: String
    /// How the reference leads to the service.
    package let way: Way
  }

  /// What differs between the module without an environment and an environment.
  package enum BaseChange: Sendable {
    /// The thing is not there without the environment.
    case added
    /// The thing is not there in the environment.
    case removed
    /// Some parts differ, or none.
    case changed([ModuleDifference.Change])
  }

  /// How a token came to decide what it does.
  package enum Verb: String, Sendable {
    /// By a plain section.
    case define
    /// By a template.
    case template
    /// Under `override`.
    case override
    /// Under `replace`.
    case replace
    /// By the caller.
    case set
    /// Under `remove`; of what is removed alone.
    case remove
  }
}

extension Explanation {
  /// The form of `explain --format json`.
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

  /// The condition in JSON, with what it came to.
  private func value(of condition: Decision) -> Value {
    let outcome = [
      Value.Entry(key: "holds", value: .boolean(!isExcluded)),
      Value.Entry(key: "environment", value: environment.map(Value.string)),
    ]
    return .map(condition.value(of: .condition).entries + outcome.compactMap(\.self))
  }
}

extension Value.Entry {
  /// An entry; nil without a value.
  fileprivate init?(key: String, value: Value?) {
    guard let value else { return nil }
    self.init(key: key, value: value)
  }
}

extension Explanation.Decision {
  /// What a decision stands for.
  fileprivate enum Role {
    /// A part of the thing.
    case part
    /// The condition.
    case condition
    /// What stood there before, which has the same path.
    case earlier
    /// The value of a parameter.
    case link
  }

  /// The decision in JSON.
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
  /// The source in JSON. A file to read is under `path`: `file` is the module file that names it.
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
    switch way {
    case .id: break
    case .alias(let name): entries.append(Value.Entry(key: "alias", value: .string(name)))
    case .tag(let name): entries.append(Value.Entry(key: "tag", value: .string(name)))
    case .type(let name): entries.append(Value.Entry(key: "type", value: .string(name)))
    }
    return .map(entries)
  }
}

extension Explanation.BaseChange {
  /// What differs, in JSON.
  fileprivate var value: Value {
    switch self {
    case .added: ["added": true]
    case .removed: ["removed": true]
    case .changed(let changes): ["changed": .list(changes.map(\.value))]
    }
  }
}

extension Diagnostic.Location {
  /// File, line and column.
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
