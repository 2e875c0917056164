// SPDX-License-Identifier: Apache-2.0
import _ConfigDITestSupport

/// A random module whose two environments differ in one fact, which the layer of one environment or of both sets.
struct ChangedFact {
  /// Where an explanation has to name the file and line of the fact.
  enum Answer {
    /// At the decision about a part.
    case part(String)
    /// At the removal of a part.
    case removed(String)
    /// At the removal of the whole entry.
    case removedEntry
    /// At the condition.
    case condition
  }

  /// A change that a layer makes, and its expected explanation.
  private struct Change {
    /// The verb, or an empty string for a plain section.
    var verb = "override"
    /// The section.
    let section: String
    /// The id of the changed entry.
    let id: String
    /// Returns the body of the entry in the layer, for the number of one of two values.
    let body: (Int) -> String
    /// The entry that differs, or `nil` if it is the changed one.
    var differing: (section: String, id: String)?
    /// The path that differs, or `nil` if a whole entry is added or removed.
    var path: String?
    /// Where the explanation names the fact.
    let answer: Answer
    /// Whether the service that uses the parameter has the fact in the chain of its value.
    var reachesUser = false
    /// Whether the layers of both environments can set the fact, each to its own value.
    var hasValue = false

    /// Whether the service that uses the parameter depends on the fact only while its variable is not set.
    var needsUnsetVariable: Bool { id == "variable" && reachesUser }
  }

  /// The kind of the fact, for messages.
  let kind: String
  /// The files.
  private(set) var files: [String: String] = [:]
  /// The environment variables.
  let variables: [String: String]
  /// The section and id of the entry that differs.
  let differing: (section: String, id: String)
  /// The path that differs, or `nil` if a whole entry is added or removed.
  let path: String?
  /// The id to explain.
  let explained: String
  /// Where the explanation names the fact.
  let answer: Answer
  /// The path of the value that uses the fact, in the service `user`, or `nil` if no value does.
  let user: String?
  /// The file and line of the fact, for each environment whose layer sets it.
  private(set) var places: [(environment: String, file: String, line: Int)] = []
  /// Texts that no output may contain.
  let secrets: [String]

  /// The number of kinds of facts.
  static var kindCount: Int { changes(isSecret: false).count }

  /// Creates the module of a seed. Successive seeds use successive kinds of facts.
  init(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let number = seed % ChangedFact.kindCount
    let isSecret = (seed / ChangedFact.kindCount) % 2 == 1
    let change = ChangedFact.changes(isSecret: isSecret)[number]
    kind = "\(change.verb) \(change.section).\(change.id) \(change.body(1))\(isSecret ? ", secret" : "")"
    let isSet = random.next() % 2 == 0 && !change.needsUnsetVariable
    variables = isSet ? ["VARIABLE": "\(ChangedFact.text)set", "BARE": "7"] : ["BARE": "7"]
    differing = change.differing ?? (change.section, change.id)
    path = change.path
    explained = "\(differing.section).\(differing.id)"
    answer = change.answer
    user = change.reachesUser ? "values." + change.id : nil
    secrets = isSecret ? [ChangedFact.text] : []
    files["a.txt"] = "\(ChangedFact.text)a"
    files["b.txt"] = "\(ChangedFact.text)b"
    files["app.json"] = ChangedFact.base(isSecret: isSecret)
    var environments = [random.next() % 2 == 0 ? "prod" : "dev"]
    if change.hasValue, random.next() % 3 == 0 { environments = ["dev", "prod"] }
    for environment in ["dev", "prod"] {
      guard environments.contains(environment) else {
        files["\(environment).json"] = #"{"configdi": 1, "module": "\#(environment)"}"#
        continue
      }
      let lines = 1 + Int(random.next() % 5)
      let entry =
        change.verb == "remove" ? "\"\(change.id)\"" : "\"\(change.id)\": \(change.body(environment == "dev" ? 1 : 2))"
      let (open, close) = change.verb == "remove" ? ("[", "]") : ("{", "}")
      let section = "\"\(change.section)\": \(open)\(String(repeating: "\n", count: lines))\(entry)\(close)"
      let text =
        "{\"configdi\": 1, \"module\": \"facts\", "
        + (change.verb.isEmpty ? section : "\"\(change.verb)\": {\(section)}") + "}"
      // The fact is in the layer itself, or in a file that the layer imports.
      if random.next() % 3 == 0 {
        files["\(environment).json"] =
          #"{"configdi": 1, "module": "\#(environment)", "imports": ["deep/\#(environment).json"]}"#
        files["deep/\(environment).json"] = text
        files["deep/a.txt"] = files["a.txt"]
        files["deep/b.txt"] = files["b.txt"]
        places.append((environment, "deep/\(environment).json", lines + 1))
      } else {
        files["\(environment).json"] = text
        places.append((environment, "\(environment).json", lines + 1))
      }
    }
  }

