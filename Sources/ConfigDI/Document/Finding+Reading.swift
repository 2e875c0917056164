// SPDX-License-Identifier: Apache-2.0

// Findings of the readers of all syntaxes, after which reading continues.

extension Finding {
  /// Returns CDI0103 at a `null`.
  package static func nullValue(at node: NodeRef) -> Finding {
    Finding(
      .nullValue, "null is not allowed", at: node,
      help: "leave the entry out; in a layer, \"remove\" removes an entry and \"unset\" a part of one")
  }

  /// Returns CDI0108 at an integer.
  package static func integerOutOfRange(at node: NodeRef) -> Finding {
    outOfRange("integer is out of range, expected \(Int64.min) to \(Int64.max)", at: node)
  }

  /// Returns CDI0108 at a real.
  package static func realOutOfRange(at node: NodeRef) -> Finding {
    outOfRange("number is out of range for a double-precision real", at: node)
  }

  /// Returns CDI0108 with the given message.
  private static func outOfRange(_ message: String, at node: NodeRef) -> Finding {
    Finding(
      .numberOutOfRange, message, at: node, help: "if the argument accepts a string, write the number as a string")
  }

  /// Returns CDI0202 at a key that is not a string.
  package static func keyIsNoString(at node: NodeRef) -> Finding {
    Finding(.wrongKind, "keys must be strings", at: node)
  }
}
