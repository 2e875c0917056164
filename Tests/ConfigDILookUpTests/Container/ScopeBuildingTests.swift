// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// Tests of builds in a scope during which the scope is used, closed or reset, or a service is replaced.
@Suite(.hangLimit) struct ScopeBuildingTests {
  /// A reference to a scope that is opened after its builders are registered, which use it.
  private final class ScopeBox: Sendable {
    /// The scope; `nil` before it is opened.
    let scope = Guarded<Scope?>(nil)

    /// Resolves a service in the scope.
    func resolve<Service>(_ type: Service.Type, named name: String) throws -> Service {
      let scope = try #require(scope.withLock { Transferred($0) }.value)
      return try scope.resolve(type, named: name)
    }
  }

  /// Creates a container with one scope.
  private func container() -> Container { Container(scopes: ["request"]) }

  /// Registers a node that lives in the scope.
  private func add(
    _ name: String, to container: Container, _ journal: Journal? = nil, _ build: @escaping @Sendable () throws -> Void
  ) {
    container.register(
      named: name, scope: .scope("request"), onDispose: { (node: Node) in journal?.note("~\(node.name)") }
    ) {
      try build()
      return Node(name, journal: journal)
    }
  }

  /// Returns the code of the error that the body throws; `nil` if it throws none.
  private func code(_ body: () throws -> Void) -> ResolutionError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? ResolutionError)?.code
    }
  }

  @Test func `concurrent look-ups in a scope build each service once`() throws {
    for round in 0..<40 {
      let journal = Journal()
      let container = container()
      for name in ["a", "b", "c"] {
        add(name, to: container, journal) { if round % 2 == 0 { Thread.sleep(forTimeInterval: 0.0005) } }
      }
      let scope = try container.openScope("request")
      let seen = Guarded<[[ObjectIdentifier]]>([])
      onThreads(4) { thread in
        let names = thread % 2 == 0 ? ["a", "b", "c"] : ["c", "b", "a"]
        let nodes = names.compactMap { try? scope.resolve(Node.self, named: $0) }
        seen.withLock { $0.append((thread % 2 == 0 ? nodes : nodes.reversed()).map { ObjectIdentifier($0) }) }
      }
      let all = seen.withLock { $0 }
      #expect(all.allSatisfy { $0 == all[0] && $0.count == 3 })
      #expect(journal.entries.sorted() == ["+a", "+b", "+c"])
      scope.close()
      #expect(journal.entries.count == 9)
    }
  }

  @Test func `waiting look-ups share the error, and the next look-up retries`() throws {
    let (begun, goesOn, attempts) = (Gate(), Gate(), AtomicCounter())
    let container = container()
    add("a", to: container) {
      guard attempts.next() == 1 else { return }
      begun.open()
      goesOn.wait()
      throw TestError()
    }
    let scope = try container.openScope("request")
    let codes = Guarded<[ResolutionError.Code?]>([])
    onThreads(3) { thread in
      if thread == 2 {
        begun.wait()
        while container.waiterCounts != [1] { Thread.sleep(forTimeInterval: 0.001) }
        goesOn.open()
      } else {
        if thread == 1 { begun.wait() }
        let code = code { _ = try scope.resolve(Node.self, named: "a") }
        codes.withLock { $0.append(code) }
      }
    }
    #expect(codes.withLock { $0 } == [.builderFailed, .builderFailed])
    #expect(try scope.resolve(Node.self, named: "a").name == "a")
    #expect(attempts.count == 2)
  }

  @Test func `a service that needs itself through its scope is a cycle`() throws {
    let box = ScopeBox()
    let container = container()
    add("a", to: container) { _ = try box.resolve(Node.self, named: "b") }
    add("b", to: container) { _ = try box.resolve(Node.self, named: "c") }
    container.register(named: "c", scope: .transient) { try box.resolve(Node.self, named: "a") }
    let scope = try container.openScope("request")
    box.scope.withLock { $0 = scope }
    for name in ["a", "b", "c"] {
      let error = try #require(throws: ResolutionError.self) { try scope.resolve(Node.self, named: name) }
      #expect(error.code == .cycle)
      #expect(error.chain.contains("a") && error.chain.contains("b"))
    }
    box.scope.withLock { $0 = nil }
  }

  @Test func `threads that build dependencies of each other end with a cycle`() throws {
    for _ in 0..<30 {
      let (boxes, gates) = ([ScopeBox(), ScopeBox()], [Gate(), Gate()])
      let container = container()
      for (index, name) in ["a", "b"].enumerated() {
        add(name, to: container) {
          gates[index].open()
          gates[1 - index].wait()
          _ = try boxes[1 - index].resolve(Node.self, named: index == 0 ? "b" : "a")
        }
      }
      let scopes = [try container.openScope("request"), try container.openScope("request")]
      for (box, scope) in zip(boxes, scopes) { box.scope.withLock { $0 = scope } }
      let codes = Guarded<[ResolutionError.Code?]>([])
      onThreads(2) { thread in
        let code = code { _ = try scopes[thread].resolve(Node.self, named: thread == 0 ? "a" : "b") }
        codes.withLock { $0.append(code) }
      }
      #expect(codes.withLock { $0 }.allSatisfy { $0 == .cycle })
      for box in boxes { box.scope.withLock { $0 = nil } }
    }
  }

  @Test func `a scope that closes during a build disposes of the result`() throws {
    let journal = Journal()
    let (begun, goesOn) = (Gate(), Gate())
    let container = container()
    add("a", to: container, journal) {
      begun.open()
      goesOn.wait()
    }
    let scope = try container.openScope("request")
    let codes = Guarded<[ResolutionError.Code?]>([])
    onThreads(2) { thread in
      if thread == 0 {
        let code = code { _ = try scope.resolve(Node.self, named: "a") }
        codes.withLock { $0.append(code) }
      } else {
        begun.wait()
        scope.close()
        goesOn.open()
      }
    }
    #expect(codes.withLock { $0 } == [.closed])
    #expect(journal.entries == ["+a", "~a", "-a"])
  }

  @Test func `a service replaced during its build is built again by waiting look-ups`() throws {
    let (begun, goesOn) = (Gate(), Gate())
    let container = container()
    container.register(named: "a", scope: .scope("request")) {
      begun.open()
      goesOn.wait()
      return Node("old")
    }
    let scope = try container.openScope("request")
    let names = Guarded<[String]>([])
    onThreads(2) { thread in
      if thread == 0 {
        let name = try? scope.resolve(Node.self, named: "a").name
        names.withLock { $0.append(name ?? "none") }
      } else {
        begun.wait()
        container.register(named: "a", scope: .scope("request")) { Node("new") }
        goesOn.open()
      }
    }
    #expect(names.withLock { $0 } == ["new"])
    #expect(try scope.resolve(Node.self, named: "a").name == "new")
  }

  @Test func `a service reset during its build is built again, once for all waiting look-ups`() throws {
    let (begun, goesOn, made) = (Gate(), Gate(), AtomicCounter())
    let container = container()
    container.register(named: "a", scope: .scope("request")) {
      let number = made.next()
      begun.open()
      goesOn.wait()
      return Node("\(number)")
    }
    let scope = try container.openScope("request")
    let names = Guarded<Set<String>>([])
    onThreads(3) { thread in
      if thread == 2 {
        begun.wait()
        container.reset()
        goesOn.open()
      } else {
        let name = try? scope.resolve(Node.self, named: "a").name
        names.withLock { _ = $0.insert(name ?? "none") }
      }
    }
    #expect(names.withLock { $0 } == ["2"])
    #expect(try scope.resolve(Node.self, named: "a").name == "2")
  }

  @Test func `a builder may look up another service, which is linked to it`() throws {
    let box = ScopeBox()
    let container = container()
    container.register(named: "shared") { Node("shared") }
    add("inner", to: container) { _ = try container.resolve(Node.self, named: "shared") }
    add("outer", to: container) { _ = try box.resolve(Node.self, named: "inner") }
    let scope = try container.openScope("request")
    box.scope.withLock { $0 = scope }
    let outer = try scope.resolve(Node.self, named: "outer")
    #expect(try scope.resolve(Node.self, named: "outer") === outer)
    #expect(try container.resolve(Node.self, named: "shared") === container.resolve(Node.self, named: "shared"))
    #expect(Build.running == nil)
    box.scope.withLock { $0 = nil }
  }

  @Test func `a task waits for a build on a thread`() async throws {
    let (begun, goesOn, made) = (Gate(), Gate(), AtomicCounter())
    let container = container()
    container.register(named: "a", scope: .scope("request")) {
      begun.open()
      goesOn.wait()
      return Node("\(made.next())")
    }
    let scope = try container.openScope("request")
    Thread.detachNewThread { _ = try? scope.resolve(Node.self, named: "a") }
    begun.wait()
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.05)
      goesOn.open()
    }
    #expect(try await scope.resolveAsync(Node.self, named: "a").name == "1")
  }
}
