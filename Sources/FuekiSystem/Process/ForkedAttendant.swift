internal import CProcess
internal import Glibc

/// A copy of this process that keeps all rights, and does on request what this one will no longer be able to do.
///
/// It is made before secrets are read, so that it has none. It ends with this process.
package final class ForkedAttendant {
  /// The connection to the copy.
  package var socket: MessageSocket {
    get throws(SystemError) {
      guard let connection else { throw SystemError.ended(call: "read", path: "socket") }
      return connection
    }
  }
  private var connection: MessageSocket?
  private let process: Int32
  private let watch: Int32
  /// Closed to interrupt the copy, which a sandboxed process may not signal.
  private var lifeline: File?
  private static let turn = 0.002

  /// Makes the copy.
  ///
  /// To be called while the process has no other thread, as ``ForkedWork``.
  ///
  /// - Parameter serve: answers requests in the copy, which ends when it returns.
  /// - Throws: a system error.
  package init(serve: (MessageSocket) -> Void) throws(SystemError) {
    StallWatch.rest()
    let pair = try SocketPair()
    let pipe = try Pipe()
    let process = try systemCall("fork") { fueki_fork() }
    guard process != 0 else {
      // The other process prints the last words.
      Interruption.install()
      let socket = MessageSocket(pair.second())
      WorkerThread(running: Lifeline(end: pipe.closeWriter()))?.detach()
      serve(socket)
      // Skip this process's exit handlers and deinitializers in the copy.
      _exit(0)
    }
    self.process = process
    watch = fueki_watch_child(process)
    lifeline = pipe.closeReader()
    connection = MessageSocket(pair.first(), takesFiles: true)
  }

  deinit {
    // Without a connection an idle copy ends by itself.
    connection = nil
    waitForEnd()
    interrupt()
    fueki_forget_child(watch)
  }

  /// Ends the copy, and waits as long as a child may take to end.
  package func interrupt() {
    lifeline = nil
    waitForEnd()
  }

  private func waitForEnd() {
    let deadline = SystemClock.monotonicSeconds + Interruption.childGrace
    while SystemClock.monotonicSeconds < deadline {
      do throws(SystemError) {
        guard try ChildEnding.poll(process) == nil else { return }
      } catch {
        // It had ended before.
        return
      }
      SystemClock.sleep(seconds: Self.turn)
    }
  }
}

/// Ends the copy with the process that made it.
private final class Lifeline: WorkerLoop {
  private let end: File

  init(end: consuming File) { self.end = end }

  override func run() {
    var byte: UInt8 = 0
    while unsafe read(end.descriptor, &byte, 1) == -1, errno == EINTR {}
    Interruption.request()
    // The first thread may wait for a program or for the terminal.
    SystemClock.sleep(seconds: Interruption.childGrace / 2)
    Interruption.endProcess(status: 0)
  }
}
