// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import ConfigDILogging
import ConfigDIMetrics
import ConfigDIServiceLifecycle
import ConfigDISwiftConfiguration
import Configuration
import Foundation
import Logging
import NotesKit

/// The program: runs the server of a module file until a signal stops it.
@main struct Notes {
  /// Loads the module and runs its services. Options are read from the command line, such as `--environment prod`, or
  /// from environment variables.
  static func main() async {
    let config = ConfigReader(providers: [CommandLineArgumentsProvider(), EnvironmentVariablesProvider()])
    let metrics = MetricsPage()
    let registry = Registry.notes(metrics: metrics)
    if config.bool(forKey: "catalog", default: false) {
      print(registry.catalog.json, terminator: "")
      return
    }
    LoggingSystem.bootstrap(StreamLogHandler.standardError)
    let logger = Logger(label: "notes.container")
    do {
      let source = ModuleSource(
        config.string(forKey: "module", default: "Configs/Notes/app.json"),
        environment: config.string(forKey: "environment", default: "dev"),
        layers: config.stringArray(forKey: "layers", default: []).map { .file($0) },
        allowedPaths: ["/run/secrets/notes"]
      ).reading(config)
      let services = try await ReloadingContainer(
        source, registry: registry,
        observers: [LoggingObserver(logger, level: .info), MetricsObserver(factory: metrics)],
        startLimit: .seconds(30))
      try await services.serviceGroup(
        logger: logger, reloadSignals: [.sighup],
        watchingEvery: config.bool(forKey: "watch", default: false) ? .seconds(2) : nil,
        gracefulShutdownSignals: [.sigterm, .sigint], maximumGracefulShutdownDuration: .seconds(10)
      ).run()
    } catch {
      // A `LoadError` describes every finding, with its position in the file.
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }
}