  /// The prefix of all texts of parameters.
  private static let text = "ZQX"
}

// MARK: - The module

extension ChangedFact {
  /// The entry module.
  private static func base(isSecret: Bool) -> String {
    let secret = isSecret ? ", \"secret\": true" : ""
    return """
      {
        "configdi": 1, "module": "app", "environments": { "dev": ["dev.json"], "prod": ["prod.json"] },
        "parameters": {
          "literal": { "value": "ZQXl"\(secret) },
          "plain": "word",
          "number": { "value": 50, "min": 1, "max": 99, "oneOf": [50, 60], "deprecated": "old"\(secret) },
          "open": { "value": 50\(secret) },
          "variable": { "env": "VARIABLE", "type": "string", "default": "ZQXd"\(secret) },
          "bare": { "env": "BARE"\(secret) },
          "text": { "file": "a.txt", "default": "ZQXf"\(secret) },
          "flag": "yes",
          "unused": 1
        },
        "templates": {
          "base": { "type": "Mailer", "scope": "shared", "inject": { "log": "log" }, "values": { "retries": 3, "gone": 1 } },
          "second": { "type": "Mailer", "values": { "retries": 4 } }
        },
        "services": {
          "log": { "type": "Log" },
          "other": { "type": "Log", "private": true, "eager": true },
          "mailer": {
            "extends": "base", "provides": ["Mail"],
            "inject": { "first": "log", "second": { "service": "other", "optional": true }, "many": ["log", "other"], "byName": { "map": { "a": "log" } } },
            "values": { "host": "h", "map": { "a": 1, "b.c": 2 }, "list": [1, { "k": 1 }] },
            "tags": { "t": { "order": 1, "key": "k" }, "u": {} },
            "decorate": [{ "type": "Retry", "values": { "n": 1 } }, { "type": "Trace", "inject": { "l": "log" } }],
            "when": { "environment": ["dev", "prod"] }, "deprecated": "old"
          },
          "conditional": { "type": "Log", "when": { "parameter": "flag", "equals": "yes" } },
          "user": {
            "type": "User",
            "values": {
              "literal": "${literal}", "plain": "a ${plain}", "number": "${number}", "open": ["${open}"],
              "variable": "${variable}", "bare": "${bare}", "text": { "inner": "${text}" }
            }
          }
        },
        "aliases": { "mail": "mailer", "spare": "log" },
        "bindings": { "Log": "log", "Spare": "log" }
      }
      """
  }

  /// Returns all kinds of facts.
  private static func changes(isSecret: Bool) -> [Change] {
    parameterChanges(isSecret: isSecret) + serviceChanges + otherChanges
  }

