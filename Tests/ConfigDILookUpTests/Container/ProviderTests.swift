// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// Tests of providers that code retains for a long time.
@Suite struct ProviderTests {
  /// Returns the code of the error that the body throws; `nil` if it throws none.
  private func code(_ body: () throws -> Void) -> ResolutionError.Code? {
    do { try body() } catch { return (error as? ResolutionError)?.code }
    return nil
  }

  @Test func `arguments find the same service as a look-up with them`() throws {
    let container = Container()
    container.register(named: "plain") { Person(name: "plain") }
    container.register(Person.self, scope: .transient) { (_, number: Int) in Person(name: "\(number)") }
    let people = try container.resolve(Provider<Person>.self)
    #expect(try people.get().name == "plain")
    #expect(try people.get(arguments: 7).name == "7")
    let child = Container(parent: container)
    child.register(Person.self, scope: .transient) { (_, number: Int) in Person(name: "child \(number)") }
    #expect(try child.resolve(Provider<Person>.self).get(arguments: 7).name == "child 7")
    #expect(try people.get(arguments: 8).name == "8")
  }

  @Test func `a provider returns the same as a look-up, with the scope of the service`() throws {
    let container = Container()
    container.register(named: "shared") { Node("shared") }
    container.register(named: "transient", scope: .transient) { Node("transient") }
    let shared = try container.resolve(Provider<Node>.self, named: "shared")
    let transient: Provider<Node> = try container.resolve(named: "transient")
    #expect(try shared.get() === container.resolve(Node.self, named: "shared"))
    #expect(shared.value === (try shared.get()))
    #expect(try transient.get() !== transient.get())
    #expect(try transient.get().name == "transient")
  }

  @Test func `a provider of a type follows a replacing registration`() throws {
    let container = Container()
    container.register { Node("first") }
    let provider = try container.resolve(Provider<Node>.self)
    #expect(try provider.get().name == "first")
    container.register { Node("second") }
    #expect(try provider.get().name == "second")
    container.reset()
    #expect(try provider.get().name == "second")
  }

  @Test func `a child's provider of a parent's service returns the parent's instance, until the parent ends`() throws {
    let parent = Container()
    parent.register { Node("parent") }
    let child = Container(parent: parent)
    let provider = try child.resolve(Provider<Node>.self)
    #expect(try provider.get() === parent.resolve(Node.self))
    parent.dispose()
    let error = #expect(throws: ResolutionError.self) { try provider.get() }
    #expect(error?.code == .closed)
  }

  @Test func `a provider of a closure calls it at each use, and takes no arguments`() async throws {
    let provider = Provider { Node("made") }
    #expect(try provider.get() !== provider.get())
    #expect(try await provider.getAsync().name == "made")
    let lazy = provider.lazy()
    #expect(try lazy.get() === lazy.get())
    let error = #expect(throws: ResolutionError.self) { try provider.get(arguments: 7) }
    #expect(error?.code == .wrongArguments)
    #expect(error?.description.contains("a stand-alone provider takes no run-time arguments") == true)
    await #expect(throws: ResolutionError.self) { try await provider.getAsync(arguments: 7) }
    #expect(throws: ResolutionError.self) { try provider.binding(arguments: 7).get() }
    #expect(throws: ResolutionError.self) { try provider.lazy(arguments: 7).get() }
  }

  @Test func `an isolated closure is called for each use, and its value disposed of afterwards`() async throws {
    struct Failure: Error {}
    let disposed = AtomicCounter()
    let isolated = Isolated(onDispose: { (node: Node) in _ = disposed.next() }) { Node("made") }
    func name() throws -> String { try isolated.use { node in disposed.count == 0 ? node.name : "" } }
    #expect(try name() == "made")
    #expect(disposed.count == 1)
    #expect(throws: Failure.self) { try isolated.use { _ in throw Failure() } }
    #expect(disposed.count == 2)
    #expect(try await isolated.use { node async in node.name } == "made")
    #expect(disposed.count == 3)
    #expect("\(isolated)" == "an isolated Node")
  }

