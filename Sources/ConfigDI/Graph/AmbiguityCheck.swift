// SPDX-License-Identifier: Apache-2.0

/// Warns if several services provide the same name and no binding selects one of them.
struct AmbiguityCheck {
  let graph: WiringGraph

  /// Runs the check. Private services are ignored, as code cannot look them up.
  func run(_ bag: inout DiagnosticBag) {
    for (name, summary) in ambiguousNames(boundBy: { _ in true }) {
      let keys = summary.first.map { graph.definition.services[$0].key }
      bag.report(.ambiguous(name, summary.first.map(graph.id(of:)), keys, more: summary.count - keys.count))
    }
  }

  /// Returns the names that several services provide, ascending. Omits names with a binding that `counts` accepts,
  /// names whose ambiguity is already an error, and names that arguments receive only as lists or maps.
  fileprivate func ambiguousNames(
    boundBy counts: (ComposedTarget) -> Bool
  ) -> [(name: String, providers: ProviderIndex.Summary)] {
    let definition = graph.definition
    var providers = ProviderIndex(definition, graph.holders, excluding: [.malformed, .private])
    // For these names, the linker has reported an error.
    var settled = graph.ambiguousNames
    for binding in definition.bindings where counts(binding) { settled.insert(definition.names[binding.name]) }
    settled.formUnion(namesOfCollections())
    let ambiguous = providers.names.filter { providers.count(of: $0) > 1 && !settled.contains($0) }
    // Sorted, so that two findings at the same key always come in the same order.
    return ambiguous.ascending.map { ($0, providers.summary(of: $0)) }
  }

  /// Returns the names that arguments receive only as lists or maps.
  private func namesOfCollections() -> Set<String> {
    var collections: Set<String> = []
    var singles: Set<String> = []
    var seen: Set<ObjectIdentifier> = []
    for place in graph.holders.indices {
      guard let type = graph.holders[place].registered, seen.insert(ObjectIdentifier(type)).inserted else { continue }
      for argument in type.descriptor.arguments {
        guard case .service(let type, let wrapper) = argument.kind else { continue }
        if wrapper == .list || wrapper == .map { collections.insert(type) } else { singles.insert(type) }
      }
    }
    return collections.subtracting(singles)
  }
}

extension WiringGraph {
  /// Whether several services provide a name that is bound to a disabled service.
  package var isAmbiguousWithoutDisabledBindings: Bool {
    let disabled = Set(definition.bindings.filter { $0.service == nil }.map { definition.names[$0.name] })
    guard !disabled.isEmpty else { return false }
    return AmbiguityCheck(graph: self).ambiguousNames { $0.service != nil }.contains { disabled.contains($0.name) }
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for a name that several services provide.
  fileprivate static func ambiguous(_ name: String, _ ids: [String], _ keys: [NodeRef], more: Int) -> Finding {
    let related = zip(ids, keys).dropFirst().map { Finding.Related(.node($1), "service \"\($0)\" also provides it") }
    return Finding(
      .ambiguousType, "several services provide \"\(name)\": \(ids.quotedList(more: more))", at: keys[0],
      related: related, help: "add \"\(name)\" to \"bindings\", or narrow \"provides\"", subject: name)
  }
}
