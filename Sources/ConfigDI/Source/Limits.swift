// SPDX-License-Identifier: Apache-2.0

/// How much a load may read before it is refused with a finding of its own.
public struct Limits: Hashable, Sendable {
  /// The greatest size of one file, in bytes. 16 MiB by default, just below 4 GiB at most.
  public var fileSize: Int {
    didSet { fileSize = min(max(fileSize, 0), Limits.greatestFileSize) }
  }

  /// How many maps and lists may be open at once, the root being the first. 128 by default, 1,024 at most.
  public var nesting: Int {
    didSet { nesting = min(max(nesting, 1), Limits.greatestNesting) }
  }

  /// How many files one load may read. 4,096 by default.
  public var files: Int

  /// The nesting that no caller can raise: what follows reading walks a value by recursion, one frame a level.
  static let greatestNesting = 1_024

  /// The file size that no caller can raise: offsets have 32 bits.
  static let greatestFileSize = Int(UInt32.max) - 1

  /// The limits of a load.
  public init(fileSize: Int = 16 << 20, nesting: Int = 128, files: Int = 4_096) {
    self.fileSize = min(max(fileSize, 0), Limits.greatestFileSize)
    self.nesting = min(max(nesting, 1), Limits.greatestNesting)
    self.files = files
  }
}
