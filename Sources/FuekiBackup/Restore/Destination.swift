public import FuekiArchive
public import FuekiCrypto
public import FuekiWallet

/// Where a restored bundle goes: a new store, or files in open formats.
///
/// Nothing that it was given may be seen by anybody before ``finish()`` returns; a destination that is dropped
/// before leaves nothing behind.
public protocol Destination: AnyObject {
  /// Prepares for what the manifest announces.
  func begin(_ manifest: Manifest, vaultID: [UInt8]) throws

  /// Takes one section's records, in the archive's order, in ascending order of sections.
  ///
  /// - Returns: how many records were taken.
  func restore(_ records: SectionRecords) throws -> UInt64

  /// Is told, before ``finish()``, what a damaged archive could not give.
  func note(_ losses: Losses)

  /// Checks what was taken, and puts all of it in place at once.
  func finish() throws
}

extension Destination {
  /// A destination that has no place for it leaves it to the report.
  public func note(_ losses: Losses) {}
}

/// The keychain that a restore fills.
///
/// It is written once, read back, and compared share by share, before the destination is put in place.
public protocol KeychainAccess: AnyObject {
  /// Takes a key share straight into the keychain's seal.
  func add(share descriptor: KeyShareDescriptor, secret: borrowing SecretBytes) throws
  /// Takes one record of section 65 or 66, as encoded by hand.
  func add(secretRecord: borrowing SecretBytes, of section: Section) throws
  /// Writes the keychain, and reads it back from the disk.
  func write() throws
  /// Whether what was read back holds this very share.
  func holds(share id: [UInt8], secret: borrowing SecretBytes) throws -> Bool
}

/// The records of one section of an archive that a secret has opened.
public struct SectionRecords {
  /// The section.
  public let section: Section
  /// How many records the archive's index announces.
  public let count: UInt64
  private let archive: any UnlockedArchive
  private let losses: LossLedger
  private let lift: RecordLift?

  init(
    section: Section, count: UInt64, archive: any UnlockedArchive, losses: LossLedger, lift: RecordLift?
  ) {
    self.lift = lift
    self.section = section
    self.count = count
    self.archive = archive
    self.losses = losses
  }

  /// Hands over the records in order, block by block; of a damaged archive, those that are not lost.
  ///
  /// What was handed over is confirmed only when this returns.
  ///
  /// - Parameters:
  ///   - decode: turns a block's records into what the destination needs; runs on workers.
  ///   - body: takes the blocks in order, on the caller's thread.
  /// - Throws: ``ArchiveError``, and what `decode` and `body` throw.
  public func forEachBlock<Decoded: Sendable>(
    decode: @escaping @Sendable (RecordBlock) throws -> Decoded, body: (Decoded) throws -> Void
  ) throws {
    guard let lift, lift.touches(section) else {
      return losses.note(try archive.readRecords(of: section.rawValue, map: decode, body: body))
    }
    let section = section
    losses.note(
      try archive.readRecords(
        of: section.rawValue, map: { try decode(try lift.apply(to: $0, of: section)) }, body: body))
  }
}
