internal import FuekiSystem
public import FuekiCrypto

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

extension IntactArchive {
  /// Copies the archive's bytes, without interpreting them, to another file.
  ///
  /// - Parameters:
  ///   - file: empty, open for writing.
  ///   - progress: receives the bytes copied so far; an error thrown by it ends the work.
  /// - Throws: ``ArchiveError/incomplete`` if the archive was truncated after verification,
  ///   ``ArchiveError/unreadable(_:)`` if it cannot be read, `SystemError` if `file` cannot be written.
  public func copyBytes(to file: ArchiveFile, progress: (UInt64) throws -> Void) throws {
    let step: UInt64 = 1 << 20
    var position: UInt64 = 0
    while position < stored.byteCount {
      let bytes = try stored.file.read(Int(min(step, stored.byteCount - position)), at: position)
      guard !bytes.isEmpty else { throw ArchiveError.incomplete }
      try file.write(bytes, at: position)
      position += UInt64(bytes.count)
      try progress(position)
    }
  }
}

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
