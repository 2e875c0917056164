// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

@testable import ConfigDI

@Suite struct HandleTests {
  @Test func `a handle gives what a look-up gives, with the lifetime of the service`() throws {
    let container = Container()
    container.register(named: "shared") { Node("shared") }
    container.register(named: "transient", lifetime: .transient) { Node("transient") }
    let shared = try container.handle(for: Node.self, named: "shared")
    let transient: Handle<Node> = try container.handle(named: "transient")
    #expect(try shared.get() === container.resolve(Node.self, named: "shared"))
    #expect(shared.value === (try shared.get()))
    #expect(try transient.get() !== transient.get())
    #expect(try transient.get().name == "transient")
  }

  @Test func `a handle of a type follows a registration in the service's place`() throws {
    let container = Container()
    container.register { Node("first") }
    let handle = try container.handle(for: Node.self)
    #expect(try handle.get().name == "first")
    container.register { Node("second") }
    #expect(try handle.get().name == "second")
    container.reset()
    #expect(try handle.get().name == "second")
  }

  @Test func `a handle of a parent's service is one of the parent`() throws {
    let parent = Container()
    parent.register { Node("parent") }
    let child = Container(parent: parent)
    let handle = try child.handle(for: Node.self)
    child.dispose()
    #expect(try handle.get() === parent.resolve(Node.self))
    parent.dispose()
    let error = #expect(throws: ResolutionError.self) { try handle.get() }
    #expect(error?.code == .closed)
  }

  @Test func `there is no handle where a look-up would find nothing`() throws {
    let container = Container()
    container.register { (_: Resolver, number: Int) in Node("\(number)") }
    container.register(named: "text") { "text" }
    let code = { (name: String?) throws -> ResolutionError.Code? in
      do throws(ResolutionError) { _ = try container.handle(for: Node.self, named: name) } catch { return error.code }
      return nil
    }
    #expect(try code(nil) == .wrongArguments)
    #expect(try code("other") == .notRegistered)
    #expect(try code("text") == .notProvided)
  }

  @Test func `a handle keeps no container alive, and says so when it is gone`() throws {
    var container: Container? = Container()
    container?.register { Node("node") }
    let handle = try #require(try container?.handle(for: Node.self))
    weak let node = try handle.get()
    #expect(node != nil)
    container = nil
    #expect(node == nil)
    let error = #expect(throws: ResolutionError.self) { try handle.get() }
    #expect(error?.code == .closed)
  }

  @Test func `many threads use handles and names while services are replaced`() throws {
    let container = Container()
    container.register(named: "node") { Node("0") }
    let handle = try container.handle(for: Node.self, named: "node")
    let failures = Atomic(0)
    onThreads(4) { thread in
      for step in 1...300 {
        if thread == 0 {
          container.register(named: "node") { Node("\(step)") }
          if step % 50 == 0 { container.reset() }
        }
        let found = [try? handle.get(), try? container.resolve(Node.self, named: "node")]
        if found.contains(where: { $0 == nil }) { failures.add(1, ordering: .relaxed) }
      }
    }
    #expect(failures.load(ordering: .relaxed) == 0)
    #expect(try container.resolve(Node.self, named: "node").name == "300")
    #expect(try handle.get().name == "300")
  }
}
