extension IntactArchive {
  /// Copies the archive's bytes, unread, to another file.
  ///
  /// - Parameters:
  ///   - file: empty, open for writing.
  ///   - progress: is told the bytes copied so far; what it throws ends the work.
  /// - Throws: ``ArchiveError/incomplete`` where the archive was cut since it was verified,
  ///   ``ArchiveError/unreadable(_:)`` where it cannot be read, `SystemError` where `file` cannot be written.
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
