// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation
import ShopKit

/// The program: runs a short day in the shop of a module file.
@main struct Shop {
  /// Loads the module, serves the customers, and prints the results.
  static func main() {
    guard let arguments = ShopArguments(CommandLine.arguments.dropFirst()) else {
      complain(ShopArguments.usage)
      exit(64)
    }
    let registry = Registry.shop()
    do {
      if arguments.printsCatalog {
        print(registry.catalog.json, terminator: "")
        return
      }
      let container = try Container(
        module: arguments.module, environment: arguments.environment,
        layers: arguments.layers.map { ModuleLayer.file($0) },
        variables: ProcessInfo.processInfo.environment, registry: registry)
      print("The shop is open in the environment \"\(arguments.environment)\".")
      for line in try ShopDay(container).lines { print("- \(line)") }
    } catch {
      // A `LoadError` describes every finding, with its position in the file.
      complain("\(error)")
      exit(1)
    }
  }

  /// Writes a text to standard error.
  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}
