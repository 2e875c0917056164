// SPDX-License-Identifier: Apache-2.0

/// Checks that what several threads share is safe to share.
struct SharingCheck {
  let graph: WiringGraph
  /// Whether the check is that of the application which builds the services. It refuses such types in named scopes, too: an open
  /// scope may be used by several threads.
  let isLoad: Bool

  func run(_ bag: inout DiagnosticBag) {
    for holder in graph.holders(being: .unsendable) where !holder.isMalformed {
      guard let service = holder.service, let type = holder.registered, !type.descriptor.isSendable,
        let lifetime = graph.lifetime(of: service), isShared(lifetime)
      else { continue }
      let scope = graph.definition.services[service].declaration.scope
      bag.report(.notSendable(holder, type, at: scope?.node ?? holder.key))
    }
  }

  /// Whether threads share an instance.
  private func isShared(_ lifetime: Lifetime) -> Bool {
    switch lifetime {
    case .shared, .weak: true
    case .scope: isLoad
    case .transient, .graph: false
    }
  }
}

// MARK: - Messages

extension Finding {
  /// A type that several threads must not share, in a lifetime that shares it.
  fileprivate static func notSendable(_ holder: Holder, _ type: RegisteredType, at node: NodeRef) -> Finding {
    Finding(
      .notSendable, "\(holder.inWords) is shared across threads, but type \"\(type.name)\" is not safe to share",
      at: node, help: "make the type Sendable, register it as safe to share, or give the service scope \"transient\"",
      subject: type.name, owner: holder.id)
  }
}
