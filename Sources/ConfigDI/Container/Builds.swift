// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Takes care that what is kept is built once, however many threads want it, and that no thread waits for itself.
final class Builds: Sendable {
  /// What is being built and by whom.
  let construction = Guarded(Construction())
  /// How many instances are being built, for those who need only know whether there are any.
  private let count = Atomic(0)

  /// Whether something is being built.
  var areRunning: Bool { count.load(ordering: .relaxed) > 0 }

  /// What a thread finds that needs an instance.
  private enum Finding<Kept>: @unchecked Sendable {
    // Unchecked, as the instance is handed on, not used.

    /// The instance.
    case kept(Kept)
    /// What to do to get one.
    case claim(Construction.Claim)
  }

  /// An instance that is built unless it is there.
  ///
  /// Who comes while another thread builds it waits, and shares the fate of that attempt, so that a failing builder is not
  /// tried once for each of them; the next look-up tries anew.
  ///
  /// - Parameters:
  ///   - site: what to build.
  ///   - find: the instance, if it is there. Runs under a lock, so it must not call user code.
  ///   - build: builds the instance.
  ///   - keep: keeps a new instance; false where it cannot be kept any more. Runs under a lock, too.
  ///   - cycle: the error of a cycle by way of the given slots.
  ///   - closed: the error of an instance that cannot be kept any more.
  /// - Throws: what `build` throws, in this thread or in the one that is waited for, or one of the other errors.
  func once<Kept>(
    _ site: Site, find: () -> Kept?, build: () throws(ResolutionError) -> Kept, keep: (Kept) -> Bool,
    cycle: ([Int]) -> ResolutionError, closed: () -> ResolutionError
  ) throws(ResolutionError) -> Kept {
    let thread = ThreadID.current
    while true {
      let finding: Finding<Kept> = construction.withLock { construction in
        find().map { .kept($0) } ?? .claim(construction.claim(site, by: thread))
      }
      switch finding {
      case .kept(let kept): return kept
      case .claim(.wait(let latch)): try latch.wait()
      case .claim(.cycle(let slots)): throw cycle(slots)
      case .claim(.build):
        count.add(1, ordering: .relaxed)
        defer { count.subtract(1, ordering: .relaxed) }
        let kept: Kept
        do throws(ResolutionError) {
          kept = try build()
        } catch {
          construction.withLock { $0.finish(site, by: thread) }?.open(error)
          throw error
        }
        let (isKept, latch) = construction.withLock { (keep(kept), $0.finish(site, by: thread)) }
        let error = isKept ? nil : closed()
        latch?.open(error)
        if let error { throw error }
        return kept
      }
    }
  }
}
