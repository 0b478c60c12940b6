public import FuekiCrypto

extension StoredArchive {
  /// The digest that names the archive, where the trailer's own bytes give it; nil where the trailer states another.
  ///
  /// It covers the header, the chunk counts and the leaf table. Only ``verify(trusting:progress:)`` compares the
  /// chunks with it.
  public var provenDigest: Digest? {
    trailer.computedDigest == trailer.archiveDigest ? trailer.archiveDigest : nil
  }

  /// Whether one of these keys signed the archive, and with it all that its header says.
  ///
  /// The header's claim counts for nothing: the signature is checked, at the cost of no read.
  public func isSigned(byOneOf keys: Set<Ed25519.PublicKey>) -> Bool {
    guard let signer = facts.signer, keys.contains(signer), let digest = provenDigest else { return false }
    return Ed25519.isValid(
      signature: trailer.signature, over: Trailer.signedBytes(digest), publicKey: signer)
  }
}
