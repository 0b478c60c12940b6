internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  /// Keys of Solana's command line and validators.
  static let solana = CollectorKind(
    SolanaCollector.kind, "keys of Solana's command line and validators", reach: .tree, guide: .solana,
    programs: [
      WalletProgram(
        id: "solana", title: "Solana command line", folders: [".config/solana"],
        places: [
          .folder(
            ".config/solana", of: ["id.json", "*-keypair.json"], kind: SolanaCollector.kind, .never,
            [.clearSecret, .signsTwice])
        ],
        beside: [".config/solana/*.json", ".config/solana/*/*.json"])
    ],
    fileNames: WalletNames(exact: ["id.json"], certain: ["*keypair.json"], possible: ["*.json"]),
    limit: SolanaKey.byteCountLimit, what: "key of Solana", recognises: { SolanaCollector.isLikely($0) },
    look: SolanaCollector.look)
}

/// Unencrypted keys of Solana's programs.
///
/// The public key after each seed must match the seed.
enum SolanaCollector {
  static let kind = "solana"
  static let format = "solana-keypair"

  /// Whether a file is a short list of small numbers.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    guard beginning.count <= SolanaKey.byteCountLimit,
      let bytes = try? SecretBytes(copying: beginning)
    else { return false }
    do {
      _ = try SolanaKey(reading: bytes).stated
      return true
    } catch {
      return false
    }
  }

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let name = found.nameText
    var kept = Kept(format: format)
    kept.program = "solana"
    if isValidators(found.lastName) { kept.hazards = [.validator] }
    do {
      let key = try SolanaKey(reading: found.bytes())
      let address = Base58.encode(key.stated)
      let isRight = try key.derived() == key.stated
      kept.findings = [
        asked.finding(name, isRight ? .proved(.publicKey) : .faulty(.secretDiffers), detail: address)
      ]
      // Hazards belong to the file: the wallet's record alone cannot sign.
      if isRight { kept.wallets = [wallet(name, address)] }
    } catch SolanaKey.Refusal.otherFile {
      return .other(reason: "it is no key of Solana")
    } catch SolanaKey.Refusal.length(let count) {
      // Any short list of numbers qualifies. Only those with a key's length or name are damaged keys.
      guard count == 32 || asked.kind.fileNames.isWallet(FileName.text(found.lastName)) else {
        return .other(reason: "it is a list of \(count) numbers, and no key of Solana")
      }
      kept.findings = [asked.finding(name, .faulty(.length), detail: "\(count)")]
    }
    return .wallet(kept)
  }

  /// Whether a name is that of a validator's key: two machines with one of these sign against each other.
  private static func isValidators(_ name: [UInt8]) -> Bool {
    let name = String(decoding: name, as: UTF8.self).lowercased()
    return ["validator", "vote", "withdrawer", "identity"].contains { name.contains($0) }
  }

  private static func wallet(_ name: String, _ address: String) -> Wallet {
    var wallet = Wallet()
    wallet.id = ForeignNames.packed("solana wallet", address)
    wallet.name = name
    wallet.kind = WalletKind.hot.rawValue
    wallet.chainFamily = "solana"
    wallet.address = PackedText.pack(address)
    return wallet
  }
}
