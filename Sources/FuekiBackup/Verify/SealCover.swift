public import FuekiArchive

/// Whether a signature covers an archive's seals, with the names that scripts see.
///
/// The seals are outside the archive's digest. Without a signature over them, anyone can make a copy that has the same
/// digest and that no key opens, and only opening it shows that.
public enum SealCover: String, Sendable {
  /// The archive's signature covers them.
  case covered
  /// The archive is signed, by a version that did not cover them.
  case uncovered = "not-covered"
  /// The archive is not signed.
  case unsigned

  /// Reads an archive's header, which nothing proves yet.
  public init(_ facts: HeaderFacts) {
    self = facts.signatureCoversSeals ? .covered : facts.signer == nil ? .unsigned : .uncovered
  }
}
