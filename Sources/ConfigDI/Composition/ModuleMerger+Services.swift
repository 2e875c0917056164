// SPDX-License-Identifier: Apache-2.0

extension ModuleMerger {
  /// Merges an override into a service or template.
  ///
  /// - Complexity: linear in the size of both.
  mutating func merge(
    _ patch: Declaration<ServiceDeclaration>, into entry: inout Declaration<ServiceDeclaration>, of section: Section
  ) {
    let key = patch.key
    let patch = patch.body
    let old = (type: entry.body.type, extends: entry.body.extends)
    let notesParts = !patch.unset.isEmpty || module.history.hasRemovals
    let oldParts = notesParts ? entry.body.parts(module.names) : []
    let unsetCount = entry.body.unsetInTemplate.count
    unset(patch.unset, in: &entry.body, of: section)
    merge(patch.extends, into: &entry.body.extends)
    merge(patch.type, into: &entry.body.type)
    let isTypeless = entry.body.type == nil
    let losesType =
      old.type != nil || old.extends?.name != entry.body.extends?.name
      || entry.body.unsetInTemplate[unsetCount...].flatMap(\.paths).contains { Keyword($0.name) == .type }
    if isTypeless, losesType { entry.incomplete = key }
    // `unset` comes before the merge: it does not apply to another template.
    if let former = old.extends?.name, former != entry.body.extends?.name {
      for place in entry.body.unsetInTemplate.indices where entry.body.unsetInTemplate[place].formerTemplate == nil {
        entry.body.unsetInTemplate[place].formerTemplate = former
      }
    }
    merge(patch.scope, into: &entry.body.scope)
    merge(patch.deprecated, into: &entry.body.deprecated)
    merge(patch.isPrivate, into: &entry.body.isPrivate)
    merge(patch.isEager, into: &entry.body.isEager)
    merge(patch.isAutowired, into: &entry.body.isAutowired)
    entry.body.eagerKey = patch.eagerKey ?? entry.body.eagerKey
    merge(patch.provides, into: &entry.body.provides) { _, new, old in
      // The order of provided names is not significant.
      Set(new.map(\.name)) == Set(old.map(\.name))
    }
    merge(patch.decorators, into: &entry.body.decorators) { merger, new, old in
      new.count == old.count && zip(new, old).allSatisfy { merger.isEqual($0, $1) }
    }
    merge(patch.condition, into: &entry.body.condition)
    merge(patch.tags, into: &entry.body.tags)
    merge(patch.arguments, into: &entry.body.arguments)
    guard notesParts else { return }
    module.noteParts(
      from: oldParts, to: entry.body.parts(module.names), unset: patch.unset, else: nil, of: entry.name, in: section)
  }

  /// Removes the parts at the paths of `unset` from a service or template. Reports paths that lead nowhere.
  ///
  /// A part may also be inherited, from a template that has one as well. It is then removed when the template is applied.
  private mutating func unset(_ paths: [Token], in service: inout ServiceDeclaration, of section: Section) {
    guard !paths.isEmpty else { return }
    let template = service.extends.map { module.names[$0.name] }
    let mayInherit = section == .services && template != nil
    let pass = UnsetPass(paths, of: &service, module.names)
    for path in pass.necessary { bag.report(.necessaryPart(module.names[path.name], at: path.node)) }
    var inTemplate: [Token] = []
    for path in pass.missing {
      let mayLeadIntoTemplate = DottedPath(module.names[path.name])?.mayLeadIntoTemplate == true
      if mayInherit, mayLeadIntoTemplate {
        inTemplate.append(path)
      } else {
        var finding = Finding.nothingToUnset(module.names[path.name], at: path.node)
        if let template, mayLeadIntoTemplate {
          finding.help =
            "this removes only what the template itself has; what it inherits is removed in \"\(template)\""
        }
        bag.report(finding)
      }
    }
    guard mayInherit else { return }
    var here: Set<Name> = []
    let others = Set((pass.missing + pass.necessary).map(\.name))
    for path in paths where !others.contains(path.name) {
      // The elements of the service's own list are not those of the template's.
      guard let steps = DottedPath(module.names[path.name]), steps.mayLeadIntoTemplate, !steps.hasIndex else {
        continue
      }
      inTemplate.append(path)
      here.insert(path.name)
    }
    guard !inTemplate.isEmpty else { return }
    service.unsetInTemplate.append(.init(paths: inTemplate, here: here, formerTemplate: nil))
  }

