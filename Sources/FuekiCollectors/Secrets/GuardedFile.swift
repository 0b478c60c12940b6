internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Reads secret files directly into protected memory.
enum GuardedFile {
  private static let noData: Int32 = 61

  /// Reads all bytes of a source's file.
  static func bytes(of found: borrowing FoundFile) throws -> SecretBytes {
    try SecretBytes(count: Int(clamping: found.status.size)) { bytes in
      let count = try found.file.pread(into: &bytes, at: 0)
      // The file was truncated since its size was read.
      guard count == bytes.count else {
        throw SystemError(code: noData, call: "pread", path: found.file.path)
      }
    }
  }

  /// Reads all bytes of the file at a path.
  ///
  /// - Throws: ``ForeignFileError/overLimit(reason:)`` if it is too long, or errors of the system.
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

  /// Returns a file with unencrypted secrets as consecutive parts, at least one.
  static func parts(
    _ content: borrowing SecretBytes, source: String, path: [UInt8], format: String, status: FileStatus,
    origin: FileOrigin, hazards: [String] = []
  ) throws -> [SecretFilePart] {
    // As for other files, different contents never share an id.
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
  /// Keeps a key share's file itself, if secret files are included.
  ///
  /// Its contents are in the archive anyway, sealed a second time: without the file only its place is lost.
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

  /// Reports once that key share files are not included.
  mutating func noteUnkeptShareFiles(_ request: CollectionRequest) {
    guard unkeptShareFiles > 0 else { return }
    let files = unkeptShareFiles == 1 ? "1 file" : "\(unkeptShareFiles) files"
    exclude(
      files, "key shares in the clear: the shares are in, sealed, and the files leave \(request.condition)",
      loss: .none)
  }
}
