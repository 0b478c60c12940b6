internal import FuekiCrypto

/// A wallet's keys as Monero's programs write them: a nonce, a length, and so many encrypted bytes.
package struct MoneroKeysFile: Sendable {
  /// Nobody's password opens it with this one, or its nonce is damaged.
  package struct WrongPassword: Error {}

  /// What is decrypted at most; the keys of large groups of signers have some tens of KiB.
  private static let byteCountLimit = 4 << 20
  /// Marks the key of a wallet that only scans, with a password of its own.
  private static let backgroundMark: UInt8 = 0x8F

  private let nonce: [UInt8]
  private let sealed: [UInt8]

  /// Reads a whole file; nil where its length is not the one that it states.
  package init?(_ file: [UInt8]) {
    var reader = LittleEndianReader(file[...])
    guard let nonce = reader.take(ChaChaStream.nonceByteCount), let count = reader.length(), count > 0,
      let sealed = reader.take(count), reader.isAtEnd
    else { return nil }
    self.nonce = Array(nonce)
    self.sealed = Array(sealed)
  }

  /// Whether the file is short enough to be read.
  var isReadable: Bool { sealed.count <= Self.byteCountLimit }

  /// Decrypts and reads the keys.
  ///
  /// The forms in turn: ChaCha20 since 2018, ChaCha8 before, then a wallet's that only scans.
  /// - Parameter key: ``CryptoNight``'s hash of the password.
  /// - Returns: the keys, decrypted.
  /// - Throws: ``WrongPassword``, ``MoneroAccount/Malformed``, or what making a ``SecretBytes`` throws.
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
