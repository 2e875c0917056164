// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing

/// Tests of the behaviour that KOInject promises for its lazy and isolated resolvers.
@Suite struct KOInjectDelayTests {
  /// An open data base.
  private protocol DataBaseClient: AnyObject, Sendable {
    /// Appends a text.
    func append(_ text: String)
  }

  /// A data base that records its use.
  private final class FileDataBase: DataBaseClient {
    /// The path of the data base.
    let rootPath: String
    /// The record of its use.
    private let journal: Journal

    /// Opens the data base.
    init(rootPath: String, _ journal: Journal) {
      self.rootPath = rootPath
      self.journal = journal
      journal.note("open \(rootPath)")
    }

    deinit { journal.note("close \(rootPath)") }

    func append(_ text: String) { journal.note("append \(text)") }
  }

  /// A view model that keeps the data base open only while it writes.
  private final class ViewModel: Sendable {
    /// The lazy data base.
    let dataBase: Lazy<any DataBaseClient>

    /// Creates a view model.
    init(dataBase: Lazy<any DataBaseClient>) { self.dataBase = dataBase }

    /// Opens the data base, writes to it, and closes it.
    func append(_ text: String) throws {
      try dataBase.get().append(text)
      dataBase.dispose()
    }
  }

  /// A type that accesses the data base only in transactions.
  private final class Billing: Sendable {
    /// The isolated data base.
    let dataBase: Isolated<any DataBaseClient>

    /// Creates an instance with its data base.
    init(dataBase: Isolated<any DataBaseClient>) { self.dataBase = dataBase }

    /// Writes in a transaction.
    func add(payment: String) throws {
      try dataBase.use { dataBase in dataBase.append(payment) }
    }
  }

  /// The error that an action throws.
  private struct TestError: Error {}

  /// The events in order.
  private let journal = Journal()

  /// Creates a container with a data base for each path.
  private func container(_ lifetime: ServiceScope) -> Container {
    let journal = journal
    let container = Container()
    container.register((any DataBaseClient).self, scope: lifetime) { (_, rootPath: String) in
      FileDataBase(rootPath: rootPath, journal)
    }
    return container
  }

  @Test(arguments: [ServiceScope.weak, .transient])
  func `a lazy resolver with an argument resolves, is used, and is disposed of`(lifetime: ServiceScope) throws {
    let container = container(lifetime)
    container.register(scope: .transient) { (resolver, rootPath: String) in
      ViewModel(dataBase: try resolver.resolve(arguments: rootPath))
    }
    let viewModel: ViewModel = try container.resolve(arguments: "/db")
    #expect(journal.entries == [])
    try viewModel.append("a")
    #expect(journal.entries == ["open /db", "append a", "close /db"])
    try viewModel.append("b")
    #expect(journal.entries.count == 6)
  }

  @Test func `a lazy resolver of a shared service does not dispose of it`() throws {
    let container = container(.shared)
    let dataBase = try container.resolve(Lazy<any DataBaseClient>.self, arguments: "/db")
    let kept = try dataBase.get()
    dataBase.dispose()
    #expect(!dataBase.isBuilt)
    #expect(try dataBase.get() === kept)
    #expect(journal.entries == ["open /db"])
  }

  @Test func `a disposed lazy value disposes of its instance`() throws {
    let journal = journal
    let container = Container()
    container.register((any DataBaseClient).self, scope: .transient, onDispose: { _ in journal.note("flush") }) {
      FileDataBase(rootPath: "/", journal)
    }
    let dataBase = try container.resolve(Lazy<any DataBaseClient>.self)
    try dataBase.get().append("a")
    dataBase.dispose()
    #expect(journal.entries == ["open /", "append a", "flush", "close /"])
  }

  @Test(arguments: [ServiceScope.weak, .transient])
  func `an isolated resolver resolves for the action and disposes after it`(lifetime: ServiceScope) throws {
    let container = container(lifetime)
    container.register(scope: .transient) { (resolver, rootPath: String) in
      Billing(dataBase: try resolver.resolve(arguments: rootPath))
    }
    let billing: Billing = try container.resolve(arguments: "/bills")
    #expect(journal.entries == [])
    try billing.add(payment: "7 EUR")
    #expect(journal.entries == ["open /bills", "append 7 EUR", "close /bills"])
  }

  @Test func `an isolated resolver disposes also if the action throws, and returns the result`() throws {
    let container = container(.transient)
    let dataBase = try container.resolve(Isolated<any DataBaseClient>.self, arguments: "/db")
    #expect(throws: TestError.self) { try dataBase.use { _ in throw TestError() } }
    #expect(journal.entries == ["open /db", "close /db"])
    #expect(try dataBase.use { _ in 3 } == 3)
  }

  @Test func `an isolated action may be async`() async throws {
    let journal = journal
    let container = container(.transient)
    let dataBase = try await container.resolveAsync(Isolated<any DataBaseClient>.self, arguments: "/db")
    try await dataBase.use { dataBase in
      await Task.yield()
      dataBase.append("a")
    }
    #expect(journal.entries == ["open /db", "append a", "close /db"])
  }
}
