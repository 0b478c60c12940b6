internal import FuekiSystem

/// Compares sequential bytes from elsewhere with an archive.
public struct ByteComparison {
  private let archive: StoredArchive
  /// The number of equal bytes so far.
  public private(set) var byteCount: UInt64 = 0
  /// Whether all bytes so far are equal.
  public private(set) var isEqual = true

  /// Creates a comparison with a verified archive.
  public init(with archive: IntactArchive) { self.archive = archive.source }

  /// Whether all bytes of the archive were compared and equal.
  public var isWhole: Bool { isEqual && byteCount == archive.byteCount }

  /// Compares the next bytes.
  ///
  /// - Throws: ``ArchiveError/unreadable(_:)`` if the archive cannot be read.
  public mutating func take(_ bytes: Span<UInt8>) throws(ArchiveError) {
    guard isEqual else { return }
    let own = try archive.file.read(bytes.count, at: byteCount)
    isEqual = own.count == bytes.count
    for index in 0..<min(own.count, bytes.count) where own[index] != bytes[index] { isEqual = false }
    byteCount += UInt64(bytes.count)
  }
}
