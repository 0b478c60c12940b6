internal import FuekiCrypto

/// Who signs archives, as people pass it on: `fueki-signer`, the Ed25519 public key in hex, and a comment.
public struct Signer: Hashable, Sendable {
  /// 32 bytes.
  public let publicKey: [UInt8]
  /// What its owner calls it; nothing is believed because of it.
  public let comment: String

  private static let word = "fueki-signer"

  /// A signer of this key; a comment becomes one line of at most 128 characters.
  public init(publicKey: [UInt8], comment: String) {
    self.publicKey = publicKey
    let printable = comment.unicodeScalars.map {
      $0.properties.generalCategory == .control ? " " : Character($0)
    }
    self.comment = String(
      String(printable).split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        .prefix(128))
  }

  /// Reads a line, or a bare key in hex; nil where it is neither.
  public init?(_ text: some StringProtocol) {
    let words = text.split(maxSplits: 2, whereSeparator: { $0 == " " || $0 == "\t" })
    let isLine = words.first.map { $0 == Self.word } ?? false
    guard words.count == 1 || isLine, let hex = isLine ? words.dropFirst().first : words.first,
      let key = Hex.decode(hex), key.count == Ed25519.publicKeyByteCount
    else { return nil }
    self.init(publicKey: key, comment: isLine && words.count > 2 ? String(words[2]) : "")
  }

  /// What people compare: 32 hex digits of the key's SHA-256, in groups of four.
  public var fingerprint: String { Self.fingerprint(of: publicKey) }

  /// The fingerprint of a public key.
  public static func fingerprint(of publicKey: [UInt8]) -> String {
    let hex = [Character](SHA256.hash(publicKey).hex.prefix(32))
    return stride(from: 0, to: hex.count, by: 4).map { String(hex[$0..<min($0 + 4, hex.count)]) }
      .joined(separator: " ")
  }

  /// The public line.
  public var line: String {
    "\(Self.word) \(Hex.encode(publicKey))" + (comment.isEmpty ? "" : " \(comment)")
  }
}

/// A file that names signers, one a line; `#` begins a comment line.
public enum SignerList {
  /// What a list is not.
  public enum Problem: Error, Equatable, Sendable {
    /// This line, counted from 1, names no signer.
    case noSigner(line: Int)
    /// The file names nobody.
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
