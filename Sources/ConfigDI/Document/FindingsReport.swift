// SPDX-License-Identifier: Apache-2.0

/// What all checks of one load told: the findings of each environment, and the files that they stand in.
///
/// `Array(resolving:)` makes of it what a reader is shown.
package struct FindingsReport: Sendable {
  /// What was told of one environment.
  package struct Check: Sendable {
    /// The environment's name, or nil where the module was checked without layers.
    package var environment: String?
    /// The findings.
    package var bag: DiagnosticBag
    /// The files that the environment's composition applied.
    package var files: Set<FileID>

    /// What was told of one environment.
    package init(environment: String?, bag: DiagnosticBag, files: Set<FileID>) {
      self.environment = environment
      self.bag = bag
      self.files = files
    }
  }

  /// The checks, in the order in which environments are listed.
  package var checks: [Check]
  /// The documents of the load: that of file number 3 is the fourth. A file that could not be read has an empty one.
  package var documents: [Document]
  /// The files in the order in which they are composed. What is missing comes behind, in the order of the numbers.
  package var order: [FileID]

  /// What all checks of one load told.
  package init(checks: [Check], documents: [Document], order: [FileID]) {
    self.checks = checks
    self.documents = documents
    self.order = order
  }

  /// How many further findings were reported and are not kept: at least as many as in the environment with the most, as
  /// nobody knows which of them others repeat.
  package var truncated: FindingCounts {
    checks.reduce(FindingCounts()) { $0.combined(with: $1.bag.truncated, max) }
  }
}

extension [Diagnostic] {
  /// The findings of a load, each told once, sorted by file in the order of composition, then by position, then by code;
  /// those about the command line last.
  ///
  /// - What several environments tell alike (the same code, place and subject) is one finding in the words of the first.
  ///   Its `environments` name them, unless they are all that were checked.
  /// - A warning that something is unused or unchanged stays only where every environment tells it; of an override
  ///   without effect, every environment that applied the file.
  ///
  /// - Complexity: linear in the size of the files that have findings, n log n in the number of findings.
  package init(resolving report: FindingsReport) {
    let found = report.sorted(report.merged().filter { report.isKept($0) })
    let repairs = report.repairs(of: found.map(\.finding))
    let further = found.flatMap { $0.finding.related.map(\.place) } + repairs.compactMap(\.?.place)
    let places = ResolvedPlaces(of: found.map(\.finding.place), and: further, in: report.documents)
    self = zip(found, repairs).map { report.diagnostic($0, $1, places) }
  }
}

// MARK: - Merging

extension FindingsReport {
  /// A finding and the checks that told it.
  fileprivate struct Merged {
    /// The finding, in the words of the first check.
    let finding: Finding
    /// The places of the checks in `checks`, ascending.
    var checks: [Int]
    /// The owners of the further findings that the first check told alike, in the order in which it did.
    var owners: [String] = []
  }

  /// How many owners a message names at most.
  fileprivate static let shownOwners = 16

  /// What makes two findings one.
  private struct Identity: Hashable {
    let code: DiagnosticCode
    let place: Place
    let subject: String
  }

  /// The findings of all checks, each once, in the order in which they were told first.
  fileprivate func merged() -> [Merged] {
    var merged: [Merged] = []
    var indices: [Identity: Int] = [:]
    for (number, check) in checks.enumerated() {
      for finding in check.bag.findings {
        let identity = Identity(code: finding.code, place: finding.place, subject: finding.subject)
        if let index = indices[identity] {
          if merged[index].checks.last != number {
            merged[index].checks.append(number)
          } else if merged[index].checks.count == 1, let owner = finding.owner {
            merged[index].add(owner: owner)
          }
        } else {
          indices[identity] = merged.count
          merged.append(Merged(finding: finding, checks: [number]))
        }
      }
    }
    return merged
  }

  /// Whether a finding is told: not where it is that something is unused or unchanged, and one environment says otherwise.
  fileprivate func isKept(_ merged: Merged) -> Bool {
    switch merged.finding.code {
    case .overrideWithoutEffect:
      guard let file = merged.finding.place.file else { return true }
      return checks.indices.allSatisfy { !checks[$0].files.contains(file) || merged.checks.contains($0) }
    case .unusedService, .unusedParameter, .unusedAlias, .unusedTemplate:
      return merged.checks.count == checks.count
    default:
      return true
    }
  }
}

extension FindingsReport.Merged {
  /// Notes that another service suffers from the token as well.
  fileprivate mutating func add(owner: String) {
    if owner != finding.owner, owners.last != owner { owners.append(owner) }
  }

  /// The message, which names all that suffer from the token.
  fileprivate var message: String {
    guard !owners.isEmpty else { return finding.message }
    let rest = owners.count - FindingsReport.shownOwners
    return finding.message + " (also in " + owners.prefix(FindingsReport.shownOwners).quotedList
      + (rest > 0 ? " and \(rest) more)" : ")")
  }
}

// MARK: - Sorting

extension FindingsReport {
  /// What findings are sorted by.
  private struct SortKey: Comparable {
    /// The file's place in the order of composition; behind all for the command line.
    let rank: Int
    /// The token's offset; in a document without positions the node's number, which grows with it.
    let position: Int
    /// The code.
    let code: DiagnosticCode
    /// When the finding was told first, so that the order is the same each time.
    let sequence: Int

    static func < (left: SortKey, right: SortKey) -> Bool {
      (left.rank, left.position, left.code, left.sequence) < (right.rank, right.position, right.code, right.sequence)
    }
  }

  /// The findings in the order in which they are shown.
  fileprivate func sorted(_ merged: [Merged]) -> [Merged] {
    var ranks: [Int] = documents.indices.map { order.count + $0 }
    for (rank, file) in order.enumerated().reversed() { ranks[Int(file.index)] = rank }
    let keys = merged.enumerated().map { sequence, item in
      let rank = item.finding.place.file.map { ranks[Int($0.index)] } ?? .max
      return SortKey(
        rank: rank, position: position(of: item.finding.place), code: item.finding.code, sequence: sequence)
    }
    return keys.sorted().map { merged[$0.sequence] }
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
  fileprivate func diagnostic(_ merged: Merged, _ repair: Repair?, _ places: ResolvedPlaces) -> Diagnostic {
    let finding = merged.finding
    let location = places.location(of: finding.place)
    let isEverywhere = merged.checks.count == checks.count
    return Diagnostic(
      code: finding.code, message: merged.message, location: location, path: places.path(of: finding.place),
      label: finding.label,
      related: finding.related.map { .init(location: places.location(of: $0.place), message: $0.message) },
      notes: finding.notes, help: finding.help,
      fixes: repair.map { [Diagnostic.Fix(location: places.location(of: $0.place), text: $0.text)] } ?? [],
      environments: isEverywhere ? nil : merged.checks.compactMap { checks[$0].environment })
  }
}
