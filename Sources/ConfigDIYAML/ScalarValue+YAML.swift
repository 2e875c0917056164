// SPDX-License-Identifier: Apache-2.0
#if YAML
  internal import ConfigDI

  /// The values of scalars by the core schema of YAML 1.2 (YAML 1.2.2, section 10.3).
  extension ScalarValue {
    /// Whether the value is a string.
    var isString: Bool { if case .string = self { true } else { false } }

    /// Creates the value of a plain scalar without a tag.
    init(plain text: String) {
      switch text {
      case "", "~", "null", "Null", "NULL": self = .null
      case "true", "True", "TRUE": self = .boolean(true)
      case "false", "False", "FALSE": self = .boolean(false)
      default: self = ScalarValue(yamlInteger: text) ?? ScalarValue(yamlReal: text) ?? .string(text)
      }
    }

    /// Creates the value of a scalar with a tag, or `nil` if the text does not match the tag.
    init?(text: String, tag: Tag) {
      let resolved = ScalarValue(plain: text)
      switch (tag, resolved) {
      case (.string, _): self = .string(text)
      case (.null, .null), (.boolean, .boolean), (.integer, .integer), (.integer, .hugeInteger), (.real, .real):
        self = resolved
      case (.real, .integer(let integer)): self = .real(Double(integer))
      case (.real, .hugeInteger): self = .real(Double(text) ?? .infinity)
      default: return nil
      }
    }

    /// The tags of scalars in the core schema.
    enum Tag: String {
      case boolean = "tag:yaml.org,2002:bool"
      case integer = "tag:yaml.org,2002:int"
      case null = "tag:yaml.org,2002:null"
      case real = "tag:yaml.org,2002:float"
      case string = "tag:yaml.org,2002:str"
    }

    /// Returns a tag as written in files: with `!!` if it is a tag of YAML itself.
    static func shortForm(ofTag tag: String) -> String {
      let prefix = "tag:yaml.org,2002:"
      return tag.hasPrefix(prefix) ? "!!" + tag.dropFirst(prefix.count) : tag
    }

    /// Creates an integer from decimal digits with an optional sign, or from `0o17` or `0x1F`; `nil` for other texts.
    private init?(yamlInteger text: String) {
      let (radix, digits): (Int, Substring) =
        switch text.prefix(2) {
        case "0o": (8, text.dropFirst(2))
        case "0x": (16, text.dropFirst(2))
        default: (10, text.withoutSign)
        }
      guard !digits.isEmpty, digits.utf8.allSatisfy({ ($0.hexadecimalDigit ?? 16) < radix }) else { return nil }
      self.init(integer: radix == 10 ? text[...] : digits, radix: radix)
    }

    /// Creates a real, an infinity or NaN; `nil` for any other text.
    private init?(yamlReal text: String) {
      switch text {
      case ".nan", ".NaN", ".NAN": self = .real(.nan)
      case _ where [".inf", ".Inf", ".INF"].contains(text.withoutSign): self = .real(.infinity)
      default:
        guard text.isReal(allowsLeadingPoint: true), let real = Double(text) else { return nil }
        self = .real(real)
      }
    }
  }

  extension String {
    /// The text without the sign with which it begins.
    fileprivate var withoutSign: Substring { first == "-" || first == "+" ? dropFirst() : self[...] }
  }
#endif
