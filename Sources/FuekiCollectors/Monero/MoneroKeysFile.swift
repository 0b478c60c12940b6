internal import FuekiCrypto

/// A Monero wallet's keys file: a nonce, a length, and that many encrypted bytes.
package struct MoneroKeysFile: Sendable {
  /// The password is wrong, or the nonce is damaged.
  struct WrongPassword: Error {}

  /// The limit of decryption.
  ///
  /// The keys of large multisig groups have some tens of KiB.
  private static let byteCountLimit = 4 << 20
  /// Marks the key of a background-sync wallet with a separate password.
  private static let backgroundMark: UInt8 = 0x8F

  private let nonce: [UInt8]
  private let sealed: [UInt8]

  /// Parses a complete file; nil if its length differs from the stated one.
  package init?(_ file: [UInt8]) {
    var reader = LittleEndianReader(file[...])
    guard let nonce = reader.take(ChaChaStream.nonceByteCount), let count = reader.length(), count > 0,
      let sealed = reader.take(count), reader.isAtEnd
    else { return nil }
    self.nonce = Array(nonce)
    self.sealed = Array(sealed)
  }

  /// Whether the file is short enough to be decrypted.
  var isReadable: Bool { sealed.count <= Self.byteCountLimit }

  /// Decrypts and parses the keys.
  ///
  /// The forms are tried in order: ChaCha20 since 2018, ChaCha8 before, then a background-sync wallet's.
  /// - Parameter key: ``CryptoNight``'s hash of the password.
  /// - Returns: the decrypted keys.
  /// - Throws: ``WrongPassword``, ``MoneroAccount/Malformed``, or the errors of ``SecretBytes/init(count:)``.
  func open(_ key: borrowing SecretBytes) throws -> MoneroAccount {
    for rounds in [ChaChaStream.Rounds.twenty, .eight] {
      let text = try ChaChaStream.apply(sealed.span, key: key, nonce: nonce, rounds: rounds)
      if text.withBytes({ MoneroAccount.isLikely($0) }) {
        return try account(text, key, isBackground: false)
      }
    }
    var seed = try SecretBytes(count: key.count + 1)
    key.withBytes { key in
      seed.withMutableBytes { seed in
        for place in key.indices { seed[place] = key[place] }
        seed[key.count] = Self.backgroundMark
      }
    }
    let digest = seed.withBytes { Keccak256.hash($0).bytes }
    let background = try SecretBytes(copying: digest.span)
    let text = try ChaChaStream.apply(sealed.span, key: background, nonce: nonce, rounds: .twenty)
    guard text.withBytes({ MoneroAccount.isLikely($0) }) else { throw WrongPassword() }
    return try account(text, background, isBackground: true)
  }

  private func account(
    _ text: borrowing SecretBytes, _ key: borrowing SecretBytes, isBackground: Bool
  ) throws -> MoneroAccount {
    var account = try MoneroAccount(reading: text, isBackground: isBackground)
    try account.decrypt(with: key)
    return account
  }
}