  /// Replaces a part by the one of an override, if there is one.
  mutating func merge<Part: ReplaceablePart>(_ new: Part?, into old: inout Part?) {
    if let new { old = replacing(old, by: new) }
  }

  /// Returns the part of an override that replaces an old part, and records the change.
  mutating func replacing<Part: ReplaceablePart>(_ old: Part?, by new: Part) -> Part {
    noteChange(at: new.node, from: old?.node, isSame: old.map { new.isWritten(like: $0, module.names) } ?? false)
    return new
  }

  /// Replaces or extends a list. Additions to a list that the service does not have may extend that of its template.
  private mutating func merge<Element>(
    _ new: ListChange<Element>?, into old: inout ListChange<Element>?,
    areEqual: (ModuleMerger, [Element], [Element]) -> Bool
  ) {
    guard let new else { return }
    var merged = new.replaces ? new : old ?? ListChange(node: new.node, replaces: false)
    if !new.replaces { merged.extend(by: new) }
    let isSame = old.map { areEqual(self, merged.appended, $0.appended) } ?? false
    noteChange(at: new.node, from: old?.node, isSame: isSame)
    old = merged
  }

  /// Records that a token replaces an old one. Reports an override without effect if the two are the same.
  private mutating func noteChange(at new: NodeRef, from old: NodeRef?, isSame: Bool) {
    if isSame { bag.report(.unchanged(at: new)) }
    module.history.note(new, displaces: old)
  }

  /// Whether two decorators are equal as written.
  private func isEqual(_ left: DecoratorDeclaration, _ right: DecoratorDeclaration) -> Bool {
    left.type.name == right.type.name && isEqual(left.arguments.inject, right.arguments.inject)
      && isEqual(left.arguments.values, right.arguments.values)
  }

  /// Whether two lists have equal arguments, in any order.
  private func isEqual<Content: ReplaceablePart>(
    _ left: [ArgumentDeclaration<Content>], _ right: [ArgumentDeclaration<Content>]
  ) -> Bool {
    guard left.count == right.count else { return false }
    let contents = Dictionary(right.map { ($0.name, $0.content) }) { first, _ in first }
    return left.allSatisfy { argument in
      contents[argument.name].map { argument.content.isWritten(like: $0, module.names) } ?? false
    }
  }
}

// MARK: - Tags

extension ModuleMerger {
  /// Merges tags into the old ones, by name.
  private mutating func merge(_ new: [TagDeclaration], into old: inout [TagDeclaration]) {
    guard !new.isEmpty else { return }
    var places = [Name: Int](minimumCapacity: old.count)
    for (place, tag) in old.enumerated() { places[tag.name.name] = place }
    for tag in new {
      if let place = places[tag.name.name] {
        merge(tag, into: &old[place])
      } else {
        old.append(tag)
      }
    }
  }

  /// Merges a tag into an old one with the same name.
  private mutating func merge(_ new: TagDeclaration, into old: inout TagDeclaration) {
    if new.order == nil, new.key == nil { bag.report(.unchanged(at: new.node)) }
    merge(new.order, into: &old.order)
    guard new.key != nil else { return }
    merge(new.key, into: &old.key)
    // A duplicate key is reported at the tag that declared it last.
    old.name = new.name
  }
}

extension DottedPath {
  /// Whether the path begins with a key that a template can have, other than `extends`.
  fileprivate var mayLeadIntoTemplate: Bool {
    guard case .key(let field)? = steps.first else { return false }
    return Keyword(text: field).map { $0 != .extends && Keyword.templateKeys.contains($0) } ?? false
  }

  fileprivate var hasIndex: Bool { steps.contains { if case .index = $0 { true } else { false } } }
}
