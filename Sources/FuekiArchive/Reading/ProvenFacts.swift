public import FuekiCrypto

extension StoredArchive {
  /// The digest that names the archive, where the trailer's own bytes give it; nil where the trailer states another, or
  /// the seals are not those that were signed.
  ///
  /// It covers the header, the chunk counts and the leaf table. Only ``verify(trusting:progress:)`` compares the
  /// chunks with it.
  public var provenDigest: Digest? {
    guard trailer.computedDigest == trailer.archiveDigest, !hasOtherSealsThanSigned else { return nil }
    return trailer.archiveDigest
  }

  /// Whether one of these keys signed the archive, and with it all that its header says.
  ///
  /// The header's claim counts for nothing: the signature is checked, at the cost of no read.
  public func isSigned(byOneOf keys: Set<Ed25519.PublicKey>) -> Bool {
    guard let signer = facts.signer, keys.contains(signer), let digest = provenDigest else { return false }
    return signatureHolds(of: signer, over: digest)
  }

  /// Whether the header says that the signature covers the seals, and the two do not belong together.
  ///
  /// Anyone can copy an archive and replace its seals; the copy has the same digest, and no key opens it.
  public var hasOtherSealsThanSigned: Bool {
    guard facts.signatureCoversSeals, let signer = facts.signer else { return false }
    return !signatureHolds(of: signer, over: trailer.computedDigest)
  }

  /// Whether the signature is the signer's over a digest and, where the header says so, over the seals.
  func signatureHolds(of signer: Ed25519.PublicKey, over digest: Digest) -> Bool {
    let signed = Trailer.signedBytes(digest, seals: facts.signatureCoversSeals ? trailer.seals : nil)
    return Ed25519.isValid(signature: trailer.signature, over: signed, publicKey: signer)
  }
}
