public import FuekiCrypto

/// What a machine knows of a vault's chain of archives.
public struct VaultState: Codable, Equatable, Sendable {
  /// One archive in the chain.
  public struct Link: Codable, Equatable, Sendable {
    /// Its sequence.
    public var sequence: UInt64
    /// Its archive digest, in hex.
    public var digest: String

    /// One archive in the chain.
    public init(sequence: UInt64, digest: Digest) {
      self.sequence = sequence
      self.digest = digest.hex
    }
  }

  /// The newest archive known.
  public var known: Link?
  /// An archive that was about to be published; it may or may not have been.
  public var intent: Link?
  /// How many records the last archive of this machine has, by section; of a section that was not asked for, what
  /// the last one had that was.
  public var counts: [String: UInt64]?
  /// A digest of what was collected for the newest archive, where it was taken.
  public var content: String?

  /// Nothing is known.
  public init(known: Link? = nil, intent: Link? = nil) {
    self.known = known
    self.intent = intent
  }
}
