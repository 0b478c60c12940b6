public import FuekiArchive
public import FuekiCrypto

/// A signer's statement of a vault's newest archive: one line of text, to keep apart from the archives.
///
///     fueki-checkpoint-1 VAULT SEQUENCE DIGEST CREATED SIGNER SIGNATURE
///
/// In hex except for the two numbers. All in lower case, or all in upper case as in a QR code. The signature is over
/// "fueki/1 checkpoint" ‖ vault ‖ u64 sequence ‖ digest ‖ u64 created ‖ signer.
public struct SignedCheckpoint: Equatable, Sendable {
  /// Why a checkpoint says nothing.
  public enum Problem: Error, Equatable, Sendable {
    /// It is not written as one is.
    case malformed
    /// Its signature fails.
    case notAuthentic
    /// Another key signed it than those that are trusted.
    case untrusted
  }

  /// The vault's id.
  public let vaultID: VaultID
  /// The newest archive's sequence.
  public let sequence: UInt64
  /// The newest archive's digest.
  public let digest: Digest
  /// When that archive was made, in seconds since 1970.
  public let created: UInt64
  /// The key that signed.
  public let signer: Ed25519.PublicKey
  /// 64 bytes.
  public let signature: [UInt8]

  private static let word = "fueki-checkpoint-1"

  /// Signs what an archive's header says.
  public init(_ facts: HeaderFacts, digest: Digest, signedWith key: SigningKey) throws(CryptoError) {
    vaultID = facts.vaultID
    sequence = facts.sequence
    self.digest = digest
    created = facts.created
    signer = key.publicKey
    signature = try key.sign(
      Self.message(vaultID: vaultID, sequence: sequence, digest: digest, created: created, signer: signer))
  }

  /// Reads a line, and believes nothing of it.
  ///
  /// - Throws: ``Problem/malformed``.
  public init(_ line: String) throws(Problem) {
    let text = line.trimmingLineEnds
    let isUpper = text == text.uppercased()
    let words = (isUpper ? text.lowercased() : text).split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 7, words[0] == Self.word, let vaultID = VaultID(hex: words[1]),
      let sequence = UInt64(words[2]), let digest = Digest(hex: String(words[3])),
      let created = UInt64(words[4]), let signer = Ed25519.PublicKey(hex: words[5]),
      let signature = Hex.decode(words[6]), signature.count == Ed25519.signatureByteCount
    else { throw .malformed }
    self.vaultID = vaultID
    self.sequence = sequence
    self.digest = digest
    self.created = created
    self.signer = signer
    self.signature = signature
    guard self.line == words.joined(separator: " ") else { throw .malformed }
  }

  /// Reads a file of such lines, and believes nothing of them.
  ///
  /// - Returns: at least one.
  /// - Throws: ``Problem/malformed``, also for a file without a line.
  public static func all(in text: String) throws(Problem) -> [SignedCheckpoint] {
    var found: [SignedCheckpoint] = []
    for line in text.split(whereSeparator: \.isNewline) where !line.allSatisfy(\.isWhitespace) {
      found.append(try SignedCheckpoint(String(line)))
    }
    guard !found.isEmpty else { throw .malformed }
    return found
  }

  /// The line, without a line end.
  public var line: String {
    "\(Self.word) \(vaultID.hex) \(sequence) \(digest.hex) \(created) \(signer.hex) "
      + Hex.encode(signature)
  }

  /// Returns the newest known archive of the vault, if one of these keys signed the statement.
  ///
  /// - Throws: ``Problem/untrusted`` or ``Problem/notAuthentic``.
  public func link(trusting keys: Set<Ed25519.PublicKey>) throws(Problem) -> VaultState.Link {
    guard keys.contains(signer) else { throw .untrusted }
    let message = Self.message(
      vaultID: vaultID, sequence: sequence, digest: digest, created: created, signer: signer)
    guard Ed25519.isValid(signature: signature, over: message, publicKey: signer) else { throw .notAuthentic }
    return VaultState.Link(sequence: sequence, digest: digest)
  }

  private static func message(
    vaultID: VaultID, sequence: UInt64, digest: Digest, created: UInt64, signer: Ed25519.PublicKey
  ) -> [UInt8] {
    [UInt8]("fueki/1 checkpoint".utf8) + vaultID.bytes + sequence.signedBytes + digest.bytes
      + created.signedBytes + signer.bytes
  }
}

extension String {
  fileprivate var trimmingLineEnds: String {
    var text = self[...]
    while let last = text.last, last.isNewline || last == " " { text.removeLast() }
    return String(text)
  }
}
