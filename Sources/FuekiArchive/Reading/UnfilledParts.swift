internal import FuekiSystem

/// Detects unfilled parts of a file: a sync client may create a file at full length and fill it later, in any
/// order.
///
/// Ciphertext and digests do not contain long runs of zeros, so such a part is undamaged and was never
/// stored.
extension ArchiveFile {
  private static let zeroRun = 64

  /// Whether the file has holes, or starts or ends with zeros, as no archive does.
  public func isUnfilled() -> Bool {
    if storedPart != .all { return true }
    guard let size = try? byteCount(), size > UInt64(2 * Self.zeroRun) else { return false }
    return (try? hasZeroEdge(at: 0, count: size)) ?? false
  }

  /// Whether the file has a length but no stored contents.
  public var hasNoContents: Bool { storedPart == .nothing }

  /// Whether all bytes of the file are stored, and zero.
  ///
  /// - Parameter progress: receives the number of bytes read so far. An error that it throws ends the work.
  /// - Returns: false if the file is empty, or has only a length.
  /// - Throws: ``ArchiveError/unreadable(_:)``, and the errors of `progress`.
  package func holdsOnlyZeros(progress: (UInt64) throws -> Void) throws -> Bool {
    let (size, step) = (try byteCount(), UInt64(1 << 20))
    guard size > 0, !hasNoContents else { return false }
    var start: UInt64 = 0
    while start < size {
      try progress(start)
      let bytes = try read(Int(min(step, size - start)), at: start)
      guard !bytes.isEmpty, bytes.allSatisfy({ $0 == 0 }) else { return false }
      start += UInt64(bytes.count)
    }
    return true
  }

  /// Whether a part of the file starts or ends with zeros.
  ///
  /// A short part must be all zeros.
  func hasZeroEdge(at offset: UInt64, count: UInt64) throws(ArchiveError) -> Bool {
    let length = Int(min(count, UInt64(Self.zeroRun)))
    for start in [offset, offset + count - UInt64(length)] {
      let bytes = try read(length, at: start)
      if bytes.allSatisfy({ $0 == 0 }) { return true }
    }
    return false
  }
}

extension StoredArchive {
  /// Whether parts of the file are not stored, though its structure is valid.
  public var hasHoles: Bool { file.storedPart != .all }

  /// Whether all of this damage is in unfilled parts.
  public func isUnfilled(_ damage: [ArchiveError.Damage]) throws(ArchiveError) -> Bool {
    // Values computed from many parts differ if any part does.
    let parts = damage.filter { $0 != .leafRoot && $0 != .archiveDigest }
    for part in parts {
      guard try isUnfilled(part) else { return false }
    }
    return !parts.isEmpty
  }

  private func isUnfilled(_ part: ArchiveError.Damage) throws(ArchiveError) -> Bool {
    switch part {
    case .firstHeader: return try file.hasZeroEdge(at: 0, count: layout.headerBytes)
    case .headerCopy: return try file.hasZeroEdge(at: layout.headerCopyOffset, count: layout.headerBytes)
    case .firstTrailer:
      return try file.hasZeroEdge(at: layout.firstTrailerOffset, count: UInt64(Trailer.byteCount))
    case .trailerCopy:
      return try file.hasZeroEdge(at: layout.trailerCopyOffset, count: UInt64(Trailer.byteCount))
    case .chunk(let stream, let chunk):
      let index = layout.firstChunk(of: stream) + chunk
      let isChunk = try file.hasZeroEdge(
        at: layout.offset(ofChunk: index), count: UInt64(Limits.chunkBytes))
      if isChunk { return true }
      return try isLeafUnfilled(index)
    case .leaf(let stream, let chunk): return try isLeafUnfilled(layout.firstChunk(of: stream) + chunk)
    case .structure: return file.isUnfilled()
    case .reservedBytes, .trailingBytes, .leafRoot, .archiveDigest: return false
    }
  }

  private func isLeafUnfilled(_ index: UInt64) throws(ArchiveError) -> Bool {
    let length = UInt64(Layout.leafBytes)
    return try file.hasZeroEdge(at: layout.leafTableOffset + index * length, count: length)
  }
}
