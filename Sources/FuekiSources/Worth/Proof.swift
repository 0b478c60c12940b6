internal import FuekiCrypto
public import FuekiWallet

/// Whether what an archive holds leads to an address again.
public struct Proof: Hashable, Sendable {
  /// The owner of the address.
  public enum Subject: String, Sendable {
    case wallet
    case keystore
    case keyShares = "key-shares"
    case privateKey = "private-key"
  }

  /// The source of an address.
  public enum Source: String, Sendable {
    case keyShares = "key-shares"
    case privateKey = "private-key"
    case seedPhrase = "seed-phrase"
    case keystore
    case descriptor
  }

  /// The result of deriving the address again.
  public enum Result: Hashable, Sendable {
    /// It is the same.
    case proved(by: Source)
    /// It is another, or what it is derived from contradicts itself.
    case differs(Source, Difference)
    /// It could not be derived, or not be compared.
    case notChecked(Gap)
  }

  /// The subject of the proof.
  public let subject: Subject
  /// The record's id, as the record has it.
  public let id: [UInt8]
  /// The name that its owner or its source uses; a wallet's with its network, if other wallets have the name too.
  public let name: String
  /// The address to derive; empty if there is none.
  public let address: String
  /// The result of deriving it.
  public let result: Result
  /// The key shares that it was derived from, and their key.
  package var shares: [ShareName] = []
  var groupKey: [UInt8] = []

  /// The id as text: a wallet's as its source has it, others in hex.
  public var idText: String {
    (subject == .wallet ? PackedText.text(id.span) : nil) ?? Hex.encode(id)
  }

  /// Whether the keys are not those of the address.
  public var isDifference: Bool {
    if case .differs = result { true } else { false }
  }

  /// Whether the address is that of the keys.
  public var isProved: Bool {
    if case .proved = result { true } else { false }
  }
}

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

/// The results of deriving the addresses of an archive's wallets again.
public struct ProofReport: Sendable {
  /// The wallets in the archive's order, then keystores, private keys and key shares that belong to none.
  public let proofs: [Proof]
  /// Key shares of older epochs than others of the same key, which these cannot sign with.
  public let olderShares: [OlderShares]

  /// The differences that were not there when the archive was made: a restore leaves these things in the archive.
  public package(set) var withheld: [Proof] = []

  /// A report of nothing.
  public static let empty = ProofReport(proofs: [], olderShares: [])

  /// The mismatches.
  ///
  /// A restore warns of them.
  public var differences: [Proof] { proofs.filter(\.isDifference) }

  /// The report of a restore that withholds nothing.
  package var accepted: ProofReport { ProofReport(proofs: proofs, olderShares: olderShares) }

  /// How many were proved, differ, and were not checked.
  public var tally: ProofTally {
    let (proved, differing) = (proofs.count { $0.isProved }, differences.count)
    return ProofTally(
      proved: proved, differing: differing, unchecked: proofs.count - proved - differing,
      withheld: withheld.count)
  }
}

/// The numbers of results of deriving addresses again.
public struct ProofTally: Equatable, Sendable {
  /// How many are those of their keys.
  public let proved: Int
  /// How many are not.
  public let differing: Int
  /// The number of unchecked ones.
  public let unchecked: Int
  /// How many of the differing ones were left in the archive.
  public let withheld: Int

  /// Numbers of each kind.
  public init(proved: Int = 0, differing: Int = 0, unchecked: Int = 0, withheld: Int = 0) {
    self.proved = proved
    self.differing = differing
    self.unchecked = unchecked
    self.withheld = withheld
  }
}
