internal import FuekiCrypto
internal import FuekiWallet

/// Packages in postcard's binary form.
///
///     00 ‖ CRC-32 of the suite's name ‖ the fields one after another; counts and u16 are varints
enum FROSTPostcard {
  private static let headByteCount = 5

  /// Returns the suite by the first bytes; nil if it is not a package.
  static func suite(_ bytes: Span<UInt8>) -> FROSTSuite? {
    guard bytes.count > headByteCount, bytes[0] == 0 else { return nil }
    let mark = bytes.extracting(1..<headByteCount).copied()
    return FROSTSuite.all.first { $0.mark == mark }
  }

  /// Parses a complete package; nil for other bytes.
  ///
  /// The three forms have no distinguishing mark. The form whose end matches the end of the bytes is right.
  static func package(_ bytes: Span<UInt8>) throws(CryptoError) -> FROSTPackage? {
    guard let suite = suite(bytes) else { return nil }
    if let package = publicPackage(bytes, suite) { return package }
    let shareEnd = headByteCount + 2 * suite.scalarByteCount
    guard bytes.count > shareEnd else { return nil }
    var package = FROSTPackage(suite: suite)
    package.identifier = suite.number(
      bytes.extracting(headByteCount..<headByteCount + suite.scalarByteCount).copied())
    var reader = Reader(position: shareEnd)
    if bytes.count > shareEnd + 2 * suite.pointByteCount,
      let own = reader.bytes(suite.pointByteCount, in: bytes),
      let key = reader.bytes(suite.pointByteCount, in: bytes), let threshold = reader.varint(in: bytes),
      reader.isAtEnd(of: bytes)
    {
      (package.ownPoint, package.groupKey, package.threshold) = (own, key, threshold)
    } else {
      reader = Reader(position: shareEnd)
      guard let count = reader.varint(in: bytes), 1...FROSTPackage.partyLimit ~= count else { return nil }
      for _ in 0..<count {
        guard let point = reader.bytes(suite.pointByteCount, in: bytes) else { return nil }
        package.commitment.append(point)
      }
      guard reader.isAtEnd(of: bytes) else { return nil }
    }
    let secret = try SecretBytes(
      copying: bytes.extracting(headByteCount + suite.scalarByteCount..<shareEnd))
    package.secret = SharedSecret(try suite.scalar(secret))
    return package
  }

  /// Whether bytes are one signature's nonces: two numbers, and their points with a separate header.
  static func isNonces(_ bytes: Span<UInt8>) -> Bool {
    guard let suite = suite(bytes) else { return false }
    let second = headByteCount + 2 * suite.scalarByteCount
    guard bytes.count == second + headByteCount + 2 * suite.pointByteCount, bytes[second] == 0 else {
      return false
    }
    return bytes.extracting(second + 1..<second + headByteCount).copied() == suite.mark
  }

  private static func publicPackage(_ bytes: Span<UInt8>, _ suite: FROSTSuite) -> FROSTPackage? {
    var package = FROSTPackage(suite: suite)
    var reader = Reader(position: headByteCount)
    guard let count = reader.varint(in: bytes), 1...FROSTPackage.partyLimit ~= count else { return nil }
    for _ in 0..<count {
      guard let place = reader.bytes(suite.scalarByteCount, in: bytes),
        let point = reader.bytes(suite.pointByteCount, in: bytes)
      else { return nil }
      package.parties.append((suite.number(place), point))
    }
    guard let key = reader.bytes(suite.pointByteCount, in: bytes) else { return nil }
    package.groupKey = key
    if reader.isAtEnd(of: bytes) { return package }
    // Since version 3 the threshold follows, if it is known.
    switch reader.byte(in: bytes) {
    case 0: break
    case 1:
      guard let threshold = reader.varint(in: bytes) else { return nil }
      package.threshold = threshold
    default: return nil
    }
    return reader.isAtEnd(of: bytes) ? package : nil
  }

  private struct Reader {
    var position: Int

    func isAtEnd(of bytes: Span<UInt8>) -> Bool { position == bytes.count }

    mutating func byte(in bytes: Span<UInt8>) -> UInt8? {
      guard position < bytes.count else { return nil }
      position += 1
      return bytes[position - 1]
    }

    mutating func bytes(_ count: Int, in bytes: Span<UInt8>) -> [UInt8]? {
      guard count <= bytes.count - position else { return nil }
      position += count
      return bytes.extracting(position - count..<position).copied()
    }

    /// Reads a number of up to 21 bits, enough for counts and u16.
    mutating func varint(in bytes: Span<UInt8>) -> Int? {
      var value = 0
      for shift in [0, 7, 14] {
        guard let byte = byte(in: bytes) else { return nil }
        value |= Int(byte & 0x7F) << shift
        if byte < 0x80 { return value }
      }
      return nil
    }
  }
}
