// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import CMeasuring
  import ConfigDI

  /// What 10,000 tenants take over a base of 1,000 services, each with five services of its own that are built.
  ///
  /// Measured in a process of its own.
  enum TenantMemory {
    /// The option that makes this program the process in which it is measured.
    static let option = "--memory-tenants"
    /// How many tenants there are.
    private static let count = 10_000

    /// The figures, from a process of their own.
    static func measure() throws -> [Figure] {
      let bytes = try Memory.figures(ofProcessWith: option)
      guard bytes.count == 2 else { return [] }
      return [
        Figure(name: "tenants.memory.base", value: bytes[0], isBytes: true),
        Figure(name: "tenants.memory", value: bytes[1], isBytes: true, greatest: 20_000),
      ]
    }

    /// Makes the tenants, and prints the bytes of the base and those for one tenant.
    static func printFigures() throws {
      use(try Container(text: ModuleText.text(serviceCount: 100), registry: ModuleText.registry))
      let before = Int(allocated_bytes())
      let base = try BaseContainer(
        ModuleSource(text: ModuleText.text(serviceCount: 1_000)), registry: ModuleText.registry)
      try TenantText.use(base.container, names: ["s999"])
      let empty = Int(allocated_bytes())
      var tenants: [Container] = []
      tenants.reserveCapacity(count)
      for number in 0..<count {
        let tenant = try base.child(layers: [TenantText.layer(number)])
        try TenantText.use(tenant, names: TenantText.names)
        tenants.append(tenant)
      }
      print(empty - before, (Int(allocated_bytes()) - empty) / count)
      withExtendedLifetime((base, tenants)) {}
    }
  }
#endif
