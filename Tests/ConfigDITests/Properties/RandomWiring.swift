// SPDX-License-Identifier: Apache-2.0
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

/// Random services of all lifetimes with references of every form. The same seed gives the same services.
struct RandomWiring {
  /// The wrapper in which an argument receives its service.
  enum Access: CaseIterable { case immediate, lazy, provider }

  /// The target of a reference: services by their indices in `ids`, or a tag.
  enum Target {
    case one(Int)
    case optional(Int)
    case list([Int])
    case map([Int])
    case tagged(Int)
    case taggedMap(Int)
  }

  /// One reference of a service, or of one of its decorators.
  struct Reference {
    var key: String
    var access: Access
    var target: Target
    var decorator: Int?
  }

  /// One service.
  struct Service {
    /// 0 for the lifetime of the container, from 1 the number of a scope, or `nil` if the service lives as long as its
    /// holder.
    var rank: Int?
    var scope: String
    var isEager = false
    var decoratorCount = 0
    var references: [Reference] = []
    /// The order of the service by tag.
    var tags: [Int: Int] = [:]
  }

  /// The ids, in a random order.
  private(set) var ids: [String]
  /// The services, each at the index of its id.
  private(set) var services: [Service] = []
  /// The number of named scopes.
  private(set) var scopeCount = 3
  private let tagCount = 3
  private var random: SeededRandom

  /// Creates services that may form cycles, or that form none.
  init(size: Int, seed: UInt64, isAcyclic: Bool) {
    random = SeededRandom(seed: seed)
    ids = (0..<size).map { "s\($0)" }.shuffled(using: &random)
    if isAcyclic { scopeCount = 0 }
    // A tag may refer to any service. To avoid cycles, only the last services refer to tags, and only the others have
    // them.
    let firstFollower = isAcyclic ? size - size / 8 : 0
    // A dense graph has several shortest cycles. A large dense graph would be a single group of services.
    let density = number(1...(size < 50 ? 4 : 2)) * (size < 50 ? 2 : 1)
    for place in 0..<size {
      var service = service()
      let earlier = isAcyclic ? place : size
      if isAcyclic ? place < firstFollower : chance(10) {
        for tag in 0..<tagCount where chance(20) { service.tags[tag] = number(-1...2) }
      }
      for count in 0..<number(0...density) {
        let decorator = service.decoratorCount > 0 && chance(30) ? number(0...service.decoratorCount - 1) : nil
        let access = chance(70) ? Access.immediate : Access.allCases.randomElement(using: &random) ?? .lazy
        // A `Lazy` or `Provider` cannot close a cycle.
        let reach = access == .immediate ? earlier : size
        guard reach > 0 else { continue }
        let followsTags = place >= firstFollower && chance(isAcyclic ? 30 : 4)
        let target = target(reach, isSingle: access != .immediate, followsTags: followsTags)
        service.references.append(
          Reference(key: key(for: target, access, count), access: access, target: target, decorator: decorator))
      }
      services.append(service)
    }
  }

  private mutating func service() -> Service {
    var service =
      switch number(0...(scopeCount > 0 ? 9 : 5)) {
      case 0: Service(rank: nil, scope: "transient")
      case 1: Service(rank: nil, scope: "graph")
      case 2: Service(rank: nil, scope: "weak")
      case 3...5: Service(rank: 0, scope: "shared")
      default:
        { scope in Service(rank: scope + 1, scope: "scope\(scope)") }(number(0...max(scopeCount - 1, 0)))
      }
    service.isEager = service.scope == "shared" && chance(20)
    if chance(20) { service.decoratorCount = number(1...2) }
    return service
  }

  private mutating func target(_ reach: Int, isSingle: Bool, followsTags: Bool) -> Target {
    func some() -> [Int] { (0..<number(0...3)).map { _ in number(0...reach - 1) } }
    if isSingle { return .one(number(0...reach - 1)) }
    if followsTags { return chance(50) ? .tagged(number(0...tagCount - 1)) : .taggedMap(number(0...tagCount - 1)) }
    return switch number(0...5) {
    case 0: .optional(number(0...reach - 1))
    case 1: .list(some())
    case 2: .map(some())
    default: .one(number(0...reach - 1))
    }
  }

