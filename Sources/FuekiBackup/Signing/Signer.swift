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
