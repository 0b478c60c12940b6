public import FuekiCrypto
internal import FuekiSystem

// Two files are the same archive if every byte is equal. The archive digest does not show that: it leaves out the seals.

extension StoredArchive {
  /// The digest of the whole trailer, seals and signature included.
  ///
  /// An archive every byte of which verifies has no other bytes that its digest and its trailer leave open.
  public var trailerDigest: Digest { SHA256.hash(.label("fueki whole trailer"), trailer.bytes) }
}

extension ArchiveFile {
  private static let step: UInt64 = 1 << 20

  /// Reads every byte and returns its digest.
  ///
  /// - Parameter progress: is told the bytes read so far; what it throws ends the work.
  /// - Returns: the SHA-256 of the file.
  /// - Throws: ``ArchiveError/unreadable(_:)``, and what `progress` throws.
  public func wholeDigest(progress: (UInt64) throws -> Void) throws -> Digest {
    try gather(progress: progress)
    var hash = SHA256()
    var position: UInt64 = 0
    while true {
      let bytes = try read(Int(Self.step), at: position)
      guard !bytes.isEmpty else { return hash.finalize() }
      hash.update(bytes)
      position += UInt64(bytes.count)
      try progress(position)
    }
  }

  /// Reads every byte of both files and compares them, up to the first that differs.
  ///
  /// - Parameters:
  ///   - other: the other file.
  ///   - progress: is told the bytes compared so far; what it throws ends the work.
  /// - Returns: true if both have the same length and the same bytes.
  /// - Throws: ``ArchiveError/unreadable(_:)``, and what `progress` throws.
  public func hasSameBytes(as other: ArchiveFile, progress: (UInt64) throws -> Void) throws -> Bool {
    try gather(progress: progress)
    try other.gather(progress: progress)
    var position: UInt64 = 0
    while true {
      let bytes = try read(Int(Self.step), at: position)
      guard try other.read(Int(Self.step), at: position) == bytes else { return false }
      guard !bytes.isEmpty else { return true }
      position += UInt64(bytes.count)
      try progress(position)
    }
  }
}
