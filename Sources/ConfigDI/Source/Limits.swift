// SPDX-License-Identifier: Apache-2.0

/// The limits on what a load may read. Exceeding one is reported as an error.
public struct Limits: Hashable, Sendable {
  /// The maximum size of a file in bytes: 16 MiB by default. Values from 0 to 4 GiB − 2 are possible, or to `Int.max`
  /// where that has 32 bits; others are clamped.
  public var fileSize: Int {
    didSet { fileSize = min(max(fileSize, 0), Limits.maximumFileSize) }
  }

  /// The maximum nesting of maps and lists, the root included: 128 by default. Values are clamped to 1 to 1,024.
  public var nesting: Int {
    didSet { nesting = min(max(nesting, 1), Limits.maximumNesting) }
  }

  /// The maximum number of files that a load may read. The default is 4,096.
  public var files: Int

  /// The upper bound of `nesting`. Later stages walk values recursively, with one stack frame for each level.
  static let maximumNesting = 1_024

  /// The upper bound of `fileSize`. Byte offsets have 32 bits.
  static let maximumFileSize = Int(clamping: UInt32.max - 1)

  /// Creates the limits of a load. `fileSize` and `nesting` are clamped to their possible values.
  public init(fileSize: Int = 16 << 20, nesting: Int = 128, files: Int = 4_096) {
    self.fileSize = min(max(fileSize, 0), Limits.maximumFileSize)
    self.nesting = min(max(nesting, 1), Limits.maximumNesting)
    self.files = files
  }
}
