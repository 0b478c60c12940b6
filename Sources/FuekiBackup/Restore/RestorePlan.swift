internal import FoundationEssentials
internal import FuekiCrypto
internal import SwiftProtobuf
public import FuekiArchive
public import FuekiWallet

/// A restore whose secrets are in the new keychain, and whose records can now be loaded.
///
/// `decryptShares` returns one once every share has been compared with the archive. A restore compares them at the
/// latest before the records are put in place.
public struct RestorePlan {
  /// The archive, intact or salvaged.
  public let archive: any UnlockedArchive
  let ledger: LossLedger
  /// Converts records of an older version to this one.
  let lift: RecordLift?
  let filter: RecordFilter?
  /// The archive's manifest.
  public let manifest: Manifest
  /// The checksum of everything in the bundle.
  public let bundleChecksum: String
  /// The sections that will be restored, in order.
  public let sections: [Section]
  /// The selected sections of secrets.
  let secretSections: [Section]
  /// Selected scopes that the secret does not open.
  public let closedScopes: [ArchiveScope]
  /// Sections that this version does not know, by id.
  public let unknownSections: [UInt16]
  /// How many key shares, private keys and secret files are in the new keychain.
  let secretCounts: [Section: UInt64]
  /// The results of deriving the wallets' addresses again.
  public let proofs: ProofReport

  /// The losses known so far.
  public var losses: Losses { ledger.losses }
}

extension Manifest {
  /// Whether the archive holds only other programs' data, and no Fueki wallet.
  ///
  /// A machine that restored such data has a store, too, from which its next archive got nothing.
  public var isOfSourcesAlone: Bool {
    !sources.isEmpty && !sources.contains { $0.name == "store" && !$0.included.isEmpty }
  }
}

extension UnlockedArchive {
  /// Returns the lift from the archive's records to this program's version.
  ///
  /// Nil if none is needed, or if the manifest, which states the version, is missing.
  ///
  /// - Throws: ``RecordsError/newerRecords(schema:)``, ``RecordsError/malformedRecord(section:)``, or errors from
  ///   reading.
  public func recordLift() throws -> RecordLift? {
    try decodedManifest().flatMap { try RecordSchema.lift(from: $0.manifest.schema) }
  }

  /// Returns the manifest after comparing the scope digests; nil if the profile is closed or the manifest is lost.
  ///
  /// - Throws: ``ArchiveError/forged(_:)`` if a digest does not match or the record is no manifest.
  public func decodedManifest() throws -> (manifest: Manifest, bundleChecksum: String)? {
    guard let (body, checksum) = try manifest() else { return nil }
    guard let decoded = try? Manifest(serializedBytes: body) else {
      throw RecordsError.malformedRecord(section: Section.manifest.name)
    }
    return (decoded, checksum.hex)
  }

  /// Decrypts shares: each goes from its own key straight into the keychain's seal.
  ///
  /// Before this returns, the keychain is written once and read back, and every share is compared with the archive's.
  ///
  /// - Parameters:
  ///   - selection: the sections to restore.
  ///   - wallets: the ids of the wallets to restore; empty for all.
  ///   - keychain: nil without the secrets scope.
  /// - Returns: the rest to restore, and the losses.
  /// - Throws: ``ArchiveError/forged(_:)`` if a share was altered, even inside a valid stream;
  ///   ``PlaceError/keychainDiffers`` if a share read back differs from the archive's;
  ///   ``RecordsError/malformedRecord(section:)``; errors from the keychain.
  public func decryptShares(
    _ selection: SectionSelection, ofWallets wallets: [String] = [], into keychain: (any KeychainAccess)?
  ) throws -> RestorePlan {
    try decryptShares(selection, ofWallets: wallets, with: .empty, into: keychain)
  }

  /// Decrypts the shares that the proofs do not withhold.
  ///
  /// Otherwise like ``decryptShares(_:ofWallets:into:)``.
  func decryptShares(
    _ selection: SectionSelection, ofWallets wallets: [String], with proofs: ProofReport,
    into keychain: (any KeychainAccess)?
  ) throws -> RestorePlan {
    let (plan, shares) = try addShares(selection, ofWallets: wallets, with: proofs, into: keychain)
    try shares.confirm()
    return plan
  }

