// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDI
  internal import Synchronization

  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Android)
    internal import Android
  #endif

  /// A loop that repeats a check whenever a file that the check accessed has changed, until the user interrupts it.
  ///
  /// The properties of the files are polled several times a second. This works on every system and file system, through
  /// symbolic links, and for files that do not exist yet.
  struct Watch {
    /// The stream for the names of changed files, between two checks.
    let stream: StandardStream

    /// The time between two polls, in milliseconds.
    private static let interval = 200
    /// The time for which no file must change before a check, in milliseconds. A program may write several files.
    private static let settleTime = 40
    /// The maximum number of such waits before a check.
    private static let maximumSettleWaits = 25

    /// Runs the check, and runs it again after each change.
    ///
    /// - Parameter check: Checks the module, with the given files, and returns a status.
    /// - Returns: The status of the last check.
    func run<Status>(_ check: (WatchedFiles) throws -> Status) rethrows -> Status {
      Interruption.listen()
      var files = WatchedFiles()
      var status = try check(files)
      announce(files)
      while !Interruption.isRequested, StandardStream.output.hasReader {
        pause(Watch.interval)
        guard let changes = settledChanges(of: files) else { continue }
        writeSeparator(changes)
        files = WatchedFiles()
        status = try check(files)
        if stream.isTerminal { announce(files) }
      }
      return status
    }

    /// Waits until the files stop changing, and returns the changes. `nil` if there are none, or if interrupted.
    private func settledChanges(of files: WatchedFiles) -> [(name: String, change: WatchedFiles.Change)]? {
      var stamps = files.currentStamps()
      guard !files.changes(to: stamps).isEmpty else { return nil }
      for _ in 0..<Watch.maximumSettleWaits where !Interruption.isRequested {
        pause(Watch.settleTime)
        let next = files.currentStamps()
        if next == stamps { break }
        stamps = next
      }
      // A file may have been changed back in the meantime.
      let changes = files.changes(to: stamps)
      return changes.isEmpty || Interruption.isRequested ? nil : changes
    }

    /// Writes a hint with the number of watched files.
    private func announce(_ files: WatchedFiles) {
      let count = files.fileCount
      StandardStream.error.writeHint("watching \(count) \(count == 1 ? "file" : "files"); Ctrl-C ends it")
    }

    /// Begins the output of the next check: clears a terminal, and writes the time and the changes.
    private func writeSeparator(_ changes: [(name: String, change: WatchedFiles.Change)]) {
      let clearing = stream.isTerminal ? "\u{1B}[H\u{1B}[2J\u{1B}[3J" : ""
      let words = changes.map { "\($0.name.visible) \($0.change.rawValue)" }
      let more = words.count > 3 ? " and \(words.count - 3) more" : ""
      stream.write("\(clearing)--- \(Watch.timeOfDay) \(words.prefix(3).joined(separator: ", "))\(more)\n")
    }

    /// The local time of day.
    private static var timeOfDay: String {
      var now = time(nil)
      var parts = tm()
      localtime_r(&now, &parts)
      func digits(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
      return [parts.tm_hour, parts.tm_min, parts.tm_sec].map(digits).joined(separator: ":")
    }

    /// Waits for some milliseconds, or until a signal arrives.
    private func pause(_ milliseconds: Int) {
      guard !Interruption.isRequested else { return }
      usleep(UInt32(milliseconds) * 1_000)
    }
  }

  /// The request to end the program, by SIGINT, which a terminal sends for Ctrl-C, or by SIGTERM.
  private enum Interruption {
    /// Whether a signal has arrived. A signal handler may access only lock-free atomics.
    private static let flag = Atomic<Bool>(false)

    /// Whether a signal has arrived.
    static var isRequested: Bool { flag.load(ordering: .relaxed) }

    /// Installs handlers of the signals, whose default action would end the program.
    static func listen() {
      // The first access to a static property initializes it, which must not happen in a signal handler.
      flag.store(false, ordering: .relaxed)
      var signals = sigset_t()
      sigemptyset(&signals)
      for number in [SIGINT, SIGTERM] {
        signal(number) { _ in Interruption.flag.store(true, ordering: .relaxed) }
        sigaddset(&signals, number)
      }
      // The program inherits the signal mask of the thread that started it, which may block signals.
      sigprocmask(SIG_UNBLOCK, &signals, nil)
    }
  }
#endif
