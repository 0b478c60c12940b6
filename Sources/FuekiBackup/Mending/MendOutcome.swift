public import FuekiCrypto

/// An event of a running repair, for display.
public enum MendEvent: Sendable {
  /// The archive is read to its end.
  case verifying
  /// It and its recovery files are copied.
  case copying
  /// Blocks are looked for and computed.
  case repairing(percent: Int)
  /// The result is being read.
  case checking
  /// Secrets are tried on it.
  case opening
}

/// The outcome of a repair.
public struct MendOutcome: Sendable {
  /// Where the result is.
  public enum Place: Sendable {
    /// The archive was whole, and nothing was changed.
    case untouched
    /// The result has the archive's name: it is the user's, and the original archive.
    ///
    /// The damaged file has another path.
    case named(OwnArchive, damaged: String)
    /// The result is next to the damaged file under a name of its own, and the damaged file has its name still.
    case beside(path: String, Ownership)
  }

  /// The archive's file.
  public let path: String
  /// The digest that names the archive.
  public let digest: Digest?
  /// Where the result is.
  public let place: Place
  /// How many blocks were repaired.
  public let blocks: Int
  /// Whether this machine, a checkpoint or the caller knew the archive's digest.
  public let isOfKnownDigest: Bool
  /// The authenticity of the result, as far as known; nil if nothing was changed.
  public let authenticity: Authenticity?

  init(
    path: String, digest: Digest?, place: Place = .untouched, blocks: Int = 0, isOfKnownDigest: Bool = false,
    authenticity: Authenticity? = nil
  ) {
    self.path = path
    self.digest = digest
    self.place = place
    self.blocks = blocks
    self.isOfKnownDigest = isOfKnownDigest
    self.authenticity = authenticity
  }
}
