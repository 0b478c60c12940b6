internal import FoundationEssentials
public import FuekiCrypto

/// How people and minisign know a signer's key; ``Ed25519/PublicKey/hex`` is how everything else does.
extension Ed25519.PublicKey {
  /// The fingerprint for people to compare: 32 hex digits of the key's SHA-256, in groups of four.
  public var fingerprint: String {
    let hex = [Character](SHA256.hash(bytes).hex.prefix(32))
    return stride(from: 0, to: hex.count, by: 4).map { String(hex[$0..<min($0 + 4, hex.count)]) }
      .joined(separator: " ")
  }

  /// The key as `minisign -P` takes it.
  public var minisignText: String {
    Data(FileSignature.algorithm + minisignIdentifier + bytes).base64EncodedString()
  }

  /// The identifier of the key in minisign's text: the beginning of its SHA-256.
  var minisignIdentifier: [UInt8] { Array(SHA256.hash(bytes).bytes.prefix(8)) }
}
