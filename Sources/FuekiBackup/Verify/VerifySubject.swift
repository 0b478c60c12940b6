internal import FuekiArchive
public import FuekiCrypto

/// An archive to verify.
public struct VerifySubject: Sendable {
  /// How it came to be looked at.
  public enum Place: Sendable {
    /// Somebody named it.
    case named
    /// It is its vault's newest in a folder that somebody named.
    case newestOfFolder
    /// It lies in such a folder, and others are newer.
    case otherOfFolder
  }

  /// The archive's file.
  public let path: String
  /// How it came to be looked at.
  public let place: Place
  /// Whose it is, where that much of it can be read.
  public let ownership: Ownership?
  /// Ed25519 public keys, one of which has to have signed it; nil asks for none.
  public let trusted: Set<Ed25519.PublicKey>?

  /// An archive that somebody named.
  public init(named path: String, ownership: Ownership?, trusted: Set<Ed25519.PublicKey>?) {
    self.init(path: path, place: .named, ownership: ownership, trusted: trusted)
  }

  private init(path: String, place: Place, ownership: Ownership?, trusted: Set<Ed25519.PublicKey>?) {
    self.path = path
    self.place = place
    self.ownership = ownership
    self.trusted = trusted
  }

  /// The archives of a folder, and what of them does not fit together.
  ///
  /// Only each vault's newest that is no stranger's is compared with what this machine knows: that the others are older
  /// is what a folder of backups is for.
  ///
  /// - Parameters:
  ///   - entries: what lies in the folder.
  ///   - trust: whose archives are this person's.
  ///   - demanded: of whom one has to have signed; nil where nobody asked for that.
  ///   - takesAnySigner: a stranger's archive is verified like any other.
  /// - Returns: one subject for each entry, and what does not fit.
  /// - Throws: ``StateError/damaged(path:)``.
  public static func all(
    of entries: [TargetEntry], trust: Trust, demanded: Set<Ed25519.PublicKey>?, takesAnySigner: Bool
  ) throws -> (subjects: [VerifySubject], gaps: LineageGaps) {
    let ownerships = try Ownerships(of: entries.compactMap(\.archive), trust: trust)
    var newest: [VaultID: UInt64] = [:]
    for case let archive? in entries.map(\.archive) where ownerships[archive] != .stranger {
      newest[archive.facts.vaultID] = max(newest[archive.facts.vaultID] ?? 0, archive.facts.sequence)
    }
    let subjects = try entries.map { entry in
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
      return VerifySubject(
        path: entry.path, place: isNewest ?? false ? .newestOfFolder : .otherOfFolder, ownership: ownership,
        trusted: trusted)
    }
    return (subjects, LineageGaps(entries, ownerships))
  }
}
