// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import CMeasuring
  import ConfigDI
  import Foundation
  import Glibc

  /// The memory of a load, per service.
  ///
  /// Measured in a separate process, because reuse of freed memory would hide what is requested from the system.
  enum Memory {
    /// The option that makes this program the measuring process.
    static let option = "--memory"
    /// The number of loaded services.
    private static let serviceCount = 10_000

    /// Measures in a separate process.
    static func measure() throws -> [Figure] {
      let bytes = try figures(ofProcessWith: option)
      guard bytes.count == 2 else { return [] }
      return [
        Figure(name: "load.memory", value: bytes[0], isBytes: true, greatest: 2_000),
        Figure(name: "load.memory.kept", value: bytes[1], isBytes: true, greatest: 700),
      ]
    }

    /// Runs this program as a separate process with an option, and returns the numbers that it prints.
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

    /// Loads a module, and prints the bytes per service at the peak and after the load.
    static func printFigures() throws {
      let registry = ModuleText.registry
      let text = ModuleText.text(serviceCount: serviceCount)
      // Allocations that occur once in a process do not count.
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

    /// Resets the peak resident size to the current one.
    private static func forgetPeak() {
      let descriptor = open("/proc/self/clear_refs", O_WRONLY)
      _ = write(descriptor, "5", 1)
      close(descriptor)
    }

    /// Returns a size of the process in bytes, by its name in `/proc/self/status`.
    private static func pages(_ name: String) -> Int {
      let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
      return (Int(line.filter(\.isNumber)) ?? 0) * 1_024
    }
  }
#endif
