// SPDX-License-Identifier: Apache-2.0

/// The findings of all checks of a load, without duplicates, and the files that they refer to.
///
/// Checks are added one after the other, so that their bags need not be kept. `resolved()` returns what is shown.
package struct FindingsReport: Sendable {
  /// The result of checking one environment.
  package struct Check: Sendable {
    /// The name of the environment, or `nil` if the module was checked without layers.
    package var environment: String?
    /// The findings.
    package var bag: DiagnosticBag
    /// The files that the composition for the environment applied, each once.
    package var files: [FileID]
    /// Whether the environment exists and counts as checked.
    package var isChecked: Bool

    /// Creates the result of checking one environment.
    package init(environment: String?, bag: DiagnosticBag, files: [FileID], isChecked: Bool = true) {
      self.environment = environment
      self.bag = bag
      self.files = files
      self.isChecked = isChecked
    }
  }

  /// The environment of each check, in the order in which the checks were added.
  private var environments: [String?] = []
  /// The numbers of the checks whose environments count as checked.
  private var checked = RangeSet<Int>()
  /// The number of checks that applied each file, by file number.
  private var useCounts: [Int]
  /// The definitions and tags that are used in at least one environment.
  private var uses = UsedEntries()
  /// For each severity, the maximum over all checks of the number of findings that the bag dropped.
  private var truncated = FindingCounts()
  /// The merged findings, in the order in which they were first reported.
  private var merged: [Merged] = []
  /// The index of each finding in `merged`.
  private var places: [Identity: Int] = [:]
  /// The documents of the load, by file number. A file that could not be read has an empty document.
  package var documents: [Document]
  /// The files in the order of composition. Files that are not in it are sorted after it, by number.
  package var order: [FileID]
  /// The parts of the files that are not shown.
  package var hidden: Redactions
  /// The suppressions and severities of warnings that the files declare.
  package var rules = SeverityRules()

  /// Whether no check reported a finding.
  package var isEmpty: Bool { merged.isEmpty }

  /// Creates a report of checks.
  package init(
    checks: [Check] = [], documents: [Document], order: [FileID], hidden: Redactions = Redactions()
  ) {
    self.documents = documents
    useCounts = Array(repeating: 0, count: documents.count)
    self.order = order
    self.hidden = hidden
    for check in checks { add(check) }
  }
}

extension FindingsReport {
  /// Returns the findings of a load without duplicates, sorted by file in the order of composition, then by position,
  /// then by code. Those about the command line come last.
  ///
  /// - Findings of several environments with the same code, place and subject become one diagnostic, with the text of
  ///   the first. Its `environments` lists them, unless all checked environments reported it.
  /// - A warning about something unused is kept only if no environment uses it. A warning about an override without
  ///   effect is kept only if every environment that applied the file reported it.
  /// - Findings that `rules` suppress are left out. Unneeded suppressions are warnings, unless a check found an error.
  /// - The last of very many findings of one code are left out; see `Budget`.
  ///
  /// - Returns: The diagnostics to show, the number of findings left out, and the suppressed diagnostics. Findings that
  ///   bags dropped may be the same in all environments, so the number includes those of the environment with the most.
  /// - Complexity: linear in the size of the files that have findings, n log n in the number of findings.
  package func resolved() -> (shown: [Diagnostic], truncated: FindingCounts, suppressed: [Diagnostic]) {
    let (kept, suppressed) = judged()
    let (shown, omitted) = diagnostics(of: kept)
    return (shown, omitted + truncated, diagnostics(of: suppressed).shown)
  }

  /// Returns the diagnostics to show for findings, and the number of findings left out.
  private func diagnostics(of all: [Merged]) -> (shown: [Diagnostic], omitted: FindingCounts) {
    guard !all.isEmpty else { return ([], FindingCounts()) }
    var budget = Budget()
    var found = sorted(all)
    found.removeAll { !budget.admits($0.finding.code) }
    let repairs = repairs(of: found.map(\.finding))
    let further =
      found.map(\.finding.place) + found.flatMap { $0.finding.related.map(\.place) } + repairs.joined().map(\.place)
    let places = ResolvedPlaces(
      of: found.map { hidden.shownPlace(for: $0.finding.place) }, and: further, in: documents)
    var shown = zip(found, repairs).map { diagnostic($0, $1, places) }
    budget.removeExcess(from: &shown)
    budget.noteOmissions(in: &shown)
    return (shown, budget.omitted(rules.severity(of:)))
  }

  /// Returns the findings to show and the suppressed findings, both in no particular order.
  private func judged() -> (kept: [Merged], suppressed: [Merged]) {
    let found = merged.filter(isKept)
    guard !rules.isEmpty else { return (found, []) }
    var kept: [Merged] = []
    var suppressed: [Merged] = []
    var used: Set<NodeRef> = []
    func judge(_ item: Merged) {
      var item = item
      switch rules.verdict(on: item.finding) {
      case .shown(let severity, let note):
        item.severity = severity
        item.note = note
        kept.append(item)
      case .suppressed(let key, let reason):
        used.insert(key)
        item.reason = reason
        suppressed.append(item)
      }
    }
    found.forEach(judge)
    guard !uses.isEverything, truncated.errors == 0, !kept.contains(where: { $0.finding.code.severity == .error })
    else { return (kept, suppressed) }
    for finding in rules.idleSuppressions(butFor: used) {
      judge(Merged(finding: finding, checks: RangeSet(environments.indices)))
    }
    return (kept, suppressed)
  }
}

// MARK: - Merging

