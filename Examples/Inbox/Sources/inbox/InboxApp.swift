// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import InboxKit

#if canImport(SwiftUI)
  import SwiftUI

  /// The app. An error in the module stops it at launch and prints all findings. A test finds such errors earlier.
  @main struct InboxApp: App {
    init() {
      do { Container.shared = try .inbox("release") } catch { fatalError("\(error)") }
    }

    var body: some Scene {
      WindowGroup { InboxView(model: Container.shared[InboxModel.self]) }
    }
  }
#else
  /// The app without views: prints the messages that the preview shows.
  @main struct InboxApp {
    static func main() async throws {
      Container.shared = try .inbox("preview")
      let model = Container.shared[InboxModel.self]
      await model.refresh()
      for message in model.messages { print("\(message.isRead ? " " : "*") \(message.sender): \(message.subject)") }
      print("unread: \(try await Badge().count())")
    }
  }
#endif
