internal import FoundationEssentials
internal import FuekiArchive
public import FuekiCrypto
public import FuekiWallet

/// A digest of a bundle, section by section, to compare two bundles without keeping either.
public struct BundleFingerprint: Equatable, Sendable {
  /// One section's records and a digest of them, in their order.
  public struct Entry: Equatable, Sendable {
    /// How many records there are.
    public let records: UInt64
    /// SHA-256 of the framed records; of key shares, of each id and secret.
    public let digest: Digest
  }

  /// The entry of each section.
  public let sections: [Section: Entry]
}

extension BackupBundle {
  /// Reads everything in the bundle once, notes its things of worth, and forgets it.
  ///
  /// The bundle cannot be written afterwards.
  public func fingerprint() throws -> BundleFingerprint {
    var entries: [Section: BundleFingerprint.Entry] = [:]
    for (section, sources) in sources {
      var digest = SHA256()
      var records: UInt64 = 0
      for source in sources {
        while let job = try source() {
          var next: BatchJob? = job
          while let batch = try next?() {
            digest.update(batch.bytes)
            holdingCount.note(batch.bytes.span, of: section)
            records += UInt64(batch.count)
            next = batch.rest
          }
        }
      }
      entries[section] = .init(records: records, digest: digest.finalize())
    }
    for section in Set(secretRecords.keys).union(secretSources.keys) {
      var digest = SHA256()
      var count: UInt64 = 0
      try forEachSecretRecord(of: section) { record in
        record.withBytes {
          digest.update($0)
          holdingCount.note($0, of: section)
        }
        count += 1
      }
      entries[section] = .init(records: count, digest: digest.finalize())
    }
    if !shares.isEmpty { entries[.keyShares] = shareFingerprint() }
    return BundleFingerprint(sections: entries)
  }

  /// Hands over the framed records of section 65 or 66.
  func forEachSecretRecord(
    of section: Section, _ body: (borrowing SecretBytes) throws -> Void
  ) throws {
    for record in secretRecords[section] ?? [] { try body(record.bytes) }
    for source in secretSources[section] ?? [] { try source(body) }
  }

  private func shareFingerprint() -> BundleFingerprint.Entry {
    var digest = SHA256()
    for share in shares.sorted(by: { $0.descriptor.id.lexicographicallyPrecedes($1.descriptor.id) }) {
      digest.update([UInt8](share.descriptor.id))
      holdingCount.note(.share(share.descriptor))
      share.secret.bytes.withBytes { digest.update($0) }
    }
    return .init(records: UInt64(shares.count), digest: digest.finalize())
  }
}
