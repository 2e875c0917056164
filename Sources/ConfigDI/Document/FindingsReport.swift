// SPDX-License-Identifier: Apache-2.0

/// The findings of all checks of one load, each once, and the files that they stand in.
///
/// Checks are added one after the other, so that no bag is kept. `resolved()` gives what a reader is shown.
package struct FindingsReport: Sendable {
  /// The findings of one environment.
  package struct Check: Sendable {
    /// The environment's name, or nil where the module was checked without layers.
    package var environment: String?
    /// The findings.
    package var bag: DiagnosticBag
    /// The files that the environment's composition applied.
    package var files: Set<FileID>

    /// The findings of one environment.
    package init(environment: String?, bag: DiagnosticBag, files: Set<FileID>) {
      self.environment = environment
      self.bag = bag
      self.files = files
    }
  }

  /// The environments of the checks, in their order.
  private var environments: [String?] = []
  /// How many checks applied each file.
  private var useCounts: [FileID: Int] = [:]
  /// What is in use in some environment.
  private var uses = Uses()
  /// The most findings that the bag of a check did not keep.
  private var truncated = FindingCounts()
  /// The findings in the order in which they were reported first.
  private var merged: [Merged] = []
  /// The place of each finding in `merged`.
  private var places: [Identity: Int] = [:]
  /// The documents of the load: that of file number 3 is the fourth. A file that could not be read has an empty one.
  package var documents: [Document]
  /// The files in the order in which they are composed. What is missing comes behind, in the order of the numbers.
  package var order: [FileID]
  /// What of the files is not shown.
  package var hidden: HiddenText
  /// What the files say about warnings.
  package var rules = SeverityRules()

  /// Whether no check reported a finding.
  package var isEmpty: Bool { merged.isEmpty }

  /// A report of some checks.
  package init(
    checks: [Check] = [], documents: [Document], order: [FileID], hidden: HiddenText = HiddenText()
  ) {
    self.documents = documents
    self.order = order
    self.hidden = hidden
    for check in checks { add(check) }
  }
}

extension [Diagnostic] {
  /// The findings of a load as `FindingsReport.resolved()` gives them.
  package init(resolving report: FindingsReport) { self = report.resolved().shown }
}

extension FindingsReport {
  /// The findings of a load, each once, sorted by file in the order of composition, then by position, then by code;
  /// those about the command line last.
  ///
  /// - What several environments report alike (the same code, place and subject) is one finding in the words of the first.
  ///   Its `environments` name them, unless they are all that were checked.
  /// - A warning that something is unused stays only where no environment uses it; of an override without effect, where
  ///   every environment that applied the file reports it.
  /// - What `rules` suppress is left out; suppressions that were not needed are warnings where no check found an error.
  /// - Of very many findings of one code the last are left out; see `Budget`.
  ///
  /// - Returns: The findings, how many further ones there are, and what is suppressed. Of those that no bag kept there are at
  ///   least as many as in the environment with the most, as it is not known which of them others repeat.
  /// - Complexity: linear in the size of the files that have findings, n log n in the number of findings.
  package func resolved() -> (shown: [Diagnostic], truncated: FindingCounts, suppressed: [Diagnostic]) {
    let (kept, suppressed) = judged()
    let (shown, omitted) = diagnostics(of: kept)
    return (shown, omitted + truncated, diagnostics(of: suppressed).shown)
  }

  /// The findings as a reader is shown them, and how many were left out.
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