  /// Returns the facts of parameters.
  private static func parameterChanges(isSecret: Bool) -> [Change] {
    func change(
      _ id: String, _ path: String, reachesUser: Bool = false, hasValue: Bool = false, answer: Answer? = nil,
      verb: String = "override", _ body: @escaping (Int) -> String
    ) -> Change {
      Change(
        verb: verb, section: "parameters", id: id, body: body, path: path, answer: answer ?? .part(path),
        reachesUser: reachesUser, hasValue: hasValue)
    }
    let secret = isSecret ? ", \"secret\": true" : ""
    return [
      change("literal", "value", reachesUser: true, hasValue: true) { "\"ZQX\($0)\"" },
      change("literal", "value", reachesUser: true, hasValue: true) { "{ \"value\": \"ZQX\($0)\" }" },
      change("literal", "value", reachesUser: true, verb: "replace") { "{ \"value\": \"ZQX\($0)\"\(secret) }" },
      change("literal", "env", reachesUser: true, hasValue: true) { "{ \"env\": \"OTHER\($0)\" }" },
      change("literal", "file", reachesUser: true) { _ in "{ \"file\": \"b.txt\" }" },
      change("plain", "value", reachesUser: true, hasValue: true) { "\"word\($0)\"" },
      change("plain", "secret") { _ in "{ \"secret\": true }" },
      change("plain", "type", verb: "replace") { _ in "{ \"value\": \"word\", \"type\": \"json\" }" },
      change("open", "min", hasValue: true) { "{ \"min\": \($0) }" },
      change("open", "max", hasValue: true) { "{ \"max\": \(100 + $0) }" },
      change("open", "oneOf", hasValue: true) { "{ \"oneOf\": [50, \($0)] }" },
      change("open", "deprecated", hasValue: true) { "{ \"deprecated\": \"use \($0)\" }" },
      change("open", "value", reachesUser: true, hasValue: true) { "\(50 + $0)" },
      change("number", "min", hasValue: true) { "{ \"min\": \(1 + $0) }" },
      change("number", "max", hasValue: true) { "{ \"max\": \(99 + $0) }" },
      change("number", "oneOf", hasValue: true) { "{ \"oneOf\": [50, \($0)] }" },
      change("number", "min", answer: .removed("min")) { _ in "{ \"unset\": [\"min\"] }" },
      change("number", "max", answer: .removed("max")) { _ in "{ \"unset\": [\"max\"] }" },
      change("number", "oneOf", answer: .removed("oneOf")) { _ in "{ \"unset\": [\"oneOf\"] }" },
      change("number", "deprecated", answer: .removed("deprecated")) { _ in "{ \"unset\": [\"deprecated\"] }" },
      change("number", "max", answer: .removed("max"), verb: "replace") { _ in
        "{ \"value\": 50, \"min\": 1, \"oneOf\": [50, 60], \"deprecated\": \"old\"\(secret) }"
      },
      change("variable", "default", reachesUser: true, hasValue: true) { "{ \"default\": \"ZQX\($0)\" }" },
      change("variable", "default", answer: .removed("default")) { _ in "{ \"unset\": [\"default\"] }" },
      change("variable", "default", answer: .removed("default")) { _ in "{ \"env\": \"VARIABLE\" }" },
      change("variable", "default", reachesUser: true, hasValue: true) {
        "{ \"unset\": [\"default\"], \"env\": \"VARIABLE\", \"default\": \"ZQX\($0)\" }"
      },
      change("variable", "env", reachesUser: true, hasValue: true) {
        "{ \"env\": \"OTHER\($0)\", \"default\": \"ZQXd\" }"
      },
      change("variable", "value", reachesUser: true, hasValue: true) { "\"ZQX\($0)\"" },
      change("bare", "default") { "{ \"default\": \"ZQX\($0)\" }" },
      change("bare", "type") { _ in "{ \"type\": \"int\" }" },
      change("bare", "env", reachesUser: true, hasValue: true) { "{ \"env\": \"OTHER\($0)\" }" },
      change("text", "file", reachesUser: true) { _ in "{ \"file\": \"b.txt\", \"default\": \"ZQXf\" }" },
      change("text", "default", hasValue: true) { "{ \"default\": \"ZQX\($0)\" }" },
      change("text", "default", answer: .removed("default")) { _ in "{ \"unset\": [\"default\"] }" },
      isSecret
        ? change("bare", "secret", answer: .removed("secret")) { _ in "{ \"unset\": [\"secret\"] }" }
        : change("bare", "secret") { _ in "{ \"secret\": true }" },
      Change(
        verb: "remove", section: "parameters", id: "unused", body: { _ in "" }, answer: .removedEntry),
      Change(verb: "", section: "parameters", id: "added", body: { "\($0)" }, answer: .part("value")),
    ]
  }

