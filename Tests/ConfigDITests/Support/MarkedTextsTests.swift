// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// The helpers on which the other tests rely.
@Suite struct MarkedTextsTests {
  @Test func `marks are removed and give line, column, code and environments`() {
    let marked = MarkedTexts(["a.json": "«CDI0203»{\"é\": «CDI0501@dev,prod CDI0401»1,\n \"x\": «CDI0102»2}"])
    #expect(marked.texts == ["a.json": "{\"é\": 1,\n \"x\": 2}"])
    #expect(
      marked.expectations == [
        "a.json:1:1 CDI0203", "a.json:1:7 CDI0501@dev,prod", "a.json:1:7 CDI0401", "a.json:2:7 CDI0102",
      ])
  }

  @Test func `a missing, a misplaced and an additional finding each fail`() {
    for text in [
      module(#""services": {"a": {"type": "A", "inject": {"b": "ghost"}}}"#),
      module(#""services": {"a": {"type": "A", "inject": {«CDI0501»"b": "ghost"}}}"#),
      module(#""services": {«CDI0304»"a": {"type": "A"}}"#),
    ] {
      withKnownIssue { expectFindings(in: ["app.json": text]) }
    }
  }
}
