// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text with some of its Unicode scalars written in another way.
  ///
  /// What escapes a text for a form of output goes through here. By `Character` it would miss a sign that a combining
  /// character or a mark in front of it makes part of a larger one.
  ///
  /// - Parameter replacement: What stands for a scalar, or nil where it stands for itself.
  package func escaping(_ replacement: (Unicode.Scalar) -> String?) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if let replacement = replacement(scalar) {
        text += replacement
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  /// The text with control characters, line breaks and marks of writing direction as escapes such as `\u{1B}`.
  ///
  /// Every text for people goes through here, whatever of it comes from a file, a name or the caller.
  package var visible: String {
    guard unicodeScalars.contains(where: \.isUnsafeToShow) else { return self }
    return escaping { $0.isUnsafeToShow ? "\\u{" + String($0.value, radix: 16, uppercase: true) + "}" : nil }
  }
}

extension Unicode.Scalar {
  /// Whether a terminal would act on the character instead of showing it, or show its neighbours in another order, or
  /// whether it is no character.
  var isUnsafeToShow: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE, 0xFFFF: true
    default: false
    }
  }
}
