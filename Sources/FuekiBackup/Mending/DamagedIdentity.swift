internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// The archive that a damaged file was, by its trailer, if that is whole, and by the id in its name.
///
/// Anyone who can write to the folder can write both. So they only say which archive was meant; whose it is, ownership
/// decides.
struct DamagedIdentity {
  /// The relation of an archive to the file's facts.
  enum Match {
    /// It is the archive that the trailer states or the name means.
    case same
    /// Neither identifies the archive, or its seals are unconfirmed.
    case unsaid
    /// They mean another archive.
    case other
  }

  private let name: String
  private let archive: StoredArchive?

  init(of path: String) {
    name = PathParts(path).name
    archive = try? StoredArchive(reading: ArchiveFile.open(at: path, symbolicLinks: .refuse))
  }

  /// Compares the file's facts with an archive.
  ///
  /// - Parameters:
  ///   - repaired: the archive.
  ///   - witness: knows the seals of the vault's archives, which an archive's digest does not cover.
  ///   - opens: whether a secret opened the archive, which requires its own seals.
  /// - Returns: the relation of the archive to the file's facts.
  func match(_ repaired: StoredArchive, _ witness: SealWitness, opens: Bool = false) -> Match {
    let isTrailerSame = archive?.statedDigest == repaired.statedDigest
    if isTrailerSame, archive?.trailerDigest == repaired.trailerDigest { return .same }
    let isNameSame = ArchiveName.shortID(inName: name) == repaired.statedDigest.shortID
    guard isTrailerSame || isNameSame else {
      return archive == nil && ArchiveName.shortID(inName: name) == nil ? .unsaid : .other
    }
    if opens || witness.vouches(for: repaired) { return .same }
    // The digest is right, and a trailer with other seals was there: one of the two was made up.
    return isTrailerSame ? .other : .unsaid
  }
}
