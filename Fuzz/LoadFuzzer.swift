// SPDX-License-Identifier: Apache-2.0

/// What is wrong with what comes of a module made of any bytes, and with its text when it is loaded again.
func problems(of bytes: [UInt8]) -> [String] {
  LoadInput(bytes).problems
}
