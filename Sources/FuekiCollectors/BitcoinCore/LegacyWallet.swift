internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// A wallet of Bitcoin Core before descriptors: a B-tree of Berkeley DB, of which the pages are looked at, and no record.
enum LegacyWallet {
  private static let metadataByteCount = 72
  private static let pageHeadByteCount = 26

  /// Whether a file begins so, on a machine of either byte order.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool { order(beginning) != nil }

  /// What is wrong with the pages; nil where all are there, each where it should be.
  ///
  /// A hole has pages that were never written.
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
    // The kind of the page: a B-tree's first.
    guard 512...65_536 ~= size, size & (size - 1) == 0, head[25] == 9 else { return .malformed }
    guard file.byteCount >= (last + 1) * size, file.byteCount % size == 0 else { return .length }
    work.admit(input: file.byteCount)
    var page: UInt64 = 1
    while let data = file.file.firstData(from: page * size), data < file.byteCount {
      page = max(page, data / size)
      defer { page += 1 }
      try work.spend(pageHeadByteCount, on: .bytesRead)
      let head = try file.file.readExactly(pageHeadByteCount, at: page * size)
      // A page that was never written has nothing in it, and no number.
      guard number(head, 8) == page || head.allSatisfy({ $0 == 0 }) else { return .malformed }
    }
    return nil
  }

  enum Problem {
    case malformed
    case length
  }

  /// Whether the lowest byte of a number comes first; nil where this is no such file.
  private static func order(_ bytes: Span<UInt8>) -> Bool? {
    guard bytes.count > 16 else { return nil }
    switch (bytes[12], bytes[13], bytes[14], bytes[15]) {
    case (0x62, 0x31, 0x05, 0): return true
    case (0, 0x05, 0x31, 0x62): return false
    default: return nil
    }
  }
}

/// Private keys in the clear among the bytes of a wallet's file: in its records, or in what is left of deleted ones.
enum ClearKeys {
  /// The beginnings of records with such keys.
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
      // A hole has zeros only, and no mark begins with one.
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
      // Most places are passed over at once.
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
