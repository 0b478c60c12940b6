internal import FuekiArchive
public import FuekiCrypto

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
