public import FuekiCrypto

/// Finds a differential archive's base among files, and opens it.
///
/// Several files may have the base's digest. Their headers are equal and so are their keys, but not their seals: anyone
/// can copy an archive and replace them. A copy that does not open stands in no other file's way.
struct BaseSearch {
  let reference: BaseReference
  /// The archive whose base it is.
  let archive: StoredArchive
  let secrets: UnlockingSecrets
  let allowance: Limits.DerivationAllowance
  /// The most that the base's plaintext may be, in bytes.
  let plaintextLimit: UInt64

  /// A file with the base's digest, of which every byte was read.
  struct Found {
    let archive: StoredArchive
    let report: ChecksumReport
  }

  /// The result of a search.
  enum Outcome {
    /// The streams of the first whole file that opens.
    case opened(UnlockedStreams)
    /// The first file with the base's digest; none is whole.
    case damaged(Found)
  }

  /// Reads the files with the base's digest in their order, until one is whole and opens.
  ///
  /// - Parameters:
  ///   - files: where the base may be.
  ///   - progress: is told the bytes read of a file so far, and all; what it throws ends the search.
  /// - Returns: nil where no file has the digest.
  /// - Throws: ``ArchiveError/inBase(_:_:)`` with the verdict on the first whole file where none opens, or on the first
  ///   file where none is whole; ``ArchiveError/forged(_:)`` where the base is not what the archive says; what
  ///   `progress` throws.
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
        // Equal headers give equal keys: they are derived once.
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

  /// Opens what is left of a damaged base.
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

  /// The streams of a base, of which the history has to open.
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
      // Nobody is asked for: the archive's header names this very digest.
      return Found(
        archive: archive,
        report: try archive.verify { bytes in
          try progress(bytes, archive.byteCount)
        })
    } catch let error as ArchiveError { throw error.ofBase(reference) }
  }
}

extension StoredArchive {
  /// - Throws: ``ArchiveError/forged(_:)`` where an archive of the right digest is not what another says of its base.
  func checkIsBase(_ reference: BaseReference, of archive: StoredArchive) throws(ArchiveError) {
    guard facts.vaultID == archive.facts.vaultID, facts.sequence == reference.sequence, facts.base == nil
    else {
      throw .forged(.otherBase)
    }
  }
}

extension ArchiveFile {
  /// Whether this is the digest that the trailer's first bytes give.
  public func isNamed(_ digest: Digest) -> Bool { computedDigest == digest }

  /// The digest that the trailer's first bytes give, where a trailer and a header serve: what it states itself, like
  /// the file's name, proves nothing.
  var computedDigest: Digest? {
    guard let reader = try? StructureReader(file: self, search: .nearTheEnd),
      let located = try? reader.locate()
    else { return nil }
    return located.trailer.computedDigest
  }
}
