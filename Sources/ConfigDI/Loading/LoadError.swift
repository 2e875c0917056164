// SPDX-License-Identifier: Apache-2.0

/// The error of a module that could not be loaded, with all findings about it.
public struct LoadError: Error, Sendable, CustomStringConvertible {
  /// All findings, including warnings, sorted by file in the order of composition, then by position, then by code. There
  /// are at most 1,000 of one code; a note of the last one says how many more there are.
  public let diagnostics: [Diagnostic]

  /// The findings as text, with excerpts of the files.
  public let description: String
}
