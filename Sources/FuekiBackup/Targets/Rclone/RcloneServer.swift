internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiSystem

/// One rclone that reads byte ranges of many files of a folder, several at a time.
///
/// A run of rclone for each range costs a process and new connections to the remote each time. `rclone serve restic`
/// keeps them open. It is meant for restic, and returns any range of any file. It listens on the loopback device, where
/// other users reach it, too: it answers only requests with a password, which it has from its environment.
///
/// Any thread may use this value. rclone ends with it, or with this process.
final class RcloneServer: Sendable {
  /// The number of ranges that are read at a time.
  static let width = 24

  private static let user = "fueki"
  private static let bufferBytes = 1 << 16

  private struct State {
    /// The connections that no request uses.
    var idle: [LoopbackSocket] = []
    /// When rclone last sent something, or was asked.
    var heard = SystemClock.monotonicSeconds
    var stall: SystemError?
  }

  private let folder: RclonePath
  private let child: ServingChild
  private let port: UInt16
  private let credentials: String
  private let state = Locked(State())

  /// Starts rclone, and waits until it serves.
  ///
  /// - Throws: `SystemError` with `isTimedOut` or `isInterrupted`; others if rclone is missing, or ends.
  init(of folder: RclonePath) throws(SystemError) {
    self.folder = folder
    let password = Hex.encode(RandomBytes.bytes(16))
    credentials = Data("\(Self.user):\(password)".utf8).base64EncodedString()
    // rclone opens no more connections than it has transfers and checkers.
    let options = [
      "restic", "--append-only", "--addr", "127.0.0.1:0", "--user", Self.user, "--transfers", "\(Self.width)",
      "--log-level", "NOTICE",
    ]
    var command = RcloneCommand("serve", options, on: folder)
    command.settings = ["RCLONE_PASS=\(password)"]
    child = try command.serve()
    let deadline = SystemClock.monotonicSeconds + RcloneCommand.deadline
    while true {
      let hasEnded = child.hasEnded
      if let port = Self.port(in: child.log) {
        self.port = port
        return
      }
      guard !Interruption.wasRequested else { throw Self.failure(folder, .interrupted, "it was interrupted") }
      guard !hasEnded else { throw Self.failure(folder, .failed, RcloneLog(child.log).last ?? "it ended") }
      guard SystemClock.monotonicSeconds < deadline else { throw Self.timedOut(folder) }
      SystemClock.sleep(seconds: 0.005)
    }
  }

