// SPDX-License-Identifier: Apache-2.0

extension FindingsReport {
  /// How many findings a report shows, so that the output stays readable and its size has a bound.
  ///
  /// The first finding of each code is always shown: whether there is an error never depends on the budget.
  package struct Budget {
    /// How many findings of one code are shown.
    package static let findingsOfOneCode = 1_000
    /// How many bytes of text all findings together show, beside the lines of files.
    package static let textSize = 16 << 20

    /// What was shown and left out of each code.
    private var counts: [DiagnosticCode: (shown: Int, omitted: Int)] = [:]
    /// How much text is left.
    private var rest = Budget.textSize

    /// How many findings were left out, by the severity that each code has.
    func omitted(_ severity: (DiagnosticCode) -> Severity) -> FindingCounts {
      counts.reduce(into: FindingCounts()) { $0[severity($1.key)] += $1.value.omitted }
    }

    /// A budget of which nothing is spent.
    init() {}

    /// Whether a finding is shown as far as the number of those with its code goes; counts it.
    mutating func admits(_ code: DiagnosticCode) -> Bool {
      counts[code, default: (0, 0)].shown += 1
      guard counts[code]?.shown ?? 0 > Budget.findingsOfOneCode else { return true }
      counts[code]?.shown -= 1
      counts[code]?.omitted += 1
      return false
    }

    /// Removes the findings whose text goes beyond the budget.
    mutating func removeExcess(from diagnostics: inout [Diagnostic]) {
      var seen: Set<DiagnosticCode> = []
      diagnostics.removeAll { diagnostic in
        let size = diagnostic.textSize
        guard seen.insert(diagnostic.code).inserted || size <= rest else {
          counts[diagnostic.code]?.omitted += 1
          return true
        }
        rest -= min(rest, size)
        return false
      }
    }

    /// Notes at the last finding of each code how many more there are.
    func noteOmissions(in diagnostics: inout [Diagnostic]) {
      var open = counts.filter { $0.value.omitted > 0 }
      for place in diagnostics.indices.reversed() {
        if open.isEmpty { return }
        let code = diagnostics[place].code
        guard let count = open.removeValue(forKey: code) else { continue }
        let noun = count.omitted == 1 ? "finding" : "findings"
        diagnostics[place].notes.append("\(count.omitted) more \(noun) of \(code) are not shown")
      }
    }
  }
}

extension Diagnostic {
  /// The bytes of the finding's words and names.
  fileprivate var textSize: Int {
    let texts = [message, label ?? "", help ?? "", path] + notes + related.map(\.message) + (environments ?? [])
    return texts.reduce(0) { $0 + $1.utf8.count }
  }
}
