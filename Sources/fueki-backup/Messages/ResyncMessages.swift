internal import FuekiBackup
package import FuekiSync
internal import FuekiWallet

extension WalletProblem {
  /// Why the wallet may not be as its chain has it, and what to do.
  package var sentence: String {
    switch self {
    case .failed(let failure): failure.sentence
    case .foundNothing(let place, let recorded, let family):
      "\(place.server) finds nothing, and \(recorded) was recorded before, which is kept: \(family.remedy)"
    case .partial(let place, let gap):
      "\(place.server) has not told all (\(gap.sentence)): resync again to go on"
        + (place.kind == "ethereum-rpc" ? ", or name an etherscan endpoint" : "")
    }
  }
}

extension ChainFamily {
  /// What to try where nothing is found of a wallet that had something.
  fileprivate var remedy: String {
    switch self {
    case .evm: "check that the endpoint is of the right network, or start lower with --from 0"
    case .bitcoin:
      "raise the wallet's gap limit, start below its birthday with --from 0, or ask another endpoint"
    case .other: "start lower with --from 0, or ask another endpoint"
    }
  }
}

extension FindingsGap {
  /// Why something may be missing.
  package var sentence: String {
    switch self {
    case .missingBlock(let height): "the node does not have block \(height)"
    case .looked(let blocks, let reached, let last):
      "looked into \(blocks) blocks, up to block \(reached) of \(last)"
    case .walked(let blocks, let all): "walked \(blocks) of \(all) blocks"
    case .forgotten(let count): "the node does not tell any more of \(count) transactions how they ended"
    case .failedTokens(let count): "the node failed on the balances of \(count) tokens"
    case .lagging(let height, let headers): "the node has \(height) of \(headers) blocks"
    case .reading(let percent): "the node is still reading the chain, \(percent) % of it: ask again later"
    case .addressLimit(let count):
      "looked at \(count) addresses more than were known, and there may be others"
    case .longHistory: "an address has more transactions than the server tells of"
    case .movingChain: "the chain went on each time that the server was asked"
    case .oldNumbers: "bark could not bring itself up to date: its numbers are old"
    }
  }
}

extension WalletWarning {
  /// What else to know of the wallet.
  package var sentence: String {
    switch self {
    case .failed(let attempt): attempt.sentence
    case .behind(let place, let height, let known):
      "\(place.server) is at block \(height), but block \(known) was seen before"
    case .found(let warning): warning.sentence
    }
  }
}

extension FindingsWarning {
  /// What to know of what was found.
  package var sentence: String {
    switch self {
    case .innerUnlisted(let server):
      "\(server) does not list coins that contracts sent; the balance has them"
    case .bundlesUnlisted: "transfers of several collectibles at once are not listed"
    case .coinsDiffer(let sum, let balance): "bark's coins add up to \(sum), and its balance to \(balance)"
    case .unusableAddress(let address, let network):
      "the address \(address) is none that coins on \(network) can be looked up by"
    case .laterThanTip(let height, let count):
      "the server knows no blocks after \(height), and \(count) transactions of the wallet are later"
    case .beyondGap(let count):
      "\(count) transactions of the wallet belong to no address that was looked at: its gap limit may be "
        + "too small, and its balance too low"
    case .olderThanBirthday:
      "coins of the wallet are older than its birthday, and so it was looked for in all blocks"
    }
  }
}

extension ResyncReport {
  /// What a restore tells of it.
  var outcome: ResyncOutcome {
    let problems = wallets.filter { !$0.isComplete }.map { wallet in
      "\(wallet.name): " + (wallet.problems.first?.sentence ?? "not up to date")
    }
    return problems.isEmpty
      ? .complete(wallets: wallets.count) : .incomplete(wallets: wallets.count, problems: problems)
  }
}