  /// Returns the port in rclone's log (`Serving restic REST API on [http://127.0.0.1:40087/]`).
  static func port(in log: String) -> UInt16? {
    let parts = log.split(separator: "://127.0.0.1:", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let end = parts[1].firstIndex(of: "/") else { return nil }
    return UInt16(parts[1][..<end])
  }

  /// The error of an rclone that said nothing for too long.
  var stall: SystemError? { state.withLock(\.stall) }

  /// Has rclone list the folder and everything below it.
  ///
  /// rclone remembers the listed files. About each other one it asks the remote before the first range. S3 is asked all
  /// the same, because rclone reads the media type of each file there.
  ///
  /// - Throws: `SystemError` with `isInterrupted`. A listing that fails is no error.
  func listFiles() throws(SystemError) {
    do throws(SystemError) {
      let connection = try connect()
      try send("", ["Accept: application/vnd.x.restic.rest.v2", "Connection: close"], over: connection)
      var buffer = [UInt8](repeating: 0, count: Self.bufferBytes)
      let end = SystemClock.monotonicSeconds + RcloneCommand.deadline
      while try receive(from: connection, into: &buffer) > 0, SystemClock.monotonicSeconds < end {}
    } catch {
      guard !error.isInterrupted else { throw error }
    }
  }

  /// Reads a range of a file.
  ///
  /// - Parameters:
  ///   - range: the bytes, of which there is at least one.
  ///   - path: the file.
  ///   - place: the file that receives the bytes as they arrive; nil to return them.
  /// - Returns: nil if it failed; empty if the bytes are in a file.
  /// - Throws: `SystemError` with `isInterrupted`, and with `isTimedOut` once rclone has said nothing for too long.
  func read(
    _ range: Range<UInt64>, of path: RclonePath, into place: RemoteCopies.Place? = nil
  ) throws(SystemError) -> [UInt8]? {
    guard let name = path.relative(to: folder), Self.serves(name) else { return nil }
    if let stall { throw stall }
    do throws(SystemError) {
      let idle = state.withLock { $0.idle.popLast() }
      let connection = if let idle { idle } else { try connect() }
      try send(name, ["Range: bytes=\(range.lowerBound)-\(range.upperBound - 1)"], over: connection)
      var answer = RangeAnswer(byteCount: UInt64(range.count))
      var buffer = [UInt8](repeating: 0, count: Self.bufferBytes)
      var bytes: [UInt8] = []
      var position = range.lowerBound
      while !answer.isWhole {
        let count = try receive(from: connection, into: &buffer)
        guard count > 0, let new = answer.receive(buffer[..<count]) else { return nil }
        if let place { try place.write(new.span, at: position) } else { bytes += new }
        position += UInt64(new.count)
      }
      state.withLock { $0.idle.append(connection) }
      return bytes
    } catch {
      if error.isTimedOut { state.withLock { $0.stall = error } }
      guard !error.isTimedOut, !error.isInterrupted else { throw error }
      return nil
    }
  }

  /// Whether rclone returns a file under its path: restic's own layout moves files of folders with this name.
  private static func serves(_ path: String) -> Bool {
    path.split(separator: "/").dropLast().last != "data" && path.utf8.count < 4096
  }

  private func connect() throws(SystemError) -> LoopbackSocket {
    let connection = try LoopbackSocket(port: port)
    // Only then it is rclone's: once rclone has ended, another program may listen there.
    guard !child.hasEnded else { throw Self.failure(folder, .failed, "it ended") }
    return connection
  }

  private func send(_ path: String, _ fields: [String], over connection: LoopbackSocket) throws(SystemError) {
    state.withLock { $0.heard = SystemClock.monotonicSeconds }
    try connection.send(RangeAnswer.request(path, ["Authorization: Basic \(credentials)"] + fields))
  }

  /// Waits for bytes as long as rclone sends some on any connection.
  private func receive(
    from connection: LoopbackSocket, into buffer: inout [UInt8]
  ) throws(SystemError) -> Int {
    while try !connection.waitForBytes() {
      let heard = state.withLock(\.heard)
      guard SystemClock.monotonicSeconds - heard < RcloneCommand.deadline else { throw Self.timedOut(folder) }
    }
    defer { state.withLock { $0.heard = SystemClock.monotonicSeconds } }
    return try connection.receive(into: &buffer)
  }

  private static func timedOut(_ folder: RclonePath) -> SystemError {
    failure(folder, .timedOut, "it has not answered for \(Int(RcloneCommand.deadline)) seconds")
  }

  private static func failure(
    _ folder: RclonePath, _ finding: SystemError.Finding, _ explanation: String
  ) -> SystemError {
    SystemError(finding, call: "rclone serve", path: folder.text, explanation: explanation)
  }
}

/// The part of HTTP/1.1 (RFC 9112) that a client needs for byte ranges of files.
package struct RangeAnswer {
  private static let longestHead = 1 << 14
  private static let start = Array("HTTP/1.1 206 ".utf8)
  private static let endOfHead: [UInt8] = [13, 10, 13, 10]

  private let byteCount: UInt64
  private var head: [UInt8] = []
  private var received: UInt64?

  /// Creates the answer to a request for so many bytes, of which there is at least one.
  package init(byteCount: UInt64) { self.byteCount = byteCount }

  /// Returns a request.
  ///
  /// - Parameters:
  ///   - path: the file's path, without a slash at its beginning.
  ///   - fields: the header fields, each as `Name: value`.
  /// - Returns: the request's bytes.
  package static func request(_ path: String, _ fields: [String]) -> [UInt8] {
    let lines = ["GET /\(escaped(path)) HTTP/1.1", "Host: localhost"] + fields
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  private static func escaped(_ path: String) -> String {
    let plain = Set("/-._~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    return path.utf8.map { plain.contains($0) ? String(UnicodeScalar($0)) : "%\(Hex.encode([$0]))" }.joined()
  }

  /// Whether all bytes of the range have arrived.
  package var isWhole: Bool { received == byteCount }

  /// Processes bytes of the connection.
  ///
  /// - Returns: the range's bytes among them; nil if the server returns something else, or more.
  package mutating func receive(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var new = bytes
    if received == nil {
      head += bytes
      // A server of something else may wait for more after a few bytes.
      guard Self.start.starts(with: head.prefix(Self.start.count)) else { return nil }
      guard let end = endOfHead else { return head.count <= Self.longestHead ? [] : nil }
      guard hasLength(head[..<end]) else { return nil }
      (new, received) = (head[end...], 0)
    }
    received = (received ?? 0) + UInt64(new.count)
    return received ?? 0 <= byteCount ? new : nil
  }

  private var endOfHead: Int? {
    let last = head.indices.dropFirst(3).first { head[$0 - 3...$0].elementsEqual(Self.endOfHead) }
    return last.map { $0 + 1 }
  }

  private func hasLength(_ head: ArraySlice<UInt8>) -> Bool {
    let lines = String(decoding: head, as: UTF8.self).lowercased().split(whereSeparator: \.isNewline)
    return lines.contains("content-length: \(byteCount)")
  }
}
