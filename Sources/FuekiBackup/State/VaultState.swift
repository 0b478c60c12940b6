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

  /// Nothing is known.
  public init(known: Link? = nil, intent: Link? = nil) {
    self.known = known
    self.intent = intent
  }
}
