public import FuekiArchive
public import FuekiCrypto

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
