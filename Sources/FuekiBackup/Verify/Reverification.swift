internal import FuekiArchive
internal import FuekiCrypto

/// A verification that reads new and changed archives, and of the others those that are due.
///
/// An archive is not read if the storage lists it with the tag that it had when this machine last verified it, and it is not
/// due. Its structure and its signature are checked nevertheless, with the bytes that were read for the listing.
package struct Reverification {
  /// The state of this machine's record, and of its record of damaged archives, at the start.
  package enum Record: String, Sendable {
    case new
    case found
    /// Every archive is read.
    case damaged
  }

  /// The state of the record at the start.
  package let found: Record
  private let state: StateDirectory
  private let depth: VerificationDepth
  private let period: Int64
  private let now: Int64
  private let record: VerificationRecord
  /// An archive that was found damaged since the record was made is read.
  private let damaged: DamagedArchives
  /// The names in each completely listed folder.
  private var listedNames: [String: [String]] = [:]

  /// Periods are not longer than this, so that times cannot overflow.
  private static let longest: Double = 1e11

  /// - Parameters:
  ///   - period: the longest time between two verifications of an archive, in seconds.
  ///   - depth: the depth of the verification.
  ///   - state: has the record.
  ///   - now: seconds since 1970.
  package init(every period: Double, depth: VerificationDepth, state: StateDirectory, now: Int64) {
    (self.state, self.depth, self.now) = (state, depth, now)
    self.period = Int64(min(period, Self.longest))
    do {
      let (past, kept) = (try state.damagedArchives(), try state.verificationRecord())
      (damaged, record, found) = (past, kept ?? VerificationRecord(), kept == nil ? .new : .found)
    } catch {
      (damaged, record, found) = (DamagedArchives(), VerificationRecord(), .damaged)
    }
  }

  /// Records which archives a folder has.
  ///
  /// - Parameters:
  ///   - entries: its whole contents.
  ///   - target: the listed folder.
  package mutating func note(_ entries: [TargetEntry], of target: Target) {
    listedNames[target.place] = entries.map(\.name)
  }

  /// Adds the result of an earlier verification to the subjects that need no reading.
  ///
  /// - Parameters:
  ///   - subjects: the subjects.
  ///   - entries: the listing, which has their entries.
  ///   - target: the listed folder.
  ///   - baseTargets: where to look for bases that are not in the folder.
  ///   - listings: the listings of targets.
  /// - Returns: the subjects, in their order.
  package func recall(
    _ subjects: [VerifySubject], of entries: [TargetEntry], in target: Target, baseTargets: [Target],
    _ listings: TargetListings
  ) -> [VerifySubject] {
    let place = target.place
    let digests = Set(entries.compactMap { $0.archive?.provenDigest })
    let entries = Dictionary(entries.map { ($0.path, $0) }) { first, _ in first }
    let damaged = damaged.findings(in: place)
    return subjects.map { subject in
      guard let entry = entries[subject.path] else { return subject }
      var subject = subject
      let listed = VerificationRecord.Listed(folder: place, name: entry.name, tag: entry.tag)
      subject.listed = listed
      guard let archive = entry.archive, archive.structuralDamage.isEmpty, let digest = archive.provenDigest,
        damaged[digest] == nil,
        let past = record.current(listed, digest, depth: depth, period: period, now: now)
      else { return subject }
      var result = VerificationResult(recalling: archive, at: entry.path, depth: past.depth, subject.trusted)
      result.verifiedAt = past.time
      if let base = archive.facts.base, !digests.contains(base.digest),
        !BaseFinder(beside: entry.path, targets: baseTargets, listings: listings).isAtHand(base)
      {
        result.missingBase = base
      }
      subject.recalled = result
      return subject
    }
  }

  /// Returns the number of archives whose storage has no tag for them, so that they are always read.
  package func untagged(_ subjects: [VerifySubject]) -> Int {
    subjects.count { $0.listed != nil && $0.listed?.tag == nil }
  }

  /// Records which archives are intact, and removes the others.
  ///
  /// - Parameters:
  ///   - results: the results so far. The last one of each archive counts.
  ///   - subjects: all subjects of the run.
  /// - Throws: errors from writing the state.
  package func keep(_ results: [VerificationResult], of subjects: [VerifySubject]) throws {
    let results = Dictionary(results.map { ($0.path, $0) }) { $1 }
    try state.changeVerificationRecord { record in
      record.removeAbsent(listedNames)
      for subject in subjects {
        guard let listed = subject.listed, let result = results[subject.path] else { continue }
        guard result.verdict == .intact, let digest = result.digest, listed.tag?.isSettled(at: now) ?? false
        else {
          record.remove(listed)
          continue
        }
        guard result.verifiedAt == nil else { continue }
        record.insert(listed, digest, depth: result.provenDepth, time: now)
      }
    }
  }
}

extension VerificationResult {
  /// Creates a result from the bytes that were read for a listing.
  fileprivate init(
    recalling archive: StoredArchive, at path: String, depth: VerificationDepth,
    _ trusted: Set<Ed25519.PublicKey>?
  ) {
    self.init(path: path, depth: depth)
    (facts, digest) = (archive.facts, archive.statedDigest)
    authenticity = Authenticity(archive)
    do throws(ArchiveError) {
      try archive.checkStatedSignature(trusting: trusted)
      authenticity = Authenticity(archive, trusting: trusted)
    } catch {
      (self.error, verdict) = (error, error.verdict)
    }
  }

  /// The depth to which the whole archive was verified by itself.
  ///
  /// The contents of a differential archive depend on its base, and a key may open only some scopes.
  fileprivate var provenDepth: VerificationDepth { facts?.base == nil ? openedDepth : .checksums }

  /// The depth to which all scopes of the archive were verified.
  var openedDepth: VerificationDepth {
    depth == .contents && openedScopes.count == ArchiveScope.allCases.count ? .contents : .checksums
  }
}

extension VerifyRun {
  /// Judges the archives that are not read.
  ///
  /// - Returns: their results, in the subjects' order; nil for each archive to read.
  /// - Throws: errors from reading the state, and from `report`.
  func recall(_ subjects: [VerifySubject]) throws -> [VerificationResult?] {
    try subjects.map { subject in
      guard var result = subject.recalled else { return nil }
      if result.verdict == .intact {
        try result.judge { try subject.place.known(of: $0, given: given, trust) }
      }
      result.ownership = subject.ownership
      try report(.ended(result))
      return result
    }
  }
}
