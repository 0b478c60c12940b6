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
    fileNames: WalletNames(exact: ["id.json"], possible: ["*.json"]),
    recognises: { SolanaCollector.isLikely($0) }, read: SolanaCollector.read)
}

/// Collects unencrypted keys of Solana's programs: a file, or those in a directory.
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

  /// Reads the files.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    var records = ImportedRecords()
    try source.walk(request).forEach(into: &records) { found, records in
      let name = found.nameText
      guard found.status.size <= UInt64(SolanaKey.byteCountLimit) else {
        return records.exclude(name, "no key of Solana", loss: .none)
      }
      let content = try GuardedFile.bytes(of: found)
      records.budget.read(content.count)
      let key: SolanaKey
      do {
        key = try SolanaKey(reading: content)
      } catch SolanaKey.Refusal.otherFile {
        return records.exclude(name, "no key of Solana", loss: .none)
      } catch SolanaKey.Refusal.length(let count) {
        return try Self.keepMalformed(content, found, count, &records)
      }
      try Self.add(key, content, found, &records)
    }
    if records.secretFiles.isEmpty { try records.foundNothing(at: source.path, "no key of Solana is there") }
    records.keepOnly(request)
    return records
  }

  /// Whether a name is that of a validator's key: two machines with one of these sign against each other.
  private static func isValidators(_ name: [UInt8]) -> Bool {
    let last = String(decoding: name.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
      .lowercased()
    return ["validator", "vote", "withdrawer", "identity"].contains { last.contains($0) }
  }

  private static func file(_ found: borrowing FoundFile) -> KeptFile {
    let isValidators = isValidators(found.name)
    return KeptFile(
      source: kind, format: format, program: "solana",
      hazards: isValidators ? [WalletHazard.validator.rawValue] : [])
  }

  private static func keepMalformed(
    _ content: borrowing SecretBytes, _ found: borrowing FoundFile, _ count: Int,
    _ records: inout ImportedRecords
  ) throws {
    // Any short list of numbers qualifies. Only those with a key's length or name are reported as damaged
    // keys.
    let name = found.nameText
    guard count == 32 || name.hasSuffix("id.json") || name.hasSuffix("keypair.json") else {
      return records.exclude(name, "a list of \(count) numbers, and no key of Solana", loss: .none)
    }
    try file(found).keep(secret: content, of: found, in: &records)
    records.findings.append(WalletFinding(kind: kind, name: name, .faulty(.length), detail: "\(count)"))
  }

  private static func add(
    _ key: borrowing SolanaKey, _ content: borrowing SecretBytes, _ found: borrowing FoundFile,
    _ records: inout ImportedRecords
  ) throws {
    let name = found.nameText
    let file = file(found)
    try file.keep(secret: content, of: found, in: &records)
    let address = Base58.encode(key.stated)
    guard try key.derived() == key.stated else {
      return records.findings.append(
        WalletFinding(kind: kind, name: name, .faulty(.secretDiffers), detail: address, isInClear: true))
    }
    records.findings.append(
      WalletFinding(kind: kind, name: name, .proved(.publicKey), detail: address, isInClear: true))
    var wallet = Wallet()
    wallet.id = ForeignNames.packed("solana wallet", address)
    wallet.name = name
    wallet.kind = WalletKind.hot.rawValue
    wallet.chainFamily = "solana"
    wallet.address = PackedText.pack(address)
    // Hazards belong to the file: the wallet's record alone cannot sign.
    guard !records.wallets.contains(where: { $0.id == wallet.id }) else { return }
    records.add(wallet)
  }
}
