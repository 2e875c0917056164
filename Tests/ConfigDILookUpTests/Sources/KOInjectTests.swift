// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

/// Tests of the behaviour that KOInject promises.
@Suite struct KOInjectTests {
  /// A data store.
  private protocol DataStorage: Sendable {
    /// The path of the store.
    var rootPath: String { get }
  }

  /// A data store in a folder.
  private final class FolderStorage: DataStorage {
    let rootPath: String
    /// Whether the data is removed on disposal.
    let clearsOnDispose: Bool

    /// Creates a data store in a folder.
    init(rootPath: String = "/", clearsOnDispose: Bool = false) {
      self.rootPath = rootPath
      self.clearsOnDispose = clearsOnDispose
    }
  }

  /// A client of the server.
  private protocol APIClient: AnyObject, Sendable {}

  /// A client that uses HTTP.
  private final class HTTPClient: APIClient {}

  /// A game.
  private struct Game: Equatable {
    /// The name of the game.
    let name: String
  }

  /// The view model of a game. Not `Sendable`, because it belongs to one screen.
  private protocol GameViewModel: AnyObject {
    /// The client of the server.
    var client: any APIClient { get }
    /// The game.
    var game: Game { get }
  }

  /// An implementation of the view model.
  private final class GameDetails: GameViewModel {
    let client: any APIClient
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
    let viewModel: any GameViewModel

    /// Creates a screen.
    init(viewModel: any GameViewModel) { self.viewModel = viewModel }
  }

  @Test func `a closure is registered for a protocol, and finds dependencies through a resolver`() throws {
    let container = Container()
    container.register((any APIClient).self) { HTTPClient() }
    container.register((any GameViewModel).self, scope: .transient) { resolver in
      GameDetails(client: try resolver.resolve(), game: Game(name: "chess"))
    }
    let viewModel: any GameViewModel = try container.resolve()
    #expect(try viewModel.client === container.resolve((any APIClient).self))
  }

  @Test func `a closure with arguments may pass them to its dependencies`() throws {
    let container = Container()
    container.register((any APIClient).self) { HTTPClient() }
    container.register((any GameViewModel).self, scope: .transient) { (resolver, game: Game) in
      GameDetails(client: try resolver.resolve(), game: game)
    }
    container.register(scope: .transient) { (resolver, game: Game) in
      GameScreen(viewModel: try resolver.resolve(arguments: game))
    }
    let game = Game(name: "chess")
    let screen: GameScreen = try container.resolve(arguments: game)
    #expect(screen.viewModel.game == game)
    #expect(try screen.viewModel.client === container.resolve((any APIClient).self))
  }

  @Test func `a closure may take two arguments`() throws {
    let container = Container()
    container.register((any DataStorage).self) { (_, rootPath: String, clearsOnDispose: Bool) in
      FolderStorage(rootPath: rootPath, clearsOnDispose: clearsOnDispose)
    }
    let storage = try container.resolve((any DataStorage).self, arguments: "/games", true)
    #expect((storage as? FolderStorage)?.clearsOnDispose == true)
    #expect(storage.rootPath == "/games")
  }

  @Test func `a closure may take nine arguments and more`() throws {
    let container = Container()
    container.register(named: "nine", scope: .transient) {
      (_, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int, i: Int) in [a, b, c, d, e, f, g, h, i]
    }
    container.register(named: "ten", scope: .transient) {
      (_, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int, i: Int, j: String) in
      [a, b, c, d, e, f, g, h, i].map { "\($0)\(j)" }
    }
    #expect(
      try container.resolve([Int].self, named: "nine", arguments: 1, 2, 3, 4, 5, 6, 7, 8, 9) == Array(1...9))
    #expect(
      try container.resolve([String].self, named: "ten", arguments: 1, 2, 3, 4, 5, 6, 7, 8, 9, "x").last == "9x")
  }

  @Test func `closures with other arguments coexist for one type`() throws {
    let container = Container()
    container.register((any DataStorage).self) { FolderStorage() }
    container.register((any DataStorage).self) { (_, rootPath: String) in FolderStorage(rootPath: rootPath) }
    container.register((any DataStorage).self) { (_, number: Int) in FolderStorage(rootPath: "/\(number)") }
    #expect(try container.resolve((any DataStorage).self).rootPath == "/")
    #expect(try container.resolve((any DataStorage).self, arguments: "/a").rootPath == "/a")
    #expect(try container.resolve((any DataStorage).self, arguments: 7).rootPath == "/7")
  }

  @Test func `the optional form returns nil if nothing is registered`() throws {
    let storage: (any DataStorage)? = try Container().resolveOptional(arguments: "/a")
    #expect(storage == nil)
  }

  @Test func `shared is the default, and returns the same instance each time`() throws {
    let container = Container()
    container.register((any APIClient).self) { HTTPClient() }
    let first: any APIClient = try container.resolve()
    let second: any APIClient = try container.resolve()
    #expect(first === second)
  }

  @Test func `weakShared returns the same instance while it is retained`() throws {
    let container = Container()
    let made = AtomicCounter()
    container.register((any APIClient).self, scope: .weak) {
      _ = made.next()
      return HTTPClient()
    }
    var first: (any APIClient)? = try container.resolve()
    var second: (any APIClient)? = try container.resolve()
    #expect(first === second)
    #expect(made.count == 1)
    weak let gone = first
    first = nil
    second = nil
    #expect(gone == nil)
    let third: any APIClient = try container.resolve()
    #expect(made.count == 2)
    withExtendedLifetime(third) {}
  }

  @Test func `separate returns a new instance each time`() throws {
    let container = Container()
    container.register((any APIClient).self, scope: .transient) { HTTPClient() }
    let first: any APIClient = try container.resolve()
    let second: any APIClient = try container.resolve()
    #expect(first !== second)
  }

  @Test func `a disposed container releases its instances and look-ups throw`() throws {
    let container = Container()
    container.register((any APIClient).self) { HTTPClient() }
    weak let client = try container.resolve((any APIClient).self)
    #expect(client != nil)
    container.dispose()
    #expect(client == nil)
    let error = #expect(throws: ResolutionError.self) { try container.resolve((any APIClient).self) }
    #expect(error?.code == .closed)
  }
}
