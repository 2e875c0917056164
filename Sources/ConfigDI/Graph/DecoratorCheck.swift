// SPDX-License-Identifier: Apache-2.0

/// Checks that decorators wrap something, and fit what they wrap; and that nothing else is of such a type.
struct DecoratorCheck {
  /// The graph.
  let graph: WiringGraph

  /// A check of a graph whose types are known.
  init(_ graph: WiringGraph) { self.graph = graph }

  /// Runs the check.
  func run(_ bag: inout DiagnosticBag) {
    for holder in graph.holders where !holder.isMisshapen {
      guard let type = holder.type, let token = holder.typeToken else { continue }
      let decorated = type.decoratedTypes
      guard case .decorator(let service, let place) = holder.kind else {
        if !decorated.isEmpty { bag.report(.wrapsNothing(holder, type, at: token.node)) }
        continue
      }
      if decorated.count == 1 {
        check(holder, type, wrapping: decorated[0], of: service, at: place, token, &bag)
      } else {
        bag.report(.notADecorator(holder, type, decorated.count, at: token.node))
      }
    }
  }

  /// Tells a decorator that does not fit what it wraps, or does not provide what the service promises.
  private func check(
    _ holder: Holder, _ type: TypeDescriptor, wrapping wanted: String, of service: Int, at place: Int, _ token: Token,
    _ bag: inout DiagnosticBag
  ) {
    let own = graph.type(of: service)
    let inner = place == 0 ? own : graph.decorators(of: service)[place - 1].type
    if let inner, !inner.provides.contains(wanted) {
      return bag.report(.doesNotFit(holder, wanted, inner, at: token.node))
    }
    let promised = graph.definition.services[service].provides(of: own, graph.definition.names)
    let missing = promised.filter { !type.provides.contains($0) }
    if !missing.isEmpty { bag.report(.hides(holder, type, missing, at: token.node)) }
  }
}

extension TypeDescriptor {
  /// The types that the decorated arguments want.
  fileprivate var decoratedTypes: [String] {
    arguments.compactMap { argument in if case .decorated(let type) = argument.kind { type } else { nil } }
  }
}

// MARK: - Messages

extension Finding {
  /// A service or template of a type that only decorators can have.
  fileprivate static func wrapsNothing(_ holder: Holder, _ type: TypeDescriptor, at node: NodeRef) -> Finding {
    var finding = Finding(
      .notADecorator, "\(holder.inWords) is of type \"\(type.name)\", which wraps another service", at: node)
    finding.owner = holder.id
    finding.help = "name the type under \"decorate\" of the service that it wraps"
    return finding
  }

  /// A decorator that wraps nothing, or more than one thing.
  fileprivate static func notADecorator(
    _ holder: Holder, _ type: TypeDescriptor, _ count: Int, at node: NodeRef
  ) -> Finding {
    let what = count == 0 ? "no argument" : "\(count) arguments"
    var finding = Finding(
      .notADecorator, "\(holder.inWords) declares \(what) as the decorated one",
      at: node)
    finding.help = "a type that decorates declares exactly one decorated argument where it is registered"
    return finding
  }

  /// A decorator that does not fit what it wraps.
  fileprivate static func doesNotFit(
    _ holder: Holder, _ wanted: String, _ inner: TypeDescriptor, at node: NodeRef
  ) -> Finding {
    var finding = Finding(
      .serviceMismatch,
      "\(holder.inWords) wraps \"\(wanted)\", which type \"\(inner.name)\" inside of it does not provide", at: node)
    finding.notes = [inner.providesInWords]
    return finding
  }

  /// A decorator that does not provide what the service does.
  fileprivate static func hides(
    _ holder: Holder, _ type: TypeDescriptor, _ missing: [String], at node: NodeRef
  ) -> Finding {
    var finding = Finding(
      .serviceMismatch,
      "\(holder.inWords) does not provide \(missing.quotedList), by which the service can be looked up", at: node)
    finding.notes = [type.providesInWords]
    finding.help = "narrow \"provides\" of the service to what the decorator provides as well"
    return finding
  }
}
