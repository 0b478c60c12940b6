internal import CProcess
internal import Glibc

/// A run that continues in a copy of this process, while this one waits with all of its rights.
///
/// The copy can give up its rights for good, and this process can still start programs when the copy has ended.
public final class ForkedRun {
  private static let reportByteCount = 1 << 16
  private static let turn: Int32 = 250

  /// Nil in the copy.
  private let child: Int32?
  private var begin: File?
  private var report: File?

  /// Makes the copy, which waits until this process lets it begin.
  ///
  /// To be called while the process has no other thread, as ``ForkedWork``.
  ///
  /// - Throws: what the system refuses.
  public init() throws(SystemError) {
    StallWatch.rest()
    let begin = try Pipe()
    let report = try Pipe()
    let process = try systemCall("fork") { fueki_fork() }
    if process == 0 {
      child = nil
      self.begin = begin.closeWriter()
      self.report = report.closeReader()
    } else {
      child = process
      self.begin = begin.closeReader()
      self.report = report.closeWriter()
    }
  }

  deinit {
    // Without a beginning the copy ends by itself.
    begin = nil
    if let child { _ = try? ChildEnding.wait(for: child) }
  }

  /// Whether this is the copy.
  public var isCopy: Bool { child == nil }

  // MARK: the copy

  /// Waits until the other process lets this one begin, and ends this one if it does not.
  public func waitForBeginning() {
    guard let file = begin.take(), (try? file.readAll(limit: 1)) == [1] else { _exit(0) }
  }

  /// Tells the other process what it needs to know; at most 64 KiB arrive.
  public func tell(_ bytes: [UInt8]) {
    guard let file = report.take() else { return }
    let end = file.descriptor
    try? unsafe drain(bytes.span) { (pointer, count, _) throws(SystemError) in
      try systemCall("write") { unsafe write(end, pointer, count) }
    }
  }

  // MARK: this process

  /// Lets the copy begin, and waits for its end.
  ///
  /// A signal that asks this process to stop is passed on.
  ///
  /// - Returns: what the copy told, and how it ended.
  /// - Throws: what the system refuses.
  public func finish() throws(SystemError) -> (told: [UInt8], ending: ChildEnding) {
    guard let child, let begin = begin.take(), let report = report.take() else {
      throw SystemError(code: ECHILD, call: "fork")
    }
    try Self.letBegin(begin)
    var polled = pollfd(fd: report.descriptor, events: Int16(POLLIN), revents: 0)
    var isPassedOn = false
    while unsafe poll(&polled, 1, Self.turn) <= 0 {
      guard Interruption.wasRequested, !isPassedOn else { continue }
      isPassedOn = true
      _ = kill(child, SIGTERM)
    }
    let told = (try? report.readAll(limit: Self.reportByteCount)) ?? []
    return (told, try ChildEnding.wait(for: child))
  }

  /// Writes the one byte, and closes the pipe.
  private static func letBegin(_ file: consuming File) throws(SystemError) {
    let end = file.descriptor
    let byte: [UInt8] = [1]
    try unsafe drain(byte.span) { (pointer, count, _) throws(SystemError) in
      try systemCall("write") { unsafe write(end, pointer, count) }
    }
  }
}

/// Work in a forked copy of this process, for libraries that would leave threads running.
public enum ForkedWork {
  private static let answerByteCount = 1 << 20

  /// Runs a closure in a child that is a copy of this process, and returns its answer.
  ///
  /// To be called while the process has no other thread: the child would lack it, and wait for ever for a lock that it
  /// held. The thread that watches slow file systems is ended here, and starts again when it is needed.
  ///
  /// - Parameter body: what it changes, it changes in the child; at most 1 MiB of its answer arrive.
  /// - Returns: the answer.
  /// - Throws: what the system refuses; `ECHILD` where the child ended before it could answer. After an ``Interruption`` the
  ///   child is ended too.
  public static func answer(_ body: () -> [UInt8]) throws(SystemError) -> [UInt8] {
    StallWatch.rest()
    let pipe = try Pipe()
    let child = try systemCall("fork") { fueki_fork() }
    guard child != 0 else {
      let end = pipe.writer.descriptor
      let isWritten =
        (try? unsafe drain(body().span) { (pointer, count, _) throws(SystemError) in
          try systemCall("write") { unsafe write(end, pointer, count) }
        }) != nil
      // Skip this process's exit handlers and deinitializers in the child.
      _exit(isWritten ? 0 : 1)
    }
    let watch = fueki_watch_child(child)
    defer { fueki_forget_child(watch) }
    let reader = pipe.closeWriter()
    let answer = Result { () throws(SystemError) in try reader.readAll(limit: answerByteCount) }
    if case .failure(let error) = answer, error.isInterrupted { _ = kill(child, SIGKILL) }
    guard try ChildEnding.wait(for: child) == .exited(0) else {
      throw SystemError(code: ECHILD, call: "fork")
    }
    return try answer.get()
  }
}
