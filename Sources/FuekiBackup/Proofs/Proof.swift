internal import FuekiCrypto
internal import FuekiWallet

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
  /// The name that its owner or its source uses.
  public let name: String
  /// The address to derive; empty if there is none.
  public let address: String
  /// The result of deriving it.
  public let result: Result

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

/// The results of deriving the addresses of an archive's wallets again.
public struct ProofReport: Sendable {
  /// The wallets in the archive's order, then keystores, private keys and key shares that belong to none.
  public let proofs: [Proof]
  /// Key shares of older epochs than others of the same key, which these cannot sign with.
  public let olderShares: [OlderShares]

  /// A report of nothing.
  public static let empty = ProofReport(proofs: [], olderShares: [])

  /// The mismatches.
  ///
  /// A restore never accepts them silently.
  public var differences: [Proof] { proofs.filter(\.isDifference) }

  /// The report, unless something in it differs and that was not accepted.
  ///
  /// - Throws: ``RestoreError/proofsDiffer(_:)``.
  func accepted(_ acceptsDifferences: Bool) throws(RestoreError) -> ProofReport {
    guard acceptsDifferences || differences.isEmpty else { throw .proofsDiffer(differences) }
    return self
  }

  /// How many were proved, differ, and were not checked.
  public var tally: ProofTally {
    let (proved, differing) = (proofs.count { $0.isProved }, differences.count)
    return ProofTally(proved: proved, differing: differing, unchecked: proofs.count - proved - differing)
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

  /// Numbers of each kind.
  public init(proved: Int = 0, differing: Int = 0, unchecked: Int = 0) {
    self.proved = proved
    self.differing = differing
    self.unchecked = unchecked
  }
}
