// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The repair of a module: the fixes of its findings, applied in memory if they improve the module.
///
/// After each change the module is checked again, in all environments that it declares. A change is kept if there are
/// fewer errors, or as many errors and fewer warnings. A fix is not applied to a file that also takes part in an
/// environment without the finding, since the text may be right there. Fixes may reveal further findings with fixes, so
/// this is repeated until nothing improves. Does not write files. `changes` contains the new contents.
package struct ModuleRepair {
  /// A fix that was applied.
  package struct Fix {
    /// The finding.
    package let finding: Diagnostic
    /// The replaced range, in the text of the file before the fix was applied.
    package let location: Diagnostic.Location
    /// The new text; empty for a removal.
    package let text: String

    /// The start of the replaced range.
    fileprivate var start: SourcePosition { location.start ?? SourcePosition(line: 1, column: 1) }
    /// The end of the replaced range.
    fileprivate var end: SourcePosition { location.end ?? start }
  }

  /// A file whose contents have changed.
  package struct Change {
    /// The absolute path, without symbolic links.
    package let path: String
    /// The contents that were read.
    package let before: [UInt8]
    /// The contents to write.
    package let after: [UInt8]
  }

  /// The files and findings after the fixes.
  private var state: State
  /// The check of the chosen environments with the fixes.
  package let check: ModuleCheck

  /// The files with some fixes applied, and the check of the module with these files.
  private struct State {
    /// The files.
    var files: OverlayFiles
    /// The check of the module.
    var check: ModuleCheck
    /// The applied fixes, in order.
    var fixes: [Fix] = []

    /// Returns whether there are fewer errors than in another state, or as many errors and fewer warnings.
    func isBetter(than other: State) -> Bool {
      (check.counts.errors, check.counts.warnings) < (other.check.counts.errors, other.check.counts.warnings)
    }

    /// The identities of the findings. They do not contain lines, which may have moved.
    var findings: Set<[String]> { Set(check.diagnostics.map(State.identity)) }

    /// Returns the file, path and message of a finding, which identify it.
    static func identity(_ finding: Diagnostic) -> [String] { [finding.location.file, finding.path, finding.message] }

    /// Returns whether each finding is one of another state, or has a code of which that state does not show all.
    func hasNoNewFinding(since other: State) -> Bool {
      let known = other.findings
      let new = check.diagnostics.filter { !known.contains(State.identity($0)) }
      return Set(new.map(\.code)).allSatisfy { code in
        other.check.diagnostics.count { $0.code == code } >= FindingsReport.Budget.findingsOfOneCode
      }
    }
  }

  /// The input of each check, apart from the files.
  private struct Input {
    /// The module.
    let request: ModuleRequest
    /// The chosen environments; `nil` for all.
    let environments: [String]?
    /// The registered types.
    let types: KnownTypes
    /// The number of checks that are still allowed.
    var remainingChecks = 200

    /// Checks the module with the given files in all environments.
    mutating func check(_ files: OverlayFiles) -> ModuleCheck {
      remainingChecks -= 1
      return check(files, in: nil)
    }

    /// Checks the module with the given files in some environments; `nil` for all.
    func check(_ files: OverlayFiles, in environments: [String]?) -> ModuleCheck {
      ModuleCheck(
        checking: request, environments: environments, files: files, knowing: types, keepsCompositions: false)
    }

    /// Returns whether a finding is to be fixed: whether it occurs in a chosen environment, and wherever its file does.
    func isChosen(_ finding: Diagnostic) -> Bool {
      guard finding.isInEachUse else { return false }
      guard let environments, let found = finding.environments else { return true }
      return !Set(environments).isDisjoint(with: found)
    }
  }

  /// Checks a module and applies its fixes.
  ///
  /// The parameters are those of `ModuleCheck`.
  ///
  /// - Complexity: that of a few checks, and for each fix that makes the module worse or reveals a finding, of a number
  ///   of checks that grows with the logarithm of the number of fixes; at most 200 checks.
  package init(
    of request: ModuleRequest, environments: [String]?, files access: any FileAccess, knowing types: KnownTypes
  ) {
    var input = Input(request: request, environments: environments, types: types)
    let files = OverlayFiles(over: access, workingFolder: access.workingFolder)
    state = State(files: files, check: input.check(files))
    while let better = ModuleRepair.improved(state, &input) { state = better }
    check = environments == nil ? state.check : input.check(state.files, in: environments)
  }

  /// The applied fixes, in order.
  package var fixes: [Fix] { state.fixes }

  /// The changed files, ascending by path.
  package var changes: [Change] { ModuleRepair.changes(state.files) }

  /// Returns the files whose contents in memory differ from those on disk, ascending by path.
  static func changes(_ files: OverlayFiles) -> [Change] {
    files.texts.sorted { $0.key < $1.key }.compactMap { path, after in
      guard case .success(let before) = files.base.contents(of: path, limit: .max), before != after else { return nil }
      return Change(path: path, before: before, after: after)
    }
  }
}

