internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem

/// An archive chosen by the user, and its owner.
struct FoundArchive {
  let path: String
  let stored: StoredArchive
  let ownership: Ownership
  /// The vault's intact archives in the same folder, including this one.
  let siblings: [StoredArchive]
  /// The trusted signers.
  let trust: Trust
  /// Whether it was looked up as `latest`, or as the newest in a folder.
  let isLatest: Bool
  /// The places to search for a differential archive's base.
  let bases: BaseFinder
  private let demanded: Set<Ed25519.PublicKey>?
  private let options: TrustOptions

  /// Finds an archive, and reports newer ones that are disregarded.
  ///
  /// - Parameters:
  ///   - name: a path, a short id, `latest`, or a folder for the newest archive in it.
  ///   - targets: the places to search.
  ///   - options: the required signers.
  ///   - configuration: the trusted signers, and the selected vault.
  ///   - console: receives warnings.
  ///   - acceptsOlder: whether to use the newest intact archive, whatever is above it.
  /// - Throws: errors from finding it, and ``ArchiveError`` if it is no archive.
  init(
    _ name: String, in targets: [Target], _ options: TrustOptions, _ configuration: Configuration,
    _ console: Console, acceptsOlder: Bool = false
  ) throws {
    trust = try options.trust(configuration)
    demanded = try options.demanded(configuration)
    self.options = options
    let trust = self.trust
    let finder = { (targets: [Target]) in
      var finder = ArchiveFinder(targets: targets, trust: trust, vault: { configuration.meantVaultID })
      finder.acceptsOlder = acceptsOlder
      finder.prefersMine = configuration.vaults.count < 2
      return finder
    }
    let latest: ArchiveFinder.Latest?
    (path, latest) = try Self.look(for: name, in: targets, finder)
    isLatest = latest != nil
    for (path, ownership) in latest?.above ?? [] {
      console.warning(OwnershipLines.passedOver(path, ownership))
    }
    for (path, base) in latest?.lacking ?? [] {
      console.warning("\(path) is newer, but its base is not here: \(base.sentence). It is skipped")
    }
    bases = BaseFinder(beside: path, targets: targets)
    let stored = try StoredArchive(at: path)
    let beside = Self.archives(beside: path, targets, stored)
    let ownerships = try Ownerships(of: beside, trust: trust)
    (self.stored, siblings, ownership) = (stored, beside, ownerships[stored])
  }

  /// The path that a name means, and how it was found if it is the newest of the targets or of a folder.
  private static func look(
    for name: String, in targets: [Target], _ finder: ([Target]) -> ArchiveFinder
  ) throws -> (path: String, latest: ArchiveFinder.Latest?) {
    do {
      guard name == "latest" else { return (try finder(targets).path(of: name), nil) }
      let latest = try finder(targets).latest()
      return (latest.path, latest)
    } catch FindingError.isFolder(let path) {
      let folder = Target(path: path)
      let latest = try finder([targets.first { $0.place == folder.place } ?? folder]).latest()
      return (latest.path, latest)
    }
  }

  /// The signers of which at least one must have signed it; nil requires none.
  ///
  /// The vault's own signers exclude a stranger's archive, and cover every byte of one that is the user's by its
  /// signature. A copy with other seals than the signed ones is forged, whichever signer is required.
  var trusted: Set<Ed25519.PublicKey>? {
    get throws {
      if let demanded { return demanded }
      guard !options.takesAny else { return nil }
      let signers = try trust.of(stored.facts.vaultID).signers
      switch ownership {
      case .unknown: return nil
      case .stranger: return stored.hasOtherSealsThanSigned ? nil : signers
      case .mine: return stored.isSigned(byOneOf: signers) ? signers : nil
      }
    }
  }

  /// Holds it to a signature that was demanded, at the cost of no read.
  ///
  /// - Throws: ``ArchiveError/untrusted(_:)``.
  func checkDemanded() throws {
    guard let demanded, !stored.isSigned(byOneOf: demanded) else { return }
    let isNamed = stored.facts.signer.map(demanded.contains) ?? false
    throw ArchiveError.untrusted(
      stored.facts.signer == nil ? .unsigned : isNamed ? .signatureFails : .another)
  }

