// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Testing
import _ConfigDITestSupport

/// Asynchronous look-ups block no thread, and synchronous ones never wait for an asynchronous build.
@Suite struct AwaitingTests {
  /// A service that takes long to build.
  final class Database: Sendable {}

  /// A service that depends on a database.
  final class Report: Sendable {
    /// The dependency.
    let database: Database

    /// Creates a report.
    init(_ database: Database) { self.database = database }
  }

  /// A `Resolvable` service that depends on a database.
  final class Summary: Resolvable, Sendable {
    /// The dependency.
    let database: Database

    /// Creates a summary.
    init(_ database: Database) { self.database = database }

    static var injection: Injection<Summary> {
      Injection(BuilderArgument<Database>.service("database")) { Summary($0) }
    }
  }

  /// A service whose dependencies depend on a database.
  final class Shelf: Sendable {
    /// The first dependency.
    let report: Report
    /// The second dependency.
    let summary: Summary

    /// Creates a shelf.
    init(_ report: Report, _ summary: Summary) {
      self.report = report
      self.summary = summary
    }
  }

  /// The kind of awaited look-up.
  enum Awaited: CaseIterable {
    case service, serviceThatNeedsIt, lazyService, lazyOfItsOwn, standAloneLazy, lazyInjected
  }

  /// More asynchronous look-ups than the cooperative pool has threads wait for a build on a thread. All of them
  /// suspend, so that an unrelated task can run.
  @Test(arguments: Awaited.allCases)
  func awaitedLookUpsBlockNoThreadWhileAnotherThreadBuilds(awaited: Awaited) async throws {
    let outcome = try await withWatchdog {
      let container = Container()
      let (begun, finish, unrelated) = (Gate(), Gate(), Gate())
      let build: @Sendable () -> Database = {
        begun.open()
        finish.wait(seconds: 150)
        return Database()
      }
      container.register(build: build)
      container.register { resolver in Report(try resolver.resolve()) }
      let lazyService = try container.resolve(Lazy<Database>.self)
      let standAlone = Lazy(build)
      let injected = LazyInjected<Database>(from: container).projectedValue
      Thread.detachNewThread {
        switch awaited {
        case .service, .serviceThatNeedsIt, .lazyOfItsOwn: _ = try? container.resolve(Database.self)
        case .lazyService: _ = try? lazyService.get()
        case .standAloneLazy: _ = try? standAlone.get()
        case .lazyInjected: _ = try? injected.get()
        }
      }
      begun.wait()
      let count = ProcessInfo.processInfo.activeProcessorCount * 8
      let barrier = Barrier(count: count + 1)
      let found = AtomicCounter()
      for _ in 0..<count {
        Task.detached(priority: .aboveOtherTests) {
          let database: Database?
          switch awaited {
          case .service: database = try? await container.resolveAsync(Database.self)
          case .serviceThatNeedsIt: database = try? await container.resolveAsync(Report.self).database
          case .lazyService: database = try? await lazyService.getAsync()
          case .lazyOfItsOwn:
            database = try? await container.resolve(Lazy<Database>.self).getAsync()
          case .standAloneLazy: database = try? await standAlone.getAsync()
          case .lazyInjected: database = try? await injected.getAsync()
          }
          if database != nil { found.next() }
          await barrier.waitAsync()
        }
      }
      Task.detached(priority: .aboveOtherTests) { unrelated.open() }
      let hasRun = unrelated.wait(seconds: 90)
      finish.open()
      barrier.wait(seconds: 150)
      return [hasRun ? 1 : 0, found.count, count]
    }
    #expect(outcome?[0] == 1, "an unrelated task does not run")
    #expect(outcome?[1] == outcome?[2])
  }

