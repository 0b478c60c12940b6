internal import FuekiCrypto

/// A file's first header, not yet verified.
struct FirstHeader {
  let hasMagic: Bool
  /// Whether the file ends before the header's digest does, whatever its L says.
  let isCutOff: Bool
  let major: UInt16
  /// L, as stated.
  let fieldBytes: UInt64
  /// Bytes 0..<48+L, if the digest after the fields matches.
  let whole: [UInt8]?

  /// - Throws: ``ArchiveError`` if the file is shorter than the magic.
  init(file: ArchiveFile, size: UInt64) throws(ArchiveError) {
    let prefix = try file.read(Layout.prefixBytes, at: 0)
    guard prefix.count >= Layout.magic.count else {
      throw Layout.magic.starts(with: prefix) ? .incomplete : .notAnArchive
    }
    hasMagic = prefix.starts(with: Layout.magic)
    guard hasMagic, let (major, fieldBytes) = Self.versionAndLength(prefix) else {
      isCutOff = hasMagic
      (major, fieldBytes, whole) = (0, 0, nil)
      return
    }
    self.major = major
    self.fieldBytes = fieldBytes
    isCutOff = size < fieldBytes + 48
    guard !isCutOff, fieldBytes <= UInt64(Limits.headerFieldBytes.upperBound) else {
      whole = nil
      return
    }
    let bytes = try file.read(Int(fieldBytes) + 48, at: 0)
    whole = Self.isWhole(bytes) ? bytes : nil
  }

  /// Returns the major version and L from a header's first 16 bytes; nil for another length.
  static func versionAndLength(_ prefix: [UInt8]) -> (major: UInt16, fieldBytes: UInt64)? {
    guard prefix.count == Layout.prefixBytes else { return nil }
    let bytes = prefix.span
    return (bytes.littleEndian(UInt16.self, at: 8), UInt64(bytes.littleEndian(UInt32.self, at: 12)))
  }

  /// Whether a header's bytes end with their own digest.
  static func isWhole(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= Layout.prefixBytes + 32 else { return false }
    return SHA256.hash(bytes.span.extracting(0..<bytes.count - 32)).bytes == Array(bytes.suffix(32))
  }
}

extension ArchiveFile {
  /// The unverified claims of an intact first header, at the cost of two small reads.
  ///
  /// The file may not even be an archive.
  public var claimedFacts: HeaderFacts? {
    guard let size = try? byteCount(), let first = try? FirstHeader(file: self, size: size),
      let whole = first.whole, first.major == Layout.major
    else { return nil }
    return try? Header(decoding: Array(whole.dropLast(32))).facts
  }
}
