// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  import ConfigDI
  import SwiftUI

  /// The messages.
  package struct InboxView: View {
    /// What is shown.
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

  /// What a preview shows; a mistake in a file stops it with the whole message.
  @MainActor private func model(_ layers: ModuleLayer...) -> InboxModel {
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
