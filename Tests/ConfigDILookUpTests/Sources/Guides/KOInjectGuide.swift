// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing

/// The new lines of the guide for those who come from KOInject.
@Suite struct KOInjectGuide {
  /// Talks to the server.
  private protocol APIClient: AnyObject, Sendable {}

  /// Talks to the server.
  private final class HTTPClient: APIClient {}

  /// A game.
  private struct Game: Hashable {
    /// What it is called.
    let name: String
  }

  /// Presents a game. Not `Sendable`, as it belongs to one screen.
  private final class GameViewModel {
    /// What talks to the server.
    let client: any APIClient
    /// The game.
    let game: Game

    /// What presents a game.
    init(client: any APIClient, game: Game) {
      self.client = client
      self.game = game
    }
  }

  /// Shows a game.
  private final class GameScreen {
    /// What presents the game.
    let viewModel: GameViewModel

    /// A screen.
    init(viewModel: GameViewModel) { self.viewModel = viewModel }
  }

  /// An open data base.
  private protocol DataBaseClient: AnyObject, Sendable {
    /// Writes.
    func append(_ text: String)
  }

  /// An open data base.
  private final class FileDataBase: DataBaseClient {
    /// What is done to it.
    private let journal: Journal

    /// Opens the data base.
    init(rootPath: String, _ journal: Journal) {
      self.journal = journal
      journal.note("open \(rootPath)")
    }

    deinit { journal.note("close") }

    func append(_ text: String) { journal.note(text) }
  }

  /// Opens the data base when it is needed, and closes it at once.
  private struct Writer {
    let dataBase: Lazy<any DataBaseClient>

    func append(_ text: String) throws {
      try dataBase.get().append(text)
      dataBase.dispose()
    }
  }

  /// Uses the data base in transactions.
  private struct Billing {
    let dataBase: Isolated<any DataBaseClient>

    func add(payment: String) throws {
      try dataBase.use { dataBase in dataBase.append(payment) }
    }
  }

  @Test func `registering and resolving`() throws {
    let container = Container()
    container.register((any APIClient).self) { HTTPClient() }
    container.register(scope: .transient) { (resolver, game: Game) in
      GameViewModel(client: try resolver.resolve(), game: game)
    }
    container.register(scope: .transient) { (resolver, game: Game) in
      GameScreen(viewModel: try resolver.resolve(arguments: game))
    }

    let game = Game(name: "chess")
    let screen: GameScreen = try container.resolve(arguments: game)
    let perhaps: GameScreen? = try container.resolveOptional(arguments: game)
    #expect(perhaps !== screen)
    #expect(screen.viewModel.game == game)
    container.dispose()
    #expect(throws: ResolutionError.self) { try container.resolve((any APIClient).self) }
  }

  @Test func `scopes`() throws {
    let container = Container()
    container.register((any APIClient).self) { HTTPClient() }
    container.register((any APIClient).self, named: "weak", scope: .weak) { HTTPClient() }
    container.register((any APIClient).self, named: "separate", scope: .transient) { HTTPClient() }
    let client: any APIClient = try container.resolve()
    #expect(try container.resolve((any APIClient).self) === client)
  }

  @Test func `lazy and isolated`() throws {
    let journal = Journal()
    let container = Container()
    container.register((any DataBaseClient).self, scope: .weak) { (_, rootPath: String) in
      FileDataBase(rootPath: rootPath, journal)
    }
    container.register(scope: .transient) { (resolver, rootPath: String) in
      Writer(dataBase: try resolver.resolve(arguments: rootPath))
    }
    container.register(scope: .transient) { (resolver, rootPath: String) in
      Billing(dataBase: try resolver.resolve(arguments: rootPath))
    }
    let writer: Writer = try container.resolve(arguments: "/a")
    let billing: Billing = try container.resolve(arguments: "/b")
    try writer.append("1")
    try billing.add(payment: "2")
    #expect(journal.entries == ["open /a", "1", "close", "open /b", "2", "close"])
  }
}
