// SPDX-License-Identifier: Apache-2.0
import _ConfigDITestSupport

@testable import ConfigDI

/// A random module of services, templates and parameters in several files. The same seed gives the same module.
///
/// Services refer only to later services. Those of the named scope come first and those with the tag `tail` last, so
/// that there are no cycles and no captive dependencies.
struct RandomModule {
  /// The files as values.
  var files: [String: Value] = [:]
  /// The environment variables.
  private(set) var variables: [String: String] = [:]
  /// Texts that no output may contain.
  private(set) var secrets: [String] = []

  /// A condition that compares a secret with its text, or a condition that holds.
  private var comparable: Value = ["all": []]
  /// Whether some references, placeholders and keys are wrong.
  private let hasFaults: Bool
  private var random: SeededRandom
  private var services: [String] = []
  private var parameters: [String] = []
  private var templates: [String] = []
  /// The number of services, from the first, whose lifetime is at most the named scope.
  private var scopedCount = 0
  /// The index of the first service that may have the tag `tail`. Services before it may refer to the tag.
  private var firstTagged = 0

  /// Creates a module with an import, an environment `dev` and its layer.
  init(seed: UInt64, hasFaults: Bool) {
    random = SeededRandom(seed: seed)
    self.hasFaults = hasFaults
    let count = number(upTo: 14) + 1
    services = (0..<count).map { "svc\($0)" + (chance(10) ? ".part" : "") }
    parameters = (0..<number(upTo: 8)).map { "par\($0)" }
    templates = (0..<number(upTo: 4)).map { "tmpl\($0)" }
    scopedCount = number(upTo: count / 3 + 1)
    firstTagged = max(count / 2, scopedCount)
    let split = number(upTo: count)
    let aliases = (0..<number(upTo: 4)).map { entry("alias\($0)", .string(pick(services))) }
    files["app.json"] = module(
      "app",
      [
        entry("imports", ["part.json"]), entry("environments", ["dev": ["layer.json"]]),
        entry("scopes", ["session", "request"]), entry("autowire", .boolean(chance(20))),
        entry(
          "parameters",
          .map([entry("switch", true)] + parameters.indices.map { entry(parameters[$0], parameter(at: $0)) })),
        entry(
          "services",
          .map((0..<split).map { entry(services[$0], service(at: $0)) } + [entry("absent.one", absentService())])),
        entry("aliases", .map(aliases)), entry("bindings", ["Bound": .string(pick(services))]),
      ])
    files["part.json"] = module(
      "part",
      [
        entry("services", .map((split..<count).map { entry(services[$0], service(at: $0)) })),
        entry("templates", .map(templates.indices.map { entry(templates[$0], template(at: $0)) })),
      ])
    files["layer.json"] = module(
      "layer",
      [
        entry(
          "override",
          .map([entry("services", .map(overrides())), entry("templates", .map(templateOverrides()))]))
      ])
  }

  /// Returns a random number from 0 to below a limit, or 0 if the limit is 0.
  private mutating func number(upTo limit: Int) -> Int { Int.random(in: 0..<max(limit, 1), using: &random) }

  /// Returns true with a probability in percent.
  private mutating func chance(_ percent: Int) -> Bool { number(upTo: 100) < percent }

  private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(upTo: elements.count)] }

  private func entry(_ key: String, _ value: Value) -> Value.Entry { Value.Entry(key: key, value: value) }

  private func module(_ name: String, _ entries: [Value.Entry]) -> Value {
    .map([entry("configdi", 1), entry("module", .string(name))] + entries)
  }
}

// MARK: - Parts

