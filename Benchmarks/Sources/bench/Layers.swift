// SPDX-License-Identifier: Apache-2.0

import ConfigDI

extension Benchmark {
  /// Children with services of their own, of a container with a large module.
  static let layers = [
    Benchmark("child.shared", atMost: 1.5, of: "resolve.shared.protocol") {
      let child = Container(parent: try LookUps.container())
      // Services that the parent does not have.
      child.register(named: "1") { Clock() }
      child.register(named: "2") { Clock() }
      child.register(named: "3") { LeafA() }
      child.register(named: "4") { LeafB() }
      child.register { Numbered(5) }
      let kept = opaque(child)
      return { count in
        for _ in 0..<count { use(try kept.resolve((any Logger).self)) }
      }
    },
    Benchmark("layer.tenant", atMost: 0.05, of: "load.1000") {
      let base = opaque(
        try Container(text: ModuleText.text(serviceCount: 1_000), registry: ModuleText.registry))
      return { count in
        for _ in 0..<count { try useCodeTenant(of: base) }
      }
    },
    Benchmark("layer.child", atMost: 0.1, of: "load.1000") {
      let base = opaque(
        try BaseContainer(ModuleSource(text: ModuleText.text(serviceCount: 1_000)), registry: ModuleText.registry))
      return { count in
        for number in 0..<count { try useTenant(of: try base.child(layers: [TenantText.layer(number)])) }
      }
    },
  ]

  /// Looks up the services of a tenant, and one service of the base.
  private static func useTenant(of tenant: Container) throws {
    try TenantText.use(tenant, names: TenantText.names + ["s1"])
  }

  /// Makes a child in which five services replace those of the base, each with a dependency on a service of the base.
  /// Looks up these five and one service of the base.
  private static func useCodeTenant(of base: Container) throws {
    let tenant = Container(parent: base)
    for name in ["s10", "s200", "s400", "s600", "s800"] {
      tenant.register(Node.self, named: name) { Node(try $0.resolve(named: "s999"), nil, 5) }
    }
    for name in ["s10", "s200", "s400", "s600", "s800", "s1"] { use(try tenant.resolve(Node.self, named: name)) }
  }
}
