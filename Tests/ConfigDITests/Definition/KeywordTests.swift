// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct KeywordTests {
  @Test func `a keyword equals the name of its case`() {
    for keyword in Keyword.allCases {
      #expect(keyword.text == (keyword == .schema ? "$schema" : "\(keyword)"))
      #expect(Keyword(text: keyword.text) == keyword)
    }
  }
}
