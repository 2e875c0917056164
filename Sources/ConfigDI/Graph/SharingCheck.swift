// SPDX-License-Identifier: Apache-2.0

/// Checks that what several threads share is safe to share.
struct SharingCheck {
  /// The graph.
  let graph: WiringGraph

  /// A check of a graph whose types are known.
  init(_ graph: WiringGraph) { self.graph = graph }

  /// Runs the check.
  func run(_ bag: inout DiagnosticBag) {
    for holder in graph.holders(being: .unsendable) where !holder.isMisshapen {
      guard let service = holder.service, let type = holder.registered, !type.descriptor.isSendable,
        let lifetime = graph.lifetime(of: service), lifetime == .shared || lifetime == .weak
      else { continue }
      let scope = graph.definition.services[service].declaration.scope
      bag.report(.notSendable(holder, type, at: scope?.node ?? holder.key))
    }
  }
}

// MARK: - Messages

extension Finding {
  /// A type that several threads must not share, in a lifetime that shares it.
  fileprivate static func notSendable(_ holder: Holder, _ type: RegisteredType, at node: NodeRef) -> Finding {
    var finding = Finding(
      .notSendable,
      "\(holder.inWords) is shared across threads, for which type \"\(type.name)\" is not safe", at: node)
    finding.subject = type.name
    finding.owner = holder.id
    finding.help = "make the type Sendable, register it as safe to share, or give the service the scope \"transient\""
    return finding
  }
}
