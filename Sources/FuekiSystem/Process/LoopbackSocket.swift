internal import Glibc

/// A connection to a server on this machine's loopback device.
package final class LoopbackSocket: Sendable {
  private static let turn: Int32 = 250

  private let file: File

  /// Connects to a port of 127.0.0.1.
  package init(port: UInt16) throws(SystemError) {
    let path = "127.0.0.1:\(port)"
    file = File(
      descriptor: try systemCall("socket", path) {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      }, path: path)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let descriptor = file.descriptor
    _ = try systemCall("connect", path) {
      unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
  }

  /// Sends a few bytes.
  ///
  /// - Throws: `EPIPE` or `ECONNRESET` if the server has closed the connection.
  package func send(_ bytes: [UInt8]) throws(SystemError) {
    let (descriptor, path) = (file.descriptor, file.path)
    try unsafe drain(bytes.span) { (pointer, count, _) throws(SystemError) in
      try systemCall("send", path) {
        unsafe Glibc.send(descriptor, pointer, count, Int32(MSG_NOSIGNAL))
      }
    }
  }

  /// Waits a quarter of a second for bytes, or for the connection's end.
  ///
  /// - Returns: whether ``receive(into:)`` will not wait.
  /// - Throws: an error with ``SystemError/isInterrupted`` after an ``Interruption``.
  package func waitForBytes() throws(SystemError) -> Bool {
    var polled = pollfd(fd: file.descriptor, events: Int16(POLLIN), revents: 0)
    let answer = unsafe poll(&polled, 1, Self.turn)
    let code = errno
    guard !Interruption.wasRequested else { throw SystemError(code: EINTR, call: "poll", path: file.path) }
    guard answer >= 0 || code == EINTR else { throw SystemError(code: code, call: "poll", path: file.path) }
    return answer > 0
  }

  /// Receives bytes.
  ///
  /// - Returns: their number, or 0 at the connection's end.
  package func receive(into buffer: inout [UInt8]) throws(SystemError) -> Int {
    let (descriptor, path) = (file.descriptor, file.path)
    var span = buffer.mutableSpan
    return try unsafe span.withUnsafeMutableBufferPointer { (pointer) throws(SystemError) in
      try systemCall("recv", path) { unsafe recv(descriptor, pointer.baseAddress, pointer.count, 0) }
    }
  }
}
