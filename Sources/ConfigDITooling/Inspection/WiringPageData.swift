// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// The data of a page about the entries of a module.
struct WiringPageData {
  /// The services.
  var services = WiringPageSection()
  /// The parameters.
  var parameters = WiringPageSection()
  /// Whether values are hidden.
  var hidesValues = false
  /// The files of the tokens, in the order in which they were first used.
  private(set) var files: [String] = []
  /// The index of each file, by its name in UTF-8.
  private var fileNumbers: [[UInt8]: Int] = [:]

  /// Returns the index of a file. Adds the file if it is new.
  mutating func number(ofFile name: String) -> Int {
    let key = [UInt8](name.utf8)
    if let number = fileNumbers[key] { return number }
    fileNumbers[key] = files.count
    files.append(name)
    return files.count - 1
  }
}

// MARK: - Decisions

extension WiringPageData {
  /// Returns the data of a decision: the value as text, the verb, the location, the earlier values and the source.
  mutating func entries(of decision: Explanation.Decision) -> [Value.Entry] {
    var entries = plainEntries(of: decision)
    if !decision.before.isEmpty {
      entries.append(Value.Entry(key: "before", value: .list(decision.before.map { .map(plainEntries(of: $0)) })))
    }
    guard let source = decision.source else { return entries }
    let parts = [
      Value.Entry(key: source.kind.rawValue, value: .string(source.name.visible)),
      Value.Entry(key: "set", value: .boolean(source.isSet)),
      Value.Entry(key: "default", value: .boolean(source.hasDefault)),
    ]
    entries.append(Value.Entry(key: "source", value: .map(parts + place(of: source.location))))
    return entries
  }

  /// Returns the data of a removal, with the earlier values.
  mutating func entries(of removal: Explanation.Removal) -> [Value.Entry] {
    let before = removal.before.map { Value.map(plainEntries(of: $0, hasValue: !removal.path.isEmpty)) }
    return [
      Value.Entry(key: "removed", value: true), Value.Entry(key: "verb", value: .string(removal.verb.rawValue)),
    ] + place(of: removal.location) + [Value.Entry(key: "before", value: .list(before))]
  }

  /// Returns the value of a decision as text, its verb and its location.
  private mutating func plainEntries(of decision: Explanation.Decision, hasValue: Bool = true) -> [Value.Entry] {
    let text = hidesValues ? "<hidden>" : decision.value.excerpt
    let value = hasValue ? [Value.Entry(key: "value", value: .string(text))] : []
    let verb = Value.Entry(key: "verb", value: .string(decision.verb.rawValue))
    return value + [verb] + (decision.verb == .set ? [] : place(of: decision.location))
  }

  /// Returns the file, line and column.
  private mutating func place(of location: Diagnostic.Location) -> [Value.Entry] {
    var numbers = [Value.integer(Int64(number(ofFile: location.file)))]
    if let start = location.start { numbers += [.integer(Int64(start.line)), .integer(Int64(start.column))] }
    return [Value.Entry(key: "at", value: .list(numbers))]
  }
}

extension Value {
  /// The value as JSON on one line, shortened so that the page stays small even if many services have the value.
  var excerpt: String { line(upTo: 240) }
}
