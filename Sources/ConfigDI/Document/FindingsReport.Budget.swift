// SPDX-License-Identifier: Apache-2.0

extension FindingsReport {
  /// The limits on the number and size of the findings that a report shows.
  ///
  /// The first finding of each code is always shown, so that the limits never hide that there is an error.
  package struct Budget {
    /// The maximum number of shown findings with the same code.
    package static let findingsOfOneCode = 1_000
    /// The maximum size of the texts of all shown findings in bytes, without the excerpts of files.
    package static let textSize = 16 << 20

    /// The number of shown and omitted findings of each code.
    private var counts: [DiagnosticCode: (shown: Int, omitted: Int)] = [:]
    /// The number of bytes that may still be shown.
    private var rest = Budget.textSize

    /// Returns the number of omitted findings by severity. The closure returns the severity of a code.
    func omitted(_ severity: (DiagnosticCode) -> Severity) -> FindingCounts {
      counts.reduce(into: FindingCounts()) { $0[severity($1.key)] += $1.value.omitted }
    }

    /// Counts a finding, and returns whether the limit of findings with its code allows to show it.
    mutating func admits(_ code: DiagnosticCode) -> Bool {
      counts[code, default: (0, 0)].shown += 1
      guard counts[code]?.shown ?? 0 > Budget.findingsOfOneCode else { return true }
      counts[code]?.shown -= 1
      counts[code]?.omitted += 1
      return false
    }

    /// Removes the findings whose texts exceed the remaining bytes.
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

    /// Adds a note about the number of omitted findings to the last shown finding of each code.
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
  /// The size of the texts of the diagnostic in bytes.
  fileprivate var textSize: Int {
    let texts = [message, label ?? "", help ?? "", path] + notes + related.map(\.message) + (environments ?? [])
    return texts.reduce(0) { $0 + $1.utf8.count }
  }
}
