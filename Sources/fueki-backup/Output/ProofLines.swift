internal import FuekiBackup
internal import FuekiCrypto

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

/// The result of deriving an address again, in JSON.
struct ProofDocument: Encodable {
  let subject: String
  let id: String
  let name: String
  let address: String
  let result: String
  let by: String?
  let detail: String
  /// False for a thing that was left in the archive; else missing.
  let restored: Bool?

  /// Returns a report's results in their order.
  static func all(_ report: ProofReport) -> [ProofDocument] {
    let withheld = Set(report.withheld)
    return report.proofs.map { ProofDocument($0, restored: withheld.contains($0) ? false : nil) }
  }

  private init(_ proof: Proof, restored: Bool?) {
    self.restored = restored
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
