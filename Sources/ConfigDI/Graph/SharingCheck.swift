// SPDX-License-Identifier: Apache-2.0

/// Checks that types of services which threads share are safe to share.
struct SharingCheck {
  let graph: WiringGraph
  /// Whether the application is loading the module. A load also refuses such types in named scopes, because several
  /// threads may use one open scope.
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

  /// Returns whether several threads may share an instance with the given lifetime.
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
  /// Returns the finding for a type that is not safe to share, in a lifetime that shares it.
  fileprivate static func notSendable(_ holder: Holder, _ type: RegisteredType, at node: NodeRef) -> Finding {
    // Not the type, which may differ between environments.
    let decorator = if case .decorator(_, let place) = holder.kind { "decorate[\(place)]" } else { "" }
    return Finding(
      .notSendable, "\(holder.inWords) is shared across threads, but type \"\(type.name)\" is not safe to share",
      at: node,
      help: "make the type Sendable, register it with \"sharedSafely: true\", or give the service scope \"transient\"",
      subject: decorator, owner: holder.id)
  }
}
