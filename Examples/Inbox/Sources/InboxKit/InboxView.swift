// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  import ConfigDI
  import SwiftUI

  /// The list of messages.
  package struct InboxView: View {
    /// The view model.
    @State private var model: InboxModel

    package init(model: InboxModel) { _model = State(initialValue: model) }

    package var body: some View {
      List(model.messages) { message in
        VStack(alignment: .leading) {
          Text(message.subject).fontWeight(message.isRead ? .regular : .bold)
          Text(message.sender).foregroundStyle(.secondary)
        }
      }
      .overlay { if let failure = model.failure { Text(failure) } }
      .task { await model.refresh() }
    }
  }

  /// Returns the model for a preview. Stops the preview with all findings if a module file has an error.
  private func model(_ layers: ModuleLayer...) -> InboxModel {
    do { return try Container.inbox("preview", layers: layers)[InboxModel.self] } catch { fatalError("\(error)") }
  }

  #Preview("Two messages") { InboxView(model: model()) }

  #Preview("All messages") {
    InboxView(
      model: model(
        .text(
          #"{ "configdi": 1, "module": "all", "override": { "services": { "inbox": { "values": { "limit": 9 } } } } }"#)
      ))
  }
#endif
