// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import CMeasuring
  import ConfigDI
  import Foundation
  import Glibc

  /// What a load takes of memory, for one service.
  ///
  /// Measured in a process of its own, as memory that something else used before would hide what is asked of the system.
  enum Memory {
    /// The option that makes this program the process in which it is measured.
    static let option = "--memory"
    /// How many services are loaded.
    private static let serviceCount = 10_000

    /// The figures, from a process of their own.
    static func measure() throws -> [Figure] {
      let bytes = try figures(ofProcessWith: option)
      guard bytes.count == 2 else { return [] }
      return [
        Figure(name: "load.memory", value: bytes[0], isBytes: true, greatest: 2_000),
        Figure(name: "load.memory.kept", value: bytes[1], isBytes: true, greatest: 700),
      ]
    }

    /// What this program prints as a process of its own.
    static func figures(ofProcessWith option: String) throws -> [Double] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = [option]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return text.split(separator: " ").compactMap { Double($0.filter(\.isNumber)) }
    }

    /// Loads, and prints the bytes for one service at the peak and in the end.
    static func printFigures() throws {
      let registry = ModuleText.registry
      let text = ModuleText.text(serviceCount: serviceCount)
      // What is made once in a process does not count.
      use(try Container(text: ModuleText.text(serviceCount: 100), registry: registry))
      release_free_memory()
      forgetPeak()
      let resident = pages("VmRSS:")
      let used = Int(allocated_bytes())
      let container = try Container(text: text, registry: registry)
      let peak = pages("VmHWM:") - resident
      let kept = Int(allocated_bytes()) - used
      withExtendedLifetime((container, text)) {}
      print(peak / serviceCount, kept / serviceCount)
    }

    /// Lets the highest resident size begin anew at the present one.
    private static func forgetPeak() {
      let descriptor = open("/proc/self/clear_refs", O_WRONLY)
      _ = write(descriptor, "5", 1)
      close(descriptor)
    }

    /// A size of the process in bytes, by its name in `/proc/self/status`.
    private static func pages(_ name: String) -> Int {
      let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
      return (Int(line.filter(\.isNumber)) ?? 0) * 1_024
    }
  }
#endif
