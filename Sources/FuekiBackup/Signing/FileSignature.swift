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
  private static let timeWord = "timestamp:"

  /// What a signature that holds says.
  package struct Statement {
    /// The key that made it.
    package let signer: Ed25519.PublicKey
    /// When, in seconds since 1970, by the signer's clock; nil if the comment has no time.
    package let time: UInt64?
  }

  /// The comment of a file that is signed now, as minisign writes it.
  ///
  /// - Parameters:
  ///   - name: the file's name.
  ///   - time: seconds since 1970.
  /// - Returns: one line.
  package static func comment(name: String, time: UInt64) -> String { "\(timeWord)\(time)\tfile:\(name)" }

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
    statement(of: text, over: bytes, among: keys)?.signer
  }

  /// Does the same, with the time in the signed comment.
  package static func statement(
    of text: String, over bytes: [UInt8], among keys: Set<Ed25519.PublicKey>
  ) -> Statement? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count == 5, lines[4].isEmpty, lines[2].hasPrefix(commentWord),
      let first = Data(base64Encoded: lines[1]).map([UInt8].init), first.count == 74,
      let second = Data(base64Encoded: lines[3]).map([UInt8].init), Array(first.prefix(2)) == algorithm
    else { return nil }
    let signature = Array(first.suffix(Ed25519.signatureByteCount))
    let comment = [UInt8](lines[2].dropFirst(commentWord.count).utf8)
    let signer = keys.first { key in
      Ed25519.isValid(signature: signature, over: bytes, publicKey: key)
        && Ed25519.isValid(signature: second, over: signature + comment, publicKey: key)
    }
    return signer.map { Statement(signer: $0, time: time(in: lines[2].dropFirst(commentWord.count))) }
  }

  private static func time(in comment: Substring) -> UInt64? {
    let word = comment.split(separator: "\t").first { $0.hasPrefix(timeWord) }
    return word.flatMap { UInt64($0.dropFirst(timeWord.count)) }
  }
}
