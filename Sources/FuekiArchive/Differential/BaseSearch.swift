public import FuekiCrypto

/// A differential archive's base, a full archive, as its header names it (fueki-archive(5), HEADER).
public struct BaseReference: Hashable, Sendable {
  /// The base's archive digest.
  public let digest: Digest
  /// The base's sequence, from 1.
  public let sequence: UInt64

  /// The length of the header's field.
  static let byteCount = Digest.byteCount + 8

  /// Creates a reference to an archive.
  public init(digest: Digest, sequence: UInt64) {
    self.digest = digest
    self.sequence = sequence
  }

  /// Decodes the header's field; nil if it has another length.
  package init?(decoding bytes: [UInt8]) {
    guard bytes.count == Self.byteCount, let digest = Digest(bytes: Array(bytes[..<Digest.byteCount])) else {
      return nil
    }
    self.digest = digest
    sequence = bytes.span.littleEndian(UInt64.self, at: Digest.byteCount)
  }

  /// The encoded header field.
  package var encoded: [UInt8] {
    var bytes = digest.bytes
    bytes.append(littleEndian: sequence)
    return bytes
  }

  /// Whether this base is possible for an archive of this sequence and previous digest.
  package func canBeBase(ofSequence sequence: UInt64, previous: Digest) -> Bool {
    guard 1 <= self.sequence, self.sequence < sequence, digest != .zero else { return false }
    // If the base is the previous archive, both digests must be equal.
    return self.sequence == sequence - 1 ? previous == .zero || previous == digest : previous != digest
  }
}

/// Finds a differential archive's base among files, and opens it.
///
/// Several files may have the base's digest. Their headers and keys are equal but their seals may not be,
/// because anyone can copy an archive and replace its seals. A copy that does not open must not hide another
/// file.
struct BaseSearch {
  let reference: BaseReference
  /// The archive whose base it is.
  let archive: StoredArchive
  let secrets: UnlockingSecrets
  let allowance: Limits.DerivationAllowance
  /// The limit of the base's plaintext in bytes.
  let plaintextLimit: UInt64

  /// A file with the base's digest, fully read.
  struct Found {
    let archive: StoredArchive
    let report: ChecksumReport
  }

  /// The result of a search.
  enum Outcome {
    /// The streams of the first intact file that opens.
    case opened(UnlockedStreams)
    /// The first file with the base's digest.
    ///
    /// No file is intact.
    case damaged(Found)
  }

  /// Reads the files with the base's digest in order until an intact one opens.
  ///
  /// - Parameters:
  ///   - files: candidates for the base.
  ///   - progress: receives the bytes read of a file so far and its total; an error thrown by it ends the
  ///     search.
  /// - Returns: nil if no file has the digest.
  /// - Throws: ``ArchiveError/inBase(_:_:)`` with the verdict on the first intact file if none opens, or on
  ///   the first file if none is intact; ``ArchiveError/forged(_:)`` if the base contradicts the archive; the
  ///   errors of `progress`.
  func open(among files: [ArchiveFile], progress: (UInt64, UInt64) throws -> Void) throws -> Outcome? {
    var firstDamaged: Result<Found, any Error>?
    var firstRefusal: ArchiveError?
    var unlocked: UnlockedScopes?
    for file in files where file.computedDigest == reference.digest {
      let result = Result { try read(file, progress: progress) }
      if case .failure(let error) = result, !(error is ArchiveError) { throw error }
      guard let found = try? result.get(), let intact = found.report.intact else {
        firstDamaged = firstDamaged ?? result
        continue
      }
      try found.archive.checkIsBase(reference, of: archive)
      do throws(ArchiveError) {
        // Equal headers yield equal keys, which are derived once.
        let scopes: UnlockedScopes
        if let unlocked {
          scopes = unlocked
        } else {
          scopes = try found.archive.unlockScopes(with: secrets, allowance: allowance)
          unlocked = scopes
        }
        if let seal = try found.archive.brokenSeal(under: scopes, over: intact.digest) {
          firstRefusal = firstRefusal ?? .forged(.seal(seal))
          continue
        }
        return .opened(try history(of: found.archive, scopes, .allWhole))
      } catch { throw error.ofBase(reference) }
    }
    if let firstRefusal { throw firstRefusal.ofBase(reference) }
    return try firstDamaged.map { .damaged(try $0.get()) }
  }

  /// Opens the intact parts of a damaged base.
  func salvage(_ found: Found) throws -> UnlockedStreams {
    try found.archive.checkIsBase(reference, of: archive)
    do throws(ArchiveError) {
      if let problem = found.report.damaged?.signatureProblem { throw problem }
      let scopes = try found.archive.unlockScopes(with: secrets, allowance: allowance)
      if let seal = try found.archive.brokenSeal(under: scopes, over: reference.digest) {
        throw .forged(.seal(seal))
      }
      return try history(of: found.archive, scopes, found.report.damaged?.evidence ?? .allWhole)
    } catch { throw error.ofBase(reference) }
  }

  /// Opens the streams of a base, which must include its history.
  private func history(
    of base: StoredArchive, _ scopes: UnlockedScopes, _ evidence: ChunkEvidence
  ) throws(ArchiveError) -> UnlockedStreams {
    let streams = try base.openStreams(
      scopes, plaintextLimit: plaintextLimit, digest: reference.digest, evidence: evidence)
    guard streams.opened[.history] != nil || streams.lost.contains(.history) else { throw .wrongSecret }
    return streams
  }

  private func read(_ file: ArchiveFile, progress: (UInt64, UInt64) throws -> Void) throws -> Found {
    do {
      let archive = try StoredArchive(reading: file)
      // No signer is required: the archive's header names this very digest.
      return Found(
        archive: archive,
        report: try archive.verify { bytes in
          try progress(bytes, archive.byteCount)
        })
    } catch let error as ArchiveError { throw error.ofBase(reference) }
  }
}

extension StoredArchive {
  /// - Throws: ``ArchiveError/forged(_:)`` if an archive of the right digest contradicts what the other
  ///   states.
  func checkIsBase(_ reference: BaseReference, of archive: StoredArchive) throws(ArchiveError) {
    guard facts.vaultID == archive.facts.vaultID, facts.sequence == reference.sequence, facts.base == nil
    else {
      throw .forged(.otherBase)
    }
  }
}

extension ArchiveFile {
  /// Whether the trailer's first bytes yield this digest.
  public func isNamed(_ digest: Digest) -> Bool { computedDigest == digest }

  /// The digest computed from the trailer's first bytes; nil without a usable trailer and header.
  ///
  /// The digest that a trailer states proves no more than the file's name.
  var computedDigest: Digest? {
    guard let reader = try? StructureReader(file: self, search: .nearTheEnd),
      let located = try? reader.locate()
    else { return nil }
    return located.trailer.computedDigest
  }
}
