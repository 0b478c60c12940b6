import FuekiCollectors
import FuekiCrypto
import FuekiWallet

/// A keys file as Monero's programs write it, with worthless keys.
struct MoneroSample {
  /// The encryption of the file.
  enum Form {
    /// ChaCha20 over settings, with the secret keys encrypted again: since 2018.
    case settings
    /// ChaCha8 over settings with plain secret keys.
    case olderSettings
    /// ChaCha8 over the keys alone.
    case keysAlone
    /// A background-sync wallet with a separate password.
    case background
  }

  var form = Form.settings
  var password: [UInt8] = Array("test".utf8)
  /// Further members of the settings, as in JSON.
  var members = "\"watch_only\":0,\"multisig\":0,\"key_on_device\":0,\"nettype\":0,\"refresh_height\":2871000"
  /// The secret spend key, or its replacement.
  var spendSecret = MoneroSample.scalar(7)
  var viewSecret = MoneroSample.scalar(11)
  var nonce = Array(UInt8(1)...8)

  /// Returns a secret key, little-endian.
  static func scalar(_ first: UInt8) -> [UInt8] {
    (0..<32).map { $0 == 31 ? 0 : first &+ UInt8($0) &* 37 }
  }

  /// Returns the public key of a secret one.
  static func point(_ scalar: [UInt8]) throws -> [UInt8] {
    try CurvePoint.multiplyBase(try SecretBytes(copying: Array(scalar.reversed()).span), on: .ed25519)
  }

  /// Returns the address of the default keys.
  static func address(_ network: MoneroAddress.Network = .mainnet) throws -> String {
    MoneroAddress.encode(spend: try point(scalar(7)), view: try point(scalar(11)), on: network)
  }

  /// Returns the file.
  func bytes() throws -> [UInt8] {
    var key = try CryptoNight.hash(password.span)
    if form == .background {
      let mark = key.copied() + [0x8F]
      key = try SecretBytes(copying: Keccak256.hash(mark.span).bytes.span)
    }
    let isTwice = form == .settings || form == .background
    let storage = try storage(key, isTwice: isTwice)
    let text =
      form == .keysAlone
      ? storage
      : Array("{\"key_data\":\"".utf8) + escaped(storage)
        + Array("\",\(members),\"encrypted_secret_keys\":\(isTwice ? 1 : 0)}".utf8)
    return try sealed(text, key)
  }

  /// Encrypts a text like the file.
  func sealed(_ text: [UInt8], _ key: borrowing SecretBytes) throws -> [UInt8] {
    let rounds: ChaChaStream.Rounds = form == .settings || form == .background ? .twenty : .eight
    let body = try ChaChaStream.apply(text.span, key: key, nonce: nonce, rounds: rounds).copied()
    var length: [UInt8] = []
    var count = body.count
    while count > 0x7F {
      length.append(UInt8(count & 0x7F) | 0x80)
      count >>= 7
    }
    return nonce + length + [UInt8(count)] + body
  }

  private func storage(_ key: borrowing SecretBytes, isTwice: Bool) throws -> [UInt8] {
    var secrets = spendSecret + viewSecret
    let vector = Array(UInt8(21)...28)
    if isTwice {
      let seed = key.copied() + [UInt8(ascii: "k")]
      let inner = try CryptoNight.hash(seed.span)
      secrets = try ChaChaStream.apply(secrets.span, key: inner, nonce: vector, rounds: .twenty).copied()
    }
    func text(_ name: String, _ value: [UInt8]) -> [UInt8] {
      [UInt8(name.utf8.count)] + Array(name.utf8) + [10, UInt8(value.count << 2)] + value
    }
    func section(_ name: String, _ count: Int) -> [UInt8] {
      [UInt8(name.utf8.count)] + Array(name.utf8) + [12, UInt8(count << 2)]
    }
    let begin: [UInt8] = [1, 0x11, 1, 1, 1, 1, 2, 1, 1, 2 << 2]
    let time = Array("\u{14}m_creation_timestamp".utf8) + [5] + [UInt8](repeating: 3, count: 8)
    let address =
      section("m_account_address", 2)
      + text("m_spend_public_key", try Self.point(Self.scalar(7)))
      + text("m_view_public_key", try Self.point(Self.scalar(11)))
    // A list of two other signers' keys, 64 bytes in one text.
    let others = text("m_multisig_keys", [UInt8](repeating: 5, count: 32))
    return begin + time + section("m_keys", 5) + address + text("m_encryption_iv", vector) + others
      + text("m_spend_secret_key", Array(secrets[..<32])) + text("m_view_secret_key", Array(secrets[32...]))
  }

  private func escaped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): return [UInt8(ascii: "\\"), byte]
      case 10: return Array("\\n".utf8)
      case 0..<0x20: return Array("\\u00\(Hex.encode([byte]).uppercased())".utf8)
      default: return [byte]
      }
    }
  }
}

extension SecretBytes {
  /// Returns the bytes of a secret that is public here.
  borrowing func copied() -> [UInt8] { withBytes { bytes in bytes.indices.map { bytes[$0] } } }
}
