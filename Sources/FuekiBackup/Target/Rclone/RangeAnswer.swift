internal import FuekiCrypto

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
