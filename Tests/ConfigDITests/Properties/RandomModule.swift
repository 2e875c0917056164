// SPDX-License-Identifier: Apache-2.0

@testable import ConfigDI

/// A module of random services and parameters in several files, the same for the same seed.
struct RandomModule {
  /// The files as data.
  var files: [String: Value] = [:]
  /// The environment variables.
  private(set) var variables: [String: String] = [:]
  /// Texts that no output may hold.
  private(set) var secrets: [String] = []

  /// Whether some references, placeholders and words are wrong.
  let hasFaults: Bool
  private var random: SeededRandom
  private(set) var services: [String] = []
  /// Whether a condition may take each service out.
  private(set) var isConditional: [Bool] = []
  private var parameters: [String] = []

  /// A module with an import, an environment `dev` and its layer.
  init(seed: UInt64, hasFaults: Bool) {
    random = SeededRandom(seed: seed)
    self.hasFaults = hasFaults
    let count = number(upTo: 14) + 1
    services = (0..<count).map { "svc\($0)" + (chance(10) ? ".part" : "") }
    isConditional = services.map { _ in chance(15) }
    parameters = (0..<number(upTo: 8)).map { "par\($0)" }
    let split = number(upTo: count)
    let aliases = (0..<number(upTo: 4)).map { entry("alias\($0)", .string(pick(services))) }
    files["app.json"] = module(
      "app",
      [
        entry("imports", ["part.json"]), entry("environments", ["dev": ["layer.json"], "prod": []]),
        entry("scopes", ["session", "request"]),
        entry("templates", .map((0..<RandomModule.templateCount).map { entry("base\($0)", template(at: $0)) })),
        entry("parameters", .map(parameters.indices.map { entry(parameters[$0], parameter(at: $0)) })),
        entry("services", .map((0..<split).map { entry(services[$0], service(at: $0)) })),
        entry("aliases", .map(aliases)), entry("bindings", ["Bound": .string(pick(services))]),
      ])
    files["part.json"] = module(
      "part",
      [
        entry("services", .map((split..<count).map { entry(services[$0], service(at: $0)) }))
      ])
    files["layer.json"] = module("layer", [entry("override", .map([entry("services", .map(overrides()))]))])
  }

  /// A number from 0 to below a limit.
  mutating func number(upTo limit: Int) -> Int { Int.random(in: 0..<max(limit, 1), using: &random) }

  /// Whether something happens that happens so many times in a hundred.
  mutating func chance(_ percent: Int) -> Bool { number(upTo: 100) < percent }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(upTo: elements.count)] }

  func entry(_ key: String, _ value: Value) -> Value.Entry { Value.Entry(key: key, value: value) }

  private func module(_ name: String, _ entries: [Value.Entry]) -> Value {
    .map([entry("configdi", 1), entry("module", .string(name))] + entries)
  }
}

// MARK: - Parts

extension RandomModule {
  /// A parameter that uses at most those before it.
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
      return ["env": .string("VAR\(place)"), "default": .string(secret), "secret": true]
    default:
      secrets.append(secret)
      return ["value": chance(50) ? .string(secret) : [.string(secret), .string(text(before: place))], "secret": true]
    }
  }

  /// A text that may name parameters before a place.
  private mutating func text(before place: Int) -> String {
    var text = chance(50) ? "" : pick(["plain", "$", "$${x}", "a b", "{", "é\u{301}"])
    if hasFaults, chance(4) { text += pick(["${", "${nowhere}", "${ }"]) }
    if place > 0, chance(70) { text += "${\(parameters[number(upTo: place)])}" }
    return text + (chance(30) ? pick(["$", "}", "tail"]) : "")
  }

  /// A datum of some form.
  mutating func datum(depth: Int) -> Value {
    switch number(upTo: depth < 3 ? 7 : 5) {
    case 0: .integer(Int64(number(upTo: 10)) - 5)
    case 1: .real(Double(number(upTo: 100)) / 8)
    case 2: .boolean(chance(50))
    case 3, 4: .string(text(before: parameters.count))
    case 5: .list((0..<number(upTo: 3)).map { _ in datum(depth: depth + 1) })
    default: .map((0..<number(upTo: 3)).map { entry("key \($0)", datum(depth: depth + 1)) })
    }
  }

  /// What the layer overrides.
  private mutating func overrides() -> [Value.Entry] {
    var entries: [Value.Entry] = []
    for (place, id) in services.enumerated() where chance(25) {
      entries.append(
        entry(
          id,
          .map([
            entry("values", ["val0": datum(depth: 1), "layered": datum(depth: 0)]),
            entry("inject", ["extra": reference(after: place, depth: 1)]),
          ])))
    }
    return entries
  }
}

// MARK: - Checking

extension RandomModule {
  /// Checks the module without layer and in its environment.
  func check(environments: [String]? = ["dev"]) -> ModuleCheck {
    ModuleCheck(
      checking: ModuleRequest(entry: .file("app.json"), variables: variables), environments: environments,
      files: MemoryFiles(texts: files.mapValues(RandomModule.text(of:))))
  }

  /// A file's text.
  static func text(of value: Value) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return writer.text
  }

  /// The module with another order of keys in every map.
  func shuffled(seed: UInt64) -> RandomModule {
    var random = SeededRandom(seed: seed)
    var copy = self
    for name in files.keys.sorted() { copy.files[name] = files[name]?.shuffled(using: &random) }
    return copy
  }
}

extension Value {
  /// The value with another order of keys in every map.
  fileprivate func shuffled(using random: inout SeededRandom) -> Value {
    switch self {
    case .list(let elements): return .list(elements.map { $0.shuffled(using: &random) })
    case .map(let entries):
      var shuffled: [Entry] = []
      for entry in entries.shuffled(using: &random) {
        shuffled.append(Entry(key: entry.key, value: entry.value.shuffled(using: &random)))
      }
      return .map(shuffled)
    default: return self
    }
  }
}