extension FindingsReport {
  /// A finding and the checks that reported it.
  fileprivate struct Merged {
    /// The finding, with the text of the first check.
    let finding: Finding
    /// The indices of the checks that reported it, as ranges, because most findings are reported by all environments.
    var checks: RangeSet<Int>
    /// The owners of the other findings with this identity in the first check, at most `shownOwners`, in the order of
    /// the reports.
    var owners: [String] = []
    /// The number of further owners that are not in `owners`.
    var furtherOwnerCount = 0
    /// The severity by the rules; `nil` for the severity of the code.
    var severity: Severity?
    /// A note about the rule that changed the severity, or `nil`.
    var note: String?
    /// The reason given for suppressing it, or `nil` if it is not suppressed.
    var reason: String?
  }

  /// The maximum number of owners that a message names.
  fileprivate static let shownOwners = 16

  /// The properties by which findings are duplicates.
  private struct Identity: Hashable {
    let code: DiagnosticCode
    let place: Place
    let subject: String
  }

  /// Adds the result of the next check.
  package mutating func add(_ check: Check) {
    let number = environments.count
    environments.append(check.environment)
    if check.isChecked { checked.insert(contentsOf: number..<number + 1) }
    let added = check.bag.truncated
    truncated = truncated.map { max($1, added[$0]) }
    uses.formUnion(check.bag.uses)
    for file in check.files { useCounts[Int(file.index)] += 1 }
    for finding in check.bag.findings {
      // A finding about a tag is at the first string with the tag, which may differ between environments.
      let place = finding.code.isAboutTags ? Place.commandLine(path: "") : finding.place
      let identity = Identity(code: finding.code, place: place, subject: finding.subject)
      if let place = places[identity] {
        if !merged[place].checks.contains(number) {
          merged[place].checks.insert(contentsOf: number..<number + 1)
        } else if merged[place].checks.ranges.first == number..<number + 1, let owner = finding.owner {
          merged[place].add(owner: owner)
        }
      } else {
        places[identity] = merged.count
        merged.append(Merged(finding: finding, checks: RangeSet(number..<number + 1)))
      }
    }
  }

  /// Whether a finding is reported. One about something unused or unchanged is not reported if another environment
  /// contradicts it.
  private func isKept(_ merged: Merged) -> Bool {
    switch merged.finding.code {
    case .overrideWithoutEffect:
      // Only checks that apply the file can report it.
      guard let file = merged.finding.place.file else { return true }
      return merged.checkCount >= useCounts[Int(file.index)]
    case .unusedService, .unusedParameter, .unusedAlias, .unusedTemplate, .tagWithoutService, .unusedTag:
      return !uses.refute(merged.finding)
    default:
      return true
    }
  }
}

extension FindingsReport.Merged {
  /// The number of checks that reported it.
  fileprivate var checkCount: Int { checks.ranges.reduce(0) { $0 + $1.count } }

  /// Records that another service is affected by the same token.
  fileprivate mutating func add(owner: String) {
    guard owner != finding.owner, owners.last != owner else { return }
    if owners.count < FindingsReport.shownOwners { owners.append(owner) } else { furtherOwnerCount += 1 }
  }

  /// The message, which also names the other affected services.
  fileprivate var message: String {
    guard !owners.isEmpty else { return finding.message }
    return finding.message + " (also in \(owners.quotedList(more: furtherOwnerCount)))"
  }
}

// MARK: - Sorting

extension FindingsReport {
  /// Returns findings in the order in which they are shown.
  fileprivate func sorted(_ merged: [Merged]) -> [Merged] {
    var ranks: [Int] = documents.indices.map { order.count + $0 }
    for (rank, file) in order.enumerated().reversed() { ranks[Int(file.index)] = rank }
    return merged.ascending(by: \.finding.code.number).ascending { position(of: $0.finding.place) }
      .ascending { $0.finding.place.file.map { ranks[Int($0.index)] } ?? .max }
  }

  /// Returns the position of a place in its file: a byte offset, or a node index if the document has no positions.
  private func position(of place: Place) -> Int {
    switch place {
    case .node(let reference):
      let document = documents[Int(reference.file.index)]
      return document.hasPositions ? document.range(of: reference.node).start : Int(reference.node)
    case .bytes(_, let start, _, _): return start
    case .commandLine: return 0
    }
  }
}

// MARK: - Diagnostics

extension FindingsReport {
  /// Returns the diagnostic for a finding.
  fileprivate func diagnostic(_ merged: Merged, _ repairs: [Repair], _ places: ResolvedPlaces) -> Diagnostic {
    let finding = merged.finding
    let location = places.location(of: finding.place)
    let counted = merged.checks.intersection(checked)
    let isEverywhere = counted.isEmpty || counted == checked
    let text = hidden.text(at: finding.place, in: documents)
    func shown(_ words: String) -> String { Redactions.redacted(words, hiding: text, except: finding.fixedText) }
    let path = places.path(of: hidden.shownPlace(for: finding.place))
    // Putting a hidden key in quotes would show it.
    let repairs = text.map { finding.replacement == .string($0) } == true ? [] : repairs
    return Diagnostic(
      code: finding.code, message: shown(merged.message), location: location,
      path: hidden.shownPath(path, of: finding.place), label: finding.label.map(shown),
      related: finding.related.map { .init(location: places.location(of: $0.place), message: shown($0.message)) },
      notes: finding.notes.map(shown) + (merged.note.map { [$0] } ?? []), help: finding.help.map(shown),
      fixes: repairs.map { Diagnostic.Fix(location: places.location(of: $0.place), text: $0.text) },
      environments: isEverywhere ? nil : counted.ranges.joined().compactMap { environments[$0] },
      isInEachUse: finding.place.file.map { merged.checkCount >= useCounts[Int($0.index)] } ?? true,
      severity: merged.severity ?? finding.code.severity, suppression: merged.reason)
  }
}
