// SPDX-License-Identifier: Apache-2.0

/// Hands the bytes of one run to the target, and stops where it finds that something is wrong.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let problems = problems(of: Array(UnsafeBufferPointer(start: start, count: count)))
  // A precondition says nothing in an optimized build.
  if !problems.isEmpty { fatalError("\(problems)") }
  return 0
}
