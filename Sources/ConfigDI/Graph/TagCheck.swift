// SPDX-License-Identifier: Apache-2.0

/// Warns of tags that references collect but no service has, and of tags that a service has but no reference collects.
/// Tags that files declare are exempt.
struct TagCheck {
  private let graph: WiringGraph
  /// The tokens of tag references, each once.
  private let collected: TagStrings
  /// The tokens that give tags to services.
  private let present: TagStrings
  /// The tags that malformed services and templates refer to. These references may be missing in the graph.
  private let referencedByUnlinked: Set<Name>
  /// The tags of malformed services.
  private let tagsOfMalformed: Set<Name>
  /// The tags that files declare, each with the first declaring key.
  private let declared: [Name: NodeRef]

  /// Creates a check of a graph.
  init(_ graph: WiringGraph) {
    let definition = graph.definition
    self.graph = graph
    let malformed = graph.services(being: .malformed).map { definition.services[$0].declaration }
    var referenced: Set<Name> = []
    for declaration in malformed + definition.templates.map(\.declaration) {
      for arguments in declaration.allArguments {
        // A malformed reference holds all of its strings, and any of them may be a tag.
        for injection in arguments.inject { injection.content.forEachToken { referenced.insert($0.name) } }
      }
    }
    referencedByUnlinked = referenced
    tagsOfMalformed = Set(malformed.flatMap { $0.tags.map(\.name.name) })
    collected = TagStrings(graph.referencedTags)
    present = TagStrings(
      definition.services.lazy.filter { !$0.tags.isEmpty }
        .flatMap { $0.tags.lazy.map { Token(name: $0.name, node: $0.node) } })
    declared = Dictionary(definition.declaredTags.map { ($0.name, $0.node) }) { first, _ in first }
  }

  /// Runs the check.
  ///
  /// - Complexity: Linear in the tags of all services and references, without the search for similar names.
  func run(_ bag: inout DiagnosticBag) {
    guard !collected.isEmpty || !present.isEmpty else { return }
    let missing = collected.names.filter { isUnmatched($0, isPresent, .tagWithoutService, &bag) }
    let unused = present.names.filter { isUnmatched($0, isCollected, .unusedTag, &bag) }
    if !missing.isEmpty { reportWithoutService(missing, &bag) }
    if !unused.isEmpty { reportUnused(unused, &bag) }
  }

  /// Returns whether a tag has no match and is not declared. Otherwise records that this refutes a warning.
  private func isUnmatched(
    _ tag: Name, _ hasMatch: (Name) -> Bool, _ code: DiagnosticCode, _ bag: inout DiagnosticBag
  ) -> Bool {
    guard hasMatch(tag) || declared[tag] != nil else { return true }
    bag.uses.mark(tag: text(tag), against: code)
    return false
  }

  /// Returns whether any service has a tag.
  private func isPresent(_ tag: Name) -> Bool { present.contains(tag) || tagsOfMalformed.contains(tag) }

  /// Returns whether any reference collects a tag.
  private func isCollected(_ tag: Name) -> Bool { collected.contains(tag) || referencedByUnlinked.contains(tag) }

  private func text(_ name: Name) -> String { graph.definition.names[name] }
}

// MARK: - Reporting

extension TagCheck {
  /// Reports tags that references collect but no service has.
  private func reportWithoutService(_ tags: [Name], _ bag: inout DiagnosticBag) {
    let definition = graph.definition
    let ranks = FileRanks(definition.fileOrder)
    var disabled: [Name: (service: Name, node: NodeRef)] = [:]
    for service in definition.excluded {
      for tag in service.tags where disabled[tag.name] == nil { disabled[tag.name] = (service.name, tag.node) }
    }
    let index = SuggestionIndex((present.names + disabled.keys + declared.keys).map(text))
    for tag in tags {
      let near = index.suggestions(for: text(tag))
      var finding = Finding.tagWithoutService(text(tag), near: near, at: collected.first(of: tag, ranks))
      if let (service, node) = disabled[tag] {
        finding.related.append(.disabledOwner(text(service), at: node))
      }
      if let other = near.first.flatMap({ definition.names.existingName($0) }) {
        let isMoreFrequent = collected.count(of: tag) > present.count(of: other)
        relate(&finding, to: other, on: present, or: disabled[other]?.node, isMoreFrequent: isMoreFrequent, ranks)
      }
      bag.report(finding)
    }
  }

