internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// A table's file while it is of use.
final class OpenTable: Sendable {
  let file: File

  init(_ file: consuming File) { self.file = file }

  /// Returns the identities at ascending places of a section, from their region of the file; nil if one was not kept.
  func names(_ places: [Int], in region: Range<UInt64>) throws(SystemError) -> [[UInt8]]? {
    var window: [UInt8] = []
    var start = 0
    var offset = region.lowerBound
    var names: [[UInt8]] = []
    var place = 0
    for wanted in places {
      while true {
        if window.count - start <= IdentityNames.mostBytes, offset < region.upperBound {
          let count = min(TableReader.pieceBytes, Int(region.upperBound - offset))
          window = Array(window[start...]) + (try file.readExactly(count, at: offset))
          start = 0
          offset += UInt64(count)
        }
        guard start < window.count else { return nil }
        let end = start + 1 + Int(window[start])
        guard end <= window.count else { return nil }
        defer {
          start = end
          place += 1
        }
        guard place == wanted else { continue }
        guard end > start + 1 else { return nil }
        names.append(Array(window[start + 1..<end]))
        break
      }
    }
    return names
  }
}

/// Reads a table from its beginning, and hashes it.
struct TableReader: ~Copyable {
  static let pieceBytes = 1 << 20

  private let file: OpenTable
  private var hash = SHA256()
  private(set) var offset: UInt64 = 0

  init(_ file: OpenTable) { self.file = file }

  /// Returns the next bytes; nil if too few are left.
  mutating func next(_ count: Int) throws(SystemError) -> [UInt8]? {
    do {
      let bytes = try file.file.readExactly(count, at: offset)
      hash.update(bytes)
      offset += UInt64(count)
      return bytes
    } catch let error where error.isEndOfFile {
      return nil
    }
  }

  /// Returns the next keys; nil if too few are left or they do not ascend.
  mutating func keys(_ count: Int) throws(SystemError) -> [RecordKey]? {
    var keys: [RecordKey] = []
    keys.reserveCapacity(count)
    while keys.count < count {
      let piece = min(count - keys.count, Self.pieceBytes / RecordKey.byteCount)
      guard let bytes = try next(piece * RecordKey.byteCount) else { return nil }
      let span = bytes.span
      for place in 0..<piece {
        let key = RecordKey(span, at: place * RecordKey.byteCount)
        guard keys.last.map({ $0 <= key }) ?? true else { return nil }
        keys.append(key)
      }
    }
    return keys
  }

  /// Hashes the next bytes; false if too few are left.
  mutating func skip(_ count: Int) throws(SystemError) -> Bool {
    var left = count
    while left > 0 {
      let piece = min(left, Self.pieceBytes)
      guard try next(piece) != nil else { return false }
      left -= piece
    }
    return true
  }

  /// Whether what follows is the digest of everything before it.
  consuming func holds() throws(SystemError) -> Bool {
    let stated = try? file.file.readExactly(Digest.byteCount, at: offset)
    return stated == hash.finalize().bytes
  }
}

extension RecordKey {
  /// Reads a key, whose 32 bytes are there.
  init(_ bytes: Span<UInt8>, at start: Int) {
    self.init(identity: bytes.number(at: start), message: bytes.number(at: start + 16))
  }
}

extension Span<UInt8> {
  /// Sixteen bytes as a number, the least significant one first.
  fileprivate func number(at start: Int) -> UInt128 {
    // Two halves: a number of this size is shifted at a cost.
    UInt128(littleEndian(UInt64.self, at: start + 8)) << 64 | UInt128(littleEndian(UInt64.self, at: start))
  }
}

/// Reads the identities of records by their place in a section of the table.
///
/// They take as many bytes as the keys, and few are ever read.
struct IdentityNames: Sendable {
  /// An identity of more bytes is not kept: where its record is removed, a full archive is made.
  static let mostBytes = 128

  /// The identities at ascending places of a section's keys; nil if one was not kept.
  let read: @Sendable (_ section: UInt16, _ places: [Int]) throws -> [[UInt8]]?
}
