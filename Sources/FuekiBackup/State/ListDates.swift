internal import FuekiArchive
package import FuekiCrypto
package import FuekiSystem

// The dates of signed lists of expected vaults, so that an older one is not taken for the newest.

extension StateDirectory {
  private static let lists = "lists"

  /// When the newest list at a path was signed by a key, in seconds since 1970, as this machine has seen it.
  ///
  /// - Throws: `SystemError` if the state cannot be read.
  package func listDate(of signer: Ed25519.PublicKey, at path: ExactText) throws -> UInt64? {
    try dates()[Self.name(signer, path)]
  }

  /// Remembers the date of a list.
  ///
  /// - Throws: `SystemError` if the state cannot be read or written.
  package func keep(listDate time: UInt64, of signer: Ed25519.PublicKey, at path: ExactText) throws {
    try Directory.makePrivateDirectories(self.path)
    var dates = try dates()
    dates[Self.name(signer, path)] = time
    let lines = dates.map { "\($0.value) \($0.key)\n" }.sorted()
    try write([UInt8](lines.joined().utf8), as: Self.lists)
  }

  private static func name(_ signer: Ed25519.PublicKey, _ path: ExactText) -> String {
    // A path may have a line end in it.
    "\(signer.hex) \(Hex.encode([UInt8](path.text.utf8)))"
  }

  private func dates() throws -> [String: UInt64] {
    guard let bytes = try read(Self.lists) else { return [:] }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    return Dictionary(
      lines.compactMap { line in
        let words = line.split(separator: " ", maxSplits: 1)
        return words.count == 2 ? UInt64(words[0]).map { (String(words[1]), $0) } : nil
      }, uniquingKeysWith: max)
  }
}
