// SPDX-License-Identifier: Apache-2.0

/// A module that was not loaded, with all that is wrong with it.
public struct LoadError: Error, Sendable, CustomStringConvertible {
  /// All findings, warnings included, sorted by file in the order of composition, then position, then code.
  public let diagnostics: [Diagnostic]

  /// The findings as text with marked lines of the files.
  public let description: String
}
