// SPDX-License-Identifier: Apache-2.0

/// Checks that a synchronous load has nothing to await: no eager service, and no service that one needs, may have an
/// async builder or a builder on an actor other than that of the load.
struct AwaitedStartCheck {
  /// Returns whether the builder of a type, given by name, must be awaited from where the load runs.
  typealias IsAwaited = (_ type: String) -> Bool

  let graph: WiringGraph
  /// The predicate that tells which types must be awaited; see `IsAwaited`.
  let isAwaited: IsAwaited

  /// Runs the check.
  ///
  /// - Complexity: Linear in services and references.
  func run(_ bag: inout DiagnosticBag) {
    var awaited: [Int: Int] = [:]
    var open: [Int] = []
    // The load builds only eager services and what they need.
    guard graph.services(being: .eager).contains(where: { _ in true }) else { return }
    for holder in graph.holders {
      guard let service = holder.service, let type = holder.registered, isAwaited(type.name),
        awaited.updateValue(service, forKey: service) == nil
      else { continue }
      open.append(service)
    }
    guard !open.isEmpty else { return }
    let users = DirectedGraph(
      nodeCount: graph.definition.services.count,
      edges: graph.edges.filter { $0.isNeededToBuild }.map { (from: $0.to, to: $0.from) })
    while let service = open.popLast() {
      for user in users.targets(of: service) where awaited[user] == nil {
        awaited[user] = awaited[service]
        open.append(user)
      }
    }
    for place in graph.services(being: .eager) {
      let service = graph.definition.services[place]
      guard !service.isMalformed, let cause = awaited[place], let key = service.declaration.eagerKey else { continue }
      bag.report(.startIsAwaited(graph.id(of: place), because: graph.id(of: cause), at: key))
    }
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for an eager service that a synchronous load cannot build.
  fileprivate static func startIsAwaited(_ id: String, because cause: String, at node: NodeRef) -> Finding {
    Finding(
      .needsAwaitedLoad,
      id == cause
        ? "service \"\(id)\" is eager, but its builder has to be awaited, and the load does not await"
        : "service \"\(id)\" is eager, but needs service \"\(cause)\", whose builder has to be awaited, and the load does "
          + "not await", at: node,
      help: "load the module with `try await Container(...)` in an async function, or remove \"eager\"",
      subject: cause, owner: id)
  }
}
