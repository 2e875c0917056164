// SPDX-License-Identifier: Apache-2.0

extension String {
  /// Returns the text with some of its Unicode scalars replaced.
  ///
  /// All escaping for output uses this function. Escaping by `Character` would miss a sign that is part of a larger
  /// character because of a combining character or a preceding mark.
  ///
  /// - Parameter replacement: Returns the replacement of a scalar; `nil` to keep the scalar.
  package func escaping(_ replacement: (Unicode.Scalar) -> String?) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if let replacement = replacement(scalar) {
        text += replacement
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  /// The text with control characters, line breaks and marks of writing direction escaped, such as `\u{1B}`.
  ///
  /// Every text that is shown to people passes through here, whether it comes from a file, a name or the caller.
  package var visible: String {
    guard unicodeScalars.contains(where: \.isUnsafeToShow) else { return self }
    return escaping { $0.isUnsafeToShow ? "\\u{" + String($0.value, radix: 16, uppercase: true) + "}" : nil }
  }
}

extension Unicode.Scalar {
  /// Whether a terminal would interpret the character or reorder its neighbours, or whether it is a noncharacter.
  var isUnsafeToShow: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE, 0xFFFF: true
    default: false
    }
  }
}
