// SPDX-License-Identifier: Apache-2.0

/// Passes the input of one run to the fuzz target, and stops the program if the target returns a defect.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let problems = problems(of: Array(UnsafeBufferPointer(start: start, count: count)))
  // A failed precondition prints no message in an optimized build.
  if !problems.isEmpty { fatalError("\(problems)") }
  return 0
}