  /// Reports tags that a service has but no reference collects.
  private func reportUnused(_ tags: [Name], _ bag: inout DiagnosticBag) {
    let definition = graph.definition
    let ranks = FileRanks(definition.fileOrder)
    let index = SuggestionIndex((collected.names + declared.keys).map(text))
    let unused = Set(tags)
    var owners: [NodeRef: ComposedService] = [:]
    for service in definition.services {
      for tag in service.tags where unused.contains(tag.name) { owners[tag.node] = service }
    }
    // The tags of each service. A cache, as a service may have several unused tags.
    var ownTags: [Name: Set<Name>] = [:]
    for tag in tags {
      let node = present.first(of: tag, ranks)
      guard let service = owners[node] else { continue }
      let own = ownTags[service.name] ?? Set(service.tags.map(\.name))
      ownTags[service.name] = own
      let near = index.suggestions(for: text(tag)).filter { near in
        definition.names.existingName(near).map { !own.contains($0) } ?? true
      }
      var finding = Finding.unusedTag(text(tag), near: near, at: node)
      if let other = near.first.flatMap({ definition.names.existingName($0) }) {
        let isMoreFrequent = present.count(of: tag) >= collected.count(of: other)
        relate(&finding, to: other, on: collected, isMoreFrequent: isMoreFrequent, ranks)
      }
      bag.report(finding)
    }
  }

  /// Adds the place of a similar tag to a finding: on `side`, in a declaration, or at a disabled service.
  ///
  /// Removes the fix if either spelling may be the wrong one: if the other tag is neither declared nor both given and
  /// collected, and this tag is more frequent.
  private func relate(
    _ finding: inout Finding, to other: Name, on side: TagStrings, or disabled: NodeRef? = nil, isMoreFrequent: Bool,
    _ ranks: FileRanks
  ) {
    if side.contains(other) {
      finding.related.append(.similar("is", at: side.first(of: other, ranks)))
    } else if let node = declared[other] {
      finding.related.append(.similar("is declared", at: node))
    } else if let disabled {
      finding.related.append(.similar("is", at: disabled))
    }
    let isSettled = declared[other] != nil || (isPresent(other) && isCollected(other))
    if !isSettled && isMoreFrequent { finding.replacement = nil }
  }
}

/// The tokens that name tags, either in references or in services.
private struct TagStrings {
  /// The tokens of each tag.
  private var strings: [Name: Set<NodeRef>] = [:]
  /// The tags, in order of their first occurrence.
  private(set) var names: [Name] = []

  /// Groups tokens by tag.
  init(_ tokens: some Sequence<Token>) {
    for token in tokens {
      if strings[token.name] == nil { names.append(token.name) }
      strings[token.name, default: []].insert(token.node)
    }
  }

  /// Whether there are no tokens.
  var isEmpty: Bool { names.isEmpty }

  /// Returns whether any token names a tag.
  func contains(_ tag: Name) -> Bool { strings[tag] != nil }

  /// Returns the number of tokens that name a tag.
  func count(of tag: Name) -> Int { strings[tag]?.count ?? 0 }

  /// Returns the first token of a tag in composition order. There must be one.
  func first(of tag: Name, _ ranks: FileRanks) -> NodeRef {
    strings[tag]?.min { ranks.isAscending($0, $1) } ?? NodeRef(file: FileID(0), node: 0)
  }
}

/// The positions of files in composition order.
private struct FileRanks {
  /// The position of each file.
  private let ranks: [FileID: Int]

  /// Numbers the files of an order.
  init(_ order: [FileID]) {
    ranks = Dictionary(zip(order, 0...)) { first, _ in first }
  }

  /// Returns whether a token comes before another one. Tokens of the caller's settings come last.
  func isAscending(_ left: NodeRef, _ right: NodeRef) -> Bool {
    (ranks[left.file] ?? .max, left.node) < (ranks[right.file] ?? .max, right.node)
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for a tag that a reference collects but no service has.
  fileprivate static func tagWithoutService(_ tag: String, near: [String], at node: NodeRef) -> Finding {
    var finding = Finding(
      .tagWithoutService, "no service has tag \"\(tag)\", which this reference collects", at: node, subject: tag)
    finding.suggest(
      near, orElse: "give the tag to a service; if it may be empty, declare it under \"tags\" at the top level")
    return finding
  }

  /// Returns the finding for a tag that a service has but no reference collects.
  fileprivate static func unusedTag(_ tag: String, near: [String], at node: NodeRef) -> Finding {
    var finding = Finding(.unusedTag, "no reference collects tag \"\(tag)\" of this service", at: node, subject: tag)
    finding.suggest(
      near, orElse: "remove it; if the application collects it, declare it under \"tags\" at the top level")
    return finding
  }
}

extension Finding.Related {
  /// Returns the related place of a similar tag. `verb` is "is" or "is declared".
  fileprivate static func similar(_ verb: String, at node: NodeRef) -> Finding.Related {
    Finding.Related(.node(node), "a similar tag \(verb) here")
  }

  /// Returns the related place of a disabled service with the tag.
  fileprivate static func disabledOwner(_ service: String, at node: NodeRef) -> Finding.Related {
    Finding.Related(.node(node), "service \"\(service)\" has it, but is disabled here by its condition")
  }
}
