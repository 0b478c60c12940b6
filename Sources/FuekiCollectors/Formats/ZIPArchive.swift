package import FuekiSources
internal import FuekiCompression
package import FuekiCrypto

/// Why bytes are not a supported ZIP file.
package enum ZIPError: Error, Equatable, Sendable {
  /// There is no end record, or it contradicts the bytes.
  case damaged
  /// An unsupported feature: encryption, several disks, sizes beyond 32 bits, or another compression.
  case unsupported
  /// A size or the number of entries exceeds the caller's limits.
  case overLimit
  /// An entry's content does not match its checksum.
  case wrongChecksum
  /// Two entries overlap.
  case overlapping

  /// A sentence for people.
  package var sentence: String {
    switch self {
    case .damaged: "the ZIP file is damaged"
    case .unsupported: "the ZIP file is encrypted, or of a kind that is not read"
    case .overLimit: "the ZIP file holds more than such a file has"
    case .wrongChecksum: "the ZIP file's content is not what its checksum says"
    case .overlapping: "entries of the ZIP file overlap: no program writes one so"
    }
  }
}

/// The entries of a small ZIP file, by its central directory.
///
/// Names are compared and never used as paths. Decoding stops at an entry's declared size, and an entry that
/// declares more than the limit is refused before allocation. Entries must not overlap, so that a file cannot
/// expand more than its size allows. See PKWARE's APPNOTE.TXT, sections 4.3 and 4.4.
package struct ZIPArchive {
  package struct Entry {
    package let name: [UInt8]
    let method: UInt16
    let checksum: UInt32
    let storedByteCount: Int
    let byteCount: Int
    let headerOffset: Int
  }

  private static let endByteCount = 22
  private static let directoryByteCount = 46
  private static let localByteCount = 30
  /// DEFLATE outputs at most 258 bytes for two bits (RFC 1951, 3.2.5).
  private static let mostBytesForOne = 1032

  package private(set) var entries: [Entry] = []

  /// Parses the directory.
  package init(_ bytes: Span<UInt8>, entryLimit: Int = 64) throws(ZIPError) {
    let end = try Self.end(in: bytes)
    let count = Int(bytes.number(end + 10, 2))
    guard bytes.number(end + 4, 4) == 0, bytes.number(end + 8, 2) == UInt32(count) else {
      throw .unsupported
    }
    guard count <= entryLimit else { throw .overLimit }
    let size = Int(bytes.number(end + 12, 4))
    var position = Int(bytes.number(end + 16, 4))
    guard position <= end, size <= end - position else { throw .damaged }
    let limit = position + size
    for _ in 0..<count {
      guard limit - position >= Self.directoryByteCount, bytes.number(position, 4) == 0x0201_4B50 else {
        throw .damaged
      }
      let nameCount = Int(bytes.number(position + 28, 2))
      let rest = Int(bytes.number(position + 30, 2)) + Int(bytes.number(position + 32, 2))
      let nameStart = position + Self.directoryByteCount
      guard nameCount + rest <= limit - nameStart else { throw .damaged }
      let flags = bytes.number(position + 8, 2)
      // Bit 0 means encryption, bit 5 a patch, bit 13 an encrypted directory.
      guard flags & 0x2021 == 0 else { throw .unsupported }
      let sizes = (stored: bytes.number(position + 20, 4), whole: bytes.number(position + 24, 4))
      let offset = bytes.number(position + 42, 4)
      guard sizes.stored != .max, sizes.whole != .max, offset != .max else { throw .unsupported }
      entries.append(
        Entry(
          name: (nameStart..<nameStart + nameCount).map { bytes[$0] },
          method: UInt16(truncatingIfNeeded: bytes.number(position + 10, 2)),
          checksum: bytes.number(position + 16, 4), storedByteCount: Int(sizes.stored),
          byteCount: Int(sizes.whole), headerOffset: Int(offset)))
      position = nameStart + nameCount + rest
    }
    try checkPlaces(in: bytes)
  }

  private func checkPlaces(in bytes: Span<UInt8>) throws(ZIPError) {
    var end = 0
    for entry in entries.sorted(by: { $0.headerOffset < $1.headerOffset }) {
      guard entry.headerOffset >= end else { throw .overlapping }
      // The header has at least 30 bytes.
      end = entry.headerOffset + Self.localByteCount + entry.storedByteCount
      if entry.headerOffset <= bytes.count - Self.localByteCount {
        end += Self.nameByteCount(bytes, entry.headerOffset)
      }
    }
  }

  /// Returns the length of a local header's name and extra field, which may differ from the directory's.
  private static func nameByteCount(_ bytes: Span<UInt8>, _ start: Int) -> Int {
    Int(bytes.number(start + 26, 2)) + Int(bytes.number(start + 28, 2))
  }

  /// Decodes an entry and verifies its checksum.
  package static func content(
    of entry: Entry, in bytes: Span<UInt8>, limit: Int, work: WorkBudget
  ) throws -> SecretBytes {
    guard entry.byteCount <= limit else { throw ZIPError.overLimit }
    let start = entry.headerOffset
    guard start <= bytes.count - localByteCount, bytes.number(start, 4) == 0x0403_4B50 else {
      throw ZIPError.damaged
    }
    let content = start + localByteCount + nameByteCount(bytes, start)
    guard content <= bytes.count, entry.storedByteCount <= bytes.count - content else {
      throw ZIPError.damaged
    }
    // A size that the method cannot produce is refused before allocation.
    switch entry.method {
    case 0: guard entry.storedByteCount == entry.byteCount else { throw ZIPError.damaged }
    case 8:
      guard entry.byteCount / mostBytesForOne <= entry.storedByteCount else { throw ZIPError.damaged }
    default: throw ZIPError.unsupported
    }
    try work.spend(entry.storedByteCount, on: .bytesRead)
    try work.spend(entry.byteCount, on: .bytesProduced)
    let stored = bytes.extracting(content..<content + entry.storedByteCount)
    let whole: SecretBytes
    if entry.method == 0 {
      whole = try SecretBytes(copying: stored)
    } else {
      var decoded = try SecretBytes(count: entry.byteCount)
      do throws(CompressionError) {
        let count = try decoded.withMutableBytes { (output) throws(CompressionError) in
          try Inflate.decode(stored, wrapping: .raw, into: &output)
        }
        guard count == entry.byteCount else { throw .damaged }
      } catch {
        throw error == .wrongLength ? ZIPError.overLimit : .damaged
      }
      whole = decoded
    }
    guard whole.withBytes({ CRC32.checksum($0) }) == entry.checksum else { throw ZIPError.wrongChecksum }
    return whole
  }

  /// Finds the end record, which only a comment may follow.
  private static func end(in bytes: Span<UInt8>) throws(ZIPError) -> Int {
    let last = bytes.count - endByteCount
    guard last >= 0 else { throw .damaged }
    for start in stride(from: last, through: max(0, last - 0xFFFF), by: -1)
    where bytes.number(start, 4) == 0x0605_4B50 && Int(bytes.number(start + 20, 2)) == last - start {
      return start
    }
    throw .damaged
  }
}

extension Span<UInt8> {
  /// Returns a little-endian number.
  ///
  /// The caller ensures that the bytes exist.
  fileprivate func number(_ offset: Int, _ count: Int) -> UInt32 {
    (0..<count).reversed().reduce(0) { $0 << 8 | UInt32(self[offset + $1]) }
  }
}
