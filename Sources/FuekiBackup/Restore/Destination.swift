public import FuekiArchive
public import FuekiCrypto
public import FuekiWallet

/// The destination of a restored bundle: a new store, or files in open formats.
///
/// Its contents stay invisible until ``finish()`` returns. Dropping it before that removes them.
public protocol Destination: AnyObject {
  /// How many records of each section an earlier run of this restore has put there already; none in a new place.
  var staged: [Section: UInt64] { get }

  /// Prepares for the manifest's contents.
  func begin(_ manifest: Manifest, vaultID: VaultID) throws

  /// The public sides of the key shares that are there before anything is restored; none in a new place.
  ///
  /// Epochs and group keys are compared with these before the archive's shares are decrypted.
  func presentShares() throws -> [KeyShareDescriptor]

  /// Takes one section's records, in the archive's order, in ascending order of sections.
  ///
  /// - Returns: how many records were taken.
  func restore(_ records: SectionRecords) throws -> UInt64

  /// Receives the losses of a damaged archive, before ``finish()``.
  func note(_ losses: Losses)

  /// Checks everything it received, and puts all of it in place at once.
  func finish() throws
}

extension Destination {
  /// In a new place nothing is staged.
  public var staged: [Section: UInt64] { [:] }

  /// A new place has no shares.
  public func presentShares() throws -> [KeyShareDescriptor] { [] }

  /// A destination that has no place for it leaves it to the report.
  public func note(_ losses: Losses) {}
}

/// The keychain that a restore fills.
///
/// It is written once, read back, and compared share by share, before the destination is put in place.
public protocol KeychainAccess: AnyObject {
  /// The number of secrets by section that an earlier run of this restore has written there and compared; nil if none
  /// has.
  var staged: [Section: UInt64]? { get }
  /// Takes a key share straight into the keychain's seal.
  func add(share descriptor: KeyShareDescriptor, secret: borrowing SecretBytes) throws
  /// Takes one record of section 65 or 66, as encoded by hand.
  func add(secretRecord: borrowing SecretBytes, of section: Section) throws
  /// Starts to write the keychain and to read it back from the disk, which ``finishWriting()`` ends.
  func write() throws
  /// Continues as far as that needs no waiting.
  ///
  /// - Returns: whether the keychain is written and read back.
  func continueWriting() throws -> Bool
  /// Waits until the keychain is written and read back.
  ///
  /// - Throws: the errors of both.
  func finishWriting() throws
  /// Returns whether the keychain, read back, holds this very share.
  func holds(share id: [UInt8], secret: borrowing SecretBytes) throws -> Bool
  /// Learns that all shares, read back, are the archive's.
  func confirm() throws
}

extension KeychainAccess {
  /// A new keychain is still to be written.
  public var staged: [Section: UInt64]? { nil }

  /// For a keychain that ``write()`` writes completely.
  public func continueWriting() throws -> Bool { true }

  /// For a keychain that ``write()`` writes completely.
  public func finishWriting() throws {}

  /// For a keychain that keeps no record of it.
  public func confirm() throws {}
}

/// The records of one section of an archive that a secret has opened.
public struct SectionRecords {
  /// The section.
  public let section: Section
  /// How many records the archive's index announces, those of wallets that are not wanted included.
  public let count: UInt64
  private let archive: any UnlockedArchive
  private let losses: LossLedger
  private let lift: RecordLift?
  private let filter: RecordFilter?
  private let progress: (RestoreProgress) throws -> Void
  let handed = HandedRecords()

  init(
    section: Section, count: UInt64, plan: RestorePlan,
    progress: @escaping (RestoreProgress) throws -> Void
  ) {
    lift = plan.lift
    self.section = section
    self.count = count
    archive = plan.archive
    losses = plan.ledger
    filter = plan.filter
    self.progress = progress
  }

  /// How many bytes the archive's index announces.
  var byteCount: UInt64 { archive.sections.first { $0.id == section.rawValue }?.plaintextBytes ?? 0 }

  /// Passes on the records in order, block by block; for a damaged archive, those that are not lost.
  ///
  /// The records are authenticated only when this returns.
  ///
  /// - Parameters:
  ///   - decode: decodes a block's records for the destination; runs on workers.
  ///   - body: receives the blocks in order, on the caller's thread.
  /// - Throws: ``ArchiveError``, and errors from `decode` and `body`.
  public func forEachBlock<Decoded: Sendable>(
    decode: @escaping @Sendable (RecordBlock) throws -> Decoded, body: (Decoded) throws -> Void
  ) throws {
    let (section, filter) = (section, filter)
    let lift = lift.flatMap { $0.touches(section) ? $0 : nil }
    try filter?.prepare(section)
    handed.reset()
    let loss = try archive.readRecords(of: section.rawValue) { block in
      let block = try lift?.apply(to: block, of: section) ?? block
      guard let filter else { return (try decode(block), block.messages.count, block.messages.count) }
      let chosen = try block.keeping { try filter.chooses($0, of: section) }
      return (try decode(chosen), block.messages.count, chosen.messages.count)
    } body: { decoded, read, chosen in
      try body(decoded)
      handed.note(read: read, chosen: chosen)
      try progress(.restoring(section, records: handed.read, of: count))
    }
    losses.note(loss)
  }
}

/// How many records of a section were read, and how many of them were handed on.
final class HandedRecords {
  private(set) var read: UInt64 = 0
  private(set) var chosen: UInt64 = 0

  func reset() { (read, chosen) = (0, 0) }

  func note(read: Int, chosen: Int) {
    self.read += UInt64(read)
    self.chosen += UInt64(chosen)
  }
}
