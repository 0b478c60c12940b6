public import FuekiArchive
public import FuekiCrypto
public import FuekiWallet

/// A practice restore: restores everything in a separate place, compares it, and wipes it.
public struct Drill {
  /// The way back, as a real restore walks it; an older archive is drilled as well as the newest.
  private var recovery: Recovery
  /// The encodings that key shares' secrets can be read in.
  private let encodings: [ShareEncoding]

  /// - Parameters:
  ///   - recovery: opens the archive, knows the trusted signers, and proves its keys. It restores everything.
  ///   - encodings: the encodings of key shares' secrets.
  package init(_ recovery: Recovery, encodings: [ShareEncoding]) {
    self.recovery = recovery
    self.recovery.options.acceptsOlder = true
    self.recovery.options.salvages = false
    // The drill reports differences itself, at its end.
    self.recovery.options.acceptsDifferences = true
    self.recovery.proofs?.encodings = encodings
    self.encodings = encodings
  }

  /// A step of a drill after the restore's own stages.
  public enum Step: Sendable {
    /// A stage of the restore.
    case restoring(RestoreProgress)
    /// A restored section is compared with the archive.
    case comparing(Section)
    /// A section of the live wallet is compared with the archive.
    case comparingLive(Section)
  }

  /// Restores, checks the key shares, and compares every restored record with the archive's.
  ///
  /// - Parameters:
  ///   - stored: the archive, of which only the structure was read.
  ///   - progress: receives each step. An error that it throws ends the drill.
  ///   - prepare: makes the destination and its keychain, as for a restore.
  ///   - restored: collects the restored data, as a backup of it would.
  ///   - live: collects the wallet in use; nil if there is none or it must not be read.
  /// - Returns: the restored and the missing contents.
  /// - Throws: the errors of a restore.
  public func run(
    _ stored: StoredArchive, progress: @escaping (Step) throws -> Void,
    prepare: (any UnlockedArchive) throws -> (destination: any Destination, keychain: (any KeychainAccess)?),
    restored: (CollectionRequest) throws -> BackupBundle, live: ((ArchivedRequest) throws -> BackupBundle)?
  ) throws -> DrillReport {
    let outcome = try recovery.run(
      stored, resyncer: nil, progress: { try progress(.restoring($0)) }, prepare: prepare)
    guard let archive = outcome.archive as? OpenArchive else { throw ArchiveError.damaged(.structure) }
    let shares = try archive.checkShares(encodings)
    let request = try ArchivedRequest(of: archive, recovery.selection)
    let difference = try archive.difference(to: try restored(request.whole), selection: recovery.selection) {
      try progress(.comparing($0))
    }
    let changes = try live.map { collect in
      try archive.difference(to: try collect(request), selection: recovery.selection) {
        try progress(.comparingLive($0))
      }
    }
    let broken = try archive.originalFiles().survey.broken.filter { recovery.selection.contains($0.section) }
    return DrillReport(
      archive: archive, recovery: outcome, shares: shares, difference: difference, brokenFiles: broken,
      live: changes)
  }
}

/// The result of a drill.
public struct DrillReport: Sendable {
  /// The archive.
  public let archive: OpenArchive
  /// The restore, stage by stage.
  public let recovery: RestoreReport
  /// The findings on the archive's key shares.
  public let shares: ShareReport
  /// The differences between the restored contents and the archive; none if all is well.
  public let difference: BundleDifference
  /// The original files that cannot be restored, because parts of them are missing.
  public let brokenFiles: [OriginalFile]
  /// How the live wallet differs from the archive: what has happened since.
  public let live: BundleDifference?

  /// How many records came back.
  public var records: UInt64 { recovery.restored.values.reduce(0, +) }
  /// Whether every restored record equals the archive's, every file can be restored, and the key shares are valid.
  public var isSame: Bool {
    difference.isEmpty && brokenFiles.isEmpty && shares.isSound && recovery.proofs.differences.isEmpty
  }
  /// Whether the secret opened everything and this version knows all of it.
  public var isComplete: Bool { recovery.isComplete }
}

