internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// A legacy wallet of Bitcoin Core: a B-tree of Berkeley DB.
///
/// Its pages are checked, but its records are not read.
enum LegacyWallet {
  private static let metadataByteCount = 72
  private static let pageHeadByteCount = 26

  /// Whether a file has the magic, in either byte order.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool { order(beginning) != nil }

  /// Checks that all pages are present and in place; nil if they are.
  ///
  /// Pages in a hole were never written.
  static func problem(of file: CopiedFile, work: WorkBudget) throws -> Problem? {
    let count = Int(clamping: min(file.byteCount, UInt64(metadataByteCount)))
    let head = try file.file.readExactly(count, at: 0)
    guard head.count == metadataByteCount, let isLittle = order(head.span) else { return .malformed }
    func number(_ bytes: [UInt8], _ place: Int) -> UInt64 {
      let part = bytes[place..<place + 4]
      return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | UInt64($1) }
    }
    let size = number(head, 20)
    let last = number(head, 32)
    // The page type must be 9, a B-tree's metadata.
    guard 512...65_536 ~= size, size & (size - 1) == 0, head[25] == 9 else { return .malformed }
    guard file.byteCount >= (last + 1) * size, file.byteCount % size == 0 else { return .length }
    work.admit(input: file.byteCount)
    var page: UInt64 = 1
    while let data = file.file.firstData(from: page * size), data < file.byteCount {
      page = max(page, data / size)
      defer { page += 1 }
      try work.spend(pageHeadByteCount, on: .bytesRead)
      let head = try file.file.readExactly(pageHeadByteCount, at: page * size)
      // A page that was never written is empty and has no number.
      guard number(head, 8) == page || head.allSatisfy({ $0 == 0 }) else { return .malformed }
    }
    return nil
  }

  enum Problem {
    case malformed
    case length
  }

  /// Whether numbers are little-endian; nil for another kind of file.
  private static func order(_ bytes: Span<UInt8>) -> Bool? {
    guard bytes.count > 16 else { return nil }
    switch (bytes[12], bytes[13], bytes[14], bytes[15]) {
    case (0x62, 0x31, 0x05, 0): return true
    case (0, 0x05, 0x31, 0x62): return false
    default: return nil
    }
  }
}

/// Searches a wallet file's bytes for unencrypted private keys, in records or in remains of deleted ones.
enum ClearKeys {
  /// The prefixes of records with such keys.
  private static let marks: [[UInt8]] = [
    [19] + Array("walletdescriptorkey".utf8), [3] + Array("key".utf8) + [33], [3] + Array("key".utf8) + [65],
    [4] + Array("wkey".utf8) + [33], [4] + Array("wkey".utf8) + [65],
  ]
  private static let pieceByteCount = 1 << 20
  private static let overlap = 32

  static func are(in file: CopiedFile, work: WorkBudget) throws -> Bool {
    work.admit(input: file.byteCount)
    var offset: UInt64 = 0
    while offset < file.byteCount, let data = file.file.firstData(from: offset), data < file.byteCount {
      // A hole has only zeros, and no prefix starts with zero.
      offset = max(offset, data)
      try work.spend(pieceByteCount, on: .bytesRead)
      let count = Int(clamping: min(UInt64(pieceByteCount + overlap), file.byteCount - offset))
      var piece = try SecretBytes(count: count)
      let read = try piece.withMutableBytes { (bytes: inout MutableSpan<UInt8>) throws(SystemError) in
        try file.file.pread(into: &bytes, at: offset)
      }
      if piece.withBytes({ has($0.extracting(0..<read)) }) { return true }
      offset += UInt64(pieceByteCount)
    }
    return false
  }

  private static func has(_ bytes: Span<UInt8>) -> Bool {
    var place = 0
    while place < bytes.count {
      // Most positions are excluded by this check.
      if bytes[place] == 19 || bytes[place] == 3 || bytes[place] == 4 {
        let rest = bytes.extracting(place...)
        if marks.contains(where: { mark in
          mark.count <= rest.count && mark.indices.allSatisfy { rest[$0] == mark[$0] }
        }) {
          return true
        }
      }
      place += 1
    }
    return false
  }
}
