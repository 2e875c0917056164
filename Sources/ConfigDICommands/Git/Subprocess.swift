// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    @preconcurrency internal import Musl
  #elseif canImport(Android)
    internal import Android
  #endif

  /// A program that is run until it exits. `Process` is not used, because the whole of Foundation would double the
  /// start-up time of the tool.
  struct Subprocess {
    /// The result of a run.
    struct Outcome {
      /// The exit status, or 128 plus the number of the signal that ended the program.
      let status: Int32
      /// The standard output.
      let output: [UInt8]
      /// The standard error.
      let error: [UInt8]
    }

    /// The reason why a run failed.
    enum Failure: Error {
      /// `PATH` contains no program with the name.
      case notFound
      /// The system reported an error, with this message.
      case refused(String)
      /// The program wrote more bytes than the limit to the standard output.
      case tooMuchOutput

      /// Returns the failure for an error number of the system.
      static func system(_ number: Int32) -> Failure { .refused(String(cString: strerror(number))) }
    }

    /// The name of the program, which is searched in `PATH`.
    let program: String
    /// The names of the environment variables that the program does not inherit.
    var hiddenVariables: Set<String> = []

    /// Runs the program with an empty standard input, and waits until it exits.
    ///
    /// - Parameter limit: The maximum number of bytes on its standard output.
    func run(_ arguments: [String], limit: Int = .max) throws(Failure) -> Outcome {
      var streams = [Pipe(), Pipe()].compactMap(\.self)
      defer { for index in streams.indices { streams[index].closeAll() } }
      guard streams.count == 2 else { throw .system(errno) }
      let process = try start(arguments, output: streams[0].writing, error: streams[1].writing)
      for index in streams.indices { streams[index].closeWriting() }
      let read = Result { [descriptors = streams.map(\.reading)] () throws(Failure) in
        try Subprocess.contents(of: descriptors, limit: limit)
      }
      // Closing the pipes makes further writes of the program fail: by SIGPIPE, or with `EPIPE` if it inherited that
      // SIGPIPE is ignored. Otherwise it could block on a full pipe, and `waitpid` would not return.
      for index in streams.indices { streams[index].closeAll() }
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      let output = try read.get()
      let isExit = status & 0x7F == 0
      return Outcome(status: isExit ? (status >> 8) & 0xFF : 128 + (status & 0x7F), output: output[0], error: output[1])
    }

    /// Starts the program and returns its process id.
    private func start(_ arguments: [String], output: Int32, error: Int32) throws(Failure) -> pid_t {
      #if os(tvOS) || os(watchOS)
        throw .refused("programs cannot be run on this system")
      #else
        #if canImport(Darwin) || canImport(Android)
          var actions: posix_spawn_file_actions_t?
        #else
          var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, error, 2)
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = inheritedVariables.map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        var process: pid_t = 0
        let result = posix_spawnp(&process, program, &actions, nil, &words, &variables)
        guard result == 0 else { throw result == ENOENT ? .notFound : .system(result) }
        return process
      #endif
    }

    /// The environment variables of this process, in the form `NAME=text`, without the hidden ones.
    private var inheritedVariables: [String] {
      var found: [String] = []
      var place: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
      while let variable = place?.pointee {
        let text = String(cString: variable)
        if !hiddenVariables.contains(String(text.prefix { $0 != "=" })) { found.append(text) }
        place = place?.successor()
      }
      return found
    }

    /// Reads pipes to their ends. They are polled together, so that the program does not block on a full one.
    ///
    /// - Throws: `tooMuchOutput` if the first one gives more than `limit` bytes; `refused` if they cannot be read.
    private static func contents(of descriptors: [Int32], limit: Int) throws(Failure) -> [[UInt8]] {
      var contents = descriptors.map { _ in [UInt8]() }
      var isOpen = descriptors.map { _ in true }
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      while isOpen.contains(true) {
        var waiting = descriptors.indices.map { index in
          pollfd(fd: isOpen[index] ? descriptors[index] : -1, events: Int16(POLLIN), revents: 0)
        }
        guard poll(&waiting, nfds_t(waiting.count), -1) >= 0 || errno == EINTR else { throw .system(errno) }
        for index in descriptors.indices where waiting[index].revents != 0 {
          let count = read(descriptors[index], &chunk, chunk.count)
          if count > 0 {
            contents[index] += chunk[..<count]
          } else if count == 0 {
            isOpen[index] = false
          } else if errno != EINTR {
            throw .system(errno)
          }
        }
        if contents[0].count > limit { throw .tooMuchOutput }
      }
      return contents
    }
  }

  /// A pipe. Both ends are closed on `exec`, so that no child process inherits them.
  private struct Pipe {
    /// The descriptor of the read end, or -1 after it was closed.
    private(set) var reading: Int32
    /// The descriptor of the write end, or -1 after it was closed.
    private(set) var writing: Int32

    /// Creates a pipe. `nil` if the system cannot create one.
    init?() {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return nil }
      (reading, writing) = (ends[0], ends[1])
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    /// Closes the write end.
    mutating func closeWriting() {
      if writing >= 0 { close(writing) }
      writing = -1
    }

    /// Closes both ends.
    mutating func closeAll() {
      closeWriting()
      if reading >= 0 { close(reading) }
      reading = -1
    }
  }
#endif
