public import FuekiCrypto
internal import FuekiSystem

// Two files are equal if every byte is. Equal archive digests are not enough, because they do not cover the
// seals.

extension StoredArchive {
  /// The digest of the whole trailer, including seals and signature.
  ///
  /// If every byte of an archive verifies, its digest and its trailer determine all of its bytes.
  public var trailerDigest: Digest { SHA256.hash(.label("fueki whole trailer"), trailer.bytes) }
}

extension ArchiveFile {
  private static let step: UInt64 = 1 << 20

  /// Reads every byte and returns the file's digest.
  ///
  /// - Parameter progress: receives the bytes read so far; an error thrown by it ends the work.
  /// - Returns: the SHA-256 of the file.
  /// - Throws: ``ArchiveError/unreadable(_:)``, and the errors of `progress`.
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

  /// Compares both files up to the first byte that differs.
  ///
  /// - Parameters:
  ///   - other: the other file.
  ///   - progress: receives the bytes compared so far; an error thrown by it ends the work.
  /// - Returns: true if both have the same length and the same bytes.
  /// - Throws: ``ArchiveError/unreadable(_:)``, and the errors of `progress`.
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
