internal import FuekiSystem
public import FuekiArchive
public import FuekiCrypto

/// A verification of several archives, and of how they fit together.
///
/// It receives values, reports through ``VerifyEvent``, and returns a value. An archive's faults are in the outcome,
/// and stop nothing.
public struct VerifyRun {
  /// The parameters for each archive.
  public var verification: Verification
  /// The newest known archive of each vault, as given by the caller.
  public var given: [VaultID: VaultState.Link] = [:]
  /// This machine's state if it makes backups: it remembers the targets whose newest archives are intact.
  public var state: StateDirectory?
  /// The folder for trying recovery files on damaged archives; nil to try none.
  public var parity: ParityFolder?
  /// The listings that the subjects are from, in which bases are searched.
  package var listings = TargetListings()
  private let trust: Trust
  private let start: Int64
  private let report: (VerifyEvent) throws -> Void

  /// - Parameters:
  ///   - verification: the parameters for each archive.
  ///   - trust: determines the user's archives, and knows this machine's state.
  ///   - start: when the run started, before its targets were listed: microseconds since 1970.
  ///   - report: receives each event. An error that it throws ends the run.
  public init(
    _ verification: Verification, trust: Trust, start: Int64,
    report: @escaping (VerifyEvent) throws -> Void
  ) {
    self.verification = verification
    self.trust = trust
    self.start = start
    self.report = report
  }

  /// Verifies.
  ///
  /// - Returns: a result for each, in their order, except those that were removed meanwhile.
  /// - Throws: ``StateError/damaged(path:)``, `Interrupted`, `CryptoError`, and what `report` throws.
  public func run(on subjects: [VerifySubject]) throws -> [VerificationResult] {
    var results = try verify(subjects)
    for index in VerificationResult.markForks(in: &results) { try report(.ended(results[index])) }
    return results
  }

  /// The number of a remote's archives that are verified at a time.
  private static let width = 8
  /// The limit for the lengths of archives that are verified at a time, unless there is only one.
  private static let mostBytes: UInt64 = 1 << 28

  private func verify(_ subjects: [VerifySubject]) throws -> [VerificationResult] {
    let workers = OrderedWorkers<VerificationResult>(width: Self.width, window: 2 * Self.width)
    let look = SecondLook()
    var started: [VerifySubject] = []
    var startedBytes: UInt64 = 0
    var results: [VerificationResult] = []
    func endOldest() throws {
      guard let result = try workers.next() else { return }
      let subject = started.removeFirst()
      startedBytes -= subject.remoteByteCount
      if let result = try end(result, subject, look) { results.append(result) }
    }
    for subject in subjects {
      let work = work(on: subject)
      guard isOneOfSeveral(subject) else {
        while !started.isEmpty { try endOldest() }
        try report(.verifying(path: subject.path))
        let result = try work { try report(.verifying(path: subject.path)) }
        if let result = try end(result, subject, look) { results.append(result) }
        continue
      }
      let byteCount = subject.remoteByteCount
      while !started.isEmpty, workers.isFull || startedBytes + byteCount > Self.mostBytes { try endOldest() }
      try report(.verifying(path: subject.path))
      started.append(subject)
      startedBytes += byteCount
      workers.submit { try work { if Interruption.wasRequested { throw Interrupted() } } }
    }
    while !started.isEmpty { try endOldest() }
    return results
  }

  /// Whether it is verified at the same time as others.
  ///
  /// With a secret, each one may take the memory of a key derivation.
  private func isOneOfSeveral(_ subject: VerifySubject) -> Bool {
    verification.depth != .contents && subject.remoteFile != nil
  }

