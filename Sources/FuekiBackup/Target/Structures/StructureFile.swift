internal import FuekiArchive
package import FuekiCrypto
package import FuekiSystem

/// A file of ``StructureRecord``s, which are read one at a time.
///
/// Paths and tags are hashed with a random salt, so that others cannot compute when an archive is due.
package final class StructureFile: Sendable {
  private struct Place: Sendable {
    let head: StructureRecord.Head
    /// The record's first byte after the field with its length.
    let offset: UInt64
    let count: Int
  }

  /// The file's beginning.
  package struct Heading: Equatable, Sendable {
    package let salt: [UInt8]
    /// Whether the remote lists checksums.
    package let hasChecksums: Bool
    /// When the remote was asked for that, in seconds since 1970.
    package let asked: Int64

    package static let saltBytes = 16

    package init(
      salt: [UInt8] = RandomBytes.bytes(StructureFile.Heading.saltBytes), hasChecksums: Bool, asked: Int64
    ) {
      (self.salt, self.hasChecksums, self.asked) = (salt, hasChecksums, asked)
    }
  }

  package let heading: Heading
  private let file: File
  private let places: [Digest: Place]

  /// The form of the file, and the structure of archives: a version that reads more has another number.
  private static let magic = Array("fueki structures 1".utf8)
  private static let headingBytes = magic.count + Heading.saltBytes + 9
  /// More than any bucket's archives take.
  private static let mostBytes: UInt64 = 1 << 32

  /// Finds the records in a file.
  ///
  /// Records after a malformed one are left out.
  ///
  /// - Returns: nil if it is no file of records, or cannot be read.
  package init?(_ file: consuming File) {
    guard let size = try? file.size(), size <= Self.mostBytes,
      let start = try? file.readExactly(Self.headingBytes, at: 0), start.starts(with: Self.magic)
    else { return nil }
    var reader = ByteReader(Array(start[Self.magic.count...]))
    guard let salt = try? reader.bytes(Heading.saltBytes), let flags = try? reader.u8(), flags <= 1,
      let asked = try? reader.u64(), asked < 1 << 40
    else { return nil }
    heading = Heading(salt: salt, hasChecksums: flags == 1, asked: Int64(asked))
    var places: [Digest: Place] = [:]
    var position = UInt64(Self.headingBytes)
    let least = StructureRecord.lengthBytes + StructureRecord.headBytes
    while let found = try? file.readExactly(least, at: position) {
      var reader = ByteReader(Array(found.prefix(StructureRecord.lengthBytes)))
      guard let count = try? reader.u32(), count <= StructureRecord.mostBytes,
        count >= StructureRecord.headBytes + Digest.byteCount,
        let head = StructureRecord.head(Array(found[StructureRecord.lengthBytes...]))
      else { break }
      let offset = position + UInt64(StructureRecord.lengthBytes)
      position = offset + UInt64(count)
      guard position <= size else { break }
      places[head.key] = Place(head: head, offset: offset, count: Int(count))
    }
    self.places = places
    self.file = file
  }

  /// The keys of the records.
  package var keys: Set<Digest> { Set(places.keys) }

  package func head(of key: Digest) -> StructureRecord.Head? { places[key]?.head }

  /// Reads a record; nil if there is none, or it is damaged.
  package func record(of key: Digest) -> StructureRecord? {
    guard let place = places[key], let bytes = try? file.readExactly(place.count, at: place.offset),
      let record = StructureRecord(decoding: bytes), record.head == place.head
    else { return nil }
    return record
  }

  /// Replaces a file of records, without holding all of them in memory.
  ///
  /// - Parameters:
  ///   - heading: the file's beginning.
  ///   - folder: the file's folder.
  ///   - name: the file's name.
  ///   - count: the number of records.
  ///   - record: returns a record by its number, or nil to leave it out; called twice, with the same result.
  /// - Throws: errors from writing.
  package static func write(
    _ heading: Heading, in folder: borrowing Directory, as name: String,
    count: Int, record: (Int) -> StructureRecord?
  ) throws(SystemError) {
    try folder.writeWhole(as: name, replacing: true) { (give) throws(SystemError) in
      var start = magic + heading.salt + [heading.hasChecksums ? 1 : 0]
      start.append(littleEndian: UInt64(clamping: heading.asked))
      try give(start.span)
      for number in 0..<count {
        if let bytes = record(number)?.encoded { try give(bytes.span) }
      }
    }
  }
}
