internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  /// How much of a file is looked at: enough for every kind's first members.
  private static let beginningByteCount = 256 << 10

  /// Finds the kind of a file, or of the first file in a folder that has one, by what is in it, or by its name.
  ///
  /// - Returns: nil where no kind knows it.
  /// - Throws: what the system refuses.
  public static func recognised(at path: String) throws -> CollectorKind? {
    // Where there is nothing at all, opening it as a file says so.
    guard let folder = try? Directory.open(path) else {
      return try kind(of: File.open(path), named: PathParts(path).name)
    }
    for entry in try folder.list() where entry.kind == .file {
      let name = FileName.text(entry.name)
      guard let kind = try? kind(of: folder.openFile(entry.name), named: name), kind.takesFolders else {
        continue
      }
      return kind
    }
    return nil
  }

  private static func kind(of file: consuming File, named name: String) throws -> CollectorKind? {
    let count = min(Int(clamping: try file.size()), beginningByteCount)
    guard count > 0 else { throw ForeignFileError.notThisFormat(reason: "\(file.path) is empty") }
    // It may be a key share, whose numbers must not stay in memory.
    var beginning = try SecretBytes(count: count)
    _ = try beginning.withMutableBytes { bytes in try file.pread(into: &bytes, at: 0) }
    // Text in UTF-16 is none that the kinds know, and is made theirs.
    let text: [UInt8]? = beginning.withBytes { bytes in
      guard bytes[0] >= 0xFE else { return nil }
      return try? TextLines.text(bytes.copied())
    }
    if let text, let kind = all.first(where: { $0.recognises(text.span) }) { return kind }
    return beginning.withBytes { bytes in all.first { $0.recognises(bytes) } }
      ?? all.first { $0.fileNames.contains(name) }
  }
}

extension Span<UInt8> {
  /// Whether an ASCII text stands anywhere in the bytes.
  func contains(_ text: StaticString) -> Bool {
    let wanted = Array("\(text)".utf8)
    guard count >= wanted.count else { return false }
    for start in 0...count - wanted.count where self[start] == wanted[0] {
      if wanted.indices.allSatisfy({ self[start + $0] == wanted[$0] }) { return true }
    }
    return false
  }
}
