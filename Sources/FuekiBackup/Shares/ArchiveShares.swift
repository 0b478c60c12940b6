public import FuekiArchive
internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet
internal import SwiftProtobuf

extension OpenArchive {
  /// Checks the archive's key shares, as far as the secret opens it.
  ///
  /// With the secrets scope each share's secret is opened, one at a time, and only its public point is kept.
  ///
  /// - Parameter encodings: those that secrets can be read in.
  /// - Returns: what was found; no sets where the archive holds no shares, or its profile is not opened.
  /// - Throws: ``ArchiveError/forged(_:)`` where a share was altered, ``BackupError/malformedRecord(section:)``, or
  ///   what reading throws.
  public func checkShares(_ encodings: [ShareEncoding]) throws -> ShareReport {
    let descriptors: [KeyShareDescriptor] = try records(of: .keyShareDescriptors)
    var known: [KnownShare] = []
    var opened: Set<[UInt8]> = []
    if scopes.contains(.secrets) {
      let described = Dictionary(descriptors.map { ([UInt8]($0.id), $0) }) { first, _ in first }
      try forEachShare(in: .everything) { id, sealed in
        opened.insert(id)
        let secret = SharedSecret(try open(share: sealed, id: id))
        let descriptor = described[id] ?? KnownShare.undescribed(Data(id))
        known.append(try KnownShare(descriptor, secret: secret, encodings: encodings))
      }
    }
    let others: KnownShare.Secret = scopes.contains(.secrets) ? .absent : .closed
    known += descriptors.filter { !opened.contains([UInt8]($0.id)) }.map { KnownShare($0, secret: others) }
    known.sort { a, b in
      (a.descriptor.partyIndex, a.name.text) < (b.descriptor.partyIndex, b.name.text)
    }
    let wallets: [Wallet] = known.isEmpty ? [] : try records(of: .wallets)
    return try ShareCheck.run(known, grouping: .byWallet, wallets: wallets)
  }

  private func records<Record: SectionRecord>(of section: Section) throws -> [Record] {
    var all: [Record] = []
    try readSection(section.rawValue) { block in
      try block.messages.map { range in
        guard let record = try? Record(serializedBytes: Array(block.bytes[range])) else {
          throw BackupError.malformedRecord(section: section.name)
        }
        return record
      }
    } body: { (records: [Record]) in
      all += records
    }
    return all
  }
}
