internal import FuekiSystem

/// Bytes that come from elsewhere in order, compared with an archive's.
public struct ByteComparison {
  private let archive: StoredArchive
  /// How many bytes came, and were the same.
  public private(set) var byteCount: UInt64 = 0
  /// Whether none has differed yet.
  public private(set) var isEqual = true

  /// Expects the bytes of an archive every one of which was checked.
  public init(with archive: IntactArchive) { self.archive = archive.source }

  /// Whether all bytes came, and each was the same.
  public var isWhole: Bool { isEqual && byteCount == archive.byteCount }

  /// Compares the bytes that come next.
  ///
  /// - Throws: ``ArchiveError/unreadable(_:)`` where the archive cannot be read.
  public mutating func take(_ bytes: Span<UInt8>) throws(ArchiveError) {
    guard isEqual else { return }
    let own = try archive.file.read(bytes.count, at: byteCount)
    isEqual = own.count == bytes.count
    for index in 0..<min(own.count, bytes.count) where own[index] != bytes[index] { isEqual = false }
    byteCount += UInt64(bytes.count)
  }
}
