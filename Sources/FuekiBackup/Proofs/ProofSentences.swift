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
    /// Nobody signs with it.
    case watchOnly
    /// Its key is in a device of its own.
    case hardware
    /// Nothing that is restored leads to it.
    case noKey
    /// Only the public side of its key shares is restored.
    case publicSideOnly
    /// What is known of its key shares is not enough.
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
    case descriptor(String)
    /// No address at the first indices of the wallet's keychains is its own, and how far they go is not known.
    case beyond(indices: UInt32)
    /// The seed phrase is not of plain words.
    case words
    /// With no passphrase besides, the seed phrase leads to another address, and there may be one.
    case passphrase(derived: String)

    /// Why, in a few words to stand after "not checked:".
    public var sentence: String {
      switch self {
      case .noAddress: "it has no address to compare with"
      case .watchOnly: "it is watch-only, and no key here leads to its address"
      case .hardware: "its key is in a device"
      case .noKey: "nothing that is restored leads to its address"
      case .publicSideOnly: "only the public side of its key shares is restored"
      case .shares(let text): "its key shares: \(text)"
      case .keystore(let problem): problem.sentence
      case .unnamedKeystore(let derived): "it names no address; its key has \(derived)"
      case .noWallet(let derived):
        derived.isEmpty ? "no wallet here belongs to it" : "no wallet here belongs to it; it has \(derived)"
      case .derivedFurther(let path):
        "its address is derived along \(path); it is not the key's own"
      case .kindOfAddress: "addresses of its kind are not derived here"
      case .form(let kind): "the form of its \"\(kind)\" is not known"
      case .descriptor(let text): "its descriptor \(text)"
      case .beyond(let indices): "its address is not among the first \(indices) of its descriptors"
      case .words: "its seed phrase does not consist of plain words"
      case .passphrase(let derived):
        derived.isEmpty
          ? "the path from its seed phrase is not known"
          : "its seed phrase, without a passphrase, leads to \(derived)"
      }
    }
  }

  /// One sentence for people, to stand after the name.
  public var sentence: String {
    switch result {
    case .proved(let source): "\(address) is derived from its \(source.words)"
    case .differs(let source, .otherAddress(let derived)):
      "its \(source.words) \(source.isPlural ? "lead" : "leads") to \(derived), not to \(address)"
    case .differs(_, .unsoundShares(let text)): "its key shares do not fit: \(text)"
    case .notChecked(let gap): "not checked: \(gap.sentence)"
    }
  }
}

extension Proof.Source {
  var words: String {
    switch self {
    case .keyShares: "key shares"
    case .privateKey: "private key"
    case .seedPhrase: "seed phrase"
    case .keystore: "keystore"
    case .descriptor: "descriptor"
    }
  }

  var isPlural: Bool { self == .keyShares }
}
