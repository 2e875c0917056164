// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation
import ShopKit

/// Opens the shop of a module file for a short day.
@main struct Shop {
  /// Loads the module, serves the customers, and prints what happened.
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
      // A `LoadError` describes every finding, with the lines of the files that it stands in.
      complain("\(error)")
      exit(1)
    }
  }

  /// Prints to standard error.
  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}
