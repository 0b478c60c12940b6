internal import FuekiCrypto
internal import FuekiSystem

/// Whether a file may be stored as public, judged by its beginning.
struct FileNature {
  /// The number of bytes inspected.
  private static let beginningByteCount = 64 << 10

  /// Whether it may contain an unencrypted secret.
  let isSecret: Bool
  /// The recognised format; possibly empty.
  let format: String

  /// Inspects an open file.
  init(of found: borrowing FoundFile) throws {
    let count = min(Int(clamping: found.status.size), Self.beginningByteCount)
    var beginning = try SecretBytes(count: count)
    let read = try beginning.withMutableBytes { (bytes: inout MutableSpan<UInt8>) throws(SystemError) in
      try found.file.pread(into: &bytes, at: 0)
    }
    let name = found.name
    self = beginning.withBytes { FileNature($0.extracting(0..<read), name: name) }
  }

  /// Inspects a file's bytes, or its first ones.
  init(_ bytes: Span<UInt8>, name: [UInt8]) {
    let beginning = bytes.extracting(0..<min(bytes.count, Self.beginningByteCount))
    if let known = FileFormat.all.first(where: { $0.isPublic(beginning) }) {
      (isSecret, format) = (false, known.name)
      return
    }
    // A file with a known name is of that format, and may hold a secret.
    let last = String(decoding: name.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
    (isSecret, format) = (true, FileFormat.all.first { $0.fileNames.contains(last) }?.name ?? "")
  }
}
