internal import FuekiCrypto
internal import FuekiWallet
package import FuekiBackup

extension Proof {
  /// The result of deriving the address again, for display after the name.
  var sentence: String { result.sentence(of: address) }
}

extension Proof.Result {
  /// Returns the result of deriving an address again.
  package func sentence(of address: String) -> String {
    switch self {
    case .proved(let source): "\(address) is derived from its \(source.words)"
    case .differs(let source, .otherAddress(let derived)):
      "its \(source.words) \(source.isPlural ? "lead" : "leads") to \(derived), not to \(address)"
    case .differs(_, .unsoundShares(let text)): "its key shares do not fit together: \(text)"
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
  /// The reason, in a few words after "not checked:".
  fileprivate var sentence: String {
    switch self {
    case .noAddress: "it has no address to compare with"
    case .watchOnly: "it is watch-only, and no key here leads to its address"
    case .hardware: "its key is in a hardware wallet"
    case .noKey: "no restored key leads to its address"
    case .publicSideOnly: "only the public part of its key shares was restored"
    case .shares(let text): "its key shares: \(text)"
    case .keystore(let problem): problem.sentence
    case .unnamedKeystore(let derived): "it names no address. Its key leads to \(derived)"
    case .noWallet(let derived):
      derived.isEmpty ? "no wallet here uses it" : "no wallet here uses it. It leads to \(derived)"
    case .derivedFurther(let path):
      "its address is derived from the key at \(path), which this program does not check"
    case .kindOfAddress: "this program cannot derive addresses of this kind"
    case .form(let kind): "this program does not know the form of its \"\(kind)\""
    case .descriptor(let error): "its descriptor \(error.sentence)"
    case .beyond(let indices): "its address is not among the first \(indices) that its descriptors lead to"
    case .words: "its seed phrase is not a list of plain words"
    case .passphrase(let derived):
      derived.isEmpty
        ? "the path from its seed phrase to its address is not known"
        : "without a passphrase, its seed phrase leads to \(derived). It may need one"
    }
  }
}

extension KeyFileProblem: Worded {
  /// The reason, in a few words after "not checked:".
  var sentence: String {
    switch self {
    case .noPassword: "no password for its keystore was given"
    case .wrongPassword: "none of the given passwords opens its keystore"
    case .tooCostly: "its keystore asks for more time or memory than this program allows"
    case .unknownScheme: "its keystore's cipher or key derivation is not supported"
    case .damaged(let reason): "its keystore cannot be read: \(reason)"
    }
  }
}

/// The results of deriving addresses again, as lines.
enum ProofLines {
  private static let lineLimit = 20

  /// Prints proved and unchecked ones in few lines.
  ///
  /// A difference is a warning.
  static func print(_ report: ProofReport, _ console: Console) {
    for older in report.olderShares {
      console.warning("\(older.sentence): refreshed shares cannot sign with old ones")
    }
    let withheld = Set(report.withheld)
    for proof in report.differences {
      let place = withheld.contains(proof) ? "left in the archive, because " : ""
      console.warning("\(name(of: proof)): \(place)\(proof.sentence)")
    }
    let others = report.proofs.filter { !$0.isDifference }
    for proof in others.prefix(lineLimit) {
      let word = proof.isProved ? "proved: " : ""
      console.report("\(word)\(name(of: proof)): \(proof.sentence)")
    }
    if others.count > lineLimit {
      console.report("and \(others.count - lineLimit) more, proved or not checked (--json lists all)")
    }
  }

  /// Returns the subject of a proof, for display.
  static func name(of proof: Proof) -> String {
    switch proof.subject {
    case .wallet: "\"\(proof.name)\""
    case .keystore: "keystore \(proof.name)"
    case .keyShares: "key shares \(proof.name)"
    case .privateKey: proof.name.isEmpty ? "a private key" : "private key \"\(proof.name)\""
    }
  }
}

extension ProofReport {
  /// The results in their order, in JSON; `restored` is false for a thing that was left in the archive, and else missing.
  var documents: [Members] {
    let withheld = Set(withheld)
    return proofs.map { proof in
      let (result, source): (String, Proof.Source?) =
        switch proof.result {
        case .proved(let source): ("proved", source)
        case .differs(let source, _): ("differs", source)
        case .notChecked: ("not-checked", nil)
        }
      return [
        "subject": proof.subject.rawValue, "id": proof.idText, "name": proof.name, "address": proof.address,
        "result": result, "by": source?.rawValue, "detail": proof.sentence,
        "restored": withheld.contains(proof) ? false : nil,
      ]
    }
  }
}

extension OlderShares {
  /// Key shares that others of the same key have replaced, in JSON.
  var document: Members {
    [
      "key": Hex.encode(groupKey), "shares": shares.map { Hex.encode($0.id) }, "epoch": epoch,
      "newest": newest,
    ]
  }
}
