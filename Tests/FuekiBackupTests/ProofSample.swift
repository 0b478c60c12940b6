import FoundationEssentials
import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiWallet
import TestSupport

/// A bundle of wallets and keys, and what a proof makes of its archive.
struct ProofSample {
  /// An address that no key here leads to.
  static let strange = "0x7ef5a6135f1fd6a02593eedc869c6d41d934aef8"
  /// The private key 1, whose addresses everybody knows.
  static let one = [UInt8](repeating: 0, count: 31) + [1]

  var builder = BackupBundle.Builder()

  /// Adds a wallet with only the facts that a proof needs.
  mutating func add(
    _ name: String, _ family: String = "evm", on chainID: String = "1", kind: String = "hot",
    at address: String, _ change: (inout Wallet) -> Void = { _ in }
  ) throws {
    var wallet = Wallet()
    wallet.id = PackedText.pack(name)
    wallet.name = name
    wallet.kind = kind
    wallet.chainFamily = family
    wallet.chainID = chainID
    wallet.address = PackedText.pack(address)
    change(&wallet)
    try builder.add(wallet)
  }

  /// Adds a private key, or what else a kind says.
  mutating func add(key: [UInt8], kind: String = "private-key", of wallet: String?) throws {
    let record = PrivateKeyRecord(
      id: [UInt8](repeating: 9, count: 16), walletID: wallet.map { PackedText.pack($0) }, kind: kind,
      name: "key", secret: SharedSecret(try SecretBytes(copying: key.span)), createdAt: nil)
    let message = try record.encoded()
    let bytes = message.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    var framed: [UInt8] = []
    try RecordFraming.append(bytes, to: &framed)
    builder.add(secretRecord: SharedSecret(try SecretBytes(copying: framed.span)), to: .privateKeys)
  }

  mutating func add(_ shares: ShareSample, _ places: [Int]) throws {
    for (place, descriptor) in shares.descriptors.enumerated() {
      if places.contains(place) {
        try builder.add(share: descriptor, secret: shares.secrets[place])
      } else {
        try builder.add(descriptor)
      }
    }
  }

  /// Writes the archive, opens it, and proves.
  consuming func prove(
    _ selection: SectionSelection = .everything, ofWallets wallets: [String] = [],
    with material: ProofMaterial = ProofMaterial()
  ) throws -> ProofReport {
    let folder = try TemporaryDirectory()
    let sample = try SampleBundle()
    let open = try sample.open(try sample.archive(builder.build(), in: folder))
    return try open.prove(selection, ofWallets: wallets, with: material)
  }

  static func address(of key: [UInt8]) throws -> String {
    try KeyAddresses(of: key, on: .secp256k1).evm?.description ?? ""
  }
}

extension ProofReport {
  /// Each proof's subject and result, in short.
  var short: [String] {
    proofs.map { proof in
      let result =
        switch proof.result {
        case .proved(let source): "proved by \(source.rawValue)"
        case .differs(let source, _): "differs by \(source.rawValue)"
        case .notChecked: "not checked"
        }
      return "\(proof.name): \(result)"
    }
  }

  var gap: Proof.Gap? {
    guard case .notChecked(let gap)? = proofs.first?.result else { return nil }
    return gap
  }
}