  /// Decrypts shares, and returns while the keychain may still be written.
  ///
  /// Nothing may be put in place before ``AddedShares/confirm()`` returns. Otherwise like
  /// ``decryptShares(_:ofWallets:into:)``.
  func addShares(
    _ selection: SectionSelection, ofWallets wallets: [String], with proofs: ProofReport,
    into keychain: (any KeychainAccess)?
  ) throws -> (RestorePlan, AddedShares) {
    let ledger = LossLedger()
    let filter = try RecordFilter.of(wallets, without: Withheld(proofs.withheld), in: self)
    func isWanted(_ section: Section) -> Bool {
      selection.contains(section) && filter?.mayChoose(section) ?? true
    }
    let opened = try decodedManifest()
    // Before anything is decrypted: of a newer version nothing may be misunderstood.
    let lift = try opened.flatMap { try RecordSchema.lift(from: $0.manifest.schema) }
    if opened == nil {
      let loss = try readRecords(of: Section.manifest.rawValue) { _ in
      } body: { _ in
      }
      ledger.note(loss)
    }
    ledger.scopes = lostScopes.filter { scope in
      Section.allCases.contains { $0.scope == scope && selection.contains($0) }
    }
    let secrets = try addSecrets(
      selection, filter, records: [.privateKeys, .secretFiles].filter(isWanted), into: keychain, ledger)
    let losesShares = ledger.loss(of: .keyShares) != nil || lostScopes.contains(.secrets)
    if losesShares, selection.contains(.keyShares), keychain?.staged == nil {
      ledger.shares = try shareDescriptors(ledger).filter { id, _ in
        !secrets.shares.contains(id) && filter?.choosesShare(id) ?? true
      }.values
        .sorted { $0.name < $1.name }
    }
    let known = sections.compactMap { Section(rawValue: $0.id) }
    let plan = RestorePlan(
      archive: self, ledger: ledger, lift: lift, filter: filter, manifest: opened?.manifest ?? Manifest(),
      bundleChecksum: opened?.bundleChecksum ?? "",
      sections: known.filter { $0 != .manifest && $0.scope != .secrets && isWanted($0) },
      secretSections: known.filter { $0.scope == .secrets && isWanted($0) },
      closedScopes: closedScopes(of: selection), unknownSections: unknownSections,
      secretCounts: secrets.counts, proofs: proofs)
    return (plan, secrets.added)
  }

  /// Adds the selected secrets to the new keychain, and starts writing it.
  ///
  /// - Returns: how many secrets were added, the ids of the shares, and the keychain's pending check.
  private func addSecrets(
    _ selection: SectionSelection, _ filter: RecordFilter?, records recordSections: [Section],
    into keychain: (any KeychainAccess)?, _ ledger: LossLedger
  ) throws -> (counts: [Section: UInt64], shares: Set<[UInt8]>, added: AddedShares) {
    // Written, read back and compared by the run that was stopped.
    if let staged = keychain?.staged { return (staged, [], .none) }
    guard let keychain, scopes.contains(.secrets) else { return ([:], [], .none) }
    var counts: [Section: UInt64] = [:]
    var shares: Set<[UInt8]> = []
    let descriptors = try shareDescriptors(ledger)
    try forEachShare(in: selection, ledger) { id, sealed in
      guard filter?.choosesShare(id) ?? true else { return }
      let secret = try open(share: sealed, id: id)
      try keychain.add(share: descriptors[id] ?? Self.bareDescriptor(id), secret: secret)
      counts[.keyShares, default: 0] += 1
      shares.insert(id)
    }
    for section in recordSections {
      let check = RecordCheck(section)
      let loss = try readSecretRecords(of: section.rawValue) { message in
        guard try check.accepts(message) else {
          throw RecordsError.malformedRecord(section: section.name)
        }
        guard try filter?.chooses(message, of: section) ?? true else { return }
        try keychain.add(secretRecord: try .init(copying: message), of: section)
        counts[section, default: 0] += 1
      }
      ledger.note(loss)
    }
    try keychain.write()
    let added = AddedShares(keychain) {
      try forEachShare(in: selection, ledger) { id, sealed in
        guard filter?.choosesShare(id) ?? true else { return }
        let holds = try keychain.holds(share: id, secret: try open(share: sealed, id: id))
        guard holds else { throw PlaceError.keychainDiffers }
      }
    }
    return (counts, shares, added)
  }

