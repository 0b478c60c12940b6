internal import FoundationEssentials
public import FuekiArchive
public import FuekiCrypto

/// A signer of archives in text form: `fueki-signer`, the Ed25519 public key in hex, and a comment.
public struct Signer: Hashable, Sendable {
  /// The key to check its signatures with.
  public let publicKey: Ed25519.PublicKey
  /// The owner's comment, which proves nothing.
  public let comment: String

  private static let word = "fueki-signer"

  /// A signer of this key; a comment becomes one line of at most 128 characters.
  public init(publicKey: Ed25519.PublicKey, comment: String) {
    self.publicKey = publicKey
    let printable = comment.unicodeScalars.map {
      $0.properties.generalCategory == .control ? " " : Character($0)
    }
    self.comment = String(
      String(printable).split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        .prefix(128))
  }

  /// Parses a line, or a bare key in hex; nil if it is neither, or has more than one line.
  public init?(_ text: some StringProtocol) {
    // The other lines may have other keys.
    guard !text.contains(where: \.isNewline) else { return nil }
    let words = text.split(maxSplits: 2, whereSeparator: { $0 == " " || $0 == "\t" })
    let isLine = words.first.map { $0 == Self.word } ?? false
    guard words.count == 1 || isLine, let hex = isLine ? words.dropFirst().first : words.first,
      let key = Ed25519.PublicKey(hex: hex)
    else { return nil }
    self.init(publicKey: key, comment: isLine && words.count > 2 ? String(words[2]) : "")
  }

  /// The public line.
  public var line: String {
    "\(Self.word) \(publicKey.hex)" + (comment.isEmpty ? "" : " \(comment)")
  }
}

/// A file that names signers, one a line; `#` begins a comment line.
public enum SignerList {
  /// A fault in a list of signers.
  public enum Problem: Error, Equatable, Sendable {
    /// This line, counted from 1, names no signer.
    case noSigner(line: Int)
    /// The file has no signers.
    case empty
  }

  /// The signers that a file's text names, at least one.
  public static func signers(in text: String) throws(Problem) -> [Signer] {
    var signers: [Signer] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, raw) in lines.enumerated() {
      let line = raw.drop { $0.isWhitespace }
      guard let first = line.first, first != "#" else { continue }
      guard let signer = Signer(String(line.trimmingEnd)) else { throw .noSigner(line: index + 1) }
      signers.append(signer)
    }
    guard !signers.isEmpty else { throw .empty }
    return signers
  }
}

extension Substring {
  fileprivate var trimmingEnd: Substring {
    var text = self
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return text
  }
}

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

/// The signer of a vault's next archive.
public enum ArchiveSigning: Sendable {
  /// This key, chosen by the user or stored on this machine for the vault.
  case key(SigningKey)
  /// No signature, at the user's request.
  case nobody
  /// No key was chosen: makes one for a vault's first archive, so that every vault has a signer.
  case newVaults(makeKey: @Sendable () throws -> SigningKey)

  /// The key that was chosen or stored, if there is one.
  var publicKeys: Set<Ed25519.PublicKey> { if case .key(let key) = self { [key.publicKey] } else { [] } }

  /// Finds the signing key.
  ///
  /// A machine that continues a signed vault, without having made an archive of it, also gets a key of its own, because
  /// the earlier key was on the lost machine. A vault that began unsigned stays unsigned until a key is chosen, because
  /// its other machines have no key either.
  ///
  /// - Parameters:
  ///   - isFirst: neither this machine nor any target knows of the vault.
  ///   - isContinuing: this machine has accepted the vault, and has made no archive of it.
  ///   - trust: the vault's signers. A machine that retired one makes a key, too.
  /// - Returns: nil for an unsigned archive.
  /// - Throws: ``LineageError/unsignedSuccessor`` if the vault has signers and none of their keys is available,
  ///   ``LineageError/retiredSigner(_:)`` for a retired key, and errors from making a key.
  func key(isFirst: Bool, isContinuing: Bool, _ trust: VaultTrust) throws -> SigningKey? {
    switch self {
    case .key(let key):
      guard !trust.retired.contains(key.publicKey) else { throw LineageError.retiredSigner(key.publicKey) }
      return key
    case .nobody: return nil
    case .newVaults(let makeKey):
      if isFirst { return try makeKey() }
      let isRenewed = !trust.retired.isEmpty
      guard isRenewed || !trust.signers.isEmpty else { return nil }
      guard isRenewed || isContinuing else { throw LineageError.unsignedSuccessor }
      return try makeKey()
    }
  }
}
