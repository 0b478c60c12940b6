public import FuekiCrypto

extension StoredArchive {
  /// The archive's digest, if the trailer's own bytes yield it.
  ///
  /// Nil if the trailer states another digest, or the seals are not the signed ones. The digest covers the
  /// header, the chunk counts and the leaf table. Only ``verify(trusting:progress:)`` compares the chunks
  /// with it.
  public var provenDigest: Digest? {
    guard trailer.computedDigest == trailer.archiveDigest, !hasOtherSealsThanSigned else { return nil }
    return trailer.archiveDigest
  }

  /// Whether one of these keys signed the archive, and with it the whole header.
  ///
  /// The signature is verified rather than the header's claim trusted, without reading the file.
  public func isSigned(byOneOf keys: Set<Ed25519.PublicKey>) -> Bool {
    guard let signer = facts.signer, keys.contains(signer) else { return false }
    return hasValidSignature && provenDigest != nil
  }

  /// Whether the header states that the signature covers the seals, but it does not cover these.
  ///
  /// Anyone can copy an archive and replace its seals. The copy has the same digest, but no key opens it.
  public var hasOtherSealsThanSigned: Bool {
    facts.signatureCoversSeals && facts.signer != nil && !hasValidSignature
  }
}
