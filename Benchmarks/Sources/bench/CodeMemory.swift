// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import CMeasuring
  import ConfigDI

  /// What a registration in code takes of memory, against an entry of a dictionary of closures.
  ///
  /// Measured in a process of its own, so that nothing was allocated before which could be used again.
  enum CodeMemory {
    /// The option that makes this program the process in which it is measured.
    static let option = "--memory-code"

    /// How many names each of a thousand types is registered under.
    private static let nameCount = 10

    /// The figures, from a process of their own.
    static func measure() throws -> [Figure] {
      let bytes = try Memory.figures(ofProcessWith: option)
      guard bytes.count == 4 else { return [] }
      let baseline = "baseline.dictionary.memory"
      return [
        Figure(name: baseline, value: bytes[0], isBytes: true),
        Figure(
          name: "register.memory", value: bytes[1], isBytes: true,
          goal: Benchmark.Goal(baseline: baseline, maximumRatio: 4)),
        // What the library's generic types take for one more type is in the second of these.
        Figure(name: "baseline.dictionary.memory.types", value: bytes[2], isBytes: true),
        Figure(name: "register.memory.types", value: bytes[3], isBytes: true),
      ]
    }

    /// Fills dictionaries and containers, and prints the bytes for one entry of each: a thousand types by ten names, and ten
    /// thousand types.
    static func printFigures() {
      // What is made once for each type is there before, but for the metadata of the library's own types.
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

    /// How many bytes are allocated for what a body makes.
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
    /// The type of what it makes.
    let type: ObjectIdentifier
    /// The name.
    let name: String
  }

  /// One of ten thousand types.
  private final class Wide<A: Digit, B: Digit, C: Digit, D: Digit>: Sendable {
    /// An instance.
    init() {}
  }

  /// What can be done with each of the ten thousand types.
  private protocol WideType: AnyObject, Sendable {
    /// Makes an instance.
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
    /// All of them.
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

    /// The type of four digits.
    private static func type<A: Digit, B: Digit, C: Digit, D: Digit>(
      _ first: A.Type, _ second: B.Type, _ third: C.Type, _ fourth: D.Type
    ) -> any WideType.Type {
      Wide<A, B, C, D>.self
    }
  }
#endif
