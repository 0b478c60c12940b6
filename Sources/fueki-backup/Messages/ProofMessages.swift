package import FuekiBackup
internal import FuekiWallet

extension Proof {
  /// What deriving the address again came to, to stand after the name.
  var sentence: String { result.sentence(of: address) }
}

extension Proof.Result {
  /// What deriving an address again came to.
  package func sentence(of address: String) -> String {
    switch self {
    case .proved(let source): "\(address) is derived from its \(source.words)"
    case .differs(let source, .otherAddress(let derived)):
      "its \(source.words) \(source.isPlural ? "lead" : "leads") to \(derived), not to \(address)"
    case .differs(_, .unsoundShares(let text)): "its key shares do not fit: \(text)"
    case .notChecked(let gap): "not checked: \(gap.sentence)"
    }
  }
}

extension Proof.Source {
  fileprivate var words: String {
    switch self {
    case .keyShares: "key shares"
    case .privateKey: "private key"
    case .seedPhrase: "seed phrase"
    case .keystore: "keystore"
    case .descriptor: "descriptor"
    }
  }

  fileprivate var isPlural: Bool { self == .keyShares }
}

extension Proof.Gap {
  /// Why, in a few words to stand after "not checked:".
  fileprivate var sentence: String {
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
    case .descriptor(let error): "its descriptor \(error.sentence)"
    case .beyond(let indices): "its address is not among the first \(indices) of its descriptors"
    case .words: "its seed phrase does not consist of plain words"
    case .passphrase(let derived):
      derived.isEmpty
        ? "the path from its seed phrase is not known"
        : "its seed phrase, without a passphrase, leads to \(derived)"
    }
  }
}

extension KeyFileProblem {
  /// Why, in a few words to stand after "not checked:".
  var sentence: String {
    switch self {
    case .noPassword: "no password for its keystore was given"
    case .wrongPassword: "no password that was given opens its keystore"
    case .tooCostly: "its keystore needs more time or memory than any keystore should"
    case .damaged(let reason): "its keystore cannot be read: \(reason)"
    }
  }
}
