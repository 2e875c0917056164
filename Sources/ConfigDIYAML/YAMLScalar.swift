// SPDX-License-Identifier: Apache-2.0
#if YAML
  internal import ConfigDI

  /// What a scalar stands for, by the core schema of YAML 1.2 (YAML 1.2.2, section 10.3).
  enum YAMLScalar: Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// An integer that `Int64` does not hold.
    case hugeInteger
    /// A real; not finite where it is out of range, or said to be infinite or no number.
    case real(Double)
    case string

    /// What the text of a plain scalar without a tag stands for.
    init(plain text: String) {
      switch text {
      case "", "~", "null", "Null", "NULL": self = .null
      case "true", "True", "TRUE": self = .boolean(true)
      case "false", "False", "FALSE": self = .boolean(false)
      default: self = YAMLScalar(integer: text) ?? YAMLScalar(real: text) ?? .string
      }
    }

    /// What a scalar with a tag stands for; nil where its text is not what the tag says.
    init?(text: String, tag: Tag) {
      let resolved = YAMLScalar(plain: text)
      switch (tag, resolved) {
      case (.string, _): self = .string
      case (.null, .null), (.boolean, .boolean), (.integer, .integer), (.integer, .hugeInteger), (.real, .real):
        self = resolved
      case (.real, .integer(let integer)): self = .real(Double(integer))
      case (.real, .hugeInteger): self = .real(Double(text) ?? .infinity)
      default: return nil
      }
    }

    /// The tags of the core schema that scalars have.
    enum Tag: String {
      case boolean = "tag:yaml.org,2002:bool"
      case integer = "tag:yaml.org,2002:int"
      case null = "tag:yaml.org,2002:null"
      case real = "tag:yaml.org,2002:float"
      case string = "tag:yaml.org,2002:str"
    }

    /// A tag as files write it: those of YAML itself with `!!`.
    static func shortForm(ofTag tag: String) -> String {
      let prefix = "tag:yaml.org,2002:"
      return tag.hasPrefix(prefix) ? "!!" + tag.dropFirst(prefix.count) : tag
    }

    /// An integer: decimal with an optional sign, octal as `0o17`, hexadecimal as `0x1F`; nil for any other text.
    private init?(integer text: String) {
      let (radix, digits): (Int, Substring) =
        switch text.prefix(2) {
        case "0o": (8, text.dropFirst(2))
        case "0x": (16, text.dropFirst(2))
        default: (10, text.first == "-" || text.first == "+" ? text.dropFirst() : text[...])
        }
      guard !digits.isEmpty, digits.utf8.allSatisfy({ $0.isDigit(radix) }) else { return nil }
      self = Int64(radix == 10 ? text[...] : digits, radix: radix).map { .integer($0) } ?? .hugeInteger
    }

    /// A real, an infinity or no number; nil for any other text.
    private init?(real text: String) {
      switch text.first == "-" || text.first == "+" ? text.dropFirst() : text[...] {
      case ".inf", ".Inf", ".INF":
        self = .real(.infinity)
        return
      default: break
      }
      if [".nan", ".NaN", ".NAN"].contains(text) {
        self = .real(.nan)
        return
      }
      guard YAMLScalar.isReal(text.utf8), let real = Double(text) else { return nil }
      self = .real(real)
    }

    /// Whether a text is `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`.
    private static func isReal(_ text: String.UTF8View) -> Bool {
      var rest = text[...]
      func skip(_ bytes: UInt8...) -> Bool {
        guard let first = rest.first, bytes.contains(first) else { return false }
        rest.removeFirst()
        return true
      }
      func skipDigits() -> Bool {
        let count = rest.prefix { $0.isDigit(10) }.count
        rest.removeFirst(count)
        return count > 0
      }
      _ = skip(UInt8(ascii: "-"), UInt8(ascii: "+"))
      let isWhole = skipDigits()
      let isPointed = skip(UInt8(ascii: "."))
      let isFractional = isPointed && skipDigits()
      guard isWhole || isFractional else { return false }
      if skip(UInt8(ascii: "e"), UInt8(ascii: "E")) {
        _ = skip(UInt8(ascii: "-"), UInt8(ascii: "+"))
        guard skipDigits() else { return false }
      }
      return rest.isEmpty
    }
  }

  extension UInt8 {
    /// Whether the byte is a digit to a base.
    fileprivate func isDigit(_ radix: Int) -> Bool {
      Character(Unicode.Scalar(self)).hexDigitValue.map { $0 < radix } ?? false
    }
  }
#endif