/// A drill's result in one line for the record, signed if a key is available.
///
///     fueki-drill-1 VAULT SEQUENCE DIGEST TIME RESULT RECORDS SIGNER SIGNATURE
///
/// Lower-case hex except for the three numbers and the result. Signer and signature are `-` if unsigned. The signature
/// is over "fueki/1 drill" ‖ vault ‖ u64 sequence ‖ digest ‖ u64 time ‖ u8 result ‖ u64 records ‖ signer.
public struct DrillStatement: Equatable, Sendable {
  /// How what came back compares with the archive.
  public enum Result: String, Sendable {
    /// Every record is the archive's, and the key shares are sound.
    case same
    /// The same, as far as the secret opens the archive.
    case partial
    /// Something differs.
    case differs

    fileprivate var code: UInt8 {
      switch self {
      case .same: 0
      case .partial: 1
      case .differs: 2
      }
    }
  }

  /// The vault's id.
  public let vaultID: VaultID
  /// The archive's sequence.
  public let sequence: UInt64
  /// The archive's digest.
  public let digest: Digest
  /// When the drill ended, in seconds since 1970.
  public let time: UInt64
  /// The drill's result.
  public let result: Result
  /// How many records came back.
  public let records: UInt64
  /// The signing key and its signature of 64 bytes; nil if unsigned.
  public let signature: (signer: Ed25519.PublicKey, bytes: [UInt8])?

  private static let word = "fueki-drill-1"
  private static let nobody = "-"

  /// States a drill's result, signed if there is a key.
  public init(_ report: DrillReport, time: UInt64, signedWith key: SigningKey?) throws(CryptoError) {
    let facts = report.archive.facts
    vaultID = facts.vaultID
    sequence = facts.sequence
    digest = report.archive.digest
    self.time = time
    result = !report.isSame ? .differs : report.isComplete ? .same : .partial
    records = report.records
    guard let key else {
      signature = nil
      return
    }
    let message = Self.message(vaultID, sequence, digest, time, result, records, signer: key.publicKey)
    signature = (key.publicKey, try key.sign(message))
  }

  /// Parses a line without checking its claims; nil if malformed.
  public init?(_ line: String) {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 9, words[0] == Self.word, let vaultID = VaultID(hex: words[1]),
      let sequence = UInt64(words[2]), let digest = Digest(hex: String(words[3])),
      let time = UInt64(words[4]), let result = Result(rawValue: String(words[5])),
      let records = UInt64(words[6])
    else { return nil }
    if words[7] == Self.nobody, words[8] == Self.nobody {
      signature = nil
    } else {
      guard let signer = Ed25519.PublicKey(hex: words[7]), let bytes = Hex.decode(words[8]),
        bytes.count == Ed25519.signatureByteCount
      else { return nil }
      signature = (signer, bytes)
    }
    self.vaultID = vaultID
    self.sequence = sequence
    self.digest = digest
    self.time = time
    self.result = result
    self.records = records
    guard self.line == line else { return nil }
  }

  /// The line, without a line end.
  public var line: String {
    let signed = signature.map { "\($0.signer.hex) \(Hex.encode($0.bytes))" }
    return
      "\(Self.word) \(vaultID.hex) \(sequence) \(digest.hex) \(time) \(result.rawValue) \(records) "
      + (signed ?? "\(Self.nobody) \(Self.nobody)")
  }

  /// Whether the stated key signed it; true if unsigned.
  public var isAuthentic: Bool {
    guard let signature else { return true }
    let message = Self.message(vaultID, sequence, digest, time, result, records, signer: signature.signer)
    return Ed25519.isValid(signature: signature.bytes, over: message, publicKey: signature.signer)
  }

  /// Whether two lines would be the same.
  public static func == (a: DrillStatement, b: DrillStatement) -> Bool { a.line == b.line }

  private static func message(
    _ vaultID: VaultID, _ sequence: UInt64, _ digest: Digest, _ time: UInt64, _ result: Result,
    _ records: UInt64, signer: Ed25519.PublicKey
  ) -> [UInt8] {
    [UInt8]("fueki/1 drill".utf8) + vaultID.bytes + sequence.signedBytes + digest.bytes + time.signedBytes
      + [result.code] + records.signedBytes + signer.bytes
  }
}

extension UInt64 {
  /// The eight bytes, lowest first, as signed.
  var signedBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) } }
}
