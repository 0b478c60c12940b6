internal import FuekiCrypto
internal import FuekiWallet

/// An extended public key in Electrum's format, whose first four bytes state the network and script type.
struct ElectrumExtendedKey {
  enum Script {
    case keyHash
    case nestedSegwit
    case segwit
    case nestedSegwitScript
    case segwitScript
  }

  let script: Script
  let isMain: Bool
  /// The key with the version bytes used in descriptors.
  let plain: String

  private static let byteCount = 78
  private static let versions: [UInt32: (Script, Bool)] = [
    0x0488_B21E: (.keyHash, true), 0x049D_7CB2: (.nestedSegwit, true), 0x04B2_4746: (.segwit, true),
    0x0295_B43F: (.nestedSegwitScript, true), 0x02AA_7ED3: (.segwitScript, true),
    0x0435_87CF: (.keyHash, false), 0x044A_5262: (.nestedSegwit, false), 0x045F_1CF6: (.segwit, false),
    0x0242_89EF: (.nestedSegwitScript, false), 0x0257_5483: (.segwitScript, false),
  ]

  /// Parses a key; nil for any other text.
  init?(_ text: String) {
    guard let payload = try? Base58Check.decode(text), payload.count == Self.byteCount else { return nil }
    let version = payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    guard let (script, isMain) = Self.versions[version] else { return nil }
    self.script = script
    self.isMain = isMain
    let prefix: [UInt8] = isMain ? [0x04, 0x88, 0xB2, 0x1E] : [0x04, 0x35, 0x87, 0xCF]
    plain = Base58Check.encode(prefix + payload.dropFirst(4))
  }
}

/// The descriptors of a wallet's addresses with their checksums; see BIP 380 to 383.
enum ElectrumDescriptors {
  /// A cosigner's key and its origin.
  struct Cosigner {
    let key: ElectrumExtendedKey
    /// The fingerprint of the root key; empty if unknown.
    let fingerprint: String
    /// The path from the root key, such as `m/84'/0'/0'`.
    let derivation: String

    func text(branch: Int) -> String {
      guard Hex.decode(fingerprint)?.count == 4, derivation.hasPrefix("m") else {
        return "\(key.plain)/\(branch)/*"
      }
      let path = derivation.dropFirst().replacing("'", with: "h")
      return "[\(fingerprint)\(path)]\(key.plain)/\(branch)/*"
    }
  }

  /// Returns the descriptors of receiving and change addresses.
  ///
  /// `required` is the number of signatures in a multisig; nil for a single-key wallet.
  static func texts(_ cosigners: [Cosigner], required: Int?) -> [String] {
    guard let first = cosigners.first else { return [] }
    return [0, 1].map { branch in
      let text = text(cosigners, first.key.script, required, branch)
      return DescriptorChecksum.of(text).map { "\(text)#\($0)" } ?? text
    }
  }

  private static func text(
    _ cosigners: [Cosigner], _ form: ElectrumExtendedKey.Script, _ required: Int?, _ branch: Int
  ) -> String {
    let keys = cosigners.map { $0.text(branch: branch) }.joined(separator: ",")
    guard let required else {
      return switch form {
      case .keyHash: "pkh(\(keys))"
      case .nestedSegwit: "sh(wpkh(\(keys)))"
      // Keys for multisig scripts are not used alone.
      case .segwit, .nestedSegwitScript, .segwitScript: "wpkh(\(keys))"
      }
    }
    let script = "sortedmulti(\(required),\(keys))"
    return switch form {
    case .segwitScript: "wsh(\(script))"
    case .nestedSegwitScript: "sh(wsh(\(script)))"
    case .keyHash, .nestedSegwit, .segwit: "sh(\(script))"
    }
  }
}
