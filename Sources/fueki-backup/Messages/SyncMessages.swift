package import FuekiSync
internal import FuekiWallet

extension SyncError {
  /// What went wrong and what to do; nothing in it is secret.
  package var sentence: String {
    switch self {
    case .transport(let error): error.sentence
    case .refused(let status):
      switch status {
      case 401, 403: "it refuses to answer (HTTP \(status)): it needs a key, or a different one"
      case 404: "there is no such service at this address (HTTP 404): check the endpoint's URL"
      case 500...599: "it is out of order (HTTP \(status))"
      default: "it refuses to answer (HTTP \(status))"
      }
    case .rateLimited: "it asks for fewer requests: try again later, or use a key of your own"
    case .server(let code, let message):
      "it answers with error \(code)" + (message.isEmpty ? "" : ": \(message)")
    case .tooMuch(let what): "it cannot answer about \(what) at once"
    case .malformed(let what): "its answer makes no sense (\(what))"
    case .notJSON(let error, let subject):
      "its answer makes no sense (\(subject.map { "\($0): " } ?? "")\(error.sentence))"
    case .wrongChain(let expected, let found):
      "it is of another chain: \(found), but the wallet is on \(expected); check the endpoint"
    case .behind(let height, let known):
      "it is behind: at block \(height), but block \(known) was seen before; it may still be catching up; "
        + "if the chain cannot be that far, --from birthday accepts its answer"
    case .unsupported(let what): "it does not offer \(what)"
    case .descriptor(let error, nil): "it does not offer a descriptor that \(error.sentence)"
    case .descriptor(let error, let checksum?):
      "it does not offer the descriptor #\(checksum), which \(error.sentence)"
    case .nothingToAsk: "the wallet has nothing that it could look for"
    case .program(let name, let fault): "\(name): \(fault.sentence(of: name))"
    case .store(let fault): fault.sentence
    case .cancelled: "stopped"
    }
  }
}

extension TransportError {
  /// What went wrong and what to do.
  package var sentence: String {
    switch self {
    case .invalidURL: "its URL or its key is not usable"
    case .credentialInTheClear:
      "its key would go over the network in the clear: use https, or reach it through a tunnel on 127.0.0.1"
    case .unreachable(let reason): "no connection (\(reason))"
    case .notTrusted(let reason): "its certificate is not trusted (\(reason))"
    case .deadline: "it took too long to answer"
    case .tooLarge(let limit): "its answer is longer than \(limit >> 20) MiB, and was not read further"
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
    case .busy: "another program keeps its data"
    case .noDirectory: "its data directory is not there"
    case .tooMuchOutput(let limit): "it prints more than \(limit >> 20) MB"
    case .notRunnable: "it cannot be run"
    case .deadline(let seconds): "it has not ended after \(seconds) seconds"
    case .failed(let command): "\(name) \(command) failed"
    }
  }
}

extension StoreFault {
  /// What the store has failed at.
  var sentence: String {
    switch self {
    case .walletUnread: "the store: what is known of the wallet cannot be read"
    case .findingsNotKept: "the store: what was learnt could not be kept"
    case .priceNotKept: "the store: the price could not be kept"
    }
  }
}

extension SyncFailure {
  /// What went wrong and what to do.
  package var sentence: String {
    switch self {
    case .noSource:
      "there is no endpoint for its chain: name one in config.toml as [[endpoint]] with kind, chain and url"
    case .notAllowed(let places):
      "no endpoint is configured for its chain, and the wallet's own needs your permission: "
        + places.prefix(3).joined(separator: ", ") + (places.count > 3 ? ", and others" : "")
    case .allFailed(let attempts):
      attempts.isEmpty ? "every source failed" : attempts.map(\.sentence).joined(separator: "; ")
    case .nothingKnown: "nothing is known from before, and no chain may be asked"
    case .store(let fault): fault.sentence
    }
  }
}

extension SourcePlace {
  /// Who was asked, and where.
  package var name: String { "\(kind) at \(server)" }
}

extension SourceAttempt {
  /// Who failed, and why.
  var sentence: String { "\(place.name): \(error.sentence)" }
}
