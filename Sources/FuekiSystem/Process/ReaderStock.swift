internal import CProcess
internal import Glibc

/// A process that starts readers as copies of itself, which takes a fraction of the time of starting the program again.
///
/// It is forked before this process reads a secret, and has no descriptor of it and none of its secret variables. Its
/// copies have neither, and end with it.
package final class ReaderStock: Sendable {
  /// The messages between the two processes.
  ///
  /// A reader is known by its process id.
  fileprivate enum Message: UInt8 {
    case start = 1
    case poll
    case end
    case started = 32
    case ending
    case running
    case failed
  }

  private let process: Int32
  private let watch: Int32
  private let line: Locked<Guarded<MessageSocket>>

  /// Forks the process.
  ///
  /// To be called while this process has no other thread, as ``ForkedWork``.
  ///
  /// - Parameter read: does a reader's work in a copy, over the connection to this process, and returns its exit status.
  /// - Throws: a system error.
  package init(_ read: (MessageSocket) -> Int32) throws(SystemError) {
    StallWatch.rest()
    let pair = try SocketPair()
    let process = try systemCall("fork") { fueki_fork() }
    guard process != 0 else {
      let end = pair.second()
      guard ReaderStock.isolate(end.descriptor, "fueki-readers") else { _exit(1) }
      // The other process prints the last words.
      Interruption.install()
      StockService(socket: MessageSocket(end)).serve(read)
      _exit(0)
    }
    self.process = process
    watch = fueki_watch_child(process)
    line = Locked(Guarded(MessageSocket(pair.first(), takesFiles: true)))
  }

  deinit {
    fueki_forget_child(watch)
    // Its copies end with it. A sandboxed process may not signal it, and it ends with that process.
    guard kill(process, SIGKILL) == 0 else { return }
    _ = try? ChildEnding.wait(for: process)
  }

  /// Starts a reader.
  ///
  /// - Returns: its process id, and the connection to it.
  func start() throws(SystemError) -> (process: Int32, socket: MessageSocket) {
    let (process, descriptor) = try locked { (socket) throws(SystemError) -> (Int32, Int32) in
      let (kind, number) = try Self.ask(.start, 0, socket)
      guard kind == .started else { throw SystemError(code: number, call: "fork") }
      return (number, try socket.receiveDescriptor())
    }
    return (process, MessageSocket(File(descriptor: descriptor, path: "socket")))
  }

  /// Returns a reader's ending; nil while it runs.
  func poll(_ process: Int32) throws(SystemError) -> ChildEnding? {
    try locked { (socket) throws(SystemError) -> ChildEnding? in
      let (kind, status) = try Self.ask(.poll, process, socket)
      return kind == .ending ? ChildEnding(status) : nil
    }
  }

  /// Ends a reader.
  func end(_ process: Int32) {
    _ = try? locked { (socket) throws(SystemError) -> Int32 in try Self.ask(.end, process, socket).1 }
  }

  private func locked<Answer: Sendable>(
    _ body: (MessageSocket) throws(SystemError) -> Answer
  ) throws(SystemError) -> Answer {
    let answer: Result<Answer, SystemError> = line.withLock { line in
      let socket = line.value
      do throws(SystemError) { return .success(try body(socket)) } catch { return .failure(error) }
    }
    return try answer.get()
  }

  private static func ask(
    _ message: Message, _ number: Int32, _ socket: MessageSocket
  ) throws(SystemError) -> (Message, Int32) {
    try socket.append(message.rawValue, bytes(number))
    try socket.flush()
    guard let (kind, count) = try socket.next(), let answer = Message(rawValue: kind) else {
      throw SystemError.ended(call: "read", path: "socket")
    }
    return (answer, self.number(try socket.receive(count)))
  }

  fileprivate static func bytes(_ number: Int32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * Int32($0))) }
  }

  fileprivate static func number(_ bytes: [UInt8]) -> Int32 {
    bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int32($1) }
  }

  /// Leaves a copy one descriptor, and no variable that may be a secret.
  fileprivate static func isolate(_ descriptor: Int32, _ name: String) -> Bool {
    let names = ReaderChild.variables.sorted()
    var pointers: [UnsafePointer<CChar>?] = unsafe names.map { unsafe UnsafePointer(strdup($0)) }
    unsafe pointers.append(nil)
    return unsafe fueki_isolate_copy(descriptor, name, pointers) == 0
  }
}

/// The side of the process that starts readers.
private struct StockService {
  let socket: MessageSocket

  func serve(_ read: (MessageSocket) -> Int32) {
    while let (kind, count) = try? socket.next(), let payload = try? socket.receive(count) {
      let number = ReaderStock.number(payload)
      let isAnswered: Void? =
        switch ReaderStock.Message(rawValue: kind) {
        case .start: try? start(read)
        case .poll: try? poll(number)
        case .end: try? end(number)
        default: nil
        }
      guard isAnswered != nil else { return }
    }
  }

  private func start(_ read: (MessageSocket) -> Int32) throws(SystemError) {
    do throws(SystemError) {
      let pair = try SocketPair()
      let process = try systemCall("fork") { fueki_fork() }
      guard process != 0 else {
        let end = pair.second()
        guard ReaderStock.isolate(end.descriptor, "fueki-reader") else { _exit(1) }
        _exit(read(MessageSocket(end, takesFiles: true)))
      }
      try socket.append(ReaderStock.Message.started.rawValue, ReaderStock.bytes(process))
      try socket.send(pair.first())
    } catch {
      try reply(.failed, error.code)
    }
  }

  private func poll(_ process: Int32) throws(SystemError) {
    var status: Int32 = 0
    let ended = try systemCall("waitpid") { unsafe waitpid(process, &status, WNOHANG) }
    try reply(ended == 0 ? .running : .ending, status)
  }

  private func end(_ process: Int32) throws(SystemError) {
    var status: Int32 = 0
    _ = kill(process, SIGKILL)
    _ = try systemCall("waitpid") { unsafe waitpid(process, &status, 0) }
    try reply(.ending, status)
  }

  private func reply(_ message: ReaderStock.Message, _ number: Int32) throws(SystemError) {
    try socket.append(message.rawValue, ReaderStock.bytes(number))
    try socket.flush()
  }
}

/// Two connected sockets.
struct SocketPair: ~Copyable {
  private let one: File
  private let other: File

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    _ = try systemCall("socketpair") { unsafe fueki_socket_pair(&ends) }
    one = File(descriptor: ends[0], path: "socket")
    other = File(descriptor: ends[1], path: "socket")
  }

  /// Closes the second.
  consuming func first() -> File { one }

  /// Closes the first.
  consuming func second() -> File { other }
}
