// SPDX-License-Identifier: Apache-2.0

/// Reads any bytes as JSON: nothing may crash, and whatever comes out is a whole tree whose findings stand in the text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // A nesting that mutations reach.
  let limits = Limits(nesting: 16)
  let source = SourceFile(name: "fuzz.json", bytes: Array(UnsafeBufferPointer(start: start, count: count)))
  var bag = DiagnosticBag()
  let document = Document(reading: source, file: FileID(0), syntax: .json, limits: limits, bag: &bag)
  let problems = document.problems(with: bag)
  precondition(problems.isEmpty, "\(problems)")
  return 0
}
