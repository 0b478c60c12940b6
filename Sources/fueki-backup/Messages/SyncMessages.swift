package import FuekiSync
internal import FuekiWallet

extension SyncError {
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

extension TransportError {
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

extension SyncFailure {
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
