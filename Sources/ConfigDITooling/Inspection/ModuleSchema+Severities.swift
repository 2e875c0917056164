// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

extension ModuleSchema {
  /// What the entry module says about all warnings of a code.
  var severities: Value {
    let severity = Value.closedMap(
      Keyword.severityKeys,
      [
        .severity: .words(
          SeverityWord.allCases.map(\.rawValue), "What becomes of these warnings: ignore suppresses them."),
        .reason: ModuleSchema.reason,
      ], required: [.severity],
      also: Value.when(
        "severity", is: .string(SeverityWord.ignore.rawValue), then: ["required": [.string(Keyword.reason.text)]]
      ).entries)
    return ModuleSchema.codeMap(
      to: { severity.described($0) }, "What becomes of all warnings of a code; only in the entry module.")
  }

  /// What a map says about the warnings in it.
  var suppressions: Value {
    ModuleSchema.codeMap(
      to: { ModuleSchema.reason.described("Why this is suppressed: \($0).") },
      "Warnings that are not reported here, each with the reason.")
  }

  /// Why something is suppressed.
  private static let reason: Value = ["type": "string", "pattern": "\\S"]

  /// A map from the codes of warnings; `schema` takes what warnings of a code have in common.
  private static func codeMap(to schema: (String) -> Value, _ words: String) -> Value {
    let properties = DiagnosticCode.all.filter { $0.severity == .warning }.map { code in
      Value.Entry(key: code.description, value: schema(code.title))
    }
    return [
      "type": "object", "properties": .map(properties), "additionalProperties": false, "description": .string(words),
    ]
  }
}
