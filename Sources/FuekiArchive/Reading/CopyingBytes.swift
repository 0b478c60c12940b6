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
