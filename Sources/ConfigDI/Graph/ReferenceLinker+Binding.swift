// SPDX-License-Identifier: Apache-2.0

extension ReferenceLinker {
  /// Returns the indices of the arguments to bind by type: the required service arguments that the holder does not
  /// give. Descending by argument key.
  func unboundArguments(of holder: Holder) -> [Int] {
    guard holder.isAutowired, let type = holder.argumentType, !type.bindable.isEmpty else { return [] }
    let given = Set((holder.inject.map(\.name) + holder.declaredValues.map(\.name)).compactMap(type.place(of:)))
    return given.isEmpty ? type.bindable : type.bindable.filter { !given.contains($0) }
  }

  /// Binds an argument of a holder by its type.
  mutating func bind(_ place: Int, of holder: inout Holder, _ link: Link) {
    guard let type = holder.registered, case .service(let wanted, let wrapper) = type.descriptor.arguments[place].kind
    else { return }
    let argument = type.descriptor.arguments[place]
    var link = link.take(place, of: type)
    link.injection = holder.injections.count
    let isPlural = wrapper == .list || wrapper == .map
    let reference = isPlural ? bindAll(wanted, holder, link, wrapper) : bindOne(wanted, argument.key, holder, link)
    holder.injections.append(
      LinkedInjection(
        key: argument.key, node: holder.key, argument: place, isAutowired: true, reference: reference))
  }

  /// Binds an argument to all services that provide a name, ordered by id. There may be none.
  private mutating func bindAll(
    _ wanted: String, _ holder: Holder, _ link: Link, _ wrapper: ArgumentDescriptor.Wrapper
  ) -> LinkedReference {
    guard spend(providers.index.summary(of: wanted, except: nil).count + 1, at: holder.key) else { return .broken }
    let services = providers.index.all(wanted).filter { $0 != link.service }
    for service in services { addEdge(to: service, link, wrapper == .map ? .map : .list, at: holder.key) }
    let references = services.map { LinkedReference.service($0, holder.key) }
    guard wrapper == .map else { return .list(references, holder.key) }
    let keys = services.map { definition.names[definition.services[$0].name] }
    return .map(zip(keys, references).map { LinkedReference.Entry(key: $0, reference: $1) }, holder.key)
  }

  /// Binds an argument to the service that the name is bound to or, without a binding, to the only service that
  /// provides it. Reports an error if there is no such service, or more than one.
  private mutating func bindOne(_ wanted: String, _ key: String, _ holder: Holder, _ link: Link) -> LinkedReference {
    guard spend(1, at: holder.key) else { return .broken }
    let what = "argument \"\(key)\" of \(holder.inWords)"
    let binding = providers.bindings[wanted]
    if let place = binding?.excluded {
      bag.report(.boundToExcluded(what, wanted, definition.excluded[place], definition.names, at: holder.key))
      return .broken
    }
    // A binding without a service is reported where it is declared.
    if let binding, binding.service == nil { return .broken }
    // No service receives itself.
    var found = binding?.service == link.service ? nil : binding?.service
    if found == nil {
      let candidates = providers.index.summary(of: wanted, except: link.service)
      if candidates.count == 1 {
        found = candidates.first.first
      } else if candidates.count > 1 {
        ambiguousNames.insert(wanted)
        let ids = candidates.first.map { definition.names[definition.services[$0].name] }
        bag.report(.severalCandidates(what, key, wanted, ids, more: candidates.count - ids.count, at: holder.key))
      } else if !providers.mayProvide(wanted) {
        bag.report(.noCandidate(what, key, wanted, at: holder.key))
      }
    }
    guard let found else { return .broken }
    addEdge(to: found, link, .direct, at: holder.key)
    return .service(found, holder.key)
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for an argument that no service can be bound to.
  fileprivate static func noCandidate(_ what: String, _ key: String, _ wanted: String, at node: NodeRef) -> Finding {
    Finding(
      .noCandidate, "\(what) requires \"\(wanted)\", which no service provides", at: node,
      help: "add \"\(key)\" to \"inject\", or define a service that provides \"\(wanted)\"", subject: what)
  }

  /// Returns the finding for an argument that several services can be bound to.
  fileprivate static func severalCandidates(
    _ what: String, _ key: String, _ wanted: String, _ ids: [String], more: Int, at node: NodeRef
  ) -> Finding {
    Finding(
      .severalCandidates,
      "\(what) requires \"\(wanted)\", which several services provide: \(ids.quotedList(more: more))", at: node,
      help: "add \"\(key)\" to \"inject\", or \"\(wanted)\" to \"bindings\"", subject: what)
  }

  /// Returns the finding for an argument whose type is bound to a disabled service.
  fileprivate static func boundToExcluded(
    _ what: String, _ wanted: String, _ service: ExcludedService, _ names: NameTable, at node: NodeRef
  ) -> Finding {
    let id = names[service.name]
    return Finding(
      .disabledService,
      "\(what) requires \"\(wanted)\", which is bound to \"\(id)\", which is disabled here by its condition", at: node,
      related: [Finding.Related(.node(service.condition.node), "this condition does not hold")],
      help: "bind \"\(wanted)\" to a service that is enabled here", subject: what)
  }
}
