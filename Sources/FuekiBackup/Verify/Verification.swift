public import FuekiArchive
public import FuekiCrypto
public import FuekiSystem

/// The parameters of a verification.
public struct Verification: Sendable {
  /// How deep to look.
  public var depth: VerificationDepth
  /// Ed25519 public keys, of which at least one must have signed; nil requires none.
  public var trusted: Set<Ed25519.PublicKey>?
  /// The secrets that open the archive, for ``VerificationDepth/contents``.
  public var secrets: UnlockingSecrets?
  /// The handling of a link in the archive's place: the user may choose a link, but one in a target was planted.
  public var symbolicLinks = File.SymbolicLinks.follow
  /// Targets to search for a differential archive's base, besides the archive's own folder.
  public var baseTargets: [Target] = []
  /// The permitted cost of the key derivation.
  public var allowance = Limits.DerivationAllowance.standard

  /// A listed file of a remote, which is downloaded before it is verified.
  var remoteFile: RcloneFile?
  /// Listings in which bases are searched; nil to list again for each archive.
  var listings: TargetListings?

  /// Creates a verification of every byte, without a key or a required signer.
  public init(
    depth: VerificationDepth = .checksums, trusted: Set<Ed25519.PublicKey>? = nil,
    secrets: UnlockingSecrets? = nil
  ) {
    self.depth = depth
    self.trusted = trusted
    self.secrets = secrets
  }

  /// Verifies one archive to the chosen depth.
  ///
  /// - Parameters:
  ///   - path: the archive's file.
  ///   - known: returns the newest known archive of a vault.
  ///   - progress: receives the bytes read so far. An error that it throws ends the work.
  /// - Returns: the verdict and all findings. Faults of the archive are here, not thrown, even if the file cannot be
  ///   read.
  /// - Throws: errors from `known` and `progress`, and ``CryptoError`` if memory cannot be allocated.
  public func run(
    on path: String, known: (VaultID) throws -> VaultState.Link?, progress: (UInt64) throws -> Void = { _ in }
  ) throws -> VerificationResult {
    var result = VerificationResult(path: path, depth: depth)
    do {
      let stored = try openArchive(path, progress)
      result.facts = stored.facts
      result.digest = stored.statedDigest
      result.damage = stored.structuralDamage
      result.authenticity = Authenticity(stored)
      guard try !isUnfilled(stored, result.damage) else { throw ArchiveError.incomplete }
      guard depth != .structure else { return try judged(result, stored, known) }
      let report = try stored.verify(trusting: trusted, progress: progress)
      result.damage = report.damage
      result.authenticity = Authenticity(stored, trusting: trusted)
      guard try !isUnfilled(stored, result.damage) else { throw ArchiveError.incomplete }
      guard let intact = report.intact else { return try judged(result, stored, known) }
      result = try judged(result, stored, known)
      let bases = BaseFinder(beside: path, targets: baseTargets, listings: listings)
      if let base = stored.facts.base, !bases.isAtHand(base) { result.missingBase = base }
      guard depth == .contents, let secrets, result.verdict == .intact || result.verdict == .damaged else {
        return result
      }
      let alone = try intact.unlockAlone(with: secrets, allowance: allowance)
      result.openedScopes = alone.scopes
      try alone.checkContentsAndRecords { try progress(0) }
      // Only now: any other fault of the archive comes before its base.
      let open = try alone.joined(
        with: secrets, allowance: allowance, bases: bases.candidates
      ) { bytes, _ in
        try progress(bytes)
      }
      try open.checkJoinAndRecords { try progress(0) }
      if let base = open.joinedBase, let damage = open.baseDamage.first {
        throw ArchiveError.inBase(base, .damaged(damage))
      }
      return result
    } catch ArchiveError.unreadable(let error) where error.isInterrupted {
      throw Interrupted()
    } catch let found as ArchiveError {
      let error = isOnItsWay(path) && found.verdict == .damaged ? ArchiveError.incomplete : found
      result.error = error
      result.verdict = error.verdict
      guard error == .incomplete, depth != .structure else { return result }
      result.holdsOnlyZeros = try holdsOnlyZeros(path, progress)
      return result
    } catch let error as SystemError {
      result.error = .unreadable(error)
      result.verdict = .unreadable
      return result
    }
  }

