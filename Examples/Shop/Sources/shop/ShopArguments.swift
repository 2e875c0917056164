// SPDX-License-Identifier: Apache-2.0

/// What the words behind `shop` on the command line ask for.
struct ShopArguments {
  /// What to say where the words make no sense.
  static let usage = """
    usage: shop [--environment dev|test|prod] [--module FILE] [--layer FILE]...
           shop --catalog
    """

  /// The environment; dev unless told otherwise.
  var environment = "dev"
  /// The entry module, relative to the working folder.
  var module = "Configs/Shop/app.json"
  /// Further layers, applied in this order after those of the environment.
  var layers: [String] = []
  /// Whether to print the registry's catalog and nothing else.
  var printsCatalog = false

  /// Reads the words; nil where they make no sense.
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
