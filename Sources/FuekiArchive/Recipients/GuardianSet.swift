public import FuekiCrypto

/// The public part of a vault's guardians, which is all that a writer keeps (fueki-archive(5), SLOTS).
public struct GuardianSet: Equatable, Sendable {
  /// The kind of key that was split.
  public let form: AgeKeyForm
  /// Its public key.
  public let publicKey: [UInt8]
  /// The number of shares that open a slot together, 2…16.
  public let threshold: Int
  /// The shares' SLIP-39 identifier, 0…32767.
  public let identifier: UInt16
  /// The shares' tags of 4 bytes, in member order, one for each guardian.
  public let shareTags: [[UInt8]]

  /// The length of a share's tag.
  public static let tagByteCount = 4

  /// Nil for invalid numbers: 2 ≤ threshold ≤ count ≤ 16, and the identifier below 2^15.
  public init?(publicKey: [UInt8], threshold: Int, identifier: UInt16, shareTags: [[UInt8]]) {
    let form = AgeKeyForm.allCases.first { $0.recipientByteCount == publicKey.count }
    guard let form, shareTags.allSatisfy({ $0.count == Self.tagByteCount }),
      Self.isInRange(threshold: threshold, count: shareTags.count, identifier: identifier)
    else { return nil }
    self.form = form
    self.publicKey = publicKey
    self.threshold = threshold
    self.identifier = identifier
    self.shareTags = shareTags
  }

  static func isInRange(threshold: Int, count: Int, identifier: UInt16) -> Bool {
    threshold >= 2 && threshold <= count && count <= 16 && identifier < 1 << 15
  }

  /// Returns the tag that distinguishes the right share from a wrong or damaged one.
  ///
  /// - Parameters:
  ///   - words: the words of one share, lower case, joined by single spaces.
  ///   - vaultID: the guardians' vault.
  /// - Returns: 4 bytes.
  public static func shareTag(of words: borrowing SecretBytes, vaultID: VaultID) -> [UInt8] {
    var hash = SHA256()
    hash.update(.label("fueki/1 guardian"))
    hash.update(vaultID.bytes)
    words.withBytes { hash.update($0) }
    return Array(hash.finalize().bytes.prefix(tagByteCount))
  }

  // MARK: as text

  private static let keyword = "fueki-guardians-1"

  /// The set as a line of text: `fueki-guardians-1 age1pq1… THRESHOLD IDENTIFIER tag,tag,…`.
  public var line: String {
    let tags = shareTags.map { Hex.encode($0) }.joined(separator: ",")
    return "\(Self.keyword) \(AgeKey.text(recipient: publicKey, form)) \(threshold) \(identifier) \(tags)"
  }

  /// Parses the output of ``line``; nil for anything else.
  public init?(line: String) {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count == 5, words[0] == Self.keyword, let recipient = try? AgeKey.recipient(words[1]),
      let threshold = Int(words[2]), let identifier = UInt16(words[3])
    else { return nil }
    let tags = words[4].split(separator: ",", omittingEmptySubsequences: false).map { Hex.decode($0) ?? [] }
    self.init(publicKey: recipient.key, threshold: threshold, identifier: identifier, shareTags: tags)
  }
}
