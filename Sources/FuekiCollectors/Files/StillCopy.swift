internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// A private, consistent copy of a file that changes while it is read.
struct StillCopy {
  private static let attempts = 8

  let file: CopiedFile
  /// The status of the copied file.
  let status: FileStatus

  /// Copies a file; nil if it changed during every attempt, or there is no place for copies.
  ///
  /// Programs that replace a file create another at the same path, so each attempt reopens the path.
  ///
  /// - Throws: errors of the system.
  init?(of found: borrowing FoundFile, in changes: SourceChanges) throws {
    for _ in 0..<Self.attempts {
      guard let copy = try changes.makeFile() else { return nil }
      let source = try File.openRegular(found.realPath, symbolicLinks: .refuse)
      let status = try source.status()
      guard try Self.copy(source, status.size, to: copy), try source.status().isSameContent(as: status) else {
        continue
      }
      (file, self.status) = (try CopiedFile(copy), status)
      return
    }
    return nil
  }

  private static func copy(
    _ source: borrowing File, _ byteCount: UInt64, to copy: borrowing File
  ) throws -> Bool {
    var offset: UInt64 = 0
    while offset < byteCount {
      try Interrupted.check()
      let count = Int(clamping: min(UInt64(FileRecords.partByteCount), byteCount - offset))
      var bytes = try SecretBytes(count: count)
      let read = try bytes.withMutableBytes { (bytes: inout MutableSpan<UInt8>) throws(SystemError) in
        try source.pread(into: &bytes, at: offset)
      }
      guard read == count else { return false }
      try bytes.withBytes { (bytes) throws(SystemError) in try copy.pwriteAll(bytes, at: offset) }
      offset += UInt64(count)
    }
    return true
  }
}

extension FileStatus {
  /// Whether nothing was written in between.
  ///
  /// The file may have been unlinked meanwhile.
  fileprivate func isSameContent(as other: FileStatus) -> Bool {
    size == other.size && modificationTime == other.modificationTime
  }
}
