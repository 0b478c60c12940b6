internal import FoundationEssentials
public import FuekiArchive
public import FuekiCrypto
public import FuekiWallet

/// The material for proofs, apart from the archive.
public struct ProofMaterial: Sendable {
  /// The encodings that key shares' secrets can be read in.
  public var encodings: [ShareEncoding]
  /// The formats of other wallets' key files that can be opened.
  public var keyFiles: [KeyFileOpening]
  /// The passwords of such files, each tried on every one.
  public var passwords: [SharedSecret]

  /// Makes it; with nothing given only shares that are plain scalars are read.
  public init(
    encodings: [ShareEncoding] = [.scalar], keyFiles: [KeyFileOpening] = [], passwords: [SharedSecret] = []
  ) {
    self.encodings = encodings
    self.keyFiles = keyFiles
    self.passwords = passwords
  }
}

extension UnlockedArchive {
  /// Derives the wallets' addresses again from the accompanying keys, and compares.
  ///
  /// Only the selection counts: a wallet whose keys stay in the archive is not checked. Each secret lives only while
  /// its record is processed, and only in ``SecretBytes``.
  ///
  /// - Parameters:
  ///   - selection: the sections to restore.
  ///   - wallets: the ids of the wallets to restore; empty for all.
  ///   - material: reads the keys.
  /// - Returns: a result for each wallet, and for each keystore, private key and share set without one.
  /// - Throws: ``ArchiveError/forged(_:)`` if a share was altered, ``RecordsError/malformedRecord(section:)``, or
  ///   errors from reading.
  public func prove(
    _ selection: SectionSelection, ofWallets wallets: [String] = [], with material: ProofMaterial
  ) throws -> ProofReport {
    let filter = try RecordFilter.of(wallets, in: self)
    var ledger = ProofLedger(try provenWallets(selection, wallets))
    let shares = try knownShares(material.encodings, in: selection)
    try ledger.prove(shares.filter { filter?.choosesShare([UInt8]($0.descriptor.id)) ?? true })
    if selection.contains(.privateKeys), scopes.contains(.secrets) {
      _ = try readSecretRecords(of: Section.privateKeys.rawValue) { message in
        guard try filter?.chooses(message, of: .privateKeys) ?? true else { return }
        try ledger.prove(secretRecord: message)
      }
    }
    if selection.contains(.files), filter == nil, !material.keyFiles.isEmpty {
      try proveKeystores(material, &ledger)
    }
    ledger.proveDescriptors()
    var report = ledger.report
    if !report.differences.isEmpty {
      let findings = try decodedManifest()?.manifest.findings ?? []
      report.withheld = findings.unexpected(of: report.differences)
    }
    return report
  }

  private func provenWallets(
    _ selection: SectionSelection, _ wallets: [String]
  ) throws -> [ProvenWallet] {
    guard selection.contains(.wallets) else { return [] }
    var proven: [ProvenWallet] = []
    try forEachRecord(of: .wallets) { (wallet: Wallet) in
      if wallet.isAmong(wallets) { proven.append(ProvenWallet(wallet)) }
    }
    return proven
  }

  private func proveKeystores(_ material: ProofMaterial, _ ledger: inout ProofLedger) throws {
    var keystores = KeystoreProofs(material.keyFiles, passwords: material.passwords)
    try forEachRecord(of: .files) { (part: FilePart) in try keystores.take(part, into: &ledger) }
    try keystores.finish(into: &ledger)
  }
}

extension Wallet {
  /// Whether these ids, as people read them, or these things, as ``Holding/item`` has them, choose the wallet; without
  /// any, every wallet is chosen.
  func isAmong(_ ids: [String]) -> Bool {
    guard !ids.isEmpty else { return true }
    if ids.contains(Holding.wallet(id: [UInt8](id), name: name).item) { return true }
    guard let own = PackedText.text(id).map(RecordFilter.spelling) else { return false }
    return ids.contains { RecordFilter.spelling($0) == own }
  }
}
