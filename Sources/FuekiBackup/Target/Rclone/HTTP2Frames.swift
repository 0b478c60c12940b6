internal import FuekiCrypto

/// The part of HTTP/2 (RFC 9113) that a client needs for downloads of byte ranges.
///
/// rclone speaks it on its standard input and output, so that no port of this machine is opened.
package struct HTTP2Frames {
  /// An event of a stream, from the server.
  package enum Event: Equatable {
    /// The response's status, if it is in HPACK's static table.
    case status(Int?, stream: UInt32)
    case data([UInt8], stream: UInt32)
    case ended(stream: UInt32)
    case reset(stream: UInt32)
    /// A frame that the client has to send.
    case reply([UInt8])
    /// The server ends the connection.
    case goneAway
  }

  /// The server violates the protocol, or uses a part of it that this client lacks.
  package struct Malformed: Error, Equatable {}

  private enum Kind: UInt8 {
    case data = 0
    case headers = 1
    case reset = 3
    case settings = 4
    case ping = 6
    case goAway = 7
    case windowUpdate = 8
    case continuation = 9
  }

  private static let endOfStream: UInt8 = 1
  private static let acknowledgment: UInt8 = 1
  private static let endOfHeaders: UInt8 = 4
  private static let padding: UInt8 = 8
  private static let priority: UInt8 = 32
  private static let headBytes = 9
  /// The longest frame that the server may send: rclone writes 32 KiB at a time.
  private static let longest = 1 << 16

  private var buffer: [UInt8] = []

  package init() {}

  // MARK: from the client

  /// The first bytes of a client: no table of header fields, no pushed streams, windows that never close, and longer
  /// frames.
  package static var preface: [UInt8] {
    let settings: [(UInt16, UInt32)] = [(1, 0), (2, 0), (4, 0x7FFF_FFFF), (5, UInt32(longest))]
    return Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
      + frame(.settings, stream: 0, settings.flatMap { bigEndian($0) + bigEndian($1) })
      + window(0x7FFF_FFFF - 65_535)
  }

  /// Returns a frame that permits the server to send more bytes.
  package static func window(_ count: UInt32) -> [UInt8] {
    frame(.windowUpdate, stream: 0, bigEndian(count))
  }

  /// Returns a request for a range of a file.
  ///
  /// - Parameters:
  ///   - path: the file's path, without a slash at its beginning.
  ///   - range: the bytes, of which there is at least one.
  ///   - stream: an odd number, greater than those of earlier requests.
  /// - Returns: the frame.
  package static func request(_ path: String, _ range: Range<UInt64>, stream: UInt32) -> [UInt8] {
    get(
      [0x04] + literal("/" + escaped(path)) + [0x0F, 50 - 15]
        + literal("bytes=\(range.lowerBound)-\(range.upperBound - 1)"), stream: stream)
  }

  /// Returns a request for the list of all files, in the form of restic's REST API, version 2.
  ///
  /// - Parameter stream: an odd number, greater than those of earlier requests.
  /// - Returns: the frame.
  package static func listRequest(stream: UInt32) -> [UInt8] {
    get([0x84, 0x0F, 19 - 15] + literal("application/vnd.x.restic.rest.v2"), stream: stream)
  }

  /// A GET request over HTTP.
  ///
  /// HPACK's static table has the fields' names; the values are literals.
  private static func get(_ fields: [UInt8], stream: UInt32) -> [UInt8] {
    frame(
      .headers, endOfStream | endOfHeaders, stream: stream,
      [0x82, 0x86, 0x01] + literal("localhost") + fields)
  }

  private static func frame(
    _ kind: Kind, _ flags: UInt8 = 0, stream: UInt32, _ payload: [UInt8]
  ) -> [UInt8] {
    bigEndian(UInt32(payload.count)).dropFirst() + [kind.rawValue, flags] + bigEndian(stream) + payload
  }

  private static func literal(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var length = text.utf8.count
    if length < 127 {
      bytes.append(UInt8(length))
    } else {
      bytes.append(127)
      length -= 127
      while length >= 128 {
        bytes.append(UInt8(length % 128 + 128))
        length /= 128
      }
      bytes.append(UInt8(length))
    }
    return bytes + Array(text.utf8)
  }

  private static func escaped(_ path: String) -> String {
    let plain = Set("/-._~".utf8)
    var bytes: [UInt8] = []
    for byte in path.utf8 {
      let isPlain = plain.contains(byte) || Character(UnicodeScalar(byte)).isASCIIWord
      bytes += isPlain ? [byte] : Array("%\(Hex.encode([byte]).uppercased())".utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    stride(from: value.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  // MARK: from the server

  /// Processes bytes from the server, and returns the events of each complete frame.
  package mutating func receive(_ bytes: some Sequence<UInt8>) throws(Malformed) -> [Event] {
    buffer += bytes
    var events: [Event] = []
    var position = 0
    while buffer.count - position >= Self.headBytes {
      let length = Int(Self.number(buffer[position..<position + 3]))
      guard length <= Self.longest else { throw Malformed() }
      let start = position + Self.headBytes
      guard buffer.count - start >= length else { break }
      let stream = Self.number(buffer[position + 5..<start]) & 0x7FFF_FFFF
      events += try Self.events(
        buffer[position + 3], flags: buffer[position + 4], stream, buffer[start..<start + length])
      position = start + length
    }
    buffer.removeFirst(position)
    return events
  }

  private static func events(
    _ kind: UInt8, flags: UInt8, _ stream: UInt32, _ payload: ArraySlice<UInt8>
  ) throws(Malformed) -> [Event] {
    var events: [Event] = []
    switch Kind(rawValue: kind) {
    case .data:
      guard flags & padding == 0 else { throw Malformed() }
      events = [.data(Array(payload), stream: stream)]
    case .headers:
      guard flags & (padding | priority) == 0 else { throw Malformed() }
      events = [.status(status(payload), stream: stream)]
    case .reset: return [.reset(stream: stream)]
    case .settings:
      return flags & acknowledgment == 0 ? [.reply(frame(.settings, acknowledgment, stream: 0, []))] : []
    case .ping:
      return flags & acknowledgment == 0
        ? [.reply(frame(.ping, acknowledgment, stream: 0, Array(payload)))] : []
    case .goAway: return [.goneAway]
    case .windowUpdate, .continuation, nil: return []
    }
    if flags & endOfStream != 0 { events.append(.ended(stream: stream)) }
    return events
  }

  /// The status is a response's first field, after changes of the size of HPACK's table.
  private static func status(_ fields: ArraySlice<UInt8>) -> Int? {
    guard let first = fields.first(where: { $0 & 0xE0 != 0x20 }) else { return nil }
    let known: [UInt8: Int] = [8: 200, 9: 204, 10: 206, 11: 304, 12: 400, 13: 404, 14: 500]
    return first & 0x80 == 0 ? nil : known[first & 0x7F]
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension Character {
  /// Whether it is a letter or a digit of ASCII.
  fileprivate var isASCIIWord: Bool { isASCII && (isLetter || isNumber) }
}
