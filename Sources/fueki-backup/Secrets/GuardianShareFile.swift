internal import FuekiCrypto
internal import FuekiSystem

/// A file with one guardian's words, which go from it straight into ``SecretBytes``.
enum GuardianShareFile {
  private static let mostBytes = 1 << 16

  static func words(inFile path: String) throws -> SharedSecret {
    let file = try SecretSource.privateFile(path)
    let size = try file.size()
    guard let count = Int(exactly: size), count <= mostBytes else {
      throw CommandError.secretUnreadable(source: path, reason: "it is too long for a share's words")
    }
    return SharedSecret(try SecretBytes(count: count) { buffer in _ = try file.pread(into: &buffer, at: 0) })
  }
}
