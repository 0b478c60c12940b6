internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiWallet

/// A check of key shares as lines.
enum ShareLines {
  static func print(_ checked: CheckedShares, _ console: Console) {
    for file in checked.unreadable { console.line("DIFFERS   \(file.file): \(file.reason)") }
    for file in checked.passedOver { console.detail("\(file.file): \(file.reason)") }
    if checked.report.sets.isEmpty, checked.unreadable.isEmpty { console.line("there are no key shares") }
    for set in checked.report.sets { print(set, console) }
    guard checked.archive != nil, !checked.secretsAreOpen, !checked.report.sets.isEmpty else { return }
    console.line("only the public sides of the shares were checked: this secret does not open their secrets")
  }

  private static func print(_ set: ShareSet, _ console: Console) {
    console.line("key       \(set.groupKey.map { Hex.encode($0) } ?? "the shares do not agree on one")")
    let kind = [set.curve?.rawValue, set.protocolName, set.epoch.map { "epoch \($0)" }].compactMap(\.self)
    if !kind.isEmpty { console.line("kind      \(kind.joined(separator: ", "))") }
    for share in set.shares {
      let party = share.descriptor.hasPartyIndex ? "party \(share.descriptor.partyIndex), " : ""
      console.line("share     \(share.name.short): \(party)\(sentence(share))")
    }
    if let evm = set.addresses?.evm { console.line("address   \(evm) (EVM)") }
    for address in set.bitcoinAddresses { console.line("address   \(address) (Bitcoin)") }
    if let solana = set.addresses?.solana { console.line("address   \(solana) (Solana)") }
    for wallet in set.wallets { console.line("wallet    \"\(wallet.name)\" has \(wallet.address)") }
    for finding in set.findings {
      let names = finding.shares.map(\.short).joined(separator: ", ")
      let text = names.isEmpty ? finding.sentence : "\(names): \(finding.sentence)"
      console.line("\(finding.isDifference ? "DIFFERS  " : "note     ") \(text)")
    }
    console.line("result    \(set.summary)")
  }

  private static func sentence(_ share: KnownShare) -> String {
    switch share.secret {
    case .absent: "only its public side is here"
    case .closed: "its secret was not opened"
    case .unknownEncoding: "its secret was not compared"
    case .malformed: "its secret is not a key"
    case .point:
      share.isUsable ? "its secret belongs to its public point" : "its secret belongs to another share"
    }
  }
}

extension ShareSet {
  /// Whether the set is sound and enough, in one line.
  var summary: String {
    let needed =
      switch threshold {
      case .stated(let count): "\(count) sign together"
      case .derived(let count): "\(count) sign together, as the public points say"
      case .unknown: "it is not known how many sign together"
      }
    guard isSound else { return "NOT SOUND; \(needed)" }
    guard let atHand else { return "sound; \(needed)" }
    let count = threshold.count.map { isEnough ? "enough" : "\($0 - atHand) too few to sign" }
    return (["sound", count, "\(atHand) here", needed].compactMap(\.self)).joined(separator: "; ")
  }
}
