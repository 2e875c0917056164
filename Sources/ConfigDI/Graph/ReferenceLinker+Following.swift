// SPDX-License-Identifier: Apache-2.0

// MARK: - Forms

extension ReferenceLinker {
  /// Resolves a reference and adds the edges to the services that it leads to.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  mutating func follow(
    _ reference: Reference, _ link: Link, _ holder: Holder, kind: WiringGraph.EdgeKind
  ) -> LinkedReference {
    switch reference {
    case .id(let id):
      return follow(id, link, holder, kind)
    case .service(let id, let flag, _):
      let isOptional = flag?.value ?? false
      return follow(id, link, holder, kind == .direct && isOptional ? .optional : kind, isOptional: isOptional)
    case .tagged(let tag, let form, _):
      return follow(tag: tag, asMap: form.flatMap { Keyword($0.name) } == .map, link)
    case .list(let elements, let node):
      return .list(elements.map { follow($0, link, holder, kind: .list) }, node)
    case .map(let entries, _, let node):
      let followed = entries.map {
        LinkedReference.Entry(key: $0.key, reference: follow($0.reference, link, holder, kind: .map))
      }
      return .map(followed, node)
    }
  }

  /// Resolves an id. `isOptional` is `nil` if the id is written as a string, not in map form.
  private mutating func follow(
    _ token: Token, _ link: Link, _ holder: Holder, _ kind: WiringGraph.EdgeKind, isOptional: Bool? = nil
  ) -> LinkedReference {
    let node = token.node
    switch target(of: token.name) {
    case .service(let service):
      addEdge(to: service, link, kind, at: node)
      return .service(service, node)
    case .deadAlias:
      return .broken
    case .excluded where isOptional == true, .unknown where isOptional == true:
      return .absent
    case .excluded(let place):
      let fix = isOptional == nil ? definition.names[token.name] : nil
      bag.report(.excludedService(holder, definition.excluded[place], definition.names, fix: fix, at: node))
      return .broken
    case .unknown:
      let id = definition.names[token.name]
      var finding = Finding.unknownService(holder, id, at: node)
      if let removal = definition.history.removal(of: id, in: [.services, .aliases], definition.names) {
        finding.related = [removal]
      } else {
        let (near, place, fits) = candidates.nearest(to: id, for: holder.service, providing: link.wanted)
        if let place { finding.related = [Finding.Related(.node(place), "a similar id is defined here")] }
        finding.suggest(near)
        if !fits { finding.replacement = nil }
      }
      bag.report(finding)
      return .broken
    }
  }
}

// MARK: - Tags

extension ReferenceLinker {
  /// Resolves a tag to all services that have it, except the holder's own.
  private mutating func follow(tag token: Token, asMap: Bool, _ link: Link) -> LinkedReference {
    let node = token.node
    referencedTags.append(token)
    let all = tags[token.name]
    guard spend(all.count, at: node) else { return .broken }
    let members = all.filter { $0.service != link.service }
    for member in members { addEdge(to: member.service, link, asMap ? .map : .list, at: node) }
    guard asMap else { return .list(members.map { .service($0.service, node) }, node) }
    // Sorted by id, so that of two services with the same key the one with the greater id is reported.
    var places = NameTable()
    var kept: [TagIndex.Member] = []
    for member in members.ascending(by: \.service) {
      let place = Int(places.name(member.tag.key).index)
      if place == kept.count {
        kept.append(member)
      } else if reportedDuplicateTags.insert(member.tag.node).inserted {
        let ids = [kept[place], member].map { definition.names[definition.services[$0.service].name] }
        bag.report(.equalTagKeys(definition.names[member.tag.name], ids, member.tag, kept[place].tag))
      }
    }
    return .map(kept.map { .init(key: $0.tag.key, reference: .service($0.service, node)) }, node)
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for a reference to an unknown service.
  fileprivate static func unknownService(_ holder: Holder, _ id: String, at node: NodeRef) -> Finding {
    Finding(
      .unknownService, "\(holder.inWords) injects unknown service \"\(id)\"", at: node,
      label: "no service or alias has this id", owner: holder.id)
  }

  /// Returns the finding for a reference to a disabled service. `fix` is the id if it is written as a string.
  fileprivate static func excludedService(
    _ holder: Holder, _ service: ExcludedService, _ names: NameTable, fix: String?, at node: NodeRef
  ) -> Finding {
    Finding(
      .disabledService, "\(holder.inWords) injects \"\(names[service.name])\", which is disabled here by its condition",
      at: node, label: "disabled",
      related: [Finding.Related(.node(service.condition.node), "this condition does not hold")],
      help: "make the reference optional, or give \"\(holder.id)\" the same condition", owner: holder.id,
      replacement: fix.map { .optionalReference($0) })
  }

  /// Returns the finding for two services with the same key in a map of tagged services.
  fileprivate static func equalTagKeys(
    _ tag: String, _ ids: [String], _ member: ComposedTag, _ other: ComposedTag
  ) -> Finding {
    Finding(
      .duplicateTagKey, "services \(ids.quotedList) have the same key \"\(member.key)\" in tag \"\(tag)\"",
      at: member.node, related: [Finding.Related(.node(other.node), "service \"\(ids[0])\" has this key, too")],
      help: "give one of them a different \"key\"")
  }
}
