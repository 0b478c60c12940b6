internal import FuekiCrypto
internal import FuekiSystem

/// An age identity file: private keys, which go from the file straight into ``SecretBytes``.
enum IdentityFile {
  private static let mostBytes = 1 << 16

  static func identities(inFile path: String) throws -> [AgeIdentity] {
    let file = try SecretSource.privateFile(path)
    let size = try file.size()
    guard let count = Int(exactly: size), count <= mostBytes else {
      throw CommandError.secretUnreadable(source: path, reason: "it is too long for an identity file")
    }
    let text = try SecretBytes(count: count) { buffer in _ = try file.pread(into: &buffer, at: 0) }
    do {
      return try AgeKey.identities(in: text)
    } catch {
      throw CommandError.secretUnreadable(source: path, reason: error.sentence)
    }
  }
}
