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

/// The fixed limits in the steps of fueki-archive(5).
///
/// A number from the file is checked against its limit before it drives any expensive work.
public enum Limits {
  package static let archiveBytes: ClosedRange<UInt64> = 198_000...(1 << 40)
  static let headerFieldBytes = 1...65_536
  static let slots = 1...32
  static let minimumChunks: UInt64 = 4
  static let indexBytes: UInt32 = 16 << 20
  static let passphraseSlotsTried = 4
  static let pluginSlotsTried = 8
  static let passes: ClosedRange<UInt32> = 2...16

  /// The limit of a record with its length, 16 MiB.
  package static let recordBytes = 16 << 20
  /// The limit of a block of several records, 1 MiB.
  package static let blockBytes = 1 << 20
  /// The plaintext bytes of a chunk.
  public static let chunkPlaintextBytes = 16_384
  /// The bytes of a stored chunk: ciphertext and a 16-byte tag.
  public static let chunkBytes = 16_400
  /// The limit of all sections' plaintext, 1 TiB.
  public static let plaintextBytes: UInt64 = 1 << 40

  /// The limit of an archive's key derivation.
  public enum DerivationAllowance: Sendable {
    /// Up to 1 GiB of memory and 16 GiB-passes in total.
    case standard
    /// Up to 4 GiB of memory and 64 GiB-passes in total.
    case large

    var memoryKiB: ClosedRange<UInt32> {
      switch self {
      case .standard: 65_536...1_048_576
      case .large: 65_536...4_194_304
      }
    }

    var memoryPassesKiB: UInt64 {
      switch self {
      case .standard: 16 << 20
      case .large: 64 << 20
      }
    }
  }
}

/// PADMÉ: sizes rounded up so that a length reveals only its magnitude.
///
/// See fueki-archive(5), CHUNKS AND STREAMS, and Nikitin et al., "Reducing Metadata Leakage from Encrypted Files and
/// Communication with PURBs", PETS 2019, section 4.
package enum Padme {
  /// Returns the padded number of chunks for a stream that needs `needed` of them.
  package static func chunkCount(holding needed: UInt64) -> UInt64 {
    padded(max(Limits.minimumChunks, needed))
  }

  /// Whether a stream may have `count` chunks.
  package static func isChunkCount(_ count: UInt64) -> Bool {
    count >= Limits.minimumChunks && count <= Limits.archiveBytes.upperBound && padded(count) == count
  }

  /// Rounds `n` up to a multiple of 2^(E−S).
  ///
  /// `n` must be at least 4 and far below 2^63.
  private static func padded(_ n: UInt64) -> UInt64 {
    let e = UInt64(63 - n.leadingZeroBitCount)
    let s = UInt64(63 - e.leadingZeroBitCount) + 1
    guard e > s else { return n }
    let mask: UInt64 = (1 << (e - s)) - 1
    return (n + mask) & ~mask
  }
}
