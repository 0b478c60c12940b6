internal import CProcess
internal import Glibc

/// A program run without a shell, and communicated with over its standard input and output.
///
/// The program starts in a new, empty working directory, and inherits no other descriptor of this program. It
/// is ended with this value.
package final class ChildDialogue {
  private let program: String
  private let child: StartedChild
  private let folder: WorkFolder
  private var writer: File?
  private let input: Int32
  private let reader: File
  private let errorReader: File
  /// The remaining waiting time in seconds.
  private var patience: Double
  private var hasErrors = true
  private var errors: [UInt8] = []
  private var ending: ChildEnding?

  private static let turn = 0.25
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
    let output = try Pipe()
    let errors = try Pipe()
    let name = executable.split(separator: "/").last.map(String.init) ?? executable
    var child = ChildCommand(
      executable: executable, arguments: [name] + arguments,
      environment: Environment.all { !isWithheld($0) }, directory: folder.path)
    child.streams = (input.reader.descriptor, output.writer.descriptor, errors.writer.descriptor)
    child.closesOthers = true
    child.mayUseTerminal = true
    self.child = try StartedChild(child)
    self.folder = folder
    let writer = input.closeReader()
    self.input = writer.descriptor
    self.writer = consume writer
    reader = output.closeWriter()
    errorReader = errors.closeWriter()
    program = executable
    self.patience = patience
    _ = fcntl(self.input, F_SETFL, O_NONBLOCK)
  }

  /// Waits for output of the program.
  ///
  /// - Returns: The number of bytes read, or 0 at the end of output.
  /// - Throws: An error with ``SystemError/isTimedOut`` once the waiting time is used up, or with
  ///   ``SystemError/isInterrupted`` after an ``Interruption``.
  package func read(into buffer: inout MutableSpan<UInt8>) throws(SystemError) -> Int {
    try wait(reader.descriptor, Int16(POLLIN))
    let stream = reader.descriptor
    return try unsafe buffer.withUnsafeMutableBufferPointer { (pointer) throws(SystemError) in
      try systemCall("read", "pipe") { unsafe Glibc.read(stream, pointer.baseAddress, pointer.count) }
    }
  }

  /// Writes to the program's input.
  ///
  /// - Throws: The errors of ``read(into:)``, and `EPIPE` if the program has closed its input.
  package func write(_ bytes: Span<UInt8>) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      try wait(input, Int16(POLLOUT))
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
      if hasErrors, Self.isReady(errorReader.descriptor) { takeErrors() }
      ending = (try? child.poll()) ?? nil
      if ending == nil { SystemClock.sleep(seconds: 0.01) }
    }
    while hasErrors, Self.isReady(errorReader.descriptor) { takeErrors() }
    if ending == nil {
      child.end()
      ending = .killed(signal: SIGTERM)
    }
    return (ending, String(decoding: errors, as: UTF8.self))
  }

  /// Waits until a stream is ready, collecting standard error meanwhile.
  private func wait(_ stream: Int32, _ events: Int16) throws(SystemError) {
    while true {
      let start = SystemClock.monotonicSeconds
      var polled = [
        pollfd(fd: stream, events: events, revents: 0),
        pollfd(fd: hasErrors ? errorReader.descriptor : -1, events: Int16(POLLIN), revents: 0),
      ]
      let answer = unsafe poll(&polled, 2, Int32(max(0, min(Self.turn, patience)) * 1000))
      guard answer >= 0 || errno == EINTR else { throw SystemError(code: errno, call: "poll") }
      if Interruption.wasRequested { throw SystemError(code: EINTR, call: "poll", path: program) }
      if answer > 0, polled[1].revents != 0 { takeErrors() }
      patience -= SystemClock.monotonicSeconds - start
      if answer > 0, polled[0].revents != 0 { return }
      guard patience > 0 else { throw SystemError(code: ETIMEDOUT, call: "poll", path: program) }
    }
  }

  private func takeErrors() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let (stream, room) = (errorReader.descriptor, buffer.count)
    let count = unsafe Glibc.read(stream, &buffer, room)
    guard count > 0 else {
      hasErrors = false
      return
    }
    errors = (errors + buffer[..<count]).suffix(Self.errorsKept)
  }

  private static func isReady(_ stream: Int32) -> Bool {
    var polled = pollfd(fd: stream, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, 0) > 0
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
