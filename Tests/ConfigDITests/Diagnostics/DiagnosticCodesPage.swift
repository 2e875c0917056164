// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// The page `Documentation/DiagnosticCodes.md`: an entry for each code, with examples that have the finding beside others
/// that have none.
///
/// An entry begins with `### CDI0501` and `**Error: ...**`. Each fenced block stands behind a line that says what it is:
/// ``Wrong `app.json`:`` or ``Right `app.json`:`` for a file of one module, ``With `app.json`:`` for a file of both;
/// ``Also wrong `app.json`:`` begins a further example. A block of `sh` is the command that checks the module, a block of
/// `swift` says the limits of the load.
struct DiagnosticCodesPage {
  /// A module that has a finding, and one that has none.
  struct Example: CustomTestStringConvertible {
    /// The code of the finding, such as `CDI0501`.
    let code: String
    /// The number of the example among those of its code, from 1.
    let number: Int
    /// The module that has the finding.
    var wrong = ExampleModule()
    /// The module that has none.
    var right = ExampleModule()

    var testDescription: String { "\(code) \(number)" }
  }

  /// A page that is not written as it must be.
  struct Malformed: Error {
    /// The line.
    let line: Int
    /// What is wrong with it.
    let reason: String
  }

  /// What stands before a block.
  private struct Label {
    /// For whom it is: `Wrong`, `Right` or `With`.
    let role: Substring
    /// The file that it is, or nil for a command.
    let file: Substring?
  }

  /// The codes in their order, each with the word that says how grave it is: `CDI0501 Error`.
  private(set) var codes: [String] = []
  /// The examples in their order; each code has one at least.
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

  /// Adds a block to the modules for which it is; whether its label fits it.
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
