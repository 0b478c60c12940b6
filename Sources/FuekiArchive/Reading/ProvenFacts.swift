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
    guard let signer = facts.signer, keys.contains(signer), let digest = provenDigest else { return false }
    return signatureHolds(of: signer, over: digest)
  }

  /// Whether the header states that the signature covers the seals, but it does not cover these.
  ///
  /// Anyone can copy an archive and replace its seals. The copy has the same digest, but no key opens it.
  public var hasOtherSealsThanSigned: Bool {
    guard facts.signatureCoversSeals, let signer = facts.signer else { return false }
    return !signatureHolds(of: signer, over: trailer.computedDigest)
  }

  /// Whether the signature is the signer's over a digest and, if the header states it, over the seals.
  func signatureHolds(of signer: Ed25519.PublicKey, over digest: Digest) -> Bool {
    let signed = Trailer.signedBytes(digest, seals: facts.signatureCoversSeals ? trailer.seals : nil)
    return Ed25519.isValid(signature: trailer.signature, over: signed, publicKey: signer)
  }
}
