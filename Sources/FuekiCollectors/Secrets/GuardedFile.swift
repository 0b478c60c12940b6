internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Files whose bytes are secrets, read straight into protected memory.
enum GuardedFile {
  private static let noData: Int32 = 61

  /// All bytes of a file of a source.
  static func bytes(of found: borrowing FoundFile) throws -> SecretBytes {
    try SecretBytes(count: Int(clamping: found.status.size)) { bytes in
      let count = try found.file.pread(into: &bytes, at: 0)
      // Shorter than a moment ago: what is there is not the file.
      guard count == bytes.count else {
        throw SystemError(code: noData, call: "pread", path: found.file.path)
      }
    }
  }

  /// All bytes of the one file at a path.
  ///
  /// - Throws: ``ForeignFileError/overLimit(reason:)`` for a longer one, or what the system refuses.
  static func bytes(at path: String, limit: Int) throws -> SecretBytes {
    let file = try File.openRegular(path)
    let size = try file.size()
    guard let count = Int(exactly: size), count <= limit else {
      throw ForeignFileError.overLimit(reason: "\(path) has \(size) bytes, which no such file has")
    }
    return try SecretBytes(count: count) { bytes in
      guard try file.pread(into: &bytes, at: 0) == count else {
        throw SystemError(code: noData, call: "pread", path: path)
      }
    }
  }

  /// A file that holds secrets in the clear, as parts that follow one another; at least one.
  static func parts(
    _ content: borrowing SecretBytes, source: String, path: [UInt8], format: String, status: FileStatus,
    origin: FileOrigin, hazards: [String] = []
  ) throws -> [SecretFilePart] {
    // As with other files: what differs never has the id of something else.
    let header = Array("fueki/1 secret file\0\(source)\0".utf8) + path + [0]
    let name = content.withBytes { SHA256.hash(header.span, $0) }
    let count = content.count
    return try stride(from: 0, to: max(count, 1), by: FileRecords.partByteCount).map { start in
      let end = min(start + FileRecords.partByteCount, count)
      var part = SecretFilePart(
        id: Array(name.bytes.prefix(16)), source: source, path: path, offset: UInt64(start),
        total: UInt64(count), content: SharedSecret(try content.copy(start..<end)))
      part.modifiedAt = status.modificationTime.microseconds
      part.mode = UInt32(status.permissions)
      part.format = format
      if start == 0 {
        origin.note(in: &part)
        if let extra = Extra(hazards: hazards) { part.extra.append(extra) }
      }
      return part
    }
  }
}

extension ImportedRecords {
  /// Keeps a key share's file itself, where it may leave as it is.
  ///
  /// What it says is in the archive all the same, sealed once more: without the file nothing is lost but its place.
  mutating func keep(
    share content: borrowing SecretBytes, _ found: borrowing FoundFile, format: String, source: String,
    program: String?, _ request: CollectionRequest
  ) throws {
    guard request.selection.contains(.secretFiles) else { return }
    guard request.includesPrivateKeys else { return unkeptShareFiles += 1 }
    secretFiles += try GuardedFile.parts(
      content, source: source, path: found.name, format: format, status: found.status,
      origin: found.origin(program: program))
  }

  /// Says once that files of key shares are not in.
  mutating func noteUnkeptShareFiles(_ request: CollectionRequest) {
    guard unkeptShareFiles > 0 else { return }
    let files = unkeptShareFiles == 1 ? "1 file" : "\(unkeptShareFiles) files"
    exclude(
      files, "key shares in the clear: the shares are in, sealed, and the files leave \(request.condition)",
      loss: .none)
  }
}
