// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import CoreMetrics
import Logging
import ServiceLifecycle

extension Registry {
  /// Returns the registry of all types of the server. No other code maps type names in module files to Swift types.
  ///
  /// - Parameter metrics: The metrics of the process, registered as the type `MetricsPage`. The server uses it if a
  ///   layer declares it.
  package static func notes(metrics: MetricsPage = MetricsPage()) -> Registry {
    var registry = Registry()

    // Logging, and the request info that each request gives to its scope.
    registry.add("Logger", Logger.init(label:level:), .value("label"), .value("level", default: .info))
    registry.given("RequestInfo", RequestInfo.self)
    registry.add("RequestLogger", Logger.init(_:request:), .service("logger"), .service("request"))

    // Notes and their stores.
    registry.add(
      "NoteService", NoteService.init,
      .service("store"), .service("mailer"), .service("clock"), .service("logger"), .value("limit"))
    registry.add("MemoryStore", as: (any NoteStore).self, MemoryStore.init)
    registry.add("SQLiteStore", as: (any NoteStore).self, SQLiteStore.init, .service("database"))
    registry.add("NoteDatabase", as: { ($0, $0 as any HealthCheck) }, NoteDatabase.init, .value("path"))
    registry.add(
      "ArchivingStore", as: (any NoteStore).self, ArchivingStore.init, .decorated("inner"), .service("archive"))
    registry.add(
      "MeteredStore", as: (any NoteStore).self, MeteredStore.init, .decorated("inner"), .service("metrics"))

    // Clocks and mailers.
    registry.add("SystemClock", as: (any NoteClock).self, SystemClock.init)
    registry.add("FixedClock", as: (any NoteClock).self, FixedClock.init, .value("time"))
    registry.add("LogMailer", as: (any Mailer).self, LogMailer.init, .service("logger"))
    registry.add(
      "SpoolMailer", as: { ($0 as any Mailer, $0 as any HealthCheck) }, SpoolMailer.init,
      .value("folder"), .value("from"))
    registry.add("RecordingMailer", as: { ($0, $0 as any Mailer) }, RecordingMailer.init)

    // HTTP routes and middleware.
    registry.add("Router", NotesRouter.init(features:), .service("features"))
    registry.add("NoteRoutes", as: (any HTTPFeature).self, NoteRoutes.init)
    registry.add("HealthRoute", as: (any HTTPFeature).self, HealthRoute.init, .service("checks"))
    registry.add("StoreCheck", as: (any HealthCheck).self, StoreCheck.init, .service("store"))
    registry.add("TokenAccess", as: (any HTTPFeature).self, TokenAccess.init, .value("token", secret: true))
    registry.add("MetricsFeature", as: (any HTTPFeature).self, MetricsFeature.init, .service("metrics"))
    registry.add("MetricsPage", as: { ($0, $0 as any MetricsFactory) }, { metrics })

    // Long-running services and their work.
    registry.add(
      "HTTPServer", as: { ($0, $0 as any Service) }, HTTPServer.init,
      .value("host"), .value("port"), .scope("request"))
    registry.add("Sweeper", as: { ($0, $0 as any Service) }, Sweeper.init, .value("interval"), .scope("request"))
    registry.add(
      "Sweep", Sweep.init, .service("store"), .service("clock"), .service("logger"), .value("lifetime"))
    return registry
  }
}
