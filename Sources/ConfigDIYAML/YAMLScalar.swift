// SPDX-License-Identifier: Apache-2.0
#if YAML
  internal import ConfigDI

  /// The value of a scalar by the core schema of YAML 1.2 (YAML 1.2.2, section 10.3).
  enum YAMLScalar: Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// An integer out of the range of `Int64`.
    case hugeInteger
    /// A real. Not finite if it is out of range, or written as infinity or NaN.
    case real(Double)
    case string

    /// Creates the value of a plain scalar without a tag.
    init(plain text: String) {
      switch text {
      case "", "~", "null", "Null", "NULL": self = .null
      case "true", "True", "TRUE": self = .boolean(true)
      case "false", "False", "FALSE": self = .boolean(false)
      default: self = YAMLScalar(integer: text) ?? YAMLScalar(real: text) ?? .string
      }
    }

    /// Creates the value of a scalar with a tag, or `nil` if the text does not match the tag.
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

    /// Creates a real, an infinity or NaN; `nil` for any other text.
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

    /// Whether a text matches `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`.
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
    /// Whether the byte is a digit in a radix.
    fileprivate func isDigit(_ radix: Int) -> Bool {
      Character(Unicode.Scalar(self)).hexDigitValue.map { $0 < radix } ?? false
    }
  }
#endif
