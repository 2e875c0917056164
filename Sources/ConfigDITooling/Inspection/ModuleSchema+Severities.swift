// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

extension ModuleSchema {
  /// The schema of `diagnostics`, with which the entry module sets the severity of all warnings of a code.
  var severities: Value {
    let severity = Value.closedMap(
      Keyword.severityKeys,
      [
        .severity: .words(
          SeverityWord.allCases.map(\.rawValue), "What becomes of these warnings: ignore suppresses them."),
        .reason: ModuleSchema.reason,
      ], required: [.severity],
      also: .when(
        "severity", is: .string(SeverityWord.ignore.rawValue), then: ["required": [.string(Keyword.reason.text)]]))
    return ModuleSchema.codeMap(
      to: { severity.described($0) }, "What becomes of all warnings of a code; only in the entry module.")
  }

  /// The schema of `suppress`, with which an entry or a file suppresses its warnings.
  var suppressions: Value {
    ModuleSchema.codeMap(
      to: { ModuleSchema.reason.described("Why this is suppressed: \($0).") },
      "Warnings that are not reported here, each with the reason.")
  }

  /// The schema of the reason for a suppression.
  private static let reason: Value = ["type": "string", "pattern": "\\S"]

  /// Returns the schema of a map from codes of warnings. `schema` receives the title of each code.
  private static func codeMap(to schema: (String) -> Value, _ words: String) -> Value {
    let properties = DiagnosticCode.all.filter { $0.severity == .warning }.map { code in
      Value.Entry(key: code.description, value: schema(code.title))
    }
    return [
      "type": "object", "properties": .map(properties), "additionalProperties": false, "description": .string(words),
    ]
  }
}
