/// The records that a restore leaves in the archive, by id.
struct Withheld: Sendable {
  private(set) var wallets: Set<[UInt8]> = []
  private(set) var shares: Set<[UInt8]> = []
  private(set) var files: Set<[UInt8]> = []

  /// Nothing.
  static let none = Withheld([])

  /// The records of proofs that are withheld.
  ///
  /// A wallet's key shares and its history stay with it. A private key always comes back.
  init(_ proofs: [Proof]) {
    for proof in proofs {
      shares.formUnion(proof.shares.map(\.id))
      switch proof.subject {
      case .wallet: wallets.insert(proof.id)
      case .keystore: files.insert(proof.id)
      case .keyShares, .privateKey: break
      }
    }
  }

  var isEmpty: Bool { wallets.isEmpty && shares.isEmpty && files.isEmpty }
}
