public import FuekiCrypto

/// Derives the seed of a phrase of words.
///
/// See BIP-39.
public enum SeedPhrase {
  /// Derives the 64 bytes for ``ExtendedPrivateKey/init(seed:version:)``.
  ///
  /// - Parameters:
  ///   - words: the words, separated by single spaces, as UTF-8 in form NFKD. They are not checked: a wrong
  ///     seed is detected by its addresses.
  ///   - passphrase: the optional passphrase in form NFKD; empty for none.
  /// - Returns: the seed.
  /// - Throws: ``CryptoError``.
  public static func seed(
    words: borrowing SecretBytes, passphrase: borrowing SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    let label = Array("mnemonic".utf8)
    var salt = try SecretBytes(count: label.count + passphrase.count)
    salt.withMutableBytes { salt in
      for index in label.indices { salt[index] = label[index] }
      passphrase.withBytes { passphrase in
        for index in passphrase.indices { salt[label.count + index] = passphrase[index] }
      }
    }
    return try PBKDF2.derive(from: words, salt: salt, iterations: 2048, count: 64, hash: .sha512)
  }
}