// MARK: - Applying

extension ModuleRepair {
  /// Returns a better state, or `nil` if no fixes lead to one. Tries the fixes of all findings together, which must not
  /// cause a new finding, then those of as many findings as possible, then those of one finding alone.
  private static func improved(_ state: State, _ input: inout Input) -> State? {
    var groups: [ArraySlice<Fix>] = []
    var rest = proposals(state, input)[...]
    while let first = rest.first {
      groups.append(rest.prefix { $0.finding == first.finding })
      rest = rest.dropFirst(groups.last?.count ?? 0)
    }
    while !groups.isEmpty {
      // The number of groups that were applied together, and one that cannot be.
      var (best, count, limit): (State?, Int, Int) = (nil, 0, groups.count + 1)
      while limit - count > 1, input.remainingChecks > 0 {
        let next = limit > groups.count ? groups.count : (count + limit) / 2
        if let better = applying(groups.prefix(next).flatMap(\.self), to: state, &input), better.isBetter(than: state),
          better.hasNoNewFinding(since: state)
        {
          (best, count) = (better, next)
        } else {
          limit = next
        }
      }
      if best != nil || input.remainingChecks <= 0 { return best }
      if let next = improved(state, by: Array(groups.removeFirst()), &input) { return next }
    }
    return nil
  }

  /// Returns the state after fixes and the fixes that they reveal, or `nil` if it is not better.
  ///
  /// Fixes may reveal findings that were hidden before, such as those below a misspelt key.
  private static func improved(_ state: State, by fixes: [Fix], _ input: inout Input) -> State? {
    guard var next = applying(fixes, to: state, &input) else { return nil }
    let known = state.findings
    while input.remainingChecks > 0 {
      let revealed = proposals(next, input).filter { !known.contains(State.identity($0.finding)) }
      guard let further = applying(revealed, to: next, &input), further.isBetter(than: next) else { break }
      next = further
    }
    return next.isBetter(than: state) ? next : nil
  }

  /// Returns the fixes of all findings, except those in the catalog file, which the application exports.
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
    return state.check.diagnostics.filter(input.isChosen).flatMap { finding in
      finding.fixes.compactMap { fix in
        guard let file = fix.location.source, fix.location.start != nil, fix.location.end != nil, isFixable(file) else {
          return nil
        }
        return Fix(finding: finding, location: fix.location, text: fix.text)
      }
    }
  }

  /// Returns the path of a file of the module, or `nil` if the contents there differ, as for a text of the caller.
  private static func path(of file: FileID, in state: State) -> String? {
    let source = state.check.source(file)
    let path = state.files.canonicalPath(of: source.name)
    guard case .success(let bytes) = state.files.contents(of: path, limit: .max), bytes == source.bytes else {
      return nil
    }
    return path
  }

  /// Returns the state with fixes applied, which must not overlap; `nil` if there are none or a file cannot be changed.
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
