// SPDX-License-Identifier: Apache-2.0

@testable import ConfigDI

extension RandomModule {
  /// How many templates there are. Each extends at most those behind it.
  static let templateCount = 3

  /// How many services bear one tag; who follows a tag stands in front of all that bear it.
  private static let levelSize = 4

  /// A service that needs only later ones, unless there are faults.
  mutating func service(at place: Int) -> Value {
    var entries = [entry("type", .string("Type\(number(upTo: 4))"))]
    // What templates inject is the last service, which nothing may lead back to.
    if place + 1 < services.count, chance(25) {
      if chance(50) { entries.removeAll() }
      entries.append(entry("extends", .string("base\(number(upTo: RandomModule.templateCount))")))
    }
    entries += arguments(at: place)
    if chance(15) {
      let decorators = (0...number(upTo: 2)).map { number in
        Value.map([entry("type", .string("Wrap\(number)"))] + arguments(at: place))
      }
      entries.append(entry("decorate", .list(decorators)))
    }
    if chance(30) { entries.append(entry("tags", tags(at: place))) }
    let isEager = chance(20)
    if isEager { entries += [entry("eager", true), entry("scope", "shared")] }
    if chance(20) { entries.append(entry("private", true)) }
    if chance(20) { entries.append(entry("provides", [.string("Name\(number(upTo: 3))"), "Bound"])) }
    if chance(10) { entries.append(entry("deprecated", "do not")) }
    // Nobody holds the first service, so that it may live shorter than all others.
    if !isEager, chance(20) {
      entries.append(
        entry("scope", .string(place == 0 ? pick(["session", "request"]) : pick(["transient", "graph", "weak"]))))
    }
    if isConditional[place] { entries.append(entry("when", condition(depth: 0))) }
    if hasFaults, chance(5) { entries.append(entry(pick(["scope", "colour"]), "shard")) }
    return .map(entries.filter { unique in entries.last { $0.key == unique.key } == unique })
  }

  /// A template, which injects the last service at most.
  mutating func template(at place: Int) -> Value {
    var entries = [entry("type", .string("Type\(number(upTo: 4))"))]
    if place + 1 < RandomModule.templateCount, chance(50) {
      entries.append(entry("extends", hasFaults && chance(10) ? "basis" : .string("base\(place + 1)")))
    }
    let last: Value = ["service": .string(services[services.count - 1]), "optional": true]
    entries.append(entry("inject", ["given": hasFaults && chance(20) ? "nowhere" : last]))
    entries.append(entry("values", .map([entry("given", datum(depth: 1)), entry("val0", datum(depth: 1))])))
    // One key is in one map.
    let isReference = chance(50)
    return .map(entries.filter { $0.key != (isReference ? "values" : "inject") })
  }

  /// What the arguments of a service or of one of its decorators receive.
  private mutating func arguments(at place: Int) -> [Value.Entry] {
    var inject: [Value.Entry] = []
    for key in 0..<number(upTo: 4) { inject.append(entry("arg\(key)", reference(after: place, depth: 0))) }
    var values: [Value.Entry] = []
    for key in 0..<number(upTo: 4) { values.append(entry("val\(key)", datum(depth: 0))) }
    return (inject.isEmpty ? [] : [entry("inject", .map(inject))])
      + (values.isEmpty ? [] : [entry("values", .map(values))])
  }

  /// The tags of a service, as a list or as a map.
  private mutating func tags(at place: Int) -> Value {
    let name = "tag\(place / RandomModule.levelSize)"
    if chance(40) { return [.string(name), "other"] }
    var says: [Value.Entry] = []
    if chance(60) { says.append(entry("order", .integer(Int64(number(upTo: 3))))) }
    if chance(40) { says.append(entry("key", .string("key \(hasFaults ? 0 : place)"))) }
    return .map([entry(name, .map(says))])
  }

  /// A condition of some form.
  private mutating func condition(depth: Int) -> Value {
    switch number(upTo: depth < 2 ? 5 : 2) {
    case 0: ["environment": .string(hasFaults && chance(10) ? "dew" : pick(["dev", "prod"]))]
    case 1: ["environment": ["dev", "prod"]]
    case 2: ["not": condition(depth: depth + 1)]
    case 3: ["all": [condition(depth: depth + 1), condition(depth: depth + 1)]]
    default: ["any": [condition(depth: depth + 1)]]
    }
  }

  /// A reference of some form.
  mutating func reference(after place: Int, depth: Int) -> Value {
    if hasFaults, chance(5) { return pick(["nowhere", "svc00", "Svc1"]) }
    let later = hasFaults && chance(15) ? services.indices : services.indices[(place + 1)...]
    let none: Value = ["service": "absent", "optional": true]
    switch number(upTo: depth < 2 ? 8 : 3) {
    case 0: return none
    case 1: return later.isEmpty ? none : one(pick(Array(later)), inMap: true)
    case 2: return later.isEmpty ? none : one(pick(Array(later)), inMap: false)
    case 3:
      return later.isEmpty ? [] : [one(pick(Array(later)), inMap: false), reference(after: place, depth: depth + 1)]
    case 4: return ["map": ["k": reference(after: place, depth: depth + 1), "a": none]]
    case 5, 6:
      let tag = Value.string("tag\(place / RandomModule.levelSize + 1)")
      return chance(50) ? ["tagged": tag] : ["tagged": tag, "as": .string(pick(["map", "list"]))]
    default: return later.isEmpty ? none : one(pick(Array(later)), inMap: false)
    }
  }

  /// A reference to one service, which is optional where a condition may take that out.
  private mutating func one(_ place: Int, inMap: Bool) -> Value {
    let id = Value.string(services[place])
    if isConditional[place], !hasFaults { return ["service": id, "optional": true] }
    return inMap ? ["service": id] : id
  }
}
