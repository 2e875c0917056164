// SPDX-License-Identifier: Apache-2.0

/// Reads any bytes as YAML: nothing may crash, and whatever comes out is a whole tree whose findings stand in the text, and
/// which, where nothing is wrong with it, is written and read again to the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // Limits that mutations reach.
  let limits = Limits(fileSize: 1 << 16, nesting: 16)
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  var bag = DiagnosticBag()
  let document = Document(
    reading: SourceFile(name: "fuzz", bytes: bytes), file: FileID(0), syntax: .yaml, syntaxes: [.yaml], limits: limits,
    bag: &bag)
  let problems =
    document.problems(with: bag, hasBlocks: true) + document.problemsOfWriting(with: bag, syntaxes: [.yaml])
  // A precondition says nothing in an optimized build.
  if !problems.isEmpty { fatalError("\(problems)") }
  return 0
}
