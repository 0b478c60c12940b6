public import FuekiWallet

extension Proof {
  /// How keys do not fit an address.
  public enum Difference: Hashable, Sendable {
    /// They lead to another one.
    case otherAddress(derived: String)
    /// The key shares contradict one another, or themselves.
    case unsoundShares(String)
  }

  /// Why an address was not derived again, or not compared.
  public enum Gap: Hashable, Sendable {
    /// The wallet has no address that one key could have.
    case noAddress
    /// The wallet is watch-only.
    case watchOnly
    /// Its key is in a device of its own.
    case hardware
    /// No restored key leads to it.
    case noKey
    /// Only the public side of its key shares is restored.
    case publicSideOnly
    /// Too little is known of its key shares.
    case shares(String)
    /// Its keystore stays closed.
    case keystore(KeyFileProblem)
    /// The keystore opens, and does not say whose it is; its key has this address.
    case unnamedKeystore(derived: String)
    /// The key belongs to no wallet that is restored; it has this address.
    case noWallet(derived: String)
    /// The wallet's address is derived from its key along a path; the key itself has another.
    case derivedFurther(path: String)
    /// The wallet's address is of a kind that is not derived here.
    case kindOfAddress
    /// The secret is in a form that is not known here.
    case form(kind: String)
    /// A descriptor cannot be used, and why.
    case descriptor(DescriptorError)
    /// No address at the first indices of the wallet's keychains is its own, and how far they go is not known.
    case beyond(indices: UInt32)
    /// The seed phrase is not of plain words.
    case words
    /// With no passphrase besides, the seed phrase leads to another address, and there may be one.
    case passphrase(derived: String)
  }
}
