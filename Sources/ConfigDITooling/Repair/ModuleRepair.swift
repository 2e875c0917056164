// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The fixes of a module's findings, applied in memory as far as they make the module better.
///
/// Every change is checked before it is kept: the module must then have fewer errors, or as many and fewer warnings. Fixes may
/// bring further findings with fixes to light, so it is checked and fixed until it gets no better. Nothing is written;
/// `changes` has what is to be.
package struct ModuleRepair {
  /// A fix that was applied.
  package struct Fix {
    /// The finding.
    package let finding: Diagnostic
    /// What was replaced, in the text of the file as it was when the fix was applied.
    package let location: Diagnostic.Location
    /// What stands there now; empty where something was removed.
    package let text: String

    /// Where the replaced stretch begins.
    fileprivate var start: SourcePosition { location.start ?? SourcePosition(line: 1, column: 1) }
    /// Where it ends.
    fileprivate var end: SourcePosition { location.end ?? start }
  }

  /// A file with other contents than before.
  package struct Change {
    /// The absolute path, without symbolic links.
    package let path: String
    /// The contents that were read.
    package let before: [UInt8]
    /// The contents to write.
    package let after: [UInt8]
  }

  /// The result of the fixes.
  private var state: State
  /// The files with some fixes applied, and what is wrong with them.
  private struct State {
    /// The files.
    var files: OverlayFiles
    /// The state of the module.
    var check: ModuleCheck
    /// What was fixed, in order.
    var fixes: [Fix] = []

    /// Whether the module is better than in another state.
    func isBetter(than other: State) -> Bool {
      (check.counts.errors, check.counts.warnings) < (other.check.counts.errors, other.check.counts.warnings)
    }

    /// What distinguishes the findings, also where their lines have moved.
    var findings: Set<[String]> { Set(check.diagnostics.map(State.identity)) }

    /// What distinguishes a finding from others.
    static func identity(_ finding: Diagnostic) -> [String] { [finding.location.file, finding.path, finding.message] }
  }

  /// What is checked again after each change.
  private struct Input {
    /// The module.
    let request: ModuleRequest
    /// The environments.
    let environments: [String]?
    /// The registered types.
    let types: KnownTypes
    /// How often the module may still be checked.
    var remainingChecks = 200

    /// Checks the module in some files.
    mutating func check(_ files: OverlayFiles) -> ModuleCheck {
      remainingChecks -= 1
      return ModuleCheck(
        checking: request, environments: environments, files: files, knowing: types, keepsCompositions: false)
    }
  }

  /// Checks a module and fixes what can be fixed.
  ///
  /// The parameters are those of `ModuleCheck`.
  ///
  /// - Complexity: that of a few checks; of one for each fix where one of them makes the module worse, but of at most 200.
  package init(
    of request: ModuleRequest, environments: [String]?, files access: any FileAccess, knowing types: KnownTypes
  ) {
    var input = Input(request: request, environments: environments, types: types)
    let files = OverlayFiles(over: access, workingFolder: access.workingFolder)
    state = State(files: files, check: input.check(files))
    while let better = ModuleRepair.improved(state, &input) { state = better }
  }

  /// The fixes that were applied, in order.
  package var fixes: [Fix] { state.fixes }

  /// The state of the module with the fixes.
  package var check: ModuleCheck { state.check }

  /// The files that have other contents now, ascending.
  package var changes: [Change] { ModuleRepair.changes(state.files) }

  /// The files that have other contents than on the disk, ascending.
  static func changes(_ files: OverlayFiles) -> [Change] {
    files.texts.sorted { $0.key < $1.key }.compactMap { path, after in
      guard case .success(let before) = files.base.contents(of: path, limit: .max), before != after else { return nil }
      return Change(path: path, before: before, after: after)
    }
  }
}

// MARK: - Applying

extension ModuleRepair {
  /// A better state, if fixes lead to one: all together where they cause no new finding, or else those of one finding.
  private static func improved(_ state: State, _ input: inout Input) -> State? {
    let fixes = proposals(state, input)
    guard !fixes.isEmpty else { return nil }
    if let next = applying(fixes, to: state, &input), next.isBetter(than: state),
      next.findings.isSubset(of: state.findings)
    {
      return next
    }
    let findings = Dictionary(grouping: fixes) { $0.finding }
    for fix in fixes {
      guard input.remainingChecks > 0 else { return nil }
      if let next = settled(state, findings[fix.finding] ?? [], &input) { return next }
    }
    return nil
  }

  /// The state behind some fixes and those that they bring to light, if it is better.
  ///
  /// The first fixes may bring findings to light that were hidden before, such as all that stands below a misspelt key.
  private static func settled(_ state: State, _ fixes: [Fix], _ input: inout Input) -> State? {
    guard var next = applying(fixes, to: state, &input) else { return nil }
    let known = state.findings
    while input.remainingChecks > 0 {
      let revealed = proposals(next, input).filter { !known.contains(State.identity($0.finding)) }
      guard let further = applying(revealed, to: next, &input), further.isBetter(than: next) else { break }
      next = further
    }
    return next.isBetter(than: state) ? next : nil
  }

  /// The fixes of the findings. Those of the catalog are left out: the application exports it.
  private static func proposals(_ state: State, _ input: Input) -> [Fix] {
    let exported = input.types.catalogPath.map { state.files.canonicalPath(of: $0) }
    var known: [FileID: Bool] = [:]
    func isFixable(_ file: FileID) -> Bool {
      if let answer = known[file] { return answer }
      let path = path(of: file, in: state)
      let answer = path != nil && path != exported
      known[file] = answer
      return answer
    }
    return state.check.diagnostics.flatMap { finding in
      finding.fixes.compactMap { fix in
        guard let file = fix.location.source, fix.location.start != nil, fix.location.end != nil, isFixable(file) else {
          return nil
        }
        return Fix(finding: finding, location: fix.location, text: fix.text)
      }
    }
  }

  /// The path of a file of the module; nil where it is not what stands at its path, such as a text of the caller's.
  private static func path(of file: FileID, in state: State) -> String? {
    let source = state.check.source(file)
    let path = state.files.canonicalPath(of: source.name)
    guard case .success(let bytes) = state.files.contents(of: path, limit: .max), bytes == source.bytes else {
      return nil
    }
    return path
  }

  /// The state with some fixes applied, which do not overlap; nil where there is none to apply.
  private static func applying(_ fixes: [Fix], to state: State, _ input: inout Input) -> State? {
    guard !fixes.isEmpty else { return nil }
    var files = state.files
    for (file, fixes) in Dictionary(grouping: fixes, by: \.location.source) {
      guard let file, let path = path(of: file, in: state) else { return nil }
      let bytes = state.check.source(file).bytes
      let lines = LineTable(bytes)
      var changed: [UInt8] = []
      var end = 0
      for fix in fixes.sorted(by: { $0.start < $1.start }) {
        changed += bytes[end..<max(end, lines.offset(of: fix.start, in: bytes))] + Array(fix.text.utf8)
        end = max(end, lines.offset(of: fix.end, in: bytes))
      }
      files[path] = changed + bytes[end...]
    }
    return State(files: files, check: input.check(files), fixes: state.fixes + fixes)
  }
}
