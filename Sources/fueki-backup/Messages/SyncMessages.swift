internal import FuekiBackup
internal import FuekiWallet
package import FuekiSync

extension SyncError: Worded {
  /// The error and the advice, without secrets.
  package var sentence: String {
    switch self {
    case .transport(let error): error.sentence
    case .refused(let status):
      switch status {
      case 401, 403: "it refuses to answer (HTTP \(status)): it needs a key, or a different one"
      case 404: "there is no such service at this address (HTTP 404): check the endpoint's URL"
      case 500...599: "it has a problem of its own (HTTP \(status)): try again later"
      default: "it refuses to answer (HTTP \(status))"
      }
    case .rateLimited: "it received too many requests: try again later, or use a key of your own"
    case .server(let code, let message):
      "it answers with error \(code)" + (message.isEmpty ? "" : ": \(message)")
    case .tooMuch(let what): "it cannot answer this at once, because it is too much: \(what)"
    case .malformed(let what): "its answer makes no sense (\(what))"
    case .notJSON(let error, let subject):
      "its answer makes no sense (\(subject.map { "\($0): " } ?? "")\(error.sentence))"
    case .wrongChain(let expected, let found):
      "it serves another chain: \(found), but the wallet is on \(expected). Check the endpoint's URL"
    case .behind(let height, let known):
      "it is only at block \(height), but block \(known) was seen before: wait until it has caught up; "
        + "if the chain never had that many blocks, --from birthday accepts its answer"
    case .unsupported(let what): "it does not offer \(what)"
    case .descriptor(let error, nil): "it cannot use the wallet's descriptor, which \(error.sentence)"
    case .descriptor(let error, let checksum?):
      "it cannot use the descriptor #\(checksum), which \(error.sentence)"
    case .nothingToAsk: "the wallet has no address or key that it could look for"
    case .program(let name, let fault): "\(name): \(fault.sentence(of: name))"
    case .store(let fault): fault.sentence
    case .cancelled: "stopped"
    }
  }
}

extension TransportError: Worded {
  /// The error and the advice.
  package var sentence: String {
    switch self {
    case .invalidURL: "its URL or its key is not valid: check both"
    case .credentialInTheClear:
      "its key would cross the network unencrypted: use https, or reach it through a tunnel on 127.0.0.1"
    case .unreachable(let reason): "no connection (\(reason))"
    case .notTrusted(let reason): "its certificate is not trusted (\(reason))"
    case .deadline: "it took too long to answer"
    case .tooLarge(let limit): "its answer is longer than \(limit >> 20) MiB, so it was not used"
    case .redirected(let host):
      "it redirects to \(host), which you did not allow: name that host if it is right"
    case .cancelled: "stopped"
    }
  }
}

extension ProgramFault {
  /// Why the program of this name told nothing.
  func sentence(of name: String) -> String {
    switch self {
    case .notInstalled: "it is not installed"
    case .busy: "another program is using its data: close that program first"
    case .noDirectory: "its data directory does not exist"
    case .tooMuchOutput(let limit): "it printed more than \(limit >> 20) MB and was stopped"
    case .notRunnable: "it cannot be started"
    case .deadline(let seconds): "it did not finish within \(Readable.count(seconds, "second"))"
    case .failed(let command): "\(name) \(command) failed"
    }
  }
}

extension StoreFault {
  /// The failure of the store.
  var sentence: String {
    switch self {
    case .walletUnread: "the wallet's records cannot be read from the store"
    case .findingsNotKept: "what was found could not be saved in the store"
    case .priceNotKept: "the price could not be saved in the store"
    }
  }
}

extension SyncFailure: Worded {
  /// The error and the advice.
  package var sentence: String {
    switch self {
    case .noSource:
      "no endpoint for its chain is configured: add an [[endpoint]] with kind, chain and url to config.toml"
    case .notAllowed(let places):
      "no endpoint is configured for its chain, and the wallet's own needs your permission: "
        + places.prefix(3).joined(separator: ", ") + (places.count > 3 ? ", and others" : "")
    case .allFailed(let attempts):
      attempts.isEmpty ? "every source failed" : attempts.map(\.sentence).joined(separator: "; ")
    case .nothingKnown: "nothing is known from before, and the policy allows no request to a server"
    case .store(let fault): fault.sentence
    }
  }
}

extension SourcePlace {
  /// The kind of the server, and its name.
  package var name: String { "\(kind) at \(server)" }
}

extension SourceAttempt {
  /// The failed server, and the reason.
  var sentence: String { "\(place.name): \(error.sentence)" }
}

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
