internal import CProcess
internal import Glibc

/// A program to start, with arguments, environment and descriptors all given explicitly.
package struct ChildCommand {
  package var executable: String
  /// The arguments, starting with the program's name.
  package var arguments: [String]
  /// The complete environment, each variable as `NAME=value`.
  package var environment: [[UInt8]]
  /// The working directory, or `nil` for the current one.
  package var directory: String?
  /// The descriptors that the child receives as 0, 1 and 2.
  package var streams: (input: Int32, output: Int32, error: Int32) = (0, 1, 2)
  /// Whether to close all other descriptors in the child, including inheritable ones of this program.
  var closesOthers = false
  /// Whether it is the first process of a session of its own, and so of a group, without this program's terminal.
  var leadsSession = false
  /// Whether it may have to ask the person at the terminal.
  var mayUseTerminal = false

  package init(executable: String, arguments: [String], environment: [[UInt8]], directory: String? = nil) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.directory = directory
  }

  /// Creates a command for a program, named to itself as its file is.
  ///
  /// - Parameters:
  ///   - program: The program's path.
  ///   - arguments: The arguments, without the program's name.
  ///   - environment: The complete environment, each variable as `NAME=value`.
  ///   - directory: The working directory, or `nil` for the current one.
  init(program: String, arguments: [String], environment: [[UInt8]], directory: String?) {
    let name = program.split(separator: "/").last.map(String.init) ?? program
    self.init(
      executable: program, arguments: [name] + arguments, environment: environment, directory: directory)
  }

  /// Starts the program and returns its process id.
  package func start() throws(SystemError) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in [streams.input, streams.output, streams.error].enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    if closesOthers { unsafe fueki_spawn_without_files(&actions) }
    if let directory { unsafe fueki_spawn_in_directory(&actions, directory) }

    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // This program ignores some signals and may block others. A child expects the defaults.
    var none = sigset_t()
    var all = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    let session = leadsSession ? Int32(FUEKI_SPAWN_SETSID) : 0
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | session))

    var process: pid_t = 0
    let code = unsafe CStrings(arguments.map(\.pathBytes)).withPointers { arguments in
      unsafe CStrings(environment).withPointers { environment in
        unsafe posix_spawn(&process, executable, &actions, &attributes, arguments, environment)
      }
    }
    guard code == 0 else { throw SystemError(code: code, call: "posix_spawn", path: executable) }
    return process
  }
}

/// Strings as a null-terminated array of C strings.
@safe private struct CStrings: ~Copyable {
  private var pointers: [UnsafeMutablePointer<CChar>?]

  init(_ texts: [[UInt8]]) {
    unsafe pointers = texts.map { text in unsafe strdup((text + [0]).map { CChar(bitPattern: $0) }) } + [nil]
  }

  deinit {
    for index in unsafe pointers.indices { unsafe free(pointers[index]) }
  }

  borrowing func withPointers<Answer>(
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Answer
  ) -> Answer {
    unsafe pointers.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("the terminating null is always there") }
      return unsafe body(base)
    }
  }
}

/// The way in which a child process ended.
public enum ChildEnding: Sendable, Equatable {
  /// The child exited with this status.
  case exited(Int32)
  /// The child was killed by this signal.
  case killed(signal: Int32)

  /// The ending as the predicate of a sentence.
  public var sentence: String {
    switch self {
    case .exited(let status): "ended with status \(status)"
    case .killed(let signal): "was ended by signal \(signal)"
    }
  }

  /// Waits for a child to end.
  package static func wait(for process: Int32) throws(SystemError) -> ChildEnding {
    var status: Int32 = 0
    _ = try systemCall("waitpid") { unsafe waitpid(process, &status, 0) }
    return ChildEnding(status)
  }

  /// Returns a child's ending if it has ended, without waiting.
  package static func poll(_ process: Int32) throws(SystemError) -> ChildEnding? {
    var status: Int32 = 0
    let ended = try systemCall("waitpid") { unsafe waitpid(process, &status, WNOHANG) }
    return ended == 0 ? nil : ChildEnding(status)
  }

  // These are macros in wait.h, which Swift cannot call.
  init(_ status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
  }
}

/// A pipe of which a child receives one end.
struct Pipe: ~Copyable {
  let reader: File
  let writer: File

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    _ = try systemCall("pipe2") { unsafe fueki_pipe(&ends) }
    reader = File(descriptor: ends[0], path: "pipe")
    writer = File(descriptor: ends[1], path: "pipe")
  }

  /// Makes room for a mebibyte, so that a program that writes a lot waits less.
  func widen() { fueki_widen_pipe(writer.descriptor) }

  /// Closes the writing end, so that reading ends with the child.
  consuming func closeWriter() -> File { reader }

  /// Closes the reading end, so that writing fails after the child's end.
  consuming func closeReader() -> File { writer }
}
