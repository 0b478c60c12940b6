internal import FuekiArchive
package import FuekiCrypto

/// The bytes of an archive's structure, and the version of the file that has them.
package struct StructureRecord: Sendable {
  /// A part of the file.
  package struct Piece: Equatable, Sendable {
    package let start: UInt64
    package let bytes: [UInt8]

    package init(start: UInt64, bytes: [UInt8]) { (self.start, self.bytes) = (start, bytes) }
  }

  /// The beginning of a record, which is enough to find it.
  package struct Head: Equatable, Sendable {
    /// The hash of the file's path.
    package let key: Digest
    /// The hash of the storage's tag, as listed before the file was read.
    package let tag: Digest
    /// When it was read, in seconds since 1970.
    package let time: Int64

    package init(key: Digest, tag: Digest, time: Int64) {
      (self.key, self.tag, self.time) = (key, tag, time)
    }
  }

  package let head: Head
  package let pieces: [Piece]

  /// The length of the field before a record, with the number of its bytes.
  static let lengthBytes = 4
  static let headBytes = 2 * Digest.byteCount + 8
  /// More than the structures of most archives take.
  static let mostBytes = 1 << 16
  /// Farther away than the time of any clock, so that differences cannot overflow.
  private static let times: Range<Int64> = 0..<(1 << 40)

  package init(_ head: Head, _ pieces: [Piece]) { (self.head, self.pieces) = (head, pieces) }

  /// The record as bytes, with their number before them and a digest at the end; nil if it is too long.
  package var encoded: [UInt8]? {
    var bytes: [UInt8] = []
    head.key.append(to: &bytes)
    head.tag.append(to: &bytes)
    bytes.append(littleEndian: UInt64(bitPattern: head.time))
    for piece in pieces {
      bytes.append(littleEndian: piece.start)
      bytes.append(littleEndian: UInt32(clamping: piece.bytes.count))
      bytes += piece.bytes
    }
    SHA256.hash(bytes).append(to: &bytes)
    guard bytes.count <= Self.mostBytes else { return nil }
    var counted: [UInt8] = []
    counted.append(littleEndian: UInt32(bytes.count))
    return counted + bytes
  }

  /// Decodes the beginning of a record; nil if it is malformed.
  static func head(_ bytes: [UInt8]) -> Head? {
    var reader = ByteReader(bytes)
    guard let key = (try? reader.bytes(Digest.byteCount)).flatMap({ Digest(bytes: $0) }),
      let tag = (try? reader.bytes(Digest.byteCount)).flatMap({ Digest(bytes: $0) }),
      let time = try? reader.u64()
    else { return nil }
    let seconds = Int64(bitPattern: time)
    return times.contains(seconds) ? Head(key: key, tag: tag, time: seconds) : nil
  }

  /// Decodes a record without the field before it; nil if it is damaged.
  package init?(decoding bytes: [UInt8]) {
    let end = bytes.count - Digest.byteCount
    guard end >= Self.headBytes, bytes.count <= Self.mostBytes,
      SHA256.hash(Array(bytes[..<end])) == Digest(bytes: Array(bytes[end...])),
      let head = Self.head(bytes)
    else { return nil }
    var reader = ByteReader(Array(bytes[Self.headBytes..<end]))
    var pieces: [Piece] = []
    do throws(ByteReader.Exhausted) {
      while reader.remaining > 0 {
        let start = try reader.u64()
        pieces.append(Piece(start: start, bytes: try reader.bytes(Int(try reader.u32()))))
      }
    } catch {
      return nil
    }
    self.init(head, pieces)
  }
}
