// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Testing
import _ConfigDITestSupport

/// A service with a text.
private struct Title: Sendable { let text: String }

/// The reports of a watched container, in order.
private final class Reports: Sendable {
  private let stream: AsyncStream<Result<Reload, any Error>>
  let continuation: AsyncStream<Result<Reload, any Error>>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  /// Returns the next report; `nil` if there is none within ten minutes. The limit is generous, because the tests do
  /// not measure speed.
  func next() async throws -> Reload? {
    let report = await withTaskGroup(of: Result<Reload, any Error>?.self) { group in
      group.addTask { [stream] in
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
      }
      group.addTask {
        try? await Task.sleep(for: .seconds(600))
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    return try report?.get()
  }
}

@Suite struct ReloadWatchTests {
  private var registry: Registry {
    var registry = Registry()
    registry.add("Title", Title.init, .value("text"))
    return registry
  }

  private func module(_ text: String) -> String {
    #"""
    { "configdi": 1, "module": "m", "parameters": { "t": { "type": "string", "file": "title" } },
      "services": { "title": { "type": "Title", "values": { "text": "\#(text) ${t}" } } } }
    """#
  }

  /// Runs a test in a temporary folder, in which a module is watched.
  private func watching(
    _ path: String, preparing prepare: (URL) throws -> Void,
    _ test: (URL, ReloadingContainer, Reports) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "watch-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try prepare(folder)
    let services = try await ReloadingContainer(
      ModuleSource(folder.appending(path: path).path, root: folder.path), registry: registry)
    let reports = Reports()
    let watching = Task {
      await services.watch(every: .milliseconds(2)) { reports.continuation.yield($0) }
    }
    do { try await test(folder, services, reports) } catch {
      watching.cancel()
      throw error
    }
    try await services.shutdown()
    // The watch ends because the container is shut down.
    await watching.value
  }

  private func write(_ text: String, _ folder: URL, _ name: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name), options: .atomic)
  }

  @Test func aChangedFileTriggersAReload() async throws {
    try await watching("m.json") { folder in
      try write(module("a"), folder, "m.json")
      try write("1", folder, "title")
    } _: { folder, services, reports in
      #expect(try services.resolve(Title.self).text == "a 1")
      try write(module("b"), folder, "m.json")
      #expect(try await reports.next()?.changed == ["title"])
      #expect(try services.resolve(Title.self).text == "b 1")
      // A file that a parameter reads.
      try write("2", folder, "title")
      #expect(try await reports.next()?.changed == ["title"])
      #expect(try services.resolve(Title.self).text == "b 2")
      // A file that is removed and restored.
      try FileManager.default.removeItem(at: folder.appending(path: "title"))
      await #expect(throws: LoadError.self) { try await reports.next() }
      #expect(try services.resolve(Title.self).text == "b 2")
      try write("3", folder, "title")
      #expect(try await reports.next()?.changed == ["title"])
      #expect(try services.resolve(Title.self).text == "b 3")
    }
  }

  @Test(.hangLimit) func aReloadThatTheShutdownCancelsIsNotReported() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "watch-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    func write(_ isSlow: Bool) throws {
      let module = #"""
        { "configdi": 1, "module": "m", "services": {
            "slow": { "type": "Slow", "eager": true, "values": { "isSlow": \#(isSlow) } } } }
        """#
      try Data(module.utf8).write(to: file, options: .atomic)
    }
    let (builds, build) = AsyncStream.makeStream(of: Void.self)
    var registry = Registry()
    registry.add("Slow", .value("isSlow", Bool.self)) { isSlow async throws in
      if isSlow {
        build.yield()
        try await Task.sleep(for: .seconds(3600))
      }
      return Title(text: "")
    }
    try write(false)
    let services = try await ReloadingContainer(ModuleSource(file.path), registry: registry)
    let (reports, report) = AsyncStream.makeStream(of: Void.self)
    let watching = Task {
      await services.watch(every: .milliseconds(2)) { _ in report.yield() }
      report.finish()
    }
    try write(true)
    for await _ in builds { break }
    try await services.shutdown()
    await watching.value
    #expect(await reports.reduce(0) { count, _ in count + 1 } == 0)
  }

  @Test(.hangLimit) func `an interval may be any positive duration`() async throws {
    let services = try await ReloadingContainer(
      ModuleSource(text: #"{ "configdi": 1, "module": "m" }"#), registry: Registry())
    let watching = Task { await services.watch(every: .seconds(Int64.max)) }
    try await Task.sleep(for: .milliseconds(1))
    watching.cancel()
    await watching.value
    try await services.shutdown()
  }

  @Test func anIntervalMustBePositive() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let source = ModuleSource(text: #"{ "configdi": 1, "module": "m" }"#)
      let services = try await ReloadingContainer(source, registry: Registry())
      try await services.shutdown()
      // Returns at once without the check, since the container is shut down.
      await services.watch(every: .zero)
    }
    let output = try #require(result).standardErrorContent
    #if DEBUG
      #expect(String(decoding: output, as: UTF8.self).contains("interval must be positive"))
    #else
      // An optimized build prints no message for a failed precondition.
      withExtendedLifetime(output) {}
    #endif
  }

  @Test func aFolderReplacedThroughASymbolicLinkTriggersAReload() async throws {
    // The layout of files that a cluster mounts: a link to a link to a folder with a date in its name.
    try await watching("m.json") { folder in
      for (name, text) in [("..1", "old"), ("..2", "new")] {
        try FileManager.default.createDirectory(
          at: folder.appending(path: name), withIntermediateDirectories: true)
        try write(module(text), folder, "\(name)/m.json")
        try write("t", folder, "\(name)/title")
      }
      let files = FileManager.default
      try files.createSymbolicLink(atPath: folder.appending(path: "..data").path, withDestinationPath: "..1")
      for name in ["m.json", "title"] {
        try files.createSymbolicLink(atPath: folder.appending(path: name).path, withDestinationPath: "..data/\(name)")
      }
    } _: { folder, services, reports in
      #expect(try services.resolve(Title.self).text == "old t")
      let next = folder.appending(path: "..next").path
      try FileManager.default.createSymbolicLink(atPath: next, withDestinationPath: "..2")
      #expect(rename(next, folder.appending(path: "..data").path) == 0)
      #expect(try await reports.next()?.changed == ["title"])
      #expect(try services.resolve(Title.self).text == "new t")
    }
  }
}
