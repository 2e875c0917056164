// SPDX-License-Identifier: Apache-2.0

/// Expands the data of every service and puts the services in order.
struct ServicePass {
  /// The services, ascending by id.
  private(set) var services: [ComposedService] = []
  /// The findings.
  private(set) var bag = DiagnosticBag()
  /// What the placeholders stand for.
  private var expansion: Expansion

  /// Expands the services of a composition.
  init(_ composer: Composer, _ expansion: Expansion) {
    self.expansion = expansion
    let names = composer.names
    let entries = composer.services.all.sorted { names.isAscending($0.name, $1.name) }
    services.reserveCapacity(entries.count)
    for entry in entries { services.append(composed(entry, names)) }
  }

  /// A service with its data expanded.
  private mutating func composed(
    _ entry: ComposedEntry<ServiceDeclaration>, _ names: NameTable
  ) -> ComposedService {
    var service = ComposedService(
      name: entry.name, key: entry.key, isMisshapen: entry.isMisshapen, declaration: entry.body, values: [])
    guard !entry.isMisshapen else { return service }
    if entry.body.type == nil {
      bag.report(
        .missing("\"type\"", "service \"\(names[entry.name])\"", subject: "type", at: entry.merged ?? entry.key))
      service.isMisshapen = true
    }
    service.values.reserveCapacity(entry.body.values.count)
    for argument in entry.body.values {
      let value = expansion.expand(argument.datum, of: "service \"\(names[entry.name])\"", into: &bag)
      service.values.append(ComposedArgument(name: argument.name, key: argument.key, value: value))
    }
    if service.values.count > 1 { service.values.sort { names.isAscending($0.name, $1.name) } }
    if service.declaration.inject.count > 1 {
      service.declaration.inject.sort { names.isAscending($0.name, $1.name) }
    }
    return service
  }
}
