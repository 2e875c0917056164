// SPDX-License-Identifier: Apache-2.0

/// What is wrong with any bytes that are read as a binary property list, whose header is given.
func problems(of bytes: [UInt8]) -> [String] {
  Document.problems(ofReading: Array("bplist00".utf8) + bytes, as: .plist)
}
