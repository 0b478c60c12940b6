internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiWallet

/// The checked shares, and their origin.
struct CheckedShares {
  let report: ShareReport
  /// The archive's digest; nil for files.
  var archive: String?
  var secretsAreOpen = true
  /// Files that were to be shares and cannot be read as such, with the reason.
  var unreadable: [KeyShareFiles.Refused] = []
  /// Files of a folder that are no shares.
  var passedOver: [KeyShareFiles.Refused] = []

  var isSound: Bool { report.isSound && unreadable.isEmpty }
}

extension CheckedShares {
  /// Checks files as one set, unless one of them has shares of several keys.
  init(_ files: KeyShareFiles) throws {
    report = try ShareCheck.run(files.shares, grouping: files.haveSeveralKeys ? .byWallet : .oneSet)
    unreadable = files.unreadable
    passedOver = files.passedOver
  }
}

/// `key-shares check --json`.
struct SharesDocument: Encodable {
  struct Share: Encodable {
    let name: String
    let id: String
    let party: UInt32?
    let secret: String
  }

  struct Finding: Encodable {
    let id: String
    let shares: [String]
    let party: Int?
    let text: String
    let isDifference: Bool
  }

  struct Addresses: Encodable {
    let evm: String?
    let bitcoin: [String]
    let solana: String?
  }

  struct WalletDocument: Encodable {
    let name: String
    let address: String
  }

  struct Set: Encodable {
    let key: String?
    let curve: String?
    let `protocol`: String?
    let epoch: UInt64?
    let threshold: Int?
    let thresholdFrom: String?
    let total: Int?
    let here: Int?
    let shares: [Share]
    let findings: [Finding]
    let addresses: Addresses
    let wallets: [WalletDocument]
    let sound: Bool
    let enough: Bool
  }

  struct Unreadable: Encodable {
    let file: String
    let reason: String
  }

  let schema = "fueki.key-shares/1"
  let archive: String?
  let secrets: String
  let sets: [Set]
  let unreadable: [Unreadable]
  let sound: Bool
  let enough: Bool

  init(_ checked: CheckedShares) {
    archive = checked.archive
    secrets = checked.secretsAreOpen ? "opened" : "closed"
    sets = checked.report.sets.map(Set.init)
    unreadable = checked.unreadable.map { Unreadable(file: $0.file, reason: $0.reason) }
    sound = checked.isSound
    enough = checked.report.isEnough
  }
}

extension SharesDocument.Set {
  init(_ set: ShareSet) {
    key = set.groupKey.map { Hex.encode($0) }
    curve = set.curve?.rawValue
    `protocol` = set.protocolName
    epoch = set.epoch
    threshold = set.threshold.count
    thresholdFrom =
      switch set.threshold {
      case .stated: "stated"
      case .derived: "points"
      case .unknown: nil
      }
    total = set.total
    here = set.atHand
    shares = set.shares.map { share in
      SharesDocument.Share(
        name: share.descriptor.name, id: Hex.encode(share.name.id),
        party: share.descriptor.hasPartyIndex ? share.descriptor.partyIndex : nil, secret: share.secretState)
    }
    findings = set.findings.map { finding in
      SharesDocument.Finding(
        id: finding.id, shares: finding.shares.map(\.short), party: finding.party, text: finding.sentence,
        isDifference: finding.isDifference)
    }
    addresses = SharesDocument.Addresses(
      evm: set.addresses?.evm?.description, bitcoin: set.bitcoinAddresses, solana: set.addresses?.solana)
    wallets = set.wallets.map { SharesDocument.WalletDocument(name: $0.name, address: $0.address) }
    sound = set.isSound
    enough = set.isEnough
  }
}

extension KnownShare {
  /// The state of the secret, in one word.
  var secretState: String {
    switch secret {
    case .absent: "absent"
    case .closed: "closed"
    case .unknownEncoding: "not-read"
    case .malformed: "malformed"
    case .point: isUsable ? "matches" : "differs"
    }
  }
}

extension ShareSet {
  /// The key's addresses on Bitcoin itself.
  var bitcoinAddresses: [String] {
    BitcoinNetwork.named("bitcoin").flatMap { network in addresses?.bitcoin(on: network) } ?? []
  }
}
