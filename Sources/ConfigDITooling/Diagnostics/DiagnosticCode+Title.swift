// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

extension DiagnosticCode {
  /// The common meaning of all findings with this code, on one line, such as `reference to an unknown service`.
  package var title: String { DiagnosticCode.titles[number] ?? description }

  /// Returns the title of the code with a number, or an empty string if no code has the number.
  static func title(ofNumber number: Int) -> String { titles[number] ?? "" }

  /// The titles by number.
  private static let titles: [Int: String] = [
    101: "syntax error",
    102: "duplicate key",
    103: "null",
    104: "not UTF-8, or a character that is not allowed",
    105: "nested too deeply",
    106: "file too large, or too many files",
    107: "file cannot be read",
    108: "number out of range",
    109: "unsupported file extension",

    201: "unknown key",
    202: "wrong kind of value",
    203: "required key missing",
    204: "not a valid name",
    205: "unsupported format version",
    206: "key allowed in the entry module only",
    207: "keys that cannot be used together",
    208: "unknown diagnostic code",
    209: "change of the severity of an error",

    301: "imported or layer file not found",
    302: "import cycle",
    303: "path leaves the root",
    304: "id already defined",
    305: "change of something that does not exist",
    306: "unset of a path that does not exist",
    307: "unknown environment",
    308: "override that changes nothing",

    401: "unknown parameter",
    402: "parameter cycle",
    403: "malformed placeholder",
    404: "list or map inside a longer string",
    405: "environment variable or file missing, no default",
    406: "text cannot be converted to the declared type",
    407: "value that is not allowed",

    501: "reference to an unknown service",
    502: "reference to a service that is disabled by its condition",
    503: "alias or binding to an unknown service",
    504: "alias cycle",
    505: "unknown template",
    506: "template cycle",
    507: "unknown scope",
    508: "dependency cycle",
    509: "captive dependency",
    510: "duplicate key in a tag",
    511: "condition on something unknown",

    601: "unknown type",
    602: "unknown argument",
    603: "required argument missing",
    604: "value does not fit the argument's type",
    605: "referenced service does not provide the argument's type",
    606: "provided name that the type does not provide",
    607: "several candidates for one look-up, no binding",
    608: "no candidate to autowire",
    609: "type not safe to share across threads in a shared lifetime",
    610: "run-time arguments that are not Hashable in a lifetime that keeps instances",
    611: "reference where a value is expected, or the reverse",
    612: "decorator without a decorated argument, or with several",
    613: "value type with scope weak",
    614: "secret value for an argument that is not declared secret",
    615: "reference to a service that needs run-time arguments",
    616: "eager service that must be awaited, in a synchronous load",
    617: "given service with a scope that does not keep it, or eager",

    701: "private service never used",
    702: "parameter never used",
    703: "alias never used",
    704: "template never used",
    705: "deprecated service, parameter or type used",
    706: "several services provide one type without a binding",
    707: "string in values that is a service's id",
    708: "tag that no service has",
    709: "tag that no reference collects",
    710: "suppression that suppresses nothing",
  ]
}