  /// A synchronous look-up does not wait for an asynchronous build of the service, but throws an error that names it.
  @Test(arguments: [false, true])
  func aSyncLookUpNamesTheServiceThatIsBeingBuiltAsynchronously(isNeeded: Bool) async throws {
    let (begun, finish) = (Gate(), Gate())
    let container = Container()
    container.register(named: "database") { () async throws -> Database in
      begun.open()
      await finish.waitAsync()
      return Database()
    }
    container.register { resolver in Report(try resolver.resolve(Database.self, named: "database")) }
    let building = Task.detached { try await container.resolveAsync(Database.self, named: "database") }
    await begun.waitAsync()
    let error = try await withWatchdog {
      try failure {
        if isNeeded { return try container.resolve(Report.self).database }
        return try container.resolve(Database.self, named: "database")
      }
    }
    finish.open()
    #expect(error??.code == .needsAwait)
    #expect(error??.description.contains("database") == true)
    let database = try await building.value
    let found = try await withWatchdog { try container.resolve(Report.self).database }
    #expect(found === database)
  }

  /// An asynchronous look-up awaits the dependencies that a builder in code declares, even if the builder itself is
  /// synchronous.
  @Test func anAsyncLookUpAwaitsTheDependenciesOfADeclaredBuilderInCode() async throws {
    let container = Container()
    container.register { () async throws -> Database in
      await Task.yield()
      return Database()
    }
    container.autoregister(Report.init)
    container.register(Summary.self)
    let databases = try await withAsyncWatchdog {
      [
        try await container.resolveAsync(Report.self).database,
        try await container.resolveAsync(Summary.self).database,
        try await container.resolveAsync(Database.self),
      ]
    }
    #expect(databases.map { Set($0.map { ObjectIdentifier($0) }).count } == 1)
  }

  /// The asynchronous service may be several levels below the declared builder.
  @Test func anAsyncLookUpAwaitsIndirectDependenciesOfADeclaredBuilderInCode() async throws {
    let container = Container()
    container.register { () async throws -> Database in
      await Task.yield()
      return Database()
    }
    container.autoregister(Report.init)
    container.register(Summary.self)
    container.autoregister(Shelf.init, scope: .transient)
    let databases = try await withAsyncWatchdog {
      let shelf = try await container.resolveAsync(Shelf.self)
      return [shelf.report.database, shelf.summary.database]
    }
    #expect(databases?[0] === databases?[1])
  }

  /// If a synchronous builder in code uses its resolver to look up an asynchronous service, the error names the
  /// builder, which has to become asynchronous.
  @Test func theErrorNamesTheBuilderThatHasToBeAsync() async throws {
    let container = Container()
    container.register(named: "database") { () async throws -> Database in Database() }
    container.register(named: "report") { resolver in Report(try resolver.resolve(Database.self, named: "database")) }
    let error = try await withAsyncWatchdog {
      try await failureAsync { try await container.resolveAsync(Report.self, named: "report") }
    }
    let found = try #require(error ?? nil)
    #expect(found.code == .needsAwait)
    #expect(found.chain.contains("report") && found.chain.contains("database"))
    // The first line without the chain: its advice concerns the builder, since the look-up already awaits.
    #expect(found.description.split(separator: "\n").first?.contains("\"report\"") == true, "\(found)")
  }

  /// An asynchronous builder that needs such a builder fails with its error, and is called once.
  @Test func theErrorEndsTheAsyncBuilderThatNeedsTheSyncOne() async throws {
    let container = Container()
    let calls = AtomicCounter()
    container.register(named: "database") { () async throws -> Database in Database() }
    container.register(named: "report") { resolver in Report(try resolver.resolve(Database.self, named: "database")) }
    container.register(named: "shelf") { (resolver: Resolver) async throws -> Report in
      calls.next()
      return try await resolver.resolveAsync(Report.self, named: "report")
    }
    let look = Task(priority: .aboveOtherTests) {
      try await failureAsync { try await container.resolveAsync(Report.self, named: "shelf") }
    }
    let found = try #require(try await withAsyncWatchdog(seconds: 60) { try await look.value } ?? nil)
    look.cancel()
    #expect(found.code == .needsAwait)
    #expect(found.chain == ["shelf", "report", "database"])
    #expect(calls.count == 1)
  }
}
