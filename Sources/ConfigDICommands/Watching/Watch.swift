// SPDX-License-Identifier: Apache-2.0
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

/// Repeats a check whenever a file that it asked for has changed, until the user interrupts it.
///
/// The files are looked at by their properties, some times a second: that works on every system and file system, through
/// symbolic links, and for files that do not exist yet.
struct Watch {
  /// Where what changed is written between two checks.
  let stream: StandardStream

  /// How long the files are left alone between two looks, in milliseconds.
  private static let interval = 200
  /// How long files must not change any more before they are checked: who writes several of them needs some time.
  private static let rest = 40
  /// How often a check waits for that at most.
  private static let maximumRestCount = 25

  /// Checks, and checks again.
  ///
  /// - Parameter check: Checks with the files that it is given, and returns the status to end with.
  /// - Returns: The status of the last check.
  func run<Status>(_ check: (WatchedFiles) throws -> Status) rethrows -> Status {
    Interruption.listen()
    var files = WatchedFiles()
    var status = try check(files)
    announce(files)
    while !Interruption.isRequested, StandardStream.output.hasReader {
      pause(Watch.interval)
      guard let changes = settledChanges(of: files) else { continue }
      separate(changes)
      files = WatchedFiles()
      status = try check(files)
      if stream.isTerminal { announce(files) }
    }
    return status
  }

  /// What has changed, once nothing changes any more; nil where nothing has.
  private func settledChanges(of files: WatchedFiles) -> [(name: String, change: WatchedFiles.Change)]? {
    var stamps = files.currentStamps()
    guard !files.changes(to: stamps).isEmpty else { return nil }
    for _ in 0..<Watch.maximumRestCount where !Interruption.isRequested {
      pause(Watch.rest)
      let next = files.currentStamps()
      if next == stamps { break }
      stamps = next
    }
    // What was changed and changed back is no change.
    let changes = files.changes(to: stamps)
    return changes.isEmpty || Interruption.isRequested ? nil : changes
  }

  /// Says how many files are watched.
  private func announce(_ files: WatchedFiles) {
    let count = files.fileCount
    StandardStream.error.writeHint("watching \(count) \(count == 1 ? "file" : "files"); Ctrl-C ends it")
  }

  /// Begins the output of the next check: clears a terminal, and says what has changed and when.
  private func separate(_ changes: [(name: String, change: WatchedFiles.Change)]) {
    let clearing = stream.isTerminal ? "\u{1B}[H\u{1B}[2J\u{1B}[3J" : ""
    let words = changes.map { "\($0.name.visible) \($0.change.rawValue)" }
    let more = words.count > 3 ? " and \(words.count - 3) more" : ""
    stream.write("\(clearing)--- \(Watch.timeOfDay) \(words.prefix(3).joined(separator: ", "))\(more)\n")
  }

  /// The time of the day where the user is.
  private static var timeOfDay: String {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    func digits(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
    return [parts.tm_hour, parts.tm_min, parts.tm_sec].map(digits).joined(separator: ":")
  }

  /// Waits some milliseconds, or until a signal comes.
  private func pause(_ milliseconds: Int) {
    guard !Interruption.isRequested else { return }
    usleep(UInt32(milliseconds) * 1_000)
  }
}

/// Whether the user wants the program to end: by SIGINT, as a terminal sends it for Ctrl-C, or by SIGTERM.
private enum Interruption {
  /// What the handler sets. An atomic is all that a handler of signals may touch.
  private static let flag = Atomic<Bool>(false)

  /// Whether a signal has come.
  static var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// Takes the signals from now on, instead of the system, which would end the program.
  static func listen() {
    // The handler must not be the first to use the flag, which would make it.
    flag.store(false, ordering: .relaxed)
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] {
      signal(number) { _ in Interruption.flag.store(true, ordering: .relaxed) }
      sigaddset(&signals, number)
    }
    // Who starts the program from a thread that blocks signals hands that on.
    sigprocmask(SIG_UNBLOCK, &signals, nil)
  }
}
