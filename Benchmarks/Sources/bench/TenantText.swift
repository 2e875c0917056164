// SPDX-License-Identifier: Apache-2.0

import ConfigDI

/// The layer of a tenant: five services, each with a dependency on one of the base.
enum TenantText {
  /// The names of the services of a tenant.
  static let names = (0..<5).map { "tenant\($0)" }

  /// Looks up services by name.
  static func use(_ container: Container, names: [String]) throws {
    for name in names { _ = opaque(try container.resolve(Node.self, named: name)) }
  }

  /// Returns the layer of a tenant, with its number as a value of each service.
  static func layer(_ number: Int) -> ModuleLayer {
    let services = names.enumerated().map { place, name in
      "\"\(name)\":{\"type\":\"Node\(place)\",\"inject\":{\"left\":\"s\(place + 3)\"},\"values\":{\"size\":\(number)}}"
    }
    return .text(
      "{\"configdi\":1,\"module\":\"tenant\",\"services\":{\(services.joined(separator: ","))}}",
      name: "tenant\(number).json")
  }
}