  @Test func `the description of a provider names the service, or the type of a closure's values`() throws {
    let container = Container()
    container.register(named: "root") { Node("") }
    #expect("\(try container.resolve(Provider<Node>.self))" == "Provider of service \"root\"")
    #expect("\(Provider { Node("") })" == "Provider of Node")
  }

  @Test func `creating a provider throws if a look-up would find nothing`() throws {
    let container = Container()
    container.register { (_: Resolver, number: Int) in Node("\(number)") }
    container.register(named: "text") { "text" }
    /// Returns the code of the error of a direct look-up, and of a look-up of a provider.
    func codes(_ name: String?) -> [ResolutionError.Code?] {
      [
        code { _ = try container.resolve(Node.self, named: name) },
        code { _ = try container.resolve(Provider<Node>.self, named: name) },
      ]
    }
    // A provider may receive the arguments later.
    #expect(codes(nil) == [.wrongArguments, nil])
    #expect(codes("other") == [.notRegistered, .notRegistered])
    #expect(codes("text") == [.notProvided, .notProvided])
  }

  @Test func `a provider does not retain the container, and reports when it is released`() throws {
    var container: Container? = Container()
    container?.register { Node("node") }
    let provider = try #require(try container?.resolve(Provider<Node>.self))
    weak let node = try provider.get()
    #expect(node != nil)
    container = nil
    #expect(node == nil)
    let error = #expect(throws: ResolutionError.self) { try provider.get() }
    #expect(error?.code == .closed)
  }

  @Test func `a provider with bound arguments finds services that take others`() throws {
    let parent = Container()
    parent.register { (_, number: Int) in Person(name: "\(number)") }
    let child = Container(parent: parent)
    child.register { (_, first: Int, second: Int) in Person(name: "\(first) \(second)") }
    let bound = try child.resolve(Provider<Person>.self, arguments: 1)
    #expect(try bound.get().name == "1")
    #expect(try bound.get(arguments: 2, 3).name == "2 3")
    #expect(try bound.binding(arguments: 4).lazy(arguments: 5, 6).get().name == "5 6")
    #expect(try bound.binding(arguments: 4, 5).get(arguments: 6).name == "6")
  }

  @Test(.hangLimit) func `concurrent providers and names during replacements`() throws {
    let container = Container()
    container.register(named: "node") { Node("0") }
    let provider = try container.resolve(Provider<Node>.self, named: "node")
    let failures = Atomic(0)
    onThreads(4) { thread in
      for step in 1...300 {
        if thread == 0 {
          container.register(named: "node") { Node("\(step)") }
          if step % 50 == 0 { container.reset() }
        }
        let found = [try? provider.get(), try? container.resolve(Node.self, named: "node")]
        if found.contains(where: { $0 == nil }) { failures.add(1, ordering: .relaxed) }
      }
    }
    #expect(failures.load(ordering: .relaxed) == 0)
    #expect(try container.resolve(Node.self, named: "node").name == "300")
    #expect(try provider.get().name == "300")
  }

  @Test func `a use with arguments that several services take names these`() throws {
    let container = Container()
    container.register(Int.self, named: "none") { 0 }
    container.register(Int.self, named: "b") { (_: Resolver, number: String) in 1 }
    container.register(Int.self, named: "c") { (_: Resolver, number: String) in 2 }
    let provider = try container.resolve(Provider<Int>.self)
    #expect(try provider.get() == 0)
    let error = #expect(throws: ResolutionError.self) { try provider.get(arguments: "1") }
    #expect(error?.code == .ambiguous && error?.description.contains("b, c") == true)
  }

  @Test func `the error of a look-up by name lists the types of all services of the name`() throws {
    let container = Container()
    container.register(named: "x") { 1 }
    container.register(named: "x") { "text" }
    let error = #expect(throws: ResolutionError.self) { try container.resolve(Double.self, named: "x") }
    #expect(error?.description.contains("Int") == true && error?.description.contains("String") == true)
  }
}