  private func key(for target: Target, _ access: Access, _ count: Int) -> String {
    switch (access, target) {
    case (.lazy, _): "lazy\(count)"
    case (.provider, _): "provider\(count)"
    case (_, .one), (_, .optional): "direct\(count)"
    case (_, .list), (_, .tagged): "list\(count)"
    case (_, .map), (_, .taggedMap): "map\(count)"
    }
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  private mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }
}

// MARK: - The module

extension RandomWiring {
  /// The two types: that of the services, and that of the decorators.
  static let types: [TypeDescriptor] = {
    let arguments = (0..<8).flatMap { number in
      [
        ("direct", ArgumentDescriptor.Wrapper.direct), ("lazy", .lazy), ("provider", .provider), ("list", .list),
        ("map", .map),
      ].map { name, wrapper in
        ArgumentDescriptor(key: "\(name)\(number)", kind: .service(type: "T", wrapper: wrapper), isOptional: true)
      }
    }
    let inner = ArgumentDescriptor(key: "inner", kind: .decorated(type: "T"))
    return [
      TypeDescriptor(name: "T", provides: ["T"], arguments: arguments),
      TypeDescriptor(name: "W", provides: ["T"], arguments: [inner] + arguments),
    ]
  }()

  /// Checks the services as a module.
  func check() -> ModuleCheck {
    ModuleCheck(
      checking: ModuleRequest(entry: .file("m.json")), environments: nil,
      files: MemoryFiles(texts: ["m.json": JSONWriter.text(of: module), "types.json": Catalog(types: Self.types).json]),
      catalog: "types.json")
  }

  /// The module file. Each service has an alias of an alias. References to every third service go through it.
  private var module: Value {
    var aliases: [Value.Entry] = []
    for id in ids {
      aliases.append(.init(key: "outer.\(id)", value: .string("inner.\(id)")))
      aliases.append(.init(key: "inner.\(id)", value: .string(id)))
    }
    let entries = zip(ids, services).map { id, service in Value.Entry(key: id, value: value(of: service)) }
    return .map([
      .init(key: "configdi", value: 1), .init(key: "module", value: "m"),
      .init(key: "scopes", value: .list((0..<scopeCount).map { .string("scope\($0)") })),
      .init(key: "services", value: .map(entries)), .init(key: "aliases", value: .map(aliases)),
      .init(key: "bindings", value: .map(ids.isEmpty ? [] : [.init(key: "T", value: .string(ids[0]))])),
    ])
  }

  private func value(of service: Service) -> Value {
    let decorators = (0..<service.decoratorCount).map { number in
      Value.map([.init(key: "type", value: "W"), .init(key: "inject", value: inject(service, decorator: number))])
    }
    let tags = service.tags.map { tag, order in
      Value.Entry(key: "t\(tag)", value: .map([.init(key: "order", value: .integer(Int64(order)))]))
    }
    return .map([
      .init(key: "type", value: "T"), .init(key: "scope", value: .string(service.scope)),
      .init(key: "eager", value: .boolean(service.isEager)), .init(key: "tags", value: .map(tags)),
      .init(key: "inject", value: inject(service, decorator: nil)), .init(key: "decorate", value: .list(decorators)),
    ])
  }

  private func inject(_ service: Service, decorator: Int?) -> Value {
    .map(
      service.references.filter { $0.decorator == decorator }.map { reference in
        .init(key: reference.key, value: value(of: reference.target))
      })
  }

  private func value(of target: Target) -> Value {
    func name(_ place: Int) -> Value { .string(place % 3 == 0 ? "outer.\(ids[place])" : ids[place]) }
    return switch target {
    case .one(let place): name(place)
    case .optional(let place): ["service": name(place), "optional": true]
    case .list(let places): .list(places.map(name))
    case .map(let places): ["map": .map(places.enumerated().map { .init(key: "k\($0)", value: name($1)) })]
    case .tagged(let tag): ["tagged": .string("t\(tag)")]
    case .taggedMap(let tag): ["tagged": .string("t\(tag)"), "as": "map"]
    }
  }
}
