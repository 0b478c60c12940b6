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
