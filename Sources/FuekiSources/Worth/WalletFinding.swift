internal import FuekiCrypto
internal import FuekiSystem
public import FuekiWallet

/// A finding on the backup of one wallet, made during the backup.
///
/// A collector makes one for each wallet, key share or other thing of worth that it collects. The manifest keeps them
/// for readers who have the secret. They hold codes only; the user interface makes the sentences.
public struct WalletFinding: Hashable, Sendable {
  /// The evidence that connects the saved data with the wallet's known data.
  public enum Evidence: String, CaseIterable, Sendable {
    /// Its keys lead to an address that the wallet itself shows.
    case address
    /// Its secret leads to the public key or public share next to it.
    case publicKey = "public-key"
    /// Its secret leads to its public share, and the public shares to the key of the group.
    case groupKey = "group-key"
    /// Its secret leads to the key of the group with no other share: it is the whole key.
    case wholeKey = "whole-key"
    /// It opens with its key, and was read to its end.
    case opened
    /// All that the format itself says of its wholeness holds: checksums, counts, exact length.
    case wholeness
  }

  /// The reason that the saved data could not be proved.
  public enum Gap: String, CaseIterable, Sendable {
    /// It is encrypted, and no password was given.
    case needsPassword = "needs-password"
    /// The password that was given does not open it.
    case wrongPassword = "wrong-password"
    /// Its key is the wallet's seed, which is elsewhere.
    case needsSeed = "needs-seed"
    /// Only several parties' files together show it.
    case needsOtherParties = "needs-other-parties"
    /// Its form is known, and its contents are not read here.
    case notRead = "not-read"
    /// Reading it takes more work than any real wallet does.
    case workLimit = "work-limit"
    /// The process that was to read it failed: it crashed, or was ended.
    case readerFailed = "reader-failed"
    /// Its curve or its scheme is not computed here.
    case unknownScheme = "unknown-scheme"
    /// It comes with no data to compare the secret with.
    case nothingToCompare = "nothing-to-compare"
    /// It is whole, and of another key than the wallet has now.
    case otherKey = "other-key"
  }

  /// A fault: the file is kept, but may be no usable backup.
  public enum Fault: String, CaseIterable, Sendable {
    /// The secret is not that of its public point, key or share.
    case secretDiffers = "secret-differs"
    /// The share is encrypted.
    case ciphertext
    /// The share is of another key than the wallet's.
    case foreignShare = "foreign-share"
    /// The share is of another epoch than others of the same wallet: they do not sign together.
    case staleShare = "stale-share"
    /// A key of the wallet has no share here.
    case missingShare = "missing-share"
    /// The public shares do not lead to their stated key.
    case groupDiffers = "group-differs"
    /// The keys lead to another address than the stated one.
    case otherAddress = "other-address"
    /// A checksum does not hold.
    case checksum
    /// It ends too early, or something follows where nothing may.
    case length
    /// It is not what its name or its beginning says.
    case malformed
    /// Fewer keys than it takes to sign can ever come together.
    case quorum
    /// It holds two messages that together get a validator slashed.
    case slashable
    /// It belongs to another network than the data next to it.
    case otherNetwork = "other-network"
  }

  /// The result for a backup.
  public enum Result: Hashable, Sendable {
    /// Whole, and proved; it has the key or its own share of it.
    case proved(Evidence)
    /// Whole as a file; whether it is the money was not proved.
    case notProved(Gap)
    /// Its public part alone, which cannot spend; and what was proved of it.
    case publicPart(Evidence? = nil)
    /// Not the money: the seed phrase, or whatever signs, was left out or is elsewhere.
    case withoutSeed
    /// Something does not fit.
    case faulty(Fault)
  }

  /// The collector's kind.
  public var kind: String
  /// The name that users see: the wallet's own name, else the file's.
  public var name: String
  /// The result for the backup.
  public var result: Result
  /// The subject of the result, without prose: an address, a public key, `2 of 3`, a count; may be empty.
  public var detail: String
  /// Whether its missing part is a secret in the clear, which is backed up only on request.
  ///
  /// The manifest omits this.
  public var isInClear = false

  /// Creates a finding on the backup of a wallet.
  public init(kind: String, name: String, _ result: Result, detail: String = "", isInClear: Bool = false) {
    self.kind = kind
    self.name = name
    self.result = result
    self.detail = detail
    self.isInClear = isInClear
  }

  /// Whether something does not fit.
  public var isFaulty: Bool { if case .faulty = result { true } else { false } }

  /// Whether the file is kept unread: it asks for too much work, or its reader failed.
  public var isUnread: Bool { result == .notProved(.workLimit) || result == .notProved(.readerFailed) }
}

extension WalletFinding.Result {
  /// The result's name in documents: `proved`, `not-proved`, `public-part`, `no-seed`, `faulty`.
  public var verdict: String {
    switch self {
    case .proved: "proved"
    case .notProved: "not-proved"
    case .publicPart: "public-part"
    case .withoutSeed: "no-seed"
    case .faulty: "faulty"
    }
  }

