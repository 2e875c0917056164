// SPDX-License-Identifier: Apache-2.0

/// Checks a module made of any bytes: nothing may crash, every place of a finding lies in its file, and a sound module's
/// text loads again to the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLoad(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let problems = LoadInput(Array(UnsafeBufferPointer(start: start, count: count))).problems
  precondition(problems.isEmpty, "\(problems)")
  return 0
}