  /// - Throws: ``ArchiveError/incomplete`` if the contents are elsewhere or on their way.
  private func openArchive(
    _ path: String, _ progress: (UInt64) throws -> Void
  ) throws -> StoredArchive {
    if case .placeholder = SyncedName(path.lastPathComponent) { throw ArchiveError.incomplete }
    let file = try openFile(path, progress)
    do throws(ArchiveError) {
      return try StoredArchive(reading: file)
    } catch let found {
      switch found.verdict {
      case .damaged where isOnItsWay(path) || file.isUnfilled(): throw ArchiveError.incomplete
      case .notAnArchive where file.isUnfilled(): throw ArchiveError.incomplete
      default: throw found
      }
    }
  }

  private func openFile(_ path: String, _ progress: (UInt64) throws -> Void) throws -> ArchiveFile {
    guard let remoteFile else { return try ArchiveFile.open(at: path, symbolicLinks: symbolicLinks) }
    do {
      if depth != .structure { try remoteFile.gather(progress: progress) }
    } catch let error as SystemError {
      throw ArchiveError.unreadable(error)
    }
    return ArchiveFile(remoteFile)
  }

  /// Whether all bytes of a file are stored, and zero; false if it cannot be read.
  private func holdsOnlyZeros(_ path: String, _ progress: (UInt64) throws -> Void) throws -> Bool {
    guard !isOnItsWay(path) else { return false }
    do {
      return try openFile(path, progress).holdsOnlyZeros(progress: progress)
    } catch let error where error is ArchiveError || error is SystemError {
      guard !Interrupted.isCause(of: error) else { throw Interrupted() }
      return false
    }
  }

  private func isOnItsWay(_ path: String) -> Bool {
    switch SyncedName(path.lastPathComponent) {
    case .partial: true
    case .plain, .conflictCopy, .numberedCopy, .placeholder: false
    }
  }

  private func isUnfilled(_ stored: StoredArchive, _ damage: [ArchiveError.Damage]) throws -> Bool {
    try stored.hasHoles || !damage.isEmpty && stored.isUnfilled(damage)
  }

  private func judged(
    _ result: VerificationResult, _ stored: StoredArchive, _ known: (VaultID) throws -> VaultState.Link?
  ) throws -> VerificationResult {
    var result = result
    result.verdict = result.damage.isEmpty ? .intact : .damaged
    guard result.damage.isEmpty || !isOnItsWay(result.path) else { throw ArchiveError.incomplete }
    guard result.damage.isEmpty else { return result }
    try result.judge(known)
    return result
  }
}

extension VerificationResult {
  /// Compares an archive without a fault with the newest known one of its vault.
  mutating func judge(_ known: (VaultID) throws -> VaultState.Link?) throws {
    guard let facts, let digest else { return }
    do {
      try VaultLineage.judge(facts, digest: digest, known: try known(facts.vaultID))
    } catch LineageError.olderThanKnown {
      verdict = .older
    } catch LineageError.forked {
      verdict = .forked
    }
  }
}

extension String {
  /// The last part of a path.
  var lastPathComponent: String {
    let end = lastIndex(of: "/") ?? (RclonePath.isOne(self) ? lastIndex(of: ":") : nil)
    return end.map { String(self[index(after: $0)...]) } ?? self
  }
}

/// The depth of a verification.
public enum VerificationDepth: String, CaseIterable, Sendable {
  /// Sizes and header.
  case structure
  /// Every byte, with no key.
  case checksums
  /// With a secret: every tag, record and digest.
  case contents
}

/// The result of a verification.
public struct VerificationResult: Sendable {
  /// The archive's path.
  public let path: String
  /// The depth of the verification.
  public let depth: VerificationDepth
  /// The answer.
  public var verdict = Verdict.intact
  /// The facts in the header, if there is one.
  public var facts: HeaderFacts?
  /// The digest that names the archive.
  public var digest: Digest?
  /// All damage that was found, that to copies included.
  public var damage: [ArchiveError.Damage] = []
  /// The reason for a verdict other than *ok*, unless it concerns digests.
  public var error: ArchiveError?
  /// The archive's authenticity, if there is a header.
  public var authenticity: Authenticity?
  /// Whether the file was read and has only zeros.
  public internal(set) var holdsOnlyZeros = false
  /// The archive's owner, if determined.
  public var ownership: Ownership?
  /// Whether recovery files next to it can repair its damage, if tried.
  public internal(set) var mendability: Mendability?
  /// The base of a differential archive, if no file with its digest is available.
  public internal(set) var missingBase: BaseReference?
  /// How long it took, in seconds.
  public var seconds = 0.0
  /// The scopes whose contents were checked.
  public var openedScopes: [ArchiveScope] = []

  init(path: String, depth: VerificationDepth) {
    self.path = path
    self.depth = depth
  }
}
