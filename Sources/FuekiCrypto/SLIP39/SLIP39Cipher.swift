/// Encrypts a secret before it is split: four Feistel rounds keyed by the passphrase.
///
/// See SLIP-0039, section "Encryption of the master secret". With the empty passphrase it hides nothing, but
/// every program that combines shares expects it.
struct SLIP39Cipher {
  let identifier: UInt16
  let isExtendable: Bool
  let iterationExponent: Int

  func encrypt(
    _ secret: borrowing SecretBytes, passphrase: borrowing SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    try pass(secret, passphrase: passphrase, rounds: [0, 1, 2, 3])
  }

  func decrypt(
    _ secret: borrowing SecretBytes, passphrase: borrowing SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    try pass(secret, passphrase: passphrase, rounds: [3, 2, 1, 0])
  }

  private func pass(
    _ secret: borrowing SecretBytes, passphrase: borrowing SecretBytes, rounds: [UInt8]
  ) throws(CryptoError) -> SecretBytes {
    guard secret.count.isMultiple(of: 2) else { throw .invalidLength }
    let half = secret.count / 2
    var left = try secret.copy(0..<half)
    var right = try secret.copy(half..<secret.count)
    for round in rounds {
      let pad = try pad(round: round, passphrase: passphrase, half: right)
      left.withMutableBytes { left in
        pad.withBytes { pad in
          for index in left.indices { left[index] ^= pad[index] }
        }
      }
      swap(&left, &right)
    }
    return try Self.join(right, left)
  }

  private func pad(
    round: UInt8, passphrase: borrowing SecretBytes, half: borrowing SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    let beginning =
      isExtendable
      ? [] : Array("shamir".utf8) + [UInt8(identifier >> 8), UInt8(truncatingIfNeeded: identifier)]
    let key = try Self.join(try SecretBytes(copying: [round].span), passphrase)
    let salt = try Self.join(try SecretBytes(copying: beginning.span), half)
    return try PBKDF2.derive(
      from: key, salt: salt, iterations: (10_000 << iterationExponent) / 4, count: half.count)
  }

  private static func join(
    _ first: borrowing SecretBytes, _ second: borrowing SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    let length = first.count
    var whole = try SecretBytes(count: length + second.count)
    whole.withMutableBytes { whole in
      first.withBytes { first in
        for index in first.indices { whole[index] = first[index] }
      }
      second.withBytes { second in
        for index in second.indices { whole[length + index] = second[index] }
      }
    }
    return whole
  }
}
