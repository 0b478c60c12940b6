internal import Glibc

/// A program run without a shell, and communicated with over its standard input and output.
///
/// The program starts in a new, empty working directory, and inherits no other descriptor of this program. It
/// is ended with this value.
package final class ChildDialogue {
  private let streams: ChildStreams
  private let folder: WorkFolder
  private var writer: File?
  private let input: Int32
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
    let writer = input.closeReader()
    self.input = writer.descriptor
    self.writer = consume writer
    self.patience = patience
    _ = fcntl(self.input, F_SETFL, O_NONBLOCK)
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
    var written = 0
    while written < bytes.count {
      try wait(for: .writable(input))
      let rest = bytes.extracting(written..<bytes.count)
      written += try BrokenPipes.withheld { () throws(SystemError) in try writeSome(rest) }
    }
  }

  private func writeSome(_ bytes: Span<UInt8>) throws(SystemError) -> Int {
    let stream = input
    do throws(SystemError) {
      return try unsafe bytes.withUnsafeBufferPointer { (pointer) throws(SystemError) in
        try systemCall("write", "pipe") { unsafe Glibc.write(stream, pointer.baseAddress, pointer.count) }
      }
    } catch {
      // The pipe has room, but less than needed.
      guard error.code == EAGAIN else { throw error }
      return 0
    }
  }

  /// Lets the program end by itself, and kills it after a grace period.
  ///
  /// - Returns: The ending, and the end of the program's standard error.
  package func finish() -> (ending: ChildEnding?, errors: String) {
    // Closing its input ends a program that reads to the end.
    writer = nil
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

/// Handling of SIGPIPE, which by default kills a process that writes to a pipe without a reader.
private enum BrokenPipes {
  /// Runs a closure in which such a write fails with `EPIPE` instead.
  static func withheld<Value>(_ body: () throws(SystemError) -> Value) throws(SystemError) -> Value {
    var held = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&held)
    unsafe sigaddset(&held, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
    defer {
      // SIGPIPE is directed at the writing thread, where it is pending now.
      var none = timespec()
      while unsafe sigtimedwait(&held, nil, &none) == SIGPIPE {}
      unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    return try body()
  }
}
