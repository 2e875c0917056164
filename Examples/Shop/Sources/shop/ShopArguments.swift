// SPDX-License-Identifier: Apache-2.0

/// The command-line arguments of `shop`.
struct ShopArguments {
  /// The text that is printed if the arguments are invalid.
  static let usage = """
    usage: shop [--environment dev|test|prod] [--module FILE] [--layer FILE]...
           shop --catalog
    """

  /// The environment; `dev` by default.
  var environment = "dev"
  /// The entry module, relative to the working directory.
  var module = "Configs/Shop/app.json"
  /// Further layers, applied in this order after those of the environment.
  var layers: [String] = []
  /// Whether to print only the registry's catalog.
  var printsCatalog = false

  /// Parses the arguments; `nil` if they are invalid.
  init?(_ words: some Sequence<String>) {
    var words = words.makeIterator()
    while let word = words.next() {
      switch word {
      case "--catalog": printsCatalog = true
      case "--environment", "--module", "--layer":
        guard let value = words.next() else { return nil }
        switch word {
        case "--environment": environment = value
        case "--module": module = value
        default: layers.append(value)
        }
      default: return nil
      }
    }
  }
}