  /// Returns a verification that can run on any thread, and calls its argument now and then.
  private func work(
    on subject: VerifySubject
  ) -> @Sendable (() throws -> Void) throws -> VerificationResult {
    var verification = verification
    verification.symbolicLinks = subject.place == .named ? .follow : .refuse
    verification.trusted = subject.trusted
    verification.remoteFile = subject.remoteFile
    verification.listings = listings
    let (given, trust, prepared) = (given, trust, verification)
    return { progress in
      defer { prepared.remoteFile?.dropCopy() }
      let start = SystemClock.workingSeconds
      var result = try prepared.run(on: subject.path) { vault in
        try subject.place.known(of: vault, given: given, trust)
      } progress: { _ in
        try progress()
      }
      result.seconds = SystemClock.workingSeconds - start
      return result
    }
  }

  /// - Returns: nil if the archive was removed meanwhile.
  private func end(
    _ verified: VerificationResult, _ subject: VerifySubject, _ look: SecondLook
  ) throws -> VerificationResult? {
    if case .unreadable(let error)? = verified.error, error.isNotFound, subject.hasLater,
      try !look.finds(subject.path)
    {
      try report(.removed(path: subject.path))
      return nil
    }
    var result = verified
    // Whole by itself, it is still no backup of its history.
    if result.verdict == .intact, let base = result.missingBase {
      (result.verdict, result.error) = (.baseMissing, .baseMissing(base))
    }
    let start = SystemClock.workingSeconds
    result.ownership = subject.ownership
    result.mendability = try parity.flatMap {
      try result.mendability(in: $0) { try report(.verifying(path: subject.path)) }
    }
    result.seconds += SystemClock.workingSeconds - start
    try report(.ended(result))
    return result
  }

  /// Remembers which targets' newest archives are intact and which are not, on a machine that makes backups only.
  ///
  /// The next `status` reads a damaged one again, and reports it.
  ///
  /// - Parameters:
  ///   - results: the results of the run.
  ///   - folders: the completely verified targets; nil if only the newest archive was verified, in whichever target.
  public func remember(_ results: [VerificationResult], of folders: [String]?) {
    guard verification.depth != .structure, let state, state.exists else { return }
    var newest: [NewestKey: VerificationResult] = [:]
    for result in results {
      guard let facts = result.facts else { continue }
      let key = NewestKey(vault: facts.vaultID, place: Target(holding: result.path).place)
      if facts.sequence > newest[key]?.facts?.sequence ?? 0 { newest[key] = result }
    }
    for result in results where result.verdict != .intact {
      guard let facts = result.facts, let digest = result.digest else { continue }
      try? state.withdrawVerification(
        of: digest, target: Target(holding: result.path).path, vault: facts.vaultID)
    }
    let places = folders.map { Set($0.map { Target(path: $0).place }) }
    let verified = newest.compactMap { key, result -> Activity? in
      guard result.verdict == .intact, places?.contains(key.place) ?? true else { return nil }
      return Activity(
        kind: .verify, target: key.place, vault: key.vault.hex, time: start / 1_000_000,
        archive: result.digest?.hex, sequence: result.facts?.sequence, fileSystem: nil)
    }
    // At once: a watcher has thousands of vaults, and each change writes the whole file.
    if !verified.isEmpty { try? state.note(verified) }
  }

  private struct NewestKey: Hashable {
    let vault: VaultID
    let place: ExactText
  }
}

/// An event of a running verification, for display.
public enum VerifyEvent: Sendable {
  /// An archive is read.
  case verifying(path: String)
  /// The result for an archive, reported again if it turns out to be one side of a fork.
  case ended(VerificationResult)
  /// An archive was removed after it was listed, as `prune` removes archives, and has no result.
  case removed(path: String)
}

/// An archive to verify.
public struct VerifySubject: Sendable {
  /// The reason for verifying it.
  public enum Place: Sendable {
    /// The user chose it.
    case named
    /// It is its vault's newest in a folder that the user chose.
    case newestOfFolder
    /// It is in such a folder, but others are newer.
    case otherOfFolder
  }

  /// The archive's file.
  public let path: String
  /// The reason for verifying it.
  public let place: Place
  /// Whose it is, where that much of it can be read.
  public let ownership: Ownership?
  /// Ed25519 public keys, of which at least one must have signed it; nil requires none.
  public let trusted: Set<Ed25519.PublicKey>?
  /// The file of an archive on a remote; nil if it was not listed, or has no valid structure.
  private(set) var remoteFile: RcloneFile?
  /// Whether a later archive of the vault was listed with it.
  private(set) var hasLater = false