  /// Compares it with the known ones of its vault: `latest` must be the newest, and nothing may contradict them.
  ///
  /// - Throws: ``LineageError/olderThanKnown(sequence:known:)`` or ``LineageError/forked(sequence:known:)``.
  func checkNewest() throws {
    do {
      try VaultLineage.judge(stored.facts, digest: stored.statedDigest, known: known)
    } catch LineageError.olderThanKnown where !isLatest && options.checkpoint.isEmpty {
      // An older archive chosen by the user is accepted.
    }
  }

  /// Checks that it is the user's own.
  ///
  /// - Throws: ``LineageError/notMine(sequence:_:)`` if it is not, or its owner is unknown.
  func checkMine() throws {
    guard ownership == .mine else { throw LineageError.notMine(sequence: stored.facts.sequence, ownership) }
  }

  /// Returns all archives in the targets and in this one's folder.
  ///
  /// A remote is not listed again.
  private static func archives(
    beside path: String, _ targets: [Target], _ stored: StoredArchive
  ) -> [StoredArchive] {
    let holder = Target(holding: path)
    let folders = targets.filter { $0.place != holder.place && $0.kind != .rclone } + [holder]
    let found = folders.filter { $0.kind != .rclone }.flatMap { (try? $0.entries()) ?? [] }.compactMap(
      \.archive)
    let siblings = found.filter {
      $0.facts.vaultID == stored.facts.vaultID && $0.statedDigest != stored.statedDigest
    }
    return [stored] + siblings.sorted { $0.facts.sequence > $1.facts.sequence }
  }

  /// The newest archive that is known of the vault: by this machine, or by the checkpoint that was given.
  var known: VaultState.Link? {
    get throws {
      let vault = stored.facts.vaultID
      let remembered = try trust.known(of: vault)
      let checkpoints = try options.checkpoints(trust)
      guard let other = checkpoints.first else { return remembered }
      var given = try KnownLinks()
      for checkpoint in checkpoints { try given.add(checkpoint) }
      guard let link = given.links[vault] else {
        throw CommandError.usage(
          "the checkpoint is of vault \(other.vaultID.hex), the archive of \(vault.hex)")
      }
      return try VaultState.Link.newer(remembered, link)
    }
  }
}

extension ArchiveToRestore {
  /// Creates a subject from the archive that a command found, and from the places to search for others of its vault.
  init(_ found: FoundArchive, _ targets: [Target]) throws {
    self.init(
      path: found.path, stored: found.stored, ownership: found.ownership, siblings: found.siblings,
      trust: found.trust, trusted: try found.trusted, known: try found.known, isLatest: found.isLatest,
      targets: targets)
  }
}

/// Whose archives are, in words.
enum OwnershipLines {
  /// Returns the reason for skipping an archive above the user's newest.
  static func passedOver(_ path: String, _ ownership: Ownership) -> String {
    switch ownership {
    case .stranger: "\(path) is a stranger's: none of the vault's signers signed it. It is ignored"
    case .unknown: "\(path) is newer, but nothing shows whose it is. It is ignored"
    case .mine: "\(path) is newer"
    }
  }

  /// Whose an archive is, as `list` and `show` say it.
  static func sentence(_ ownership: Ownership) -> String {
    switch ownership {
    case .mine: "mine"
    case .unknown: "unknown"
    case .stranger: "a stranger's"
    }
  }

  /// Returns the signer of an archive, for the first line of a restore.
  static func signer(_ found: FoundArchive) -> String {
    guard let key = found.stored.facts.signer else { return "unsigned" }
    return switch found.ownership {
    case .mine: "signed by \(key.fingerprint), a signer of this vault"
    case .unknown: "says it is signed by \(key.fingerprint), which this machine does not know"
    case .stranger: "not signed by a signer of this vault"
    }
  }
}
