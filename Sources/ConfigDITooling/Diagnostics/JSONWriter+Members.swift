// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

extension JSONWriter {
  /// Writes an array of texts.
  package mutating func strings(_ texts: some Sequence<String>) {
    scalars { for text in texts { $0.string(text) } }
  }

  /// Writes a key and a text.
  package mutating func member(_ key: String, _ text: String) {
    self.key(key)
    string(text)
  }

  /// Writes a key and an integer.
  package mutating func member(_ key: String, _ number: Int) {
    self.key(key)
    integer(number)
  }

  /// Writes a key and a boolean.
  package mutating func member(_ key: String, _ truth: Bool) {
    self.key(key)
    boolean(truth)
  }

  /// Writes a key and an array of texts.
  package mutating func member(_ key: String, _ texts: [String]) {
    self.key(key)
    strings(texts)
  }
}
