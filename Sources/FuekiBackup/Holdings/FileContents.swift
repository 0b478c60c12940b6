internal import FuekiCrypto

/// Digests of the contents of original files, whose parts come in any order.
///
/// They recognize a file in another place.
struct FileContents {
  /// The digest of a file's content.
  struct Content {
    let digest: Digest
    /// The number of stored bytes; zero if all of them are zeros.
    let byteCount: Int
  }

  /// No wallet's key is shorter.
  ///
  /// A shorter file may be a setting that many files share, or a password, of which a stored digest would tell.
  static let leastByteCount = 32

  private var parts: [OriginalFile.Key: [UInt64: Content]] = [:]

  /// Adds a part of a file.
  ///
  /// - Parameters:
  ///   - digest: of the part's content.
  ///   - content: the part's content.
  ///   - offset: where the part begins in the file.
  ///   - file: the file.
  mutating func add(_ digest: Digest, of content: Span<UInt8>, at offset: UInt64, of file: OriginalFile.Key) {
    parts[file, default: [:]][offset] = Content(
      digest: digest, byteCount: content.isZero ? 0 : content.count)
  }

  /// Returns the content of a file.
  subscript(file: OriginalFile.Key) -> Content? {
    guard let parts = parts[file] else { return nil }
    var hash = SHA256()
    for (offset, part) in parts.sorted(by: { $0.key < $1.key }) {
      hash.update(Array("\(offset)\0".utf8) + Array(part.digest.bytes))
    }
    return Content(digest: hash.finalize(), byteCount: parts.values.reduce(0) { $0 + $1.byteCount })
  }
}
