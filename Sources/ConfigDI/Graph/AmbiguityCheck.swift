// SPDX-License-Identifier: Apache-2.0

/// Warns where several services provide one type and no binding says which answers a look-up.
struct AmbiguityCheck {
  /// The graph.
  let graph: WiringGraph

  /// A check of a graph.
  init(_ graph: WiringGraph) { self.graph = graph }

  /// Runs the check.
  func run(_ bag: inout DiagnosticBag) {
    let definition = graph.definition
    var providers: [String: [Int]] = [:]
    for (place, service) in definition.services.enumerated() where !service.isMisshapen {
      guard service.declaration.isPrivate?.value != true else { continue }
      for name in service.provides(of: graph.type(of: place), definition.names) {
        providers[name, default: []].append(place)
      }
    }
    // An error says already that something is looked up by the name.
    for name in graph.ambiguousNames { providers[name] = nil }
    for binding in definition.bindings { providers[definition.names[binding.name]] = nil }
    let collections = namesOfCollections()
    // In ascending order, so that two findings at one key always come in the same order.
    for (name, services) in providers.sorted(by: { $0.key < $1.key })
    where services.count > 1 && !collections.contains(name) {
      let keys = services.map { definition.services[$0].key }
      bag.report(.ambiguous(name, services.map(graph.id(of:)), keys))
    }
  }

  /// The names that arguments look up only as lists and maps.
  private func namesOfCollections() -> Set<String> {
    var collections: Set<String> = []
    var singles: Set<String> = []
    for holder in graph.holders {
      for argument in holder.type?.arguments ?? [] {
        guard case .service(let type, let wrapper) = argument.kind else { continue }
        if wrapper == .list || wrapper == .map { collections.insert(type) } else { singles.insert(type) }
      }
    }
    return collections.subtracting(singles)
  }
}

// MARK: - Messages

extension Finding {
  /// A type that several services provide.
  fileprivate static func ambiguous(_ name: String, _ ids: [String], _ keys: [NodeRef]) -> Finding {
    var finding = Finding(.ambiguousType, "several services provide \"\(name)\": \(ids.quotedList)", at: keys[0])
    finding.related = zip(ids, keys).dropFirst().map {
      Finding.Related(.node($1), "service \"\($0)\" provides it as well")
    }
    finding.help = "add \"\(name)\" to \"bindings\", or narrow \"provides\""
    finding.subject = name
    return finding
  }
}
