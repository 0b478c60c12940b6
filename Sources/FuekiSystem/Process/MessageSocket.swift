internal import CProcess
internal import Glibc

/// Messages between this program and a process of its own: each a kind, a length, and so many bytes.
///
/// Messages wait in a buffer until ``flush()``, but for those with secrets, whose bytes are never copied here.
package final class MessageSocket {
  /// A longer message is none that this program writes.
  static let longestMessage = 1 << 27
  private static let bufferByteCount = 1 << 16
  private static let turn: Int32 = 250
  private static let headByteCount = 5

  private let file: File
  /// Whether the other side may send open files.
  private let takesFiles: Bool
  private var descriptor: Int32 = -1
  private var waiting: [UInt8] = []
  private var input = [UInt8](repeating: 0, count: 1 << 16)
  private var inputRange = 0..<0

  package init(_ file: consuming File, takesFiles: Bool = false) {
    self.file = file
    self.takesFiles = takesFiles
  }

  deinit { if descriptor >= 0 { _ = close(descriptor) } }

  // MARK: sending

  /// Adds a message to those that wait.
  package func append(_ kind: UInt8, _ payload: [UInt8] = []) throws(SystemError) {
    appendHead(kind, payload.count)
    waiting += payload
    if waiting.count >= Self.bufferByteCount { try flush() }
  }

  /// Sends a message with secret bytes, which go from where they are into the socket.
  package func send(_ kind: UInt8, secret: Span<UInt8>) throws(SystemError) {
    appendHead(kind, secret.count)
    try flush()
    try write(secret)
  }

  /// Sends what waits.
  package func flush() throws(SystemError) {
    let bytes = waiting
    waiting = []
    try write(bytes.span)
  }

  /// Sends an open file, after what waits.
  package func send(_ sent: borrowing File) throws(SystemError) {
    try flush()
    let (end, descriptor) = (file.descriptor, sent.descriptor)
    _ = try systemCall("sendmsg") { fueki_send_descriptor(end, descriptor) }
  }

  private func appendHead(_ kind: UInt8, _ count: Int) {
    waiting.append(kind)
    for place in 0..<4 { waiting.append(UInt8(truncatingIfNeeded: count >> (8 * place))) }
  }

  private func write(_ bytes: Span<UInt8>) throws(SystemError) {
    let end = file.descriptor
    try unsafe drain(bytes) { (pointer, count, _) throws(SystemError) in
      try systemCall("write", "socket") { unsafe Glibc.write(end, pointer, count) }
    }
  }

  // MARK: receiving

  /// Waits for the next message.
  ///
  /// - Returns: its kind and its length; nil if the other side has ended.
  /// - Throws: an error with ``SystemError/isInterrupted`` after an ``Interruption``; `EPROTO` for a message that is
  ///   too long; one with ``SystemError/isEndOfFile`` for one that ends early.
  package func next() throws(SystemError) -> (kind: UInt8, count: Int)? {
    if inputRange.isEmpty, try !fill() { return nil }
    let head = try receive(Self.headByteCount)
    let count = (0..<4).reduce(0) { $0 | Int(head[1 + $1]) << (8 * $1) }
    guard count <= Self.longestMessage else { throw SystemError(code: EPROTO, call: "read", path: "socket") }
    return (head[0], count)
  }

  /// Takes so many bytes of a message.
  package func receive(_ count: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(count, Self.bufferByteCount))
    while bytes.count < count {
      if inputRange.isEmpty, try !fill() { throw SystemError.ended(call: "read", path: "socket") }
      let part = inputRange.prefix(count - bytes.count)
      bytes += input[part]
      inputRange = part.endIndex..<inputRange.upperBound
    }
    return bytes
  }

  /// Takes a message's secret bytes, and leaves none of them behind.
  package func receive(into bytes: inout MutableSpan<UInt8>) throws(SystemError) {
    var count = 0
    while count < bytes.count {
      if inputRange.isEmpty, try !fill() { throw SystemError.ended(call: "read", path: "socket") }
      for place in inputRange.prefix(bytes.count - count) {
        bytes[count] = input[place]
        input[place] = 0
        count += 1
        inputRange = (place + 1)..<inputRange.upperBound
      }
    }
  }

  /// Takes the descriptor of an open file that follows a message, whose owner the caller is from now on.
  package func receiveDescriptor() throws(SystemError) -> Int32 {
    _ = try receive(1)
    guard descriptor >= 0 else { throw SystemError(code: EPROTO, call: "recvmsg", path: "socket") }
    defer { descriptor = -1 }
    return descriptor
  }

  /// Reads what has come; false if the other side has ended.
  private func fill() throws(SystemError) -> Bool {
    try wait()
    var received: Int32 = -1
    var buffer: [UInt8] = []
    swap(&buffer, &input)
    defer { swap(&buffer, &input) }
    let count: Int
    do {
      count = try Self.read(file.descriptor, into: &buffer, &received, takesFiles)
    } catch  where error.code == ECONNRESET {
      return false
    }
    if received >= 0 {
      if descriptor >= 0 { _ = close(descriptor) }
      descriptor = received
    }
    inputRange = 0..<count
    return count > 0
  }

  /// Reads, with a descriptor where one is expected: a plain read drops it.
  private static func read(
    _ end: Int32, into buffer: inout [UInt8], _ received: inout Int32, _ takesFiles: Bool
  ) throws(SystemError) -> Int {
    var span = buffer.mutableSpan
    return try unsafe span.withUnsafeMutableBufferPointer { (pointer) throws(SystemError) in
      try systemCall("read", "socket") {
        guard takesFiles else { return unsafe Glibc.read(end, pointer.baseAddress, pointer.count) }
        return unsafe Int(fueki_receive(end, pointer.baseAddress, Int32(pointer.count), &received))
      }
    }
  }

  private func wait() throws(SystemError) {
    var polled = pollfd(fd: file.descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let answer = unsafe poll(&polled, 1, Self.turn)
      if Interruption.wasRequested { throw SystemError(code: EINTR, call: "poll") }
      guard answer >= 0 || errno == EINTR else { throw SystemError(code: errno, call: "poll") }
      if answer > 0 { return }
    }
  }
}
