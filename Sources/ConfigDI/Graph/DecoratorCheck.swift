// SPDX-License-Identifier: Apache-2.0

/// Checks that decorators have one decorated argument and fit what they wrap, and that only decorators have such types.
struct DecoratorCheck {
  let graph: WiringGraph

  func run(_ bag: inout DiagnosticBag) {
    for holder in graph.holders(being: .wrapping) where !holder.isMalformed {
      guard let type = holder.registered, let token = holder.typeToken else { continue }
      if case .decorator = holder.kind { continue }
      bag.report(.wrapsNothing(holder, type, at: token.node))
    }
    for (number, fault) in graph.decoratorFaults {
      let holder = graph.holders[number]
      guard let type = holder.registered, let token = holder.typeToken else { continue }
      switch fault {
      case .notOneDecorated(let count): bag.report(.notADecorator(holder, count, at: token.node))
      case .doesNotFit(let wanted, let inner): bag.report(.doesNotFit(holder, wanted, inner, at: token.node))
      case .hides(let names): bag.report(.hides(holder, type, names, at: token.node))
      }
    }
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for a service or template whose type is a decorator.
  fileprivate static func wrapsNothing(_ holder: Holder, _ type: RegisteredType, at node: NodeRef) -> Finding {
    Finding(
      .notADecorator, "\(holder.inWords) has type \"\(type.name)\", which is a decorator", at: node,
      help: "list the type in \"decorate\" of the service that it wraps", owner: holder.id)
  }

  /// Returns the finding for a decorator without a decorated argument, or with several.
  fileprivate static func notADecorator(_ holder: Holder, _ count: Int, at node: NodeRef) -> Finding {
    let what = count == 0 ? "no decorated argument" : "\(count) decorated arguments, expected one"
    return Finding(
      .notADecorator, "\(holder.inWords) has \(what)", at: node,
      help: "register the type with exactly one decorated argument")
  }

  /// Returns the finding for a decorator whose decorated argument does not fit what it wraps.
  fileprivate static func doesNotFit(
    _ holder: Holder, _ wanted: String, _ inner: RegisteredType, at node: NodeRef
  ) -> Finding {
    Finding(
      .serviceMismatch,
      "\(holder.inWords) expects to wrap \"\(wanted)\", but type \"\(inner.name)\" does not provide it", at: node,
      notes: [inner.providesInWords])
  }

  /// Returns the finding for a decorator that does not provide all names of the service.
  fileprivate static func hides(
    _ holder: Holder, _ type: RegisteredType, _ missing: [String], at node: NodeRef
  ) -> Finding {
    Finding(
      .serviceMismatch, "\(holder.inWords) does not provide \(missing.quotedList), which the service provides",
      at: node, notes: [type.providesInWords], help: "narrow \"provides\" of the service to what the decorator provides"
    )
  }
}
