public import FuekiCrypto

/// What happens while an archive is mended, for whoever shows it.
public enum MendEvent: Sendable {
  /// The archive is read to its end.
  case verifying
  /// It and its recovery files are copied.
  case copying
  /// Blocks are looked for and computed.
  case repairing(percent: Int)
  /// What came of it is read.
  case checking
}

/// What mending came to.
public struct MendOutcome: Sendable {
  /// The archive's file.
  public let path: String
  /// The digest that names the archive.
  public let digest: Digest?
  /// Where the damaged file is now; nil where the archive was whole, and nothing was changed.
  public var damaged: String?
  /// How many blocks were made good.
  public var blocks = 0
  /// Whether this machine, a checkpoint or the caller knew the archive's digest; else it was checked by itself.
  public var isOfKnownDigest = false
  /// What is known of who made it.
  public var authenticity: Authenticity?

  init(path: String, digest: Digest?) {
    self.path = path
    self.digest = digest
  }

  init(
    path: String, digest: Digest, damaged: String, blocks: Int, isOfKnownDigest: Bool,
    authenticity: Authenticity
  ) {
    self.init(path: path, digest: digest)
    self.damaged = damaged
    self.blocks = blocks
    self.isOfKnownDigest = isOfKnownDigest
    self.authenticity = authenticity
  }
}