  /// The findings that are shown and those that are suppressed, in no order.
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
    /// The finding, in the words of the first check.
    let finding: Finding
    /// The places of the checks that reported it, as ranges: most findings are reported by all environments.
    var checks: RangeSet<Int>
    /// The owners of the further findings that the first check reported alike, in the order in which it did; the first
    /// of them alone.
    var owners: [String] = []
    /// How many owners there are beyond those.
    var furtherOwnerCount = 0
    /// Whether the finding stops a load; nil: as its code says.
    var severity: Severity?
    /// Why it does where its code says otherwise.
    var note: String?
    /// Why it is suppressed, where it is.
    var reason: String?
  }

  /// How many owners a message names at most.
  fileprivate static let shownOwners = 16

  /// What makes two findings one.
  private struct Identity: Hashable {
    let code: DiagnosticCode
    let place: Place
    let subject: String
  }

  /// Adds the findings of the next check.
  package mutating func add(_ check: Check) {
    let number = environments.count
    environments.append(check.environment)
    let added = check.bag.truncated
    truncated = truncated.map { max($1, added[$0]) }
    uses.formUnion(check.bag.uses)
    for file in check.files { useCounts[file, default: 0] += 1 }
    for finding in check.bag.findings {
      // The first string of a tag may be another one in another environment.
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

  /// Whether a finding is reported: not where it is that something is unused or unchanged, and one environment says
  /// otherwise.
  private func isKept(_ merged: Merged) -> Bool {
    switch merged.finding.code {
    case .overrideWithoutEffect:
      // Only checks that apply the file can report it.
      guard let file = merged.finding.place.file else { return true }
      return merged.checkCount >= useCounts[file] ?? 0
    case .unusedService, .unusedParameter, .unusedAlias, .unusedTemplate, .tagWithoutService, .unusedTag:
      return !uses.refute(merged.finding)
    default:
      return true
    }
  }
}

extension FindingsReport.Merged {
  /// How many checks reported it.
  fileprivate var checkCount: Int { checks.ranges.reduce(0) { $0 + $1.count } }

  /// Notes that another service suffers from the token as well.
  fileprivate mutating func add(owner: String) {
    guard owner != finding.owner, owners.last != owner else { return }
    if owners.count < FindingsReport.shownOwners { owners.append(owner) } else { furtherOwnerCount += 1 }
  }

  /// The message, which names all that suffer from the token.
  fileprivate var message: String {
    guard !owners.isEmpty else { return finding.message }
    return finding.message + " (also in \(owners.quotedList(more: furtherOwnerCount)))"
  }
}

// MARK: - Sorting

extension FindingsReport {
  /// Findings in the order in which they are shown.
  fileprivate func sorted(_ merged: [Merged]) -> [Merged] {
    var ranks: [Int] = documents.indices.map { order.count + $0 }
    for (rank, file) in order.enumerated().reversed() { ranks[Int(file.index)] = rank }
    let keys = merged.enumerated().map { sequence, item in
      let rank = item.finding.place.file.map { ranks[Int($0.index)] } ?? .max
      return (rank, position(of: item.finding.place), item.finding.code, sequence)
    }
    return keys.sorted { $0 < $1 }.map { _, _, _, sequence in merged[sequence] }
  }

  /// Where a place stands in its file.
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

// MARK: - Words

extension FindingsReport {
  /// A finding as it is shown.
  fileprivate func diagnostic(_ merged: Merged, _ repairs: [Repair], _ places: ResolvedPlaces) -> Diagnostic {
    let finding = merged.finding
    let location = places.location(of: finding.place)
    let isEverywhere = merged.checkCount == environments.count
    let text = hidden.text(at: finding.place, in: documents)
    func shown(_ words: String) -> String { HiddenText.redacted(words, hiding: text) }
    let path = places.path(of: hidden.shownPlace(for: finding.place))
    return Diagnostic(
      code: finding.code, message: shown(merged.message), location: location,
      path: hidden.shownPath(path, of: finding.place), label: finding.label.map(shown),
      related: finding.related.map { .init(location: places.location(of: $0.place), message: shown($0.message)) },
      notes: finding.notes.map(shown) + (merged.note.map { [$0] } ?? []), help: finding.help.map(shown),
      fixes: repairs.map { Diagnostic.Fix(location: places.location(of: $0.place), text: $0.text) },
      environments: isEverywhere ? nil : merged.checks.ranges.joined().compactMap { environments[$0] },
      severity: merged.severity ?? finding.code.severity, suppression: merged.reason)
  }
}
