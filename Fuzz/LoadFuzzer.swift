// SPDX-License-Identifier: Apache-2.0

/// Returns the defects found when a module made from the bytes is loaded, and its text is loaded again.
func problems(of bytes: [UInt8]) -> [String] {
  LoadInput(bytes).problems
}
