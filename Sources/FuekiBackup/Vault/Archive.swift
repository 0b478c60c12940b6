public import FuekiArchive
public import FuekiCrypto

/// An archive in a target, not yet verified: only ``open(with:progress:)`` leads to its records.
public struct Archive: Sendable {
  /// The file's path, or `rclone:remote:path`.
  public let path: String
  /// The archive's owner, as far as signatures and this machine's state prove it.
  public let ownership: Ownership
  private let stored: StoredArchive
  private let targets: [Target]

  /// The header's facts, such as the archive's number and its time, not yet authenticated.
  public var facts: HeaderFacts { stored.facts }

  /// Finds the newest archive of a vault, on a machine that has its state.
  ///
  /// Archives of other vaults and other signers are ignored.
  ///
  /// - Parameters:
  ///   - vault: the vault.
  ///   - targets: where to look.
  ///   - acceptsOlder: whether to return an archive although this machine knows a newer one.
  /// - Returns: the archive, which is the user's.
  /// - Throws: ``FindingError``; ``LineageError/olderThanKnown(sequence:known:)``, or
  ///   ``LineageError/forked(sequence:known:)`` if two archives contend; ``TargetError``; `CancellationError`.
  public static func newest(
    of vault: Vault, in targets: [Target], acceptsOlder: Bool = false
  ) async throws -> Archive {
    try await BlockingRun.run { _ in
      let state = try vault.state.vault(vault.id)
      var trust = Trust()
      trust.remember(state, of: vault.id)
      let found = try newest(of: vault.id, in: targets, trust, acceptsOlder: acceptsOlder)
      guard found.facts.vaultID == vault.id, found.ownership == .mine else {
        throw FindingError.noArchive(name: "latest")
      }
      if !acceptsOlder {
        try VaultLineage.judge(found.facts, digest: found.stored.statedDigest, known: state.known)
      }
      return found
    }
  }

  /// Finds the newest archive of the only vault in the targets, on a machine that has no state of it.
  ///
  /// Anyone who can write to a target can put an archive there. A signer excludes those. So does a passphrase that
  /// only the user knows, because only they can have made an archive that it opens.
  ///
  /// - Parameters:
  ///   - targets: where to look.
  ///   - signer: the key that must have signed the archive; nil to accept any.
  /// - Returns: the archive.
  /// - Throws: ``FindingError``, ``LineageError/forked(sequence:known:)``, ``TargetError``; `CancellationError`.
  public static func newest(
    in targets: [Target], signedBy signer: Ed25519.PublicKey? = nil
  ) async throws -> Archive {
    try await BlockingRun.run { _ in
      var trust = Trust()
      if let signer { trust.everywhere = [signer] }
      let found = try newest(of: nil, in: targets, trust, acceptsOlder: false)
      guard signer == nil || found.ownership == .mine else { throw FindingError.noArchive(name: "latest") }
      return found
    }
  }

  private static func newest(
    of vault: VaultID?, in targets: [Target], _ trust: Trust, acceptsOlder: Bool
  ) throws -> Archive {
    var finder = ArchiveFinder(targets: targets, trust: trust) { vault }
    finder.acceptsOlder = acceptsOlder
    let found = try finder.latest()
    return Archive(path: found.path, ownership: found.ownership, stored: found.archive, targets: targets)
  }

  /// Reads every byte, verifies the archive, and opens it.
  ///
  /// - Parameters:
  ///   - secrets: the secrets that may open it.
  ///   - progress: receives the bytes read, and is finished when this returns or throws.
  /// - Returns: the verified archive, whose records can be read.
  /// - Throws: ``ArchiveError/wrongSecret``, ``ArchiveError/damaged(_:)``, ``ArchiveError/forged(_:)`` and the other
  ///   cases of ``ArchiveError``; `CancellationError`.
  public func open(
    with secrets: UnlockingSecrets, progress: AsyncStream<RestoreProgress>.Continuation? = nil
  ) async throws -> OpenArchive {
    defer { progress?.finish() }
    return try await BlockingRun.run { cancellation in
      func report(_ bytes: UInt64, of all: UInt64) throws {
        try cancellation.check()
        progress?.yield(.reading(bytes: bytes, of: all))
      }
      let checked = try stored.verify { try report($0, of: stored.byteCount) }
      guard let intact = checked.intact else {
        throw ArchiveError.damaged(checked.damage.first ?? .structure)
      }
      let bases = BaseFinder(beside: path, targets: targets)
      return try intact.unlockAlone(with: secrets)
        .joined(with: secrets, bases: bases.candidates) { try report($0, of: $1) }
    }
  }
}