  /// The code of the reason; empty if the verdict needs none.
  public var reason: String {
    switch self {
    case .proved(let evidence): evidence.rawValue
    case .notProved(let gap): gap.rawValue
    case .faulty(let fault): fault.rawValue
    case .publicPart(let evidence): evidence?.rawValue ?? ""
    case .withoutSeed: ""
    }
  }

  /// Parses a manifest's finding; nil if unknown to this version.
  package init?(verdict: String, reason: String) {
    switch verdict {
    case "proved":
      guard let evidence = WalletFinding.Evidence(rawValue: reason) else { return nil }
      self = .proved(evidence)
    case "not-proved":
      guard let gap = WalletFinding.Gap(rawValue: reason) else { return nil }
      self = .notProved(gap)
    case "faulty":
      guard let fault = WalletFinding.Fault(rawValue: reason) else { return nil }
      self = .faulty(fault)
    // Earlier versions write no reason, and skip this one.
    case "public-part": self = .publicPart(WalletFinding.Evidence(rawValue: reason))
    case "no-seed": self = .withoutSeed
    default: return nil
    }
  }
}

extension Manifest {
  /// The name of the entry of `extra` that holds them.
  private static let entryName = "wallets"
  /// The limits of a manifest, which is one record.
  ///
  /// A user with more wallets finds the rest in the archive's files.
  private static let limit = 2000
  private static let byteCountLimit = 4 << 20

  /// The findings on the backup of each wallet, in the order of collection.
  ///
  /// They are an entry of `extra`: a JSON array of objects with `kind`, `name`, `verdict`, `reason` and `detail`, all
  /// text. Findings that this version does not know are skipped.
  public var findings: [WalletFinding] {
    get {
      guard case .json(let text)? = extra.first(where: { $0.name == Self.entryName })?.value,
        let list = try? JSONDocument(Array(text.utf8), limit: Self.byteCountLimit).root
      else { return [] }
      return list.children.compactMap(WalletFinding.init)
    }
    set {
      extra.removeAll { $0.name == Self.entryName }
      guard !newValue.isEmpty else { return }
      let entries = newValue.prefix(Self.limit).map(\.json)
      extra.append(Extra(Self.entryName, json: "[" + entries.joined(separator: ",") + "]"))
    }
  }
}

extension WalletFinding {
  fileprivate var json: String {
    let members = [
      ("kind", kind), ("name", name), ("verdict", result.verdict), ("reason", result.reason),
      ("detail", detail),
    ]
    return "{" + members.map { "\"\($0)\":\(JSONText.quoted($1))" }.joined(separator: ",") + "}"
  }

  fileprivate init?(_ value: JSONValue) {
    func text(_ name: String) -> String { value.member(name)?.string ?? "" }
    guard let result = Result(verdict: text("verdict"), reason: text("reason")) else { return nil }
    self.init(kind: text("kind"), name: text("name"), result, detail: text("detail"))
  }
}

extension [WalletFinding] {
  /// The findings by urgency: faults first, then those about wallets that cannot spend, then watch-only or unproved
  /// ones.
  public var byUrgency: [WalletFinding] {
    enumerated().sorted { ($0.element.urgency, $0.offset) < ($1.element.urgency, $1.offset) }.map(\.element)
  }
}

extension WalletFinding {
  private static let order = ["faulty", "no-seed", "public-part", "not-proved", "proved"]

  fileprivate var urgency: Int { Self.order.firstIndex(of: result.verdict) ?? 0 }
}

extension [WalletFinding] {
  /// Returns the differences that were not there when the archive with these findings was made.
  ///
  /// What was unsound then comes back as it was. A thing without a finding counts as proved.
  package func unexpected(of differences: [Proof]) -> [Proof] {
    guard !differences.isEmpty else { return [] }
    return differences.filter { difference in
      let matching = findings(on: difference)
      return matching.isEmpty || matching.contains(where: \.isProved) && !matching.contains(where: \.isFaulty)
    }
  }

  /// The findings on a thing: those of its name and address, or else of its name, and those on its key shares.
  private func findings(on proof: Proof) -> [WalletFinding] {
    let name = ExactText(proof.name.isEmpty ? proof.address : proof.name)
    let ofName = filter { ExactText($0.name) == name }
    let ofAddress = filter { !proof.address.isEmpty && [$0.name, $0.detail].contains(proof.address) }
    let exact = ofName.filter { ofAddress.contains($0) }
    let own = !exact.isEmpty ? exact : ofName.isEmpty ? ofAddress : ofName
    let shares = Set(proof.shares.map { ExactText($0.text) })
    let key = proof.groupKey.isEmpty ? nil : Hex.encode(proof.groupKey)
    let ofShares = filter { finding in
      shares.contains(ExactText(finding.name)) || key.map { finding.detail.contains($0) } ?? false
    }
    return own + ofShares
  }
}

extension WalletFinding {
  fileprivate var isProved: Bool {
    if case .proved = result { true } else { false }
  }
}
