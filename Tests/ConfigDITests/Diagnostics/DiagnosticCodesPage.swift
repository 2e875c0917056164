// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// The page `Documentation/DiagnosticCodes.md`. It has an entry for each code, with examples: modules that have the
/// finding, and modules without it.
///
/// An entry begins with `### CDI0501` and `**Error: ...**`. The line before each fenced block is its label:
/// ``Wrong `app.json`:`` or ``Right `app.json`:`` for a file of one module, ``With `app.json`:`` for a file of both,
/// and ``Also wrong `app.json`:`` for the first file of a further example. A block of `sh` is the command that checks
/// the module. A block of `swift` sets the limits of the load.
struct DiagnosticCodesPage {
  /// A module that has a finding, and a module that does not.
  struct Example: CustomTestStringConvertible {
    /// The code of the finding, such as `CDI0501`.
    let code: String
    /// The number of the example among those of its code, from 1.
    let number: Int
    /// The module with the finding.
    var wrong = ExampleModule()
    /// The module without the finding.
    var right = ExampleModule()

    var testDescription: String { "\(code) \(number)" }
  }

  /// An error in the form of the page.
  struct Malformed: Error {
    /// The number of the line, from 1.
    let line: Int
    /// The reason, as text.
    let reason: String
  }

  /// The label of a block.
  private struct Label {
    /// The module that the block belongs to: `Wrong`, `Right`, or `With` for both.
    let role: Substring
    /// The name of the file, or `nil` if the block is a command.
    let file: Substring?
  }

  /// The codes in the order of the page, each with its severity: `CDI0501 Error`.
  private(set) var codes: [String] = []
  /// The examples in the order of the page. Each code has at least one.
  private(set) var examples: [Example] = []

  /// Reads the page.
  ///
  /// - Throws: `Malformed`, or the error of reading the file.
  init() throws {
    let page = try Markdown("Documentation/DiagnosticCodes.md")
    var label: Label?
    var block: (language: Substring, text: String)?
    for (index, line) in page.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let fail = { (reason: String) in Malformed(line: index + 1, reason: reason) }
      if let (language, text) = block {
        block = line == "```" ? nil : (language, text + line + "\n")
        guard block == nil else { continue }
        guard let found = label, try add(text, language, found) else { throw fail("a block without a label") }
        label = nil
      } else if line.hasPrefix("```") {
        block = (line.dropFirst(3), "")
      } else if line.hasPrefix("### ") {
        codes.append(String(line.dropFirst(4)))
        examples.append(Example(code: String(line.dropFirst(4)), number: 1))
      } else if let match = line.prefixMatch(of: /\*\*(Error|Warning): .+/), let code = codes.popLast() {
        codes.append("\(code) \(match.output.1)")
      } else if let match = line.wholeMatch(of: /(Wrong|Right|With|Also wrong)(?: `([^`]+)`)?:/) {
        let isFurther = match.output.1 == "Also wrong"
        if isFurther, let last = examples.last { examples.append(Example(code: last.code, number: last.number + 1)) }
        label = Label(role: isFurther ? "Wrong" : match.output.1, file: match.output.2)
      }
    }
  }

  /// Adds a block to the modules that its label names. Returns false if the label does not fit the block.
  private mutating func add(_ text: String, _ language: Substring, _ label: Label) throws -> Bool {
    guard !examples.isEmpty else { return false }
    var modules: [WritableKeyPath<Example, ExampleModule>] = []
    if label.role != "Right" { modules.append(\.wrong) }
    if label.role != "Wrong" { modules.append(\.right) }
    for module in modules {
      switch (language, label.file) {
      case ("sh", nil): try examples[examples.count - 1][keyPath: module].read(command: text)
      case ("swift", nil): examples[examples.count - 1][keyPath: module].readLoad(text)
      case (_, let file?): examples[examples.count - 1][keyPath: module].files[String(file)] = text
      default: return false
      }
    }
    return true
  }
}