extension RandomModule {
  /// Returns a parameter that uses only parameters before it.
  private mutating func parameter(at place: Int) -> Value {
    let secret = "hush\(place)x\(number(upTo: 1_000_000))"
    switch number(upTo: 7) {
    case 0: return .integer(Int64(number(upTo: 100)))
    case 1: return .string(text(before: place))
    case 2: return [.string(text(before: place)), .boolean(chance(50))]
    case 3: return ["value": ["k": .string(text(before: place)), "l": 1.5]]
    case 4:
      variables["VAR\(place)"] = chance(70) ? "5\(place)" : nil
      return ["env": .string("VAR\(place)"), "type": "int"]
    case 5:
      secrets.append(secret)
      if chance(50) { variables["VAR\(place)"] = secret }
      comparable = ["parameter": .string(parameters[place]), "equals": .string(secret)]
      let allowed: Value = [.string(secret), .string(secret + "other")]
      guard chance(50) else { return ["env": .string("VAR\(place)"), "default": .string(secret), "secret": true] }
      return ["env": .string("VAR\(place)"), "default": .string(secret), "secret": true, "oneOf": allowed]
    default:
      secrets.append(secret)
      return ["value": chance(50) ? .string(secret) : [.string(secret), .string(text(before: place))], "secret": true]
    }
  }

  /// Returns a text that may refer to parameters before an index.
  private mutating func text(before place: Int) -> String {
    var text = chance(50) ? "" : pick(["plain", "$", "$${x}", "a b", "{", "é\u{301}"])
    if hasFaults, chance(4) { text += pick(["${", "${nowhere}", "${ }"]) }
    if place > 0, chance(70) { text += "${\(parameters[number(upTo: place)])}" }
    return text + (chance(30) ? pick(["$", "}", "tail"]) : "")
  }

  /// Returns a service that refers only to later services, unless there are faults.
  private mutating func service(at place: Int) -> Value {
    var entries = [entry("type", .string("Type\(number(upTo: 4))"))]
    // The template may refer to the last service, so the last service must not extend it.
    if !templates.isEmpty, place < services.count - 1, chance(40) {
      entries =
        [entry("extends", .string(hasFaults && chance(8) ? "tmplx" : pick(templates)))] + (chance(50) ? [] : entries)
    }
    var inject: [Value.Entry] = []
    for key in 0..<number(upTo: 4) { inject.append(entry("arg\(key)", reference(after: place, depth: 0))) }
    if place < firstTagged, chance(30) {
      inject.append(entry("tagged", chance(50) ? ["tagged": "tail"] : ["tagged": "tail", "as": "map"]))
    }
    if !inject.isEmpty { entries.append(entry("inject", .map(inject))) }
    var values: [Value.Entry] = []
    for key in 0..<number(upTo: 4) { values.append(entry("val\(key)", datum(depth: 0))) }
    if !values.isEmpty { entries.append(entry("values", .map(values))) }
    let isScoped = place < scopedCount
    let isEager = !isScoped && chance(20)
    if isEager { entries += [entry("eager", true), entry("scope", "shared")] }
    if isScoped { entries.append(entry("scope", .string(pick(["request", "transient", "graph"])))) }
    if chance(20) { entries.append(entry("private", true)) }
    if chance(20) { entries.append(entry("provides", [.string("Name\(number(upTo: 3))"), "Bound"])) }
    if chance(10) { entries.append(entry("deprecated", "do not")) }
    if !isEager && !isScoped && chance(30) {
      entries.append(entry("scope", .string(pick(["transient", "weak", "graph"]))))
    }
    if place >= firstTagged, chance(50) {
      entries.append(
        entry("tags", chance(50) ? ["tail"] : ["tail": ["order": .integer(Int64(number(upTo: 3)))], "other": [:]]))
    }
    if chance(30) { entries.append(entry("decorate", .list((0...number(upTo: 2)).map { _ in decorator(at: place) }))) }
    if chance(25) { entries.append(entry("when", condition(depth: 0))) }
    if chance(10) { entries.append(entry("autowire", .boolean(chance(50)))) }
    if hasFaults, chance(5) { entries.append(entry(pick(["scope", "colour"]), "shard")) }
    return .map(entries.filter { unique in entries.last { $0.key == unique.key } == unique })
  }

