// SPDX-License-Identifier: Apache-2.0

/// Returns the defects found when the bytes, after the header of a binary property list, are read as one.
func problems(of bytes: [UInt8]) -> [String] {
  Document.problems(ofReading: Array("bplist00".utf8) + bytes, as: .plist)
}
