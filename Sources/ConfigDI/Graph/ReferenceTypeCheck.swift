// SPDX-License-Identifier: Apache-2.0

/// Checks that references lead to services that provide the name an argument requires, and that lists and maps are
/// given only where the argument takes one.
struct ReferenceTypeCheck {
  let graph: WiringGraph
  /// The type that look-ups of each service receive; `nil` if it is not known or the service is malformed. In one
  /// array, as the order of accesses is random.
  private let received: [RegisteredType?]
  /// The services by the names that they provide. Built on first use.
  private lazy var providers = ProviderIndex(graph.definition, graph.holders, excluding: .malformed)

  /// Creates a check of a graph whose types are known.
  init(_ graph: WiringGraph) {
    self.graph = graph
    received = graph.definition.services.indices.map { place in
      graph.holders[place].traits.contains(.malformed) ? nil : graph.outermostType(of: place)
    }
  }

  mutating func run(_ bag: inout DiagnosticBag) {
    for holder in graph.holders where !holder.injections.isEmpty {
      guard let type = holder.argumentType else { continue }
      var ownBag = DiagnosticBag()
      for injection in holder.injections where !injection.isAutowired {
        guard let argument = injection.argument,
          case .service(let wanted, let wrapper) = type.descriptor.arguments[argument].kind
        else { continue }
        // The fast path for almost all references. It builds no context for messages.
        if wrapper != .list, wrapper != .map, case .service(let service, _) = injection.reference,
          provides(service, wanted)
        {
          continue
        }
        check(injection.reference, Want(holder: holder, argument: injection.key, type: wanted), wrapper, &ownBag)
      }
      bag.append(ownBag, owner: holder.id)
    }
  }

  /// The requirement of an argument.
  private struct Want {
    /// The holder that has the argument.
    let holder: Holder
    /// The argument's key.
    let argument: String
    /// The name that the service must provide.
    let type: String
  }

  /// Checks one reference against a requirement.
  ///
  /// Recursive: one level for a list or map, whose elements must be single services.
  private mutating func check(
    _ reference: LinkedReference, _ want: Want, _ wrapper: ArgumentDescriptor.Wrapper, _ bag: inout DiagnosticBag
  ) {
    switch (wrapper, reference) {
    case (_, .absent), (_, .broken):
      return
    case (.direct, .service(let service, let node)), (.lazy, .service(let service, let node)),
      (.provider, .service(let service, let node)):
      checkProvides(service, want, at: node, &bag)
    case (.list, .list(let elements, _)):
      for element in elements { check(element, want, .direct, &bag) }
    case (.map, .map(let entries, _)):
      for entry in entries { check(entry.reference, want, .direct, &bag) }
    case (_, .service(_, let node)), (_, .list(_, let node)), (_, .map(_, let node)):
      bag.report(.wrongNumber(owner(of: want), wrapper, want.type, reference, at: node))
    }
  }

  /// Reports a service that does not provide the required name.
  private mutating func checkProvides(
    _ service: Int, _ want: Want, at node: NodeRef, _ bag: inout DiagnosticBag
  ) {
    guard let type = received[service], !type.provides(want.type) else { return }
    let candidates = providers.summary(of: want.type, except: want.holder.service)
    bag.report(
      .doesNotProvide(
        owner(of: want), want.type, graph.id(of: service), type,
        candidates: candidates.first.prefix(3).map(graph.id(of:)),
        at: node))
  }

  /// Returns whether a service provides a name. Returns `true` if its type is not known.
  private func provides(_ service: Int, _ name: String) -> Bool {
    received[service]?.provides(name) ?? true
  }

  /// Returns the description of the argument for messages.
  private func owner(of want: Want) -> String {
    "argument \"\(want.argument)\" of \(want.holder.inWords)"
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for a service that does not provide the required name.
  fileprivate static func doesNotProvide(
    _ owner: String, _ wanted: String, _ service: String, _ type: RegisteredType, candidates: [String], at node: NodeRef
  ) -> Finding {
    Finding(
      .serviceMismatch, "\(owner) expects \"\(wanted)\", which service \"\(service)\" does not provide", at: node,
      notes: [type.providesInWords],
      help: candidates.isEmpty ? nil : "services that provide it: " + candidates.quotedList)
  }

  /// Returns the finding for a single service instead of a list or map, or the reverse.
  fileprivate static func wrongNumber(
    _ owner: String, _ wrapper: ArgumentDescriptor.Wrapper, _ wanted: String, _ reference: LinkedReference,
    at node: NodeRef
  ) -> Finding {
    let expected =
      switch wrapper {
      case .list: "a list of \"\(wanted)\""
      case .map: "a map of \"\(wanted)\""
      case .direct, .lazy, .provider: "one \"\(wanted)\""
      }
    let found =
      switch reference {
      case .list: "a list"
      case .map: "a map"
      case .service, .absent, .broken: "one service"
      }
    return Finding(.serviceMismatch, "\(owner) expects \(expected), found \(found)", at: node)
  }
}
