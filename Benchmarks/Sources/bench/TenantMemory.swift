// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import CMeasuring
  import ConfigDI

  /// The memory of 10,000 tenants of a base with 1,000 services. Each tenant builds five services of its own.
  ///
  /// Measured in a separate process.
  enum TenantMemory {
    /// The option that makes this program the measuring process.
    static let option = "--memory-tenants"
    /// The number of tenants.
    private static let count = 10_000

    /// Measures in a separate process.
    static func measure() throws -> [Figure] {
      let bytes = try Memory.figures(ofProcessWith: option)
      guard bytes.count == 2 else { return [] }
      return [
        Figure(name: "tenants.memory.base", value: bytes[0], isBytes: true),
        Figure(name: "tenants.memory", value: bytes[1], isBytes: true, greatest: 20_000),
      ]
    }

    /// Makes the tenants, and prints the bytes of the base and the bytes per tenant.
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
