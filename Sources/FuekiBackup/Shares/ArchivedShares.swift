internal import FoundationEssentials
internal import FuekiCrypto
internal import SwiftProtobuf
public import FuekiArchive
public import FuekiWallet

extension UnlockedArchive {
  /// Checks the archive's key shares, as far as the secret opens it.
  ///
  /// With the secrets scope each share's secret is opened, one at a time, and only its public point is kept.
  ///
  /// - Parameter encodings: the encodings that secrets can be read in.
  /// - Returns: the findings; no sets if the archive holds no shares, or its profile is closed.
  /// - Throws: ``ArchiveError/forged(_:)`` if a share was altered, ``RecordsError/malformedRecord(section:)``, or
  ///   errors from reading.
  public func checkShares(_ encodings: [ShareEncoding]) throws -> ShareReport {
    let known = try knownShares(encodings, in: .everything)
    let wallets: [Wallet] = known.isEmpty ? [] : try records(of: .wallets)
    return try ShareCheck.run(known, grouping: .byWallet, wallets: wallets)
  }

  /// Returns the archive's selected key shares, in their parties' order.
  func knownShares(_ encodings: [ShareEncoding], in selection: SectionSelection) throws -> [KnownShare] {
    guard selection.contains(.keyShares) || selection.contains(.keyShareDescriptors) else { return [] }
    let descriptors: [KeyShareDescriptor] = try records(of: .keyShareDescriptors)
    var known: [KnownShare] = []
    var opened: Set<[UInt8]> = []
    if scopes.contains(.secrets) {
      let described = Dictionary(descriptors.map { ([UInt8]($0.id), $0) }) { first, _ in first }
      try forEachShare(in: selection) { id, sealed in
        opened.insert(id)
        let secret = SharedSecret(try open(share: sealed, id: id))
        let descriptor = described[id] ?? KnownShare.undescribed(Data(id))
        known.append(try KnownShare(descriptor, secret: secret, encodings: encodings))
      }
    }
    let others: KnownShare.Secret = scopes.contains(.secrets) ? .absent : .closed
    known += descriptors.filter { !opened.contains([UInt8]($0.id)) }.map { KnownShare($0, secret: others) }
    return known.sorted { a, b in
      (a.descriptor.partyIndex, a.name.text) < (b.descriptor.partyIndex, b.name.text)
    }
  }

  /// The public sides of the key shares, of some wallets or of all.
  func shareDescriptors(ofWallets wallets: [String]) throws -> [KeyShareDescriptor] {
    let filter = try RecordFilter.of(wallets, in: self)
    let all: [KeyShareDescriptor] = try records(of: .keyShareDescriptors)
    return all.filter { filter?.choosesShare([UInt8]($0.id)) ?? true }
  }

  /// A section's records that are there; of a salvaged archive, those that are not lost.
  func records<Record: SectionRecord>(of section: Section) throws -> [Record] {
    var all: [Record] = []
    try forEachRecord(of: section) { all.append($0) }
    return all
  }

  /// Hands over a section's records that are there, one by one.
  func forEachRecord<Record: SectionRecord>(
    of section: Section, _ body: (Record) throws -> Void
  ) throws {
    let lift = try recordLift()
    _ = try readRecords(of: section.rawValue) { block in
      try (lift?.apply(to: block, of: section) ?? block).decoded(as: Record.self, in: section)
    } body: { records in
      for record in records { try body(record) }
    }
  }
}

extension ShareEpochs {
  /// Refuses shares that the destination's have replaced; those that are there themselves change nothing.
  ///
  /// - Parameters:
  ///   - incoming: the public sides of the archive's shares that are to be restored.
  ///   - present: the public sides of the destination's shares, from its store and its keychain.
  /// - Throws: ``RestoreError/olderShares(_:)``.
  public static func refuseOlder(
    _ incoming: [KeyShareDescriptor], than present: [KeyShareDescriptor]
  ) throws(RestoreError) {
    let known = Dictionary(present.map { ($0.id, $0.epoch) }) { first, _ in first }
    let older = older(incoming.filter { known[$0.id] != $0.epoch }, than: present)
    guard older.isEmpty else { throw .olderShares(older) }
  }
}
