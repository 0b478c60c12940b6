/// One thing's evidence on a wallet's address.
struct Evidence {
  let address: String
  let result: Proof.Result
  /// The key shares that it comes from; nil for other evidence.
  var set: ShareSet?

  /// Precedence of the evidence on one wallet: a difference, then a proof, then the first reason.
  var weight: Int {
    switch result {
    case .differs: 2
    case .proved: 1
    case .notChecked: 0
    }
  }
}
