// SPDX-License-Identifier: Apache-2.0

extension ModuleMerger {
  /// Merges an override into a parameter.
  mutating func merge(_ patch: Declaration<ParameterDeclaration>, into entry: inout Declaration<ParameterDeclaration>) {
    let key = patch.key
    let patch = patch.body
    let old = entry.body
    guard keepsLiteralType(patch, of: old) else {
      entry.isMalformed = true
      return
    }
    entry.isMerged = true
    unset(patch.unset, in: &entry.body)
    if entry.body.source == nil, old.source != nil { entry.incomplete = key }
    if old.type == nil, old.typeSource == nil, let literal = old.source?.literal {
      entry.body.type = literal.ownParameterType
      entry.body.typeSource = literal.onlyPlaceholder
    }
    if let source = patch.source {
      let isSame = entry.body.source.map { says(source, $0) } ?? false
      let keepsDefault = isSame && patch.fallback != nil
      if isSame, keepsDefault || entry.body.fallback == nil { bag.report(.unchanged(at: source.node)) }
      if !keepsDefault { entry.body.fallback = nil }
      module.history.note(source.node, displaces: entry.body.source?.node)
      entry.body.source = source
    }
    if let typeNode = patch.typeNode {
      if entry.body.typeNode != nil, entry.body.type == patch.type { bag.report(.unchanged(at: typeNode)) }
      module.history.note(typeNode, displaces: entry.body.typeNode)
      entry.body.type = patch.type
      entry.body.typeNode = typeNode
    } else if let type = patch.type {
      // A setting brings the type by which its text was converted.
      entry.body.type = entry.body.type ?? type
    }
    merge(patch.fallback, into: &entry.body.fallback)
    merge(patch.allowed, into: &entry.body.allowed)
    merge(patch.least, into: &entry.body.least)
    merge(patch.greatest, into: &entry.body.greatest)
    merge(patch.isSecret, into: &entry.body.isSecret)
    merge(patch.deprecated, into: &entry.body.deprecated)
    // All other changes replace a token, which has been recorded.
    guard !patch.unset.isEmpty || patch.source != nil || module.history.hasRemovals else { return }
    let remover = old.fallback == nil ? nil : patch.source?.node
    module.noteParts(
      from: old.parts, to: entry.body.parts, unset: patch.unset, else: remover, of: entry.name, in: .parameters)
  }

  /// Whether two sources are equal as written.
  private func says(_ left: ParameterDeclaration.Source, _ right: ParameterDeclaration.Source) -> Bool {
    switch (left, right) {
    case (.value(let left), .value(let right)): left.isWritten(like: right)
    case (.text(let left), .text(let right)): left.says(right)
    case (.first(let left, _), .first(let right, _)):
      left.count == right.count && zip(left, right).allSatisfy { $0.says($1) }
    default: false
    }
  }

  /// Returns whether an override keeps the type of a literal that has no declared type. Reports a change of the type.
  private mutating func keepsLiteralType(_ patch: ParameterDeclaration, of old: ParameterDeclaration) -> Bool {
    if let typeNode = patch.typeNode {
      guard old.isLiteral else { return true }
      bag.report(
        .hasNoEffect("type", "cannot override a literal; use \"replace\" to change the type", at: typeNode.key))
      return false
    }
    guard old.typeNode == nil, old.typeSource == nil, let oldLiteral = old.source?.literal,
      let literal = patch.source?.literal, let type = old.type ?? oldLiteral.ownParameterType,
      !literal.containsPlaceholder, let value = literal.value,
      type.value(ofLiteral: value) == nil
    else { return true }
    bag.report(.typeMismatch(literal.node, type))
    return false
  }
}

// MARK: - Removing parts

extension ModuleMerger {
  /// Removes the parts at the paths of `unset` from a parameter. Reports paths that lead nowhere.
  private mutating func unset(_ paths: [Token], in parameter: inout ParameterDeclaration) {
    for path in UnsetPass(paths, of: &parameter, module.names).missing {
      var finding = Finding.nothingToUnset(module.names[path.name], at: path.node)
      if let steps = DottedPath(module.names[path.name])?.steps, case .key(let field)? = steps.first, steps.count > 1,
        field == Keyword.oneOf.text || field == Keyword.sources.text
      {
        finding.message = "cannot unset \"\(module.names[path.name])\": \"\(field)\" can only be unset as a whole"
        finding.help = "override it with the list that remains"
      }
      bag.report(finding)
    }
  }
}

// MARK: - Checks after merging

extension ModuleMerger {
  /// Checks each parameter that was changed by overrides for errors that cannot be found in a single file.
  mutating func checkMergedParameters() {
    var types: [Name: ParameterType?] = [:]
    for var entry in module.parameters.all where entry.isMerged && !entry.isMalformed {
      if let source = entry.body.typeSource, entry.body.typeNode == nil {
        entry.body.type = type(of: source, &types)
        module.parameters[entry.name] = entry
      }
      let findings = findings(about: entry)
      guard !findings.isEmpty else { continue }
      for finding in findings { bag.report(finding) }
      module.parameters.change(entry.name) { $0.isMalformed = true }
    }
  }

  /// Returns the type of a parameter of the merged module; `nil` if it is not known. Follows literals that consist of one
  /// placeholder. `types` has the results so far.
  private func type(of name: Name, _ types: inout [Name: ParameterType?]) -> ParameterType? {
    var next: Name? = name
    var type: ParameterType?
    var visited: Set<Name> = []
    while let name = next, visited.insert(name).inserted, let entry = module.parameters[name], !entry.isMalformed {
      if let known = types[name] {
        type = known
        break
      }
      let parameter = entry.body
      next = parameter.typeNode == nil ? parameter.typeSource ?? parameter.source?.literal?.onlyPlaceholder : nil
      if next == nil { type = parameter.type ?? parameter.source?.literal?.parameterType ?? .string }
    }
    for name in visited { types[name] = .some(type) }
    return type
  }

  /// Returns the errors of a merged parameter.
  private func findings(about entry: Declaration<ParameterDeclaration>) -> [Finding] {
    let parameter = entry.body
    guard let source = parameter.source else { return [.noSource(at: entry.incomplete ?? entry.key)] }
    if let fallback = parameter.fallback, !source.isText {
      return [.hasNoEffect("default", "is not allowed with \"value\"", at: fallback.node.key)]
    }
    return parameter.shapeFindings
  }
}

extension TextSource {
  /// Whether two sources name the same thing.
  fileprivate func says(_ other: TextSource) -> Bool {
    guard kind == other.kind, name.utf8.elementsEqual(other.name.utf8) else { return false }
    // A relative path is relative to the file that declares it.
    return kind != .file || Path.isAbsolute(name) || node.file == other.node.file
  }
}
