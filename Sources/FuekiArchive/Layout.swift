internal import FuekiCrypto

/// The offsets of an archive's parts, from the header's length and the chunk counts (fueki-archive(5),
/// LAYOUT).
struct Layout: Equatable {
  static let magic: [UInt8] = [0x89, 0x46, 0x4B, 0x41, 0x0D, 0x0A, 0x1A, 0x0A]
  static let major: UInt16 = 1
  static let minor: UInt16 = 0
  static let prefixBytes = 16
  static let leafBytes = 32

  /// L, the length of the header's fields.
  let fieldBytes: UInt64
  /// The numbers of chunks of profile, history and secrets.
  let chunkCounts: [UInt64]

  /// Nil if the sizes exceed the limits of an archive.
  init?(fieldBytes: UInt64, chunkCounts: [UInt64]) {
    guard let length = Self.length(fieldBytes: fieldBytes, chunkCounts: chunkCounts),
      length <= Limits.archiveBytes.upperBound
    else { return nil }
    self.fieldBytes = fieldBytes
    self.chunkCounts = chunkCounts
  }

  /// The layout of an archive of `length` bytes, which determines L; nil if the counts do not fit.
  init?(filling length: UInt64, chunkCounts: [UInt64]) {
    guard let least = Self.length(fieldBytes: 0, chunkCounts: chunkCounts), least <= length,
      (length - least).isMultiple(of: 2)
    else { return nil }
    self.init(fieldBytes: (length - least) / 2, chunkCounts: chunkCounts)
  }

  /// Returns the length of an archive, or nil if it overflows.
  static func length(fieldBytes: UInt64, chunkCounts: [UInt64]) -> UInt64? {
    var count: UInt64 = 0
    for part in chunkCounts {
      let (sum, overflow) = count.addingReportingOverflow(part)
      guard !overflow else { return nil }
      count = sum
    }
    let (chunkBytes, overflow) = count.multipliedReportingOverflow(by: UInt64(Limits.chunkBytes + leafBytes))
    let fixed = 2 * (fieldBytes + 48 + UInt64(Trailer.byteCount))
    guard !overflow, chunkBytes <= .max - fixed else { return nil }
    return fixed + chunkBytes
  }

  var headerBytes: UInt64 { fieldBytes + 48 }
  var chunkCount: UInt64 { chunkCounts.reduce(0, +) }
  var firstTrailerOffset: UInt64 { headerBytes + chunkCount * UInt64(Limits.chunkBytes) }
  var leafTableOffset: UInt64 { firstTrailerOffset + UInt64(Trailer.byteCount) }
  var headerCopyOffset: UInt64 { leafTableOffset + chunkCount * UInt64(Self.leafBytes) }
  var trailerCopyOffset: UInt64 { headerCopyOffset + headerBytes }
  var length: UInt64 { trailerCopyOffset + UInt64(Trailer.byteCount) }

  /// Returns the offset of chunk `chunk`, counted over all streams.
  func offset(ofChunk chunk: UInt64) -> UInt64 { headerBytes + chunk * UInt64(Limits.chunkBytes) }

  func chunks(of scope: ArchiveScope) -> UInt64 { chunkCounts[Int(scope.rawValue) - 1] }

  /// Returns the number, counted over all streams, of the first chunk of `scope`.
  func firstChunk(of scope: ArchiveScope) -> UInt64 {
    chunkCounts[..<(Int(scope.rawValue) - 1)].reduce(0, +)
  }

  /// Returns the stream of chunk `chunk`, counted over all streams, and its number there.
  func place(ofChunk chunk: UInt64) -> (stream: ArchiveScope, chunk: UInt64) {
    for scope in ArchiveScope.allCases.reversed() where chunk >= firstChunk(of: scope) {
      return (scope, chunk - firstChunk(of: scope))
    }
    return (.profile, chunk)
  }
}

extension SHA256 {
  /// Returns leaf `index` of the leaf table: H(u8 0 ‖ u64 j ‖ chunk j).
  static func leaf(index: UInt64, chunk: Span<UInt8>) -> Digest {
    var hash = SHA256()
    var prefix: [UInt8] = [0]
    prefix.append(littleEndian: index)
    hash.update(prefix)
    hash.update(chunk)
    return hash.finalize()
  }
}
