internal import FuekiBackup
package import FuekiSync
internal import FuekiWallet

extension WalletProblem {
  /// Why the wallet may not be as its chain has it, and what to do.
  package var sentence: String {
    switch self {
    case .failed(let failure): failure.sentence
    case .foundNothing(let place, let recorded, let family):
      "\(place.server) finds nothing, but \(recorded) was recorded before. That record is kept: \(family.remedy)"
    case .partial(let place, let gap):
      "\(place.server) gave only a part (\(gap.sentence)): resync again to get the rest"
        + (place.kind == "ethereum-rpc" ? ", or add an etherscan endpoint" : "")
    }
  }
}

extension ChainFamily {
  /// The advice if the search finds nothing of a wallet that had something.
  fileprivate var remedy: String {
    switch self {
    case .evm:
      "check that the endpoint serves the right network, or search from the first block with --from 0"
    case .bitcoin:
      "raise the wallet's gap limit, search from the first block with --from 0, or use another endpoint"
    case .other: "search from the first block with --from 0, or use another endpoint"
    }
  }
}

extension FindingsGap {
  /// Why something may be missing.
  package var sentence: String {
    switch self {
    case .missingBlock(let height): "the node does not have block \(height)"
    case .looked(let blocks, let reached, let last):
      "\(Readable.count(blocks, "block")) searched, up to block \(reached) of \(last)"
    case .walked(let blocks, let all): "\(blocks) of \(Readable.count(all, "block")) searched"
    case .forgotten(let count): "the node no longer knows how \(Readable.count(count, "transaction")) ended"
    case .failedTokens(let count):
      "the node could not report the balance of \(Readable.count(count, "token"))"
    case .lagging(let height, let headers):
      "the node has only \(height) of \(Readable.count(headers, "block")) so far"
    case .reading(let percent): "the node is still reading the chain, \(percent) % so far"
    case .addressLimit(let count):
      "\(count) new addresses were searched, and there may be more"
    case .longHistory: "an address has more transactions than the server lists"
    case .movingChain: "a new block arrived during every attempt"
    case .oldNumbers: "bark could not update itself, so its numbers are old"
    }
  }
}

extension WalletWarning {
  /// The problem of the wallet.
  package var sentence: String {
    switch self {
    case .failed(let attempt): attempt.sentence
    case .behind(let place, let height, let known):
      "\(place.server) is only at block \(height), but block \(known) was seen before"
    case .found(let warning): warning.sentence
    }
  }
}

extension FindingsWarning {
  /// The warning about the result.
  package var sentence: String {
    switch self {
    case .innerUnlisted(let server):
      "\(server) does not list coins that contracts sent. The balance includes them"
    case .bundlesUnlisted: "transfers of several collectibles at once are not listed"
    case .coinsDiffer(let sum, let balance):
      "bark's coins add up to \(sum), but it reports a balance of \(balance)"
    case .unusableAddress(let address, let network):
      "coins on \(network) cannot be looked up by the address \(address)"
    case .laterThanTip(let height, let count):
      "the server knows no block after \(height), but the wallet has \(Readable.count(count, "later transaction"))"
    case .beyondGap(let count):
      "the wallet has \(Readable.count(count, "transaction")) on addresses that were not searched, so its "
        + "balance may be too low: raise its gap limit and resync"
    case .olderThanBirthday:
      "the wallet has coins older than its birthday, so all blocks were searched"
    }
  }
}

extension ResyncReport {
  /// The outcome for a restore.
  var outcome: ResyncOutcome {
    let problems = wallets.filter { !$0.isComplete }.map { wallet in
      "\(wallet.name): " + (wallet.problems.first?.sentence ?? "not up to date")
    }
    return problems.isEmpty
      ? .complete(wallets: wallets.count) : .incomplete(wallets: wallets.count, problems: problems)
  }
}
