// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// What is known of one id of a composed module: what it is, who decided each part of it, whom it uses and who uses it.
package struct Explanation: Sendable {
  /// What an id names.
  package enum Kind: String, Sendable {
    case service, alias, parameter, template
  }

  /// The id.
  package let id: String
  /// What it names.
  package let kind: Kind
  /// The thing as `resolve` prints it; of a template what it says itself.
  package let definition: Value
  /// Who decided each part of it, ascending by path. What has its default was decided by nobody.
  package let decisions: [Decision]
  /// The condition under which a service is there, or nil.
  package let condition: Decision?
  /// Whether the condition takes the service out.
  package let isExcluded: Bool
  /// The ids of what it uses, ascending: of a service other services, of a parameter other parameters.
  package let uses: [String]
  /// The ids of what uses it, ascending.
  package let usedBy: [String]

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
  }
}

extension Explanation {
  /// The form of `explain --format json`.
  package var value: Value {
    var entries: [Value.Entry] = [
      Value.Entry(key: "id", value: .string(id)), Value.Entry(key: "kind", value: .string(kind.rawValue)),
      Value.Entry(key: "definition", value: definition),
    ]
    if let condition { entries.append(Value.Entry(key: "when", value: condition.value(withPath: false))) }
    entries += [
      Value.Entry(key: "decisions", value: .list(decisions.map { $0.value(withPath: true) })),
      Value.Entry(key: "uses", value: .list(uses.map(Value.string))),
      Value.Entry(key: "usedBy", value: .list(usedBy.map(Value.string))),
    ]
    return .map(entries)
  }
}

extension Explanation.Decision {
  /// The decision in JSON; what stood there before has the same path.
  fileprivate func value(withPath isPathShown: Bool) -> Value {
    var entries: [Value.Entry] = isPathShown ? [Value.Entry(key: "path", value: .string(path))] : []
    entries += [
      Value.Entry(key: "value", value: value), Value.Entry(key: "verb", value: .string(verb.rawValue)),
      Value.Entry(key: "file", value: .string(location.file)),
    ]
    if let start = location.start {
      entries += [
        Value.Entry(key: "line", value: .integer(Int64(start.line))),
        Value.Entry(key: "column", value: .integer(Int64(start.column))),
      ]
    }
    if isPathShown {
      entries.append(Value.Entry(key: "before", value: .list(before.map { $0.value(withPath: false) })))
    }
    return .map(entries)
  }
}
