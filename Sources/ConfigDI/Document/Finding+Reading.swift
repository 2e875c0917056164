// SPDX-License-Identifier: Apache-2.0

// What the readers of all syntaxes tell alike, and after which reading goes on.

extension Finding {
  /// CDI0103 at a `null`.
  package static func nullValue(at node: NodeRef) -> Finding {
    var finding = Finding(.nullValue, "null is not a value", at: node)
    finding.help = "leave the entry out; a layer takes something away by \"remove\" or \"unset\""
    return finding
  }

  /// CDI0108 at an integer.
  package static func integerOutOfRange(at node: NodeRef) -> Finding {
    outOfRange("the integer does not lie between \(Int64.min) and \(Int64.max)", at: node)
  }

  /// CDI0108 at a real.
  package static func realOutOfRange(at node: NodeRef) -> Finding {
    outOfRange("the number is not within the range of a double-precision real", at: node)
  }

  /// CDI0108 in the given words.
  private static func outOfRange(_ message: String, at node: NodeRef) -> Finding {
    var finding = Finding(.numberOutOfRange, message, at: node)
    finding.help = "write it as a string, where the service takes one"
    return finding
  }

  /// CDI0202 at a key that is no string.
  package static func keyIsNoString(at node: NodeRef) -> Finding {
    Finding(.wrongKind, "a key must be a string", at: node)
  }
}
