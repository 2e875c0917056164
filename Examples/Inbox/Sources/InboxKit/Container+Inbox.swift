// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation

nonisolated extension Registry {
  /// Returns the registry of all types of the app.
  package static func inbox() -> Registry {
    var registry = Registry()
    registry.add("RemoteMailbox", as: (any Mailbox).self, RemoteMailbox.init, .value("address"))
    registry.add(
      "BundledMailbox", as: (any Mailbox).self, on: MainActor.shared, BundledMailbox.init, .value("resource"))
    registry.add("InboxModel", on: MainActor.shared, InboxModel.init, .service("mailbox"), .value("limit"))
    return registry
  }
}

extension Container {
  /// Creates a container of the app's services from the module file in the app's bundle.
  ///
  /// - Parameters:
  ///   - environment: `release` or `preview`.
  ///   - layers: Further layers, with the changes that a preview or a test makes.
  package static func inbox(_ environment: String, layers: [ModuleLayer] = []) throws -> Container {
    guard let module = Bundle.module.path(forResource: "app", ofType: "json", inDirectory: "Modules") else {
      throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "Modules/app.json"])
    }
    return try Container(module: module, environment: environment, layers: layers, registry: .inbox())
  }
}
