internal import Glibc

/// A program run without a shell, and communicated with over its standard input and output.
///
/// The program starts in a new, empty working directory, and inherits no other descriptor of this program. It
/// is ended with this value.
package final class ChildDialogue {
  private let streams: ChildStreams
  private let folder: WorkFolder
  private var input: ChildInput
  /// The remaining waiting time in seconds.
  private var patience: Double
  private var ending: ChildEnding?

  private static let errorsKept = 1024
  private static let grace = 2.0

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - executable: The program's path.
  ///   - arguments: The arguments, without the program's name.
  ///   - isWithheld: Whether to remove a variable of this name from the program's environment.
  ///   - patience: The total time to wait for the program, in seconds.
  /// - Throws: An error of starting the program.
  package init(
    executable: String, arguments: [String], withholding isWithheld: (String) -> Bool, patience: Double
  ) throws(SystemError) {
    let folder = try WorkFolder()
    let input = try Pipe()
    var child = ChildCommand(
      program: executable, arguments: arguments, environment: Environment.all { !isWithheld($0) },
      directory: folder.path)
    child.closesOthers = true
    child.mayUseTerminal = true
    streams = try ChildStreams(
      starting: child, input: input.reader.descriptor, keepingErrors: Self.errorsKept)
    self.folder = folder
    self.input = ChildInput(input.closeReader())
    self.patience = patience
  }

  /// Waits for output of the program.
  ///
  /// - Returns: The number of bytes read, or 0 at the end of output.
  /// - Throws: An error with ``SystemError/isTimedOut`` once the waiting time is used up, or with
  ///   ``SystemError/isInterrupted`` after an ``Interruption``.
  package func read(into buffer: inout MutableSpan<UInt8>) throws(SystemError) -> Int {
    try wait(for: .output)
    return try streams.read(into: &buffer)
  }

  /// Writes to the program's input.
  ///
  /// - Throws: The errors of ``read(into:)``, and `EPIPE` if the program has closed its input.
  package func write(_ bytes: Span<UInt8>) throws(SystemError) {
    try input.write(bytes) { () throws(SystemError) in try wait(for: .writable(input.descriptor)) }
  }

  /// Lets the program end by itself, and kills it after a grace period.
  ///
  /// - Returns: The ending, and the end of the program's standard error.
  package func finish() -> (ending: ChildEnding?, errors: String) {
    // Closing its input ends a program that reads to the end.
    input.close()
    let deadline = SystemClock.monotonicSeconds + Self.grace
    while ending == nil, !Interruption.wasRequested, SystemClock.monotonicSeconds < deadline {
      streams.takeReadyErrors()
      ending = (try? streams.child.poll()) ?? nil
      if ending == nil { SystemClock.sleep(seconds: 0.01) }
    }
    streams.takeReadyErrors()
    if ending == nil {
      streams.child.end()
      ending = .killed(signal: SIGTERM)
    }
    return (ending, streams.errors)
  }

  /// Waits until a stream is ready.
  private func wait(for stream: ChildStreams.Stream) throws(SystemError) {
    while true {
      let start = SystemClock.monotonicSeconds
      let isReady = try streams.wait(for: stream, atMost: patience).isReady
      patience -= SystemClock.monotonicSeconds - start
      if isReady { return }
      guard patience > 0 else { throw streams.timedOut }
    }
  }
}

/// A temporary directory that is removed with its last reference.
private final class WorkFolder {
  let path: String
  private let parent: String

  init() throws(SystemError) {
    parent = Environment.get("TMPDIR") ?? "/tmp"
    var name = ("\(parent)/fueki-plugin-XXXXXX".utf8).map { CChar(bitPattern: $0) } + [0]
    let isMade = unsafe mkdtemp(&name) != nil
    guard isMade else { throw SystemError(code: errno, call: "mkdtemp", path: parent) }
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    let name = String(path.dropFirst(parent.utf8.count + 1))
    try? Directory.open(parent).removeTree(name)
  }
}