  /// Returns the selected scopes that the secret does not open.
  public func closedScopes(of selection: SectionSelection) -> [ArchiveScope] {
    ArchiveScope.allCases.filter { scope in
      !scopes.contains(scope) && !lostScopes.contains(scope)
        && Section.allCases.contains { $0.scope == scope && selection.contains($0) }
    }
  }

  /// Sections that this version does not know, by id.
  public var unknownSections: [UInt16] { sections.map(\.id).filter { Section(rawValue: $0) == nil } }

  /// Hands over each key share's id and sealed bytes, and notes those that are lost.
  func forEachShare(
    in selection: SectionSelection, _ ledger: LossLedger = LossLedger(),
    _ body: ([UInt8], [UInt8]) throws -> Void
  ) throws {
    guard selection.contains(.keyShares) else { return }
    let loss = try readRecords(of: Section.keyShares.rawValue) { block in
      let shares = try block.decoded(as: KeyShare.self, in: .keyShares)
      guard shares.allSatisfy({ $0.id.count == 16 }) else {
        throw RecordsError.malformedRecord(section: Section.keyShares.name)
      }
      return shares
    } body: { shares in
      for share in shares { try body([UInt8](share.id), [UInt8](share.sealed)) }
    }
    ledger.note(loss)
  }

  private func shareDescriptors(_ ledger: LossLedger) throws -> [[UInt8]: KeyShareDescriptor] {
    var descriptors: [[UInt8]: KeyShareDescriptor] = [:]
    let loss = try readRecords(of: Section.keyShareDescriptors.rawValue) { block in
      try block.decoded(as: KeyShareDescriptor.self)
    } body: { found in
      for descriptor in found { descriptors[[UInt8](descriptor.id)] = descriptor }
    }
    ledger.note(loss)
    return descriptors
  }

  /// Returns a descriptor for a share without one in the archive.
  ///
  /// The share is kept.
  static func bareDescriptor(_ id: [UInt8]) -> KeyShareDescriptor {
    var descriptor = KeyShareDescriptor()
    descriptor.id = Data(id)
    return descriptor
  }
}

extension RestorePlan {
  /// Counts the records of a restore into a new place, where everything is new.
  ///
  /// Records of selected wallets are counted by reading them, and their secrets are not counted.
  public func countsInNewPlace(progress: @escaping (RestoreProgress) throws -> Void) throws
    -> [Section: MergeCounts]
  {
    var counts: [Section: MergeCounts] = [:]
    guard filter == nil else {
      let tally = Tally()
      try compare(with: tally, progress: progress)
      for (section, records) in tally.counts { counts[section, default: MergeCounts()].added = records }
      return counts
    }
    for summary in archive.sections {
      guard let section = Section(rawValue: summary.id), (sections + secretSections).contains(section) else {
        continue
      }
      counts[section, default: MergeCounts()].added = summary.records
    }
    return counts
  }
}

/// Counts records, and keeps none.
private final class Tally: Destination {
  private(set) var counts: [Section: UInt64] = [:]

  func begin(_ manifest: Manifest, vaultID: VaultID) throws {}

  func restore(_ records: SectionRecords) throws -> UInt64 {
    var count: UInt64 = 0
    try records.forEachBlock(decode: \.messages.count) { count += UInt64($0) }
    counts[records.section] = count
    return count
  }

  func finish() throws {}
}

/// The options of a restore, whether from the command line or an app.
public struct RestoreOptions: Equatable, Sendable {
  /// Restore even if a newer archive is known, and even older key shares.
  public var acceptsOlder = false
  /// Restore even what was proved when the archive was made, and differs now.
  public var acceptsDifferences = false
  /// Salvage the intact parts of a damaged archive.
  public var salvages = false

  /// Creates the options of a restore that accepts only the newest archive, and only if it is intact.
  public init() {}
}
