internal import FuekiCrypto

/// The id of a file: the first 16 bytes of a digest of its class, kind, path and content.
///
/// Equal files always have the same id and different ones never do, so a restore next to an older copy keeps both.
struct FileID: ~Copyable {
  private var digest = SHA256()

  /// Begins the id of a kind's file with a name relative to the source's directory.
  init(of kind: String, _ name: [UInt8], isSecret: Bool) {
    let mark = isSecret ? "fueki/1 secret file" : "fueki/1 file"
    digest.update(Array("\(mark)\0\(kind)\0".utf8) + name + [0])
  }

  mutating func add(_ content: Span<UInt8>) { digest.update(content) }

  consuming func finish() -> [UInt8] { Array(digest.finalize().bytes.prefix(16)) }
}
