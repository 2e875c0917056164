// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing

/// The ConfigDI code of the guide for users of KOInject.
@Suite struct KOInjectGuide {
  /// A client of the server.
  private protocol APIClient: AnyObject, Sendable {}

  /// A client that uses HTTP.
  private final class HTTPClient: APIClient {}

  /// A game.
  private struct Game: Hashable {
    /// The name of the game.
    let name: String
  }

  /// The view model of a game. Not `Sendable`, because it belongs to one screen.
  private final class GameViewModel {
    /// The client of the server.
    let client: any APIClient
    /// The game.
    let game: Game

    /// Creates the view model of a game.
    init(client: any APIClient, game: Game) {
      self.client = client
      self.game = game
    }
  }

  /// The screen of a game.
  private final class GameScreen {
    /// The view model of the game.
    let viewModel: GameViewModel

    /// Creates a screen.
    init(viewModel: GameViewModel) { self.viewModel = viewModel }
  }

  /// An open data base.
  private protocol DataBaseClient: AnyObject, Sendable {
    /// Appends a text.
    func append(_ text: String)
  }

  /// An open data base, which records its use.
  private final class FileDataBase: DataBaseClient {
    /// The record of its use.
    private let journal: Journal

    /// Opens the data base.
    init(rootPath: String, _ journal: Journal) {
      self.journal = journal
      journal.note("open \(rootPath)")
    }

    deinit { journal.note("close") }

    func append(_ text: String) { journal.note(text) }
  }

  /// A writer that opens the data base for each write, and closes it afterwards.
  private struct Writer {
    let dataBase: Lazy<any DataBaseClient>

    func append(_ text: String) throws {
      try dataBase.get().append(text)
      dataBase.dispose()
    }
  }

  /// A type that uses the data base in transactions.
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
