// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// The path of the folder `test_parsing` in Nicolas Seriot's JSONTestSuite, or `nil` if the tests run without the
/// suite.
private let suite = ProcessInfo.processInfo.environment["CONFIGDI_JSON_SUITE"]

/// The expected findings in files that must be accepted (`y_`) or may be accepted (`i_`), if not the default of their
/// kind.
///
/// The reader is stricter than the suite about duplicate keys, `null` and numbers that would be rounded, and about the
/// encoding it is as strict as RFC 8259 allows.
private let findings: [String: [DiagnosticCode]] = [
  "i_number_huge_exp.json": [.numberOutOfRange],
  "i_number_neg_int_huge_exp.json": [.numberOutOfRange],
  "i_number_pos_double_huge_exp.json": [.numberOutOfRange],
  "i_number_real_neg_overflow.json": [.numberOutOfRange],
  "i_number_real_pos_overflow.json": [.numberOutOfRange],
  "i_number_too_big_neg_int.json": [.numberOutOfRange],
  "i_number_too_big_pos_int.json": [.numberOutOfRange],
  "i_number_very_big_negative_int.json": [.numberOutOfRange],
  "i_string_utf16BE_no_BOM.json": [.syntaxError],
  "i_string_utf16LE_no_BOM.json": [.syntaxError],
  "i_structure_500_nested_arrays.json": [.nestedTooDeeply],
  "y_array_null.json": [.nullValue],
  "y_array_with_several_null.json": [.nullValue, .nullValue, .nullValue],
  "y_array_heterogeneous.json": [.nullValue],
  "y_structure_lonely_null.json": [.nullValue],
  "y_object_duplicated_key.json": [.duplicateKey],
  "y_object_duplicated_key_and_value.json": [.duplicateKey],
]

@Suite(.enabled(if: suite != nil)) struct JSONSuiteTests {
  @Test func `every file of the suite is accepted or rejected as its name requires`() throws {
    let folder = try #require(suite)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
    #expect(names.count >= 318)
    for name in names.sorted() {
      let read = ReadDocument(Array(try Data(contentsOf: URL(filePath: folder).appending(path: name))))
      let codes = read.findings.map(\.code)
      if name.hasPrefix("n_") {
        #expect(!read.document.isComplete, "\(name)")
        let rejecting: [DiagnosticCode] = [.syntaxError, .invalidCharacter, .nestedTooDeeply]
        #expect(codes.count >= 1 && rejecting.contains(codes[codes.count - 1]), "\(name): \(codes)")
      } else {
        // The strings that may be accepted or rejected contain unpaired surrogates or invalid UTF-8.
        let mayDoEither = name.hasPrefix("i_string_") || name.hasPrefix("i_object_key_")
        #expect(codes == findings[name, default: mayDoEither ? [.invalidCharacter] : []], "\(name): \(codes)")
      }
    }
  }
}
