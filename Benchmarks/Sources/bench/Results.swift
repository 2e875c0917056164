// SPDX-License-Identifier: Apache-2.0

/// The measured values, with their output formats.
struct Results {
  /// The values, in the order of the benchmarks.
  let figures: [Figure]

  /// One JSON object, with the nanoseconds or bytes of each value by name.
  var json: String {
    let entries = figures.map { "  \"\($0.name)\": \(Results.number($0.value, digits: $0.isBytes ? 0 : 3))" }
    return "{\n" + entries.joined(separator: ",\n") + "\n}"
  }

  /// A table in Markdown, with the ratio to the baseline and the limit of each value that has one.
  var markdown: String {
    let values = Dictionary(uniqueKeysWithValues: figures.map { ($0.name, $0.value) })
    let lines = figures.map { figure -> String in
      var cells = ["`\(figure.name)`", Results.amount(figure), "", "", "", ""]
      if let goal = figure.goal {
        cells[2] = "`\(goal.baseline)`"
        cells[4] = Results.number(goal.maximumRatio, digits: 2)
        if let baseline = values[goal.baseline] {
          let ratio = figure.value / baseline
          cells[3] = Results.number(ratio, digits: ratio < 1 ? 3 : 2)
          cells[5] = ratio <= goal.maximumRatio ? "yes" : "no"
        }
      } else if let greatest = figure.greatest {
        cells[4] = Results.number(greatest, digits: 0) + (figure.isBytes ? " B" : " ns")
        cells[5] = figure.value <= greatest ? "yes" : "no"
      }
      return "| " + cells.joined(separator: " | ") + " |"
    }
    return """
      | name | takes | compared with | ratio | goal | met |
      |---|--:|---|--:|--:|---|

      """ + lines.joined(separator: "\n")
  }

  /// Returns a value with a suitable unit.
  private static func amount(_ figure: Figure) -> String {
    if figure.isBytes { return number(figure.value, digits: 0) + " B" }
    switch figure.value {
    case ..<1_000: return number(figure.value, digits: 2) + " ns"
    case ..<1_000_000: return number(figure.value / 1_000, digits: 2) + " us"
    default: return number(figure.value / 1_000_000, digits: 2) + " ms"
    }
  }

  /// Returns a number with some digits after the decimal point.
  private static func number(_ value: Double, digits: Int) -> String {
    var power = 1
    for _ in 0..<digits { power *= 10 }
    let scaled = Int((value * Double(power)).rounded())
    guard digits > 0 else { return "\(scaled)" }
    let fraction = String(scaled % power)
    return "\(scaled / power)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}
