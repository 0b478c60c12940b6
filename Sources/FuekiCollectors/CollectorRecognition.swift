internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  /// The number of bytes to inspect: enough for the first members in every kind.
  private static let beginningByteCount = 256 << 10

  /// Finds the kind of a file, or of a directory's first recognised file, by content or name.
  ///
  /// - Returns: nil if no kind recognises it.
  /// - Throws: errors of the system.
  public static func recognised(at path: String) throws -> CollectorKind? {
    // If there is no such path, opening it as a file reports that.
    guard let folder = try? Directory.open(path) else {
      return try kind(of: File.open(path), named: PathParts(path).name)
    }
    for name in try folder.fileNames() {
      let kind = try? kind(of: folder.openFile(name), named: FileName.text(name))
      if let kind, kind.takesFolders { return kind }
    }
    return nil
  }

  private static func kind(of file: consuming File, named name: String) throws -> CollectorKind? {
    let count = min(Int(clamping: try file.size()), beginningByteCount)
    guard count > 0 else { throw ForeignFileError.notThisFormat(reason: "\(file.path) is empty") }
    // The file may be a key share, whose numbers must not stay in memory.
    var beginning = try SecretBytes(count: count)
    _ = try beginning.withMutableBytes { bytes in try file.pread(into: &bytes, at: 0) }
    // The kinds do not recognise UTF-16, so it is converted.
    let text: [UInt8]? = beginning.withBytes { bytes in
      guard bytes[0] >= 0xFE else { return nil }
      return try? TextLines.text(bytes.copied())
    }
    if let text, let kind = all.first(where: { $0.recognises(text.span) }) { return kind }
    return beginning.withBytes { bytes in all.first { $0.recognises(bytes) } }
      ?? all.first { $0.fileNames.exact.contains(name) }
  }
}

extension Span<UInt8> {
  /// Whether the bytes start with an ASCII text.
  func begins(with text: StaticString) -> Bool {
    let wanted = Array("\(text)".utf8)
    return count >= wanted.count && wanted.indices.allSatisfy { self[$0] == wanted[$0] }
  }

  /// Whether the bytes contain an ASCII text.
  func contains(_ text: StaticString) -> Bool {
    let wanted = Array("\(text)".utf8)
    guard count >= wanted.count else { return false }
    for start in 0...count - wanted.count where self[start] == wanted[0] {
      if wanted.indices.allSatisfy({ self[start + $0] == wanted[$0] }) { return true }
    }
    return false
  }
}