  /// Returns a template that extends one before it. The first has a type instead.
  private mutating func template(at place: Int) -> Value {
    var entries: [Value.Entry] = []
    if place > 0 {
      entries.append(entry("extends", .string(templates[number(upTo: place)])))
    } else {
      entries.append(entry("type", "Typed"))
    }
    if chance(30) { entries.append(entry("provides", ["FromTemplate"])) }
    if chance(50) {
      entries.append(entry("inject", ["targ\(number(upTo: 2))": reference(after: services.count - 2, depth: 1)]))
    }
    entries.append(entry("values", ["val1": datum(depth: 2), "tval\(place)": datum(depth: 0)]))
    return .map(entries)
  }

  /// Returns a decorator of the service at an index.
  private mutating func decorator(at place: Int) -> Value {
    [
      "type": .string("Wrap\(number(upTo: 2))"), "inject": ["other": reference(after: place, depth: 1)],
      "values": ["w": datum(depth: 1)],
    ]
  }

  /// Returns a condition that holds in the environment `dev`.
  private mutating func condition(depth: Int) -> Value {
    if hasFaults, chance(8) { return pick([["parameter": "swich", "equals": true], ["environment": "live"]]) }
    switch number(upTo: depth < 2 ? 6 : 3) {
    case 0: return ["environment": "dev"]
    case 1: return ["parameter": "switch", "equals": true]
    case 2: return ["not": ["environment": []]]
    case 3: return ["all": [condition(depth: depth + 1), condition(depth: depth + 1)]]
    case 4: return ["any": [comparable, condition(depth: depth + 1)]]
    default: return ["not": ["not": condition(depth: depth + 1)]]
    }
  }

  /// Returns a service whose condition does not hold. It has errors, which must not be reported.
  private mutating func absentService() -> Value {
    [
      "type": "Absent", "when": ["not": condition(depth: 1)], "tags": ["tail"], "inject": ["x": "nowhere"],
      "values": ["v": "${nowhere}"],
    ]
  }

  /// Returns a reference of a random form.
  private mutating func reference(after place: Int, depth: Int) -> Value {
    if hasFaults, chance(5) { return pick(["nowhere", "svc00", "Svc1"]) }
    let later = hasFaults && chance(15) ? services : Array(services[(place + 1)...])
    let none: Value = ["service": "absent", "optional": true]
    switch number(upTo: depth < 2 ? 6 : 3) {
    case 0: return none
    case 1: return later.isEmpty ? none : ["service": .string(pick(later))]
    case 2: return later.isEmpty ? none : .string(pick(later))
    case 3: return later.isEmpty ? [] : [.string(pick(later)), reference(after: place, depth: depth + 1)]
    case 4: return ["map": ["k": reference(after: place, depth: depth + 1), "a": none]]
    default: return later.isEmpty ? none : .string(pick(later))
    }
  }

  /// Returns a datum of a random form.
  private mutating func datum(depth: Int) -> Value {
    switch number(upTo: depth < 3 ? 7 : 5) {
    case 0: .integer(Int64(number(upTo: 10)) - 5)
    case 1: .real(Double(number(upTo: 100)) / 8)
    case 2: .boolean(chance(50))
    case 3, 4: .string(text(before: parameters.count))
    case 5: .list((0..<number(upTo: 3)).map { _ in datum(depth: depth + 1) })
    default: .map((0..<number(upTo: 3)).map { entry("key \($0)", datum(depth: depth + 1)) })
    }
  }

  /// Returns the service overrides of the layer.
  private mutating func overrides() -> [Value.Entry] {
    var entries: [Value.Entry] = []
    for (place, id) in services.enumerated() where chance(25) {
      let decorator = decorator(at: place)
      entries.append(
        entry(
          id,
          .map([
            entry("values", ["val0": datum(depth: 1), "layered": datum(depth: 0)]),
            entry("inject", ["extra": reference(after: place, depth: 1)]), entry("tags", ["layered"]),
            entry("decorate", chance(50) ? ["append": [decorator]] : ["prepend": [decorator]]),
          ])))
    }
    return entries
  }

  /// Returns the template overrides of the layer.
  private mutating func templateOverrides() -> [Value.Entry] {
    var entries: [Value.Entry] = []
    for id in templates where chance(40) {
      entries.append(entry(id, ["values": ["val1": datum(depth: 1), "late": datum(depth: 0)]]))
    }
    return entries
  }
}
