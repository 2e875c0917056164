// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ConfigDI

@Suite(.serialized) struct ContainerMemoryTests {
  /// How often each thing is done.
  private static let count = sanitizerIsOn ? 10_000 : 100_000
  /// How many bytes more may be resident afterwards. Other tests run at the same time, so it is much, though far less than
  /// a leak of one object a time would take.
  private static let margin = 6 << 20

  /// How many bytes of the process are resident; nil where the system does not say so in this manner.
  private static var residentSize: Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? Int(fields[1]).map { $0 * sysconf(Int32(_SC_PAGESIZE)) } : nil
  }

  /// An object that a closure captures, to see when the closure is gone.
  final class Mark: Sendable {
    /// Where the end is told.
    let journal: Journal

    /// A mark.
    init(_ journal: Journal) { self.journal = journal }

    deinit { journal.note("-mark") }
  }

  /// Something of size, so that many of it would show.
  final class Block: Sendable {
    /// Fills the object.
    let filling: (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
  }

  /// What keeps the resolver of its builder, or something else that leads back to the container.
  final class Holder: Sendable {
    /// What is kept.
    let kept: any Sendable
    /// Where the end is told.
    let journal: Journal

    /// A holder.
    init(_ kept: any Sendable, _ journal: Journal) { (self.kept, self.journal) = (kept, journal) }

    deinit { journal.note("-holder") }
  }

  /// Whether a body that is run many times leaves memory behind. Warms up first.
  private func grows(_ count: Int = ContainerMemoryTests.count, _ body: (Int) throws -> Void) throws -> Bool {
    for number in 0..<count / 10 { try body(number) }
    // What other tests have in memory for a while goes again.
    for _ in 0..<3 {
      guard let before = ContainerMemoryTests.residentSize else { return false }
      for number in 0..<count { try body(number) }
      if let after = ContainerMemoryTests.residentSize, after - before < ContainerMemoryTests.margin { return false }
    }
    return true
  }

  @Test func `scopes leave nothing`() throws {
    let container = Container(scopes: ["request"])
    container.register(lifetime: .scope("request"), onDispose: { _ in }) { Block() }
    #expect(try !grows { _ in try container.scope("request") { _ = try $0.resolve(Block.self) } })
  }

  @Test(arguments: [ServiceLifetime.shared, .weak, .transient, .graph, .scope("request")], [false, true])
  func `neither instances nor closures live on after the end`(lifetime: ServiceLifetime, isDisposed: Bool) throws {
    let journal = Journal()
    var container: Container? = Container(scopes: ["request"])
    // Put to use in a function of its own, so that no temporary holds on to anything.
    func fill(_ container: Container) throws {
      for name in ["replaced", "replaced", "once"] {
        let mark = Mark(journal)
        let end = Mark(journal)
        container.register(named: name, lifetime: lifetime, onDispose: { _ in withExtendedLifetime(end) {} }) {
          Holder(mark, journal)
        }
        try container.scope("request") { _ = try $0.resolve(Holder.self, named: name) }
      }
    }
    try fill(#require(container))
    if isDisposed { container?.dispose() } else { container = nil }
    #expect(journal.entries.filter { $0 == "-holder" }.count == 3)
    #expect(journal.entries.filter { $0 == "-mark" }.count == 6)
    #expect((container == nil) != isDisposed)
  }

  @Test(
    arguments: [ServiceLifetime.shared, .weak, .transient, .graph, .scope("request")],
    ["resolver", "provider", "lazy", "used lazy"])
  func `an instance that keeps what leads back to it does not live on`(lifetime: ServiceLifetime, kind: String) throws {
    let journal = Journal()
    var container: Container? = Container(scopes: ["request"])
    func fill(_ container: Container) throws {
      container.register(lifetime: .weak) { Block() }
      container.register(lifetime: lifetime) { (resolver: Resolver) -> Holder in
        switch kind {
        case "provider": return Holder(try resolver.resolve(Provider<Holder>.self), journal)
        case "lazy": return Holder(try resolver.resolve(Lazy<Holder>.self), journal)
        case "used lazy":
          let lazy = try resolver.resolve(Lazy<Block>.self)
          _ = try lazy.get()
          return Holder(lazy, journal)
        default: return Holder(resolver, journal)
        }
      }
      try container.scope("request") { scope in
        let holder = try scope.resolve(Holder.self)
        // Used once more, when the look-up of its builder is long over.
        if let resolver = holder.kept as? Resolver { _ = try resolver.resolve(Holder.self) }
      }
    }
    try fill(#require(container))
    let made = lifetime == .transient && kind == "resolver" ? 2 : 1
    if lifetime != .shared { #expect(journal.entries.count >= made) }
    container = nil
    #expect(journal.entries.count >= made)
    #expect(container == nil)
  }

  @Test func `a builder that captures its container keeps it until the end`() throws {
    let journal = Journal()
    weak var reference: Container?
    func fill() throws {
      let container = Container()
      reference = container
      container.register { Holder(container, journal) }
      _ = try container.resolve(Holder.self)
    }
    try fill()
    #expect(journal.entries == [])
    reference?.dispose()
    #expect(journal.entries == ["-holder"])
    #expect(reference == nil)
  }
}
