// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation

extension Registry {
  /// All types of the app.
  package static func inbox() -> Registry {
    var registry = Registry()
    registry.add("RemoteMailbox", as: (any Mailbox).self, RemoteMailbox.init, .value("address"))
    registry.add("BundledMailbox", as: (any Mailbox).self, BundledMailbox.init, .value("resource"))
    registry.add("InboxModel", on: MainActor.shared, InboxModel.init, .service("mailbox"), .value("limit"))
    return registry
  }
}

extension Container {
  /// The services of the app, by the module of its bundle.
  ///
  /// - Parameters:
  ///   - environment: `release`, or `preview`.
  ///   - layers: Further layers: what one preview or one test has instead.
  package static func inbox(_ environment: String, layers: [ModuleLayer] = []) throws -> Container {
    guard let module = Bundle.module.path(forResource: "app", ofType: "json", inDirectory: "Modules") else {
      throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "Modules/app.json"])
    }
    return try Container(module: module, environment: environment, layers: layers, registry: .inbox())
  }
}