  /// The facts of services.
  private static var serviceChanges: [Change] {
    func change(
      _ path: String, hasValue: Bool = false, answer: Answer? = nil, id: String = "mailer", verb: String = "override",
      at decided: String? = nil, _ body: @escaping (Int) -> String
    ) -> Change {
      Change(
        verb: verb, section: "services", id: id, body: body, path: path, answer: answer ?? .part(decided ?? path),
        hasValue: hasValue)
    }
    return [
      change("type", hasValue: true) { "{ \"type\": \"Other\($0)\" }" },
      change("provides", hasValue: true) { "{ \"provides\": [\"Mail\($0)\"] }" },
      change("provides", hasValue: true) { "{ \"provides\": { \"append\": [\"Mail\($0)\"] } }" },
      change("scope", answer: nil) { _ in "{ \"scope\": \"graph\" }" },
      change("inject.first") { _ in "{ \"inject\": { \"first\": \"other\" } }" },
      change("inject.second") { _ in "{ \"inject\": { \"second\": \"log\" } }" },
      change("inject.second", answer: .removed("inject.second")) { _ in "{ \"unset\": [\"inject.second\"] }" },
      change("inject.many") { _ in "{ \"inject\": { \"many\": [\"other\"] } }" },
      change("inject.byName.map.a", at: "inject.byName") { _ in
        "{ \"inject\": { \"byName\": { \"map\": { \"a\": \"other\" } } } }"
      },
      change("inject.new", hasValue: false) { _ in "{ \"inject\": { \"new\": \"log\" } }" },
      change("inject.log") { _ in "{ \"inject\": { \"log\": \"other\" } }" },
      change("inject.log", answer: .removed("inject.log")) { _ in "{ \"unset\": [\"inject.log\"] }" },
      change("values.host", hasValue: true) { "{ \"values\": { \"host\": \"h\($0)\" } }" },
      change("values.host", answer: .removed("values.host")) { _ in "{ \"unset\": [\"values.host\"] }" },
      change("values.map.a", hasValue: true) { "{ \"values\": { \"map\": { \"a\": \(1 + $0) } } }" },
      change(#"values.map["b.c"]"#, answer: .removed(#"values.map["b.c"]"#)) { _ in
        "{ \"unset\": [\"values.map.b.c\"] }"
      },
      change("values.list", hasValue: true) { "{ \"values\": { \"list\": [1, { \"k\": \(1 + $0) }] } }" },
      change("values.retries", hasValue: true) { "{ \"values\": { \"retries\": \(3 + $0) } }" },
      change("values.gone", answer: .removed("values.gone")) { _ in "{ \"unset\": [\"values.gone\"] }" },
      change("values.new", hasValue: true) { "{ \"values\": { \"new\": \($0) } }" },
      change("values.host", hasValue: true) { "{ \"values\": { \"host\": \"${plain}\($0)\" } }" },
      change("tags.t.order", hasValue: true) { "{ \"tags\": { \"t\": { \"order\": \(1 + $0) } } }" },
      change("tags.t.key", hasValue: true) { "{ \"tags\": { \"t\": { \"key\": \"k\($0)\" } } }" },
      change("tags.u", answer: .removed("tags.u")) { _ in "{ \"unset\": [\"tags.u\"] }" },
      change("tags.new") { _ in "{ \"tags\": [\"new\"] }" },
      change("decorate", hasValue: true) { "{ \"decorate\": { \"append\": [{ \"type\": \"Outer\($0)\" }] } }" },
      change("decorate", hasValue: true) { "{ \"decorate\": { \"prepend\": [{ \"type\": \"Inner\($0)\" }] } }" },
      change("decorate", hasValue: true) {
        "{ \"decorate\": [{ \"type\": \"Retry\", \"values\": { \"n\": \(1 + $0) } }, { \"type\": \"Trace\", \"inject\": { \"l\": \"log\" } }] }"
      },
      change("decorate", answer: .removed("decorate[0]")) { _ in "{ \"unset\": [\"decorate[0]\"] }" },
      change("decorate", answer: .removed("decorate[0].values.n")) { _ in "{ \"unset\": [\"decorate[0].values.n\"] }" },
      change("when", answer: .condition) { _ in "{ \"when\": { \"environment\": [\"prod\", \"dev\"] } }" },
      change("when", answer: .removed("when")) { _ in "{ \"unset\": [\"when\"] }" },
      change("eager") { _ in "{ \"eager\": true }" },
      change("eager", id: "other") { _ in "{ \"eager\": false }" },
      change("eager", answer: .removed("eager"), id: "other") { _ in "{ \"unset\": [\"eager\"] }" },
      change("private") { _ in "{ \"private\": true }" },
      change("private", id: "other") { _ in "{ \"private\": false }" },
      change("autowire") { _ in "{ \"autowire\": true }" },
      change("deprecated", hasValue: true) { "{ \"deprecated\": \"use \($0)\" }" },
      change("deprecated", answer: .removed("deprecated")) { _ in "{ \"unset\": [\"deprecated\"] }" },
      change("values.retries", at: "extends") { _ in
        "{ \"extends\": \"second\", \"inject\": { \"log\": \"log\" }, \"values\": { \"gone\": 1 }, \"scope\": \"shared\" }"
      },
      change("type", hasValue: true, id: "log", verb: "replace") { "{ \"type\": \"Log\($0)\" }" },
      change("eager", answer: .removed("eager"), id: "other", verb: "replace") { _ in
        "{ \"type\": \"Log\", \"private\": true }"
      },
    ]
  }

