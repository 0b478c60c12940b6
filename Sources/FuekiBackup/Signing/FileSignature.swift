internal import FoundationEssentials
public import FuekiArchive
public import FuekiCrypto

/// A signature over a file's bytes, as minisign reads it: four lines of text, Ed25519 over the bytes themselves
/// (minisign's algorithm "Ed"), and once more over the signature and the comment.
///
/// A file that is signed so has to begin with what no other use of the key signs: see ``labels``.
public enum FileSignature {
  /// The first line of the digest lists that this program signs, which is a comment to `sha256sum --check`.
  public static let label = "# fueki/1 SHA256SUMS\n"

  /// The first line of a list of expected vaults, which is a comment in TOML.
  package static let expectedLabel = "# fueki/1 expected vaults\n"
  /// The first lines of the files that this program signs.
  package static let labels = [label, expectedLabel]

  static let algorithm = [UInt8]("Ed".utf8)
  private static let commentWord = "trusted comment: "

  /// Signs a file's bytes.
  ///
  /// - Parameters:
  ///   - bytes: the whole file, which begins with one of ``labels``.
  ///   - comment: one line that is signed too.
  ///   - key: the signing key.
  /// - Returns: the text of the signature file, which ends with `.minisig`.
  /// - Throws: ``CryptoError`` if memory cannot be allocated.
  public static func sign(
    _ bytes: [UInt8], comment: String, with key: SigningKey
  ) throws(CryptoError) -> String {
    let signature = try key.sign(bytes)
    let second = try key.sign(signature + [UInt8](comment.utf8))
    let first = Data(algorithm + key.publicKey.minisignIdentifier + signature).base64EncodedString()
    return "untrusted comment: signature from a fueki-signer key\n\(first)\n\(commentWord)\(comment)\n"
      + "\(Data(second).base64EncodedString())\n"
  }

  /// Returns the key that made a signature; nil if none of these did, or the text is no such signature.
  public static func signer(
    of text: String, over bytes: [UInt8], among keys: Set<Ed25519.PublicKey>
  ) -> Ed25519.PublicKey? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count == 5, lines[4].isEmpty, lines[2].hasPrefix(commentWord),
      let first = Data(base64Encoded: lines[1]).map([UInt8].init), first.count == 74,
      let second = Data(base64Encoded: lines[3]).map([UInt8].init), Array(first.prefix(2)) == algorithm
    else { return nil }
    let signature = Array(first.suffix(Ed25519.signatureByteCount))
    let comment = [UInt8](lines[2].dropFirst(commentWord.count).utf8)
    return keys.first { key in
      Ed25519.isValid(signature: signature, over: bytes, publicKey: key)
        && Ed25519.isValid(signature: second, over: signature + comment, publicKey: key)
    }
  }
}
