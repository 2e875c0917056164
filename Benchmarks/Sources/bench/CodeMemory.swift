// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import CMeasuring
  import ConfigDI

  /// The memory of a registration in code, compared with an entry of a dictionary of closures.
  ///
  /// Measured in a separate process, so that no previously freed memory can be reused.
  enum CodeMemory {
    /// The option that makes this program the measuring process.
    static let option = "--memory-code"

    /// The number of names under which each of a thousand types is registered.
    private static let nameCount = 10

    /// Measures in a separate process.
    static func measure() throws -> [Figure] {
      let bytes = try Memory.figures(ofProcessWith: option)
      guard bytes.count == 4 else { return [] }
      let baseline = "baseline.dictionary.memory"
      return [
        Figure(name: baseline, value: bytes[0], isBytes: true),
        Figure(
          name: "register.memory", value: bytes[1], isBytes: true,
          goal: Benchmark.Goal(baseline: baseline, maximumRatio: 4)),
        // The second of these includes the metadata of the library's generic types for one more type.
        Figure(name: "baseline.dictionary.memory.types", value: bytes[2], isBytes: true),
        Figure(name: "register.memory.types", value: bytes[3], isBytes: true),
      ]
    }

    /// Fills dictionaries and containers, and prints the bytes per entry of each, first for a thousand types with ten
    /// names each, then for ten thousand types.
    static func printFigures() {
      // The per-type metadata is allocated before measuring, except that of the library's generic types.
      let wide = WideTypes.all
      var others: [any OtherType.Type] = []
      OtherTypes.forEach { _, type in others.append(type) }
      let names = (0..<nameCount).map { "name \($0)" }
      let warm = InCode.container()

      let namedClosures = bytes {
        var closures: [Key: @Sendable () -> Any] = [:]
        for name in names {
          for type in others { closures[Key(type: ObjectIdentifier(type), name: name)] = type.closure }
        }
        return closures
      }
      let named = bytes {
        let container = Container()
        for name in names {
          for type in others { type.register(in: container, named: name) }
        }
        return container
      }
      let typedClosures = bytes {
        var closures: [ObjectIdentifier: @Sendable () -> Any] = [:]
        for type in wide { closures[ObjectIdentifier(type)] = type.closure }
        return closures
      }
      let typed = bytes {
        let container = Container()
        for type in wide { type.register(in: container) }
        return container
      }
      withExtendedLifetime((wide, others, names, warm)) {}
      let (ofNames, ofTypes) = (names.count * others.count, wide.count)
      print(namedClosures / ofNames, named / ofNames, typedClosures / ofTypes, typed / ofTypes)
    }

    /// Returns the number of bytes that a body allocates for its result.
    private static func bytes<Made>(_ make: () -> Made) -> Int {
      let used = Int(allocated_bytes())
      let made = make()
      let bytes = Int(allocated_bytes()) - used
      withExtendedLifetime(made) {}
      return bytes
    }
  }

  /// The key of a closure.
  private struct Key: Hashable {
    /// The type of the instances that the closure makes.
    let type: ObjectIdentifier
    /// The name of the service.
    let name: String
  }

  /// One of ten thousand types.
  private final class Wide<A: Digit, B: Digit, C: Digit, D: Digit>: Sendable {
    /// Creates an instance.
    init() {}
  }

  /// The operations that the ten thousand types have in common.
  private protocol WideType: AnyObject, Sendable {
    /// A closure that makes an instance.
    static var closure: @Sendable () -> Any { get }

    /// Registers the type in code.
    static func register(in container: Container)
  }

  extension Wide: WideType {
    static var closure: @Sendable () -> Any { { Wide() } }

    static func register(in container: Container) { container.register(Wide.self) { Wide() } }
  }

  /// The ten thousand types.
  private enum WideTypes {
    /// All types.
    static var all: [any WideType.Type] {
      var types: [any WideType.Type] = []
      for first in Digits.all {
        for second in Digits.all {
          for third in Digits.all {
            for fourth in Digits.all { types.append(type(first, second, third, fourth)) }
          }
        }
      }
      return types
    }

    /// Returns the type for four digits.
    private static func type<A: Digit, B: Digit, C: Digit, D: Digit>(
      _ first: A.Type, _ second: B.Type, _ third: C.Type, _ fourth: D.Type
    ) -> any WideType.Type {
      Wide<A, B, C, D>.self
    }
  }
#endif
