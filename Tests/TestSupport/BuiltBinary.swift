package import FuekiSystem
internal import Glibc

/// The result of a program run.
package struct RunResult: Sendable {
  /// The ending.
  ///
  /// After a timeout the program was killed.
  package let ending: ChildEnding
  /// The bytes on standard output.
  package let output: [UInt8]
  /// The text on standard error.
  package let errors: String
  /// Whether the program was killed for exceeding the timeout.
  package let timedOut: Bool

  /// The exit status, or 128 plus the signal's number as in shells.
  package var status: Int32 {
    switch ending {
    case .exited(let status): status
    case .killed(let signal): 128 + signal
    }
  }

  /// Standard output as text.
  package var text: String { String(decoding: output, as: UTF8.self) }
}

/// The program under test, run as by a user or a script.
package enum BuiltBinary {
  /// The program's path, or `nil` if it is not built.
  ///
  /// FUEKI_BINARY has priority, then the directory of the tests, then the build directories.
  package static var path: String? {
    if let path = Environment.get("FUEKI_BINARY") { return path }
    let program = (try? File.open("/proc/self/cmdline").readAll(limit: 1 << 20)) ?? []
    let besideTests = program.split(separator: 0)
      .map { String(decoding: $0, as: UTF8.self) }
      .first { $0.hasSuffix(".xctest") }
      .map { $0.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") }
    #if DEBUG
      let builds = ["debug", "release"]
    #else
      let builds = ["release", "debug"]
    #endif
    let folders = [besideTests].compactMap { $0 } + builds.map { "\(SourceTree.path)/.build/\($0)" }
    return folders.map { "\($0)/fueki-backup" }.first { unsafe access($0, X_OK) == 0 }
  }

  /// Runs the program under test as described for the other `run`.
  package static func run(
    _ arguments: [String], environment: [String: String] = [:], stdin: [UInt8] = [], cwd: String? = nil,
    timeout: Double = 120
  ) throws -> RunResult {
    guard let path else { throw SystemError(code: ENOENT, call: "posix_spawn", path: "fueki-backup") }
    return try run(
      program: path, arguments, environment: environment, stdin: stdin, cwd: cwd, timeout: timeout)
  }

  /// Runs the program at a path, without a search.
  ///
  /// The environment is not inherited, in particular neither HOME nor the XDG directories of the user, so
  /// that a test cannot reach a real wallet. PATH, LC_ALL and SWIFT_BACKTRACE have fixed values unless given.
  package static func run(
    program: String, _ arguments: [String], environment: [String: String] = [:], stdin: [UInt8] = [],
    cwd: String? = nil, timeout: Double = 120
  ) throws -> RunResult {
    // Files instead of pipes: they never fill up, so no reading is needed meanwhile.
    let scratch = try TemporaryDirectory()
    let directory = try scratch.open()
    try scratch.write(stdin, to: "input")
    let input = try directory.openFile("input")
    let output = try directory.createFile("output")
    let errors = try directory.createFile("errors")

    let defaults = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
    let variables = defaults.merging(environment) { $1 }
    var command = ChildCommand(
      executable: program, arguments: [program] + arguments,
      environment: variables.map { "\($0)=\($1)".pathBytes }, directory: cwd)
    command.streams = (input.descriptor, output.descriptor, errors.descriptor)
    let process = try command.start()

    let (ending, timedOut) = try wait(for: process, timeout: timeout)
    return try RunResult(
      ending: ending, output: output.allBytes(),
      errors: String(decoding: errors.allBytes(), as: UTF8.self), timedOut: timedOut)
  }

  private static func wait(for process: Int32, timeout: Double) throws -> (ChildEnding, timedOut: Bool) {
    let deadline = SystemClock.monotonicSeconds + timeout
    var pause = 0.001
    while SystemClock.monotonicSeconds < deadline {
      if let ending = try ChildEnding.poll(process) { return (ending, false) }
      SystemClock.sleep(seconds: pause)
      pause = min(pause * 1.5, 0.005)
    }
    _ = kill(process, SIGKILL)
    return (try ChildEnding.wait(for: process), true)
  }
}

extension File {
  fileprivate borrowing func allBytes() throws -> [UInt8] { try readExactly(Int(clamping: size()), at: 0) }
}
