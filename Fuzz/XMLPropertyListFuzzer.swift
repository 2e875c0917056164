// SPDX-License-Identifier: Apache-2.0

/// What is wrong with any bytes that are read as an XML property list.
func problems(of bytes: [UInt8]) -> [String] {
  Document.problems(ofReading: bytes, as: .plist)
}