  /// The length of a remote's file; 0 for a local one.
  var remoteByteCount: UInt64 { (try? remoteFile?.byteCount()) ?? 0 }

  /// Creates a subject from an archive that the user chose.
  public init(named path: String, ownership: Ownership?, trusted: Set<Ed25519.PublicKey>?) {
    self.init(path: path, place: .named, ownership: ownership, trusted: trusted)
  }

  private init(path: String, place: Place, ownership: Ownership?, trusted: Set<Ed25519.PublicKey>?) {
    self.path = path
    self.place = place
    self.ownership = ownership
    self.trusted = trusted
  }

  /// Returns the archives of a folder, and their irregularities.
  ///
  /// Only each vault's newest archive that is no stranger's is compared with this machine's state, because a folder of
  /// backups normally holds older ones.
  ///
  /// - Parameters:
  ///   - entries: the contents of the folder.
  ///   - trust: determines the user's archives.
  ///   - demanded: keys of which at least one must have signed; nil requires none.
  ///   - takesAnySigner: whether to verify a stranger's archive like any other.
  /// - Returns: one subject for each entry that was not removed since, and the irregularities.
  /// - Throws: ``StateError/damaged(path:)``.
  public static func all(
    of entries: [TargetEntry], trust: Trust, demanded: Set<Ed25519.PublicKey>?, takesAnySigner: Bool
  ) throws -> (subjects: [VerifySubject], gaps: LineageGaps) {
    try all(of: entries, trust: trust, demanded: demanded, takesAnySigner: takesAnySigner, in: nil)
  }

  /// Does the same, and demands the signatures of a list of expected vaults, too.
  package static func all(
    of entries: [TargetEntry], trust: Trust, demanded: Set<Ed25519.PublicKey>?, takesAnySigner: Bool,
    in vaults: VerifiedVaults?
  ) throws -> (subjects: [VerifySubject], gaps: LineageGaps) {
    let ownerships = try Ownerships(of: entries.compactMap(\.archive), trust: trust)
    var newest: [VaultID: UInt64] = [:]
    for case let archive? in entries.map(\.archive) where ownerships[archive] != .stranger {
      newest[archive.facts.vaultID] = max(newest[archive.facts.vaultID] ?? 0, archive.facts.sequence)
    }
    let subjects = try entries.filter { $0.state != .removed }.map { entry in
      let ownership = entry.archive.map { ownerships[$0] }
      let isNewest = entry.archive.map {
        ownership != .stranger && newest[$0.facts.vaultID] == $0.facts.sequence
      }
      var trusted = demanded
      if demanded == nil, !takesAnySigner, ownership == .stranger, let archive = entry.archive,
        !archive.hasOtherSealsThanSigned
      {
        trusted = try trust.of(archive.facts.vaultID).signers
      }
      if let vaults, let archive = entry.archive { trusted = vaults.signers(of: archive, demanded: trusted) }
      var subject = VerifySubject(
        path: entry.path, place: isNewest ?? false ? .newestOfFolder : .otherOfFolder, ownership: ownership,
        trusted: trusted)
      subject.remoteFile = entry.remoteFile
      subject.hasLater = ownership != .stranger && !(isNewest ?? true)
      return subject
    }
    return (subjects, LineageGaps(entries, ownerships))
  }
}

extension VerifySubject.Place {
  /// Returns the newest known archive of a vault to compare with; nil if there is none.
  func known(
    of vault: VaultID, given: [VaultID: VaultState.Link], _ trust: Trust
  ) throws -> VaultState.Link? {
    switch self {
    case .named: given[vault]
    case .newestOfFolder: try VaultState.Link.newer(given[vault], trust.known(of: vault))
    case .otherOfFolder: nil
    }
  }
}
