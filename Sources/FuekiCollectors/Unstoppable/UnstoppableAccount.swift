internal import FuekiCrypto

/// The decrypted part of a wallet's backup: a seed phrase with its passphrase, a key, or a watched address.
final class UnstoppableAccount {
  private let payload: SecretBytes
  private let type: String

  init(_ payload: consuming SecretBytes, type: String) {
    self.payload = payload
    self.type = type
  }

  /// Whether it is an address without a secret.
  var isPublic: Bool { type.hasSuffix("_address") || type == "stellar_account" }

  /// Whether the seed phrase's words must not be normalised by BIP-39.
  var isNotBIP39: Bool {
    guard type == "mnemonic" else { return false }
    return payload.withBytes { bytes in
      let words = Self.words(of: bytes)
      return words.upperBound < bytes.count && bytes[words.upperBound] == UInt8(ascii: "&")
    }
  }

  /// The watched address; nil if the wallet has a secret.
  var address: String? {
    get throws {
      guard isPublic, payload.count <= 256 else { return nil }
      let bytes = payload.withBytes { bytes in bytes.indices.map { bytes[$0] } }
      if type == "evm_address", bytes.count == 20 { return "0x" + Hex.encode(bytes) }
      let text = String(validating: bytes, as: UTF8.self)
      // An address of Bitcoin's family is followed by its chain.
      return text?.split(separator: "&", omittingEmptySubsequences: false).first.map(String.init)
    }
  }

  /// Returns the secrets with their kinds.
  ///
  /// Words and passphrase are separate.
  func secrets() throws -> [(kind: String, secret: SharedSecret)] {
    guard type == "mnemonic" else {
      let kind =
        switch type {
        case "private_key", "evm_private_key": "private-key"
        case "hd_extended_key": "extended-key"
        case "": "secret"
        default: type.replacing("_", with: "-")
        }
      return [(kind, SharedSecret(try payload.copy(0..<payload.count)))]
    }
    let (words, passphrase) = payload.withBytes { bytes in (Self.words(of: bytes), Self.passphrase(of: bytes))
    }
    var secrets = [("seed-phrase", SharedSecret(try payload.copy(words)))]
    if let passphrase, !passphrase.isEmpty {
      secrets.append(("seed-phrase-passphrase", SharedSecret(try payload.copy(passphrase))))
    }
    return secrets
  }

  /// Whether a name is the payload's digest, as the app names its backups.
  func isNamed(_ name: String) throws -> Bool {
    guard let declared = Hex.decode(name), declared.count == SHA512.byteCount else { return true }
    let digest = try payload.withBytes { bytes in try SHA512.secretHash(bytes) }
    return digest.withBytes { ConstantTime.areEqual($0, declared.span) }
  }

  /// Returns the words: everything before a separator or the passphrase.
  private static func words(of bytes: Span<UInt8>) -> Range<Int> {
    let end = bytes.indices.first { bytes[$0] == UInt8(ascii: "&") || bytes[$0] == UInt8(ascii: "@") }
    return 0..<(end ?? bytes.count)
  }

  private static func passphrase(of bytes: Span<UInt8>) -> Range<Int>? {
    bytes.indices.first { bytes[$0] == UInt8(ascii: "@") }.map { $0 + 1..<bytes.count }
  }
}