  /// The facts of other sections, and entries that are added or removed.
  private static var otherChanges: [Change] {
    func template(_ path: String, hasValue: Bool = false, answer: Answer? = nil, _ body: @escaping (Int) -> String)
      -> Change
    {
      Change(
        section: "templates", id: "base", body: body, differing: ("services", "mailer"), path: path,
        answer: answer ?? .part(path), hasValue: hasValue)
    }
    return [
      template("type", hasValue: true) { "{ \"type\": \"Other\($0)\" }" },
      template("scope") { _ in "{ \"scope\": \"graph\" }" },
      template("inject.log") { _ in "{ \"inject\": { \"log\": \"other\" } }" },
      template("values.retries", hasValue: true) { "{ \"values\": { \"retries\": \(3 + $0) } }" },
      template("values.new", hasValue: true) { "{ \"values\": { \"new\": \($0) } }" },
      Change(section: "aliases", id: "spare", body: { _ in "\"other\"" }, path: "target", answer: .part("target")),
      Change(
        verb: "replace", section: "aliases", id: "spare", body: { _ in "\"other\"" }, path: "target",
        answer: .part("target")),
      Change(verb: "", section: "aliases", id: "new", body: { _ in "\"log\"" }, answer: .part("target")),
      Change(verb: "remove", section: "aliases", id: "spare", body: { _ in "" }, answer: .removedEntry),
      Change(section: "bindings", id: "Spare", body: { _ in "\"other\"" }, path: "target", answer: .part("target")),
      Change(verb: "", section: "bindings", id: "New", body: { _ in "\"log\"" }, answer: .part("target")),
      Change(verb: "remove", section: "bindings", id: "Spare", body: { _ in "" }, answer: .removedEntry),
      Change(verb: "", section: "services", id: "new", body: { _ in "{ \"type\": \"New\" }" }, answer: .part("type")),
      Change(verb: "remove", section: "services", id: "conditional", body: { _ in "" }, answer: .removedEntry),
      Change(
        section: "services", id: "mailer",
        body: { _ in "{ \"when\": { \"not\": { \"environment\": [\"dev\", \"prod\"] } } }" },
        answer: .condition),
    ]
  }
}
