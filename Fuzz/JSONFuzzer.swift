// SPDX-License-Identifier: Apache-2.0

/// Returns the defects found when the bytes are read as JSON.
func problems(of bytes: [UInt8]) -> [String] {
  Document.problems(ofReading: bytes, as: .json)
}
