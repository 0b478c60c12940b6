internal import FuekiBackup
internal import FuekiCrypto

/// What deriving addresses again came to, as lines.
enum ProofLines {
  private static let lineLimit = 20

  /// All that was proved or not checked, in few lines; what differs is a warning.
  static func print(_ report: ProofReport, _ console: Console) {
    for older in report.olderShares {
      console.warning("\(older.sentence): refreshed shares cannot sign with old ones")
    }
    for proof in report.differences { console.warning("\(name(of: proof)): \(proof.sentence)") }
    let others = report.proofs.filter { !$0.isDifference }
    for proof in others.prefix(lineLimit) {
      let word = proof.isProved ? "proved: " : ""
      console.report("\(word)\(name(of: proof)): \(proof.sentence)")
    }
    if others.count > lineLimit {
      console.report("and \(others.count - lineLimit) more, proved or not checked (--json lists all)")
    }
  }

  /// What a proof is about, for people.
  static func name(of proof: Proof) -> String {
    switch proof.subject {
    case .wallet: "\"\(proof.name)\""
    case .keystore: "keystore \(proof.name)"
    case .keyShares: "key shares \(proof.name)"
    case .privateKey: proof.name.isEmpty ? "a private key" : "private key \"\(proof.name)\""
    }
  }
}

/// What deriving an address again came to, in JSON.
struct ProofDocument: Encodable {
  let subject: String
  let id: String
  let name: String
  let address: String
  let result: String
  let by: String?
  let detail: String

  init(_ proof: Proof) {
    subject = proof.subject.rawValue
    id = proof.idText
    name = proof.name
    address = proof.address
    detail = proof.sentence
    switch proof.result {
    case .proved(let source):
      result = "proved"
      by = source.rawValue
    case .differs(let source, _):
      result = "differs"
      by = source.rawValue
    case .notChecked:
      result = "not-checked"
      by = nil
    }
  }
}

/// Key shares that others of the same key have replaced, in JSON.
struct OlderSharesDocument: Encodable {
  let key: String
  let shares: [String]
  let epoch: UInt64
  let newest: UInt64

  init(_ older: OlderShares) {
    key = Hex.encode(older.groupKey)
    shares = older.shares.map { Hex.encode($0.id) }
    epoch = older.epoch
    newest = older.newest
  }
}
