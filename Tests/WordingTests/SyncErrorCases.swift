import FuekiSync
import FuekiWallet

extension TransportError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .invalidURL
    case .invalidURL: .credentialInTheClear
    case .credentialInTheClear: .unreachable(reason: "there is no such host")
    case .unreachable: .notTrusted(reason: "it is expired")
    case .notTrusted: .deadline
    case .deadline: .tooLarge(limit: 1 << 20)
    case .tooLarge: .redirected(to: "elsewhere")
    case .redirected: .cancelled
    case .cancelled: nil
    }
  }
}

extension SyncError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .transport(.deadline)
    case .transport: .refused(status: 404)
    case .refused: .rateLimited
    case .rateLimited: .server(code: 3, message: "no")
    case .server: .tooMuch(what: "all blocks")
    case .tooMuch: .malformed(what: "a height")
    case .malformed: .notJSON(.truncated(offset: 3), of: nil)
    case .notJSON(_, nil): .notJSON(.truncated(offset: 3), of: "the block")
    case .notJSON: .wrongChain(expected: "1", found: "2")
    case .wrongChain: .behind(height: 3, known: 4)
    case .behind: .unsupported(what: "a filter")
    case .unsupported: .descriptor(.syntax, checksum: nil)
    case .descriptor(_, nil): .descriptor(.noAddress, checksum: "abcd1234")
    case .descriptor: .nothingToAsk
    case .nothingToAsk: .program(name: "bark", .notInstalled)
    case .program: .store(.walletUnread)
    case .store: .cancelled
    case .cancelled: nil
    }
  }

  static var everything: [Self] {
    all + TransportError.all.map(Self.transport) + [401, 500, 418].map { .refused(status: $0) }
      + JSONError.all.map { .notJSON($0, of: "the block") }
      + DescriptorError.all.map { .descriptor($0, checksum: nil) }
      + ProgramFault.all.map { .program(name: "bark", $0) } + StoreFault.all.map(Self.store)
  }
}

extension ProgramFault: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .notInstalled
    case .notInstalled: .busy
    case .busy: .noDirectory
    case .noDirectory: .tooMuchOutput(limit: 64 << 20)
    case .tooMuchOutput: .notRunnable
    case .notRunnable: .deadline(seconds: 3)
    case .deadline: .failed(command: "balance")
    case .failed: nil
    }
  }
}

extension StoreFault: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .walletUnread
    case .walletUnread: .findingsNotKept
    case .findingsNotKept: .priceNotKept
    case .priceNotKept: nil
    }
  }
}

extension SyncFailure: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .noSource
    case .noSource: .allFailed([])
    case .allFailed: .nothingKnown
    case .nothingKnown: .store(.walletUnread)
    case .store: .notAllowed(["https://a.test"])
    case .notAllowed: nil
    }
  }

  static var everything: [Self] {
    let place = SourcePlace(kind: "bark", server: "/home/ark")
    return all + [.notAllowed((1...4).map { "https://\($0).test" })]
      + SyncError.everything.map { .allFailed([SourceAttempt(place, $0)]) }
  }
}

extension FindingsGap: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .missingBlock(3)
    case .missingBlock: .looked(blocks: 3, reached: 4, of: 5)
    case .looked: .walked(blocks: 3, of: 4)
    case .walked: .forgotten(transactions: 3)
    case .forgotten: .failedTokens(count: 3)
    case .failedTokens: .lagging(height: 3, headers: 4)
    case .lagging: .reading(percent: "37")
    case .reading: .addressLimit(3)
    case .addressLimit: .longHistory
    case .longHistory: .movingChain
    case .movingChain: .oldNumbers
    case .oldNumbers: nil
    }
  }
}

extension FindingsWarning: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .innerUnlisted(server: "https://a.test")
    case .innerUnlisted: .bundlesUnlisted
    case .bundlesUnlisted: .coinsDiffer(sum: 3, balance: 4)
    case .coinsDiffer: .unusableAddress("some-address", network: "signet")
    case .unusableAddress: .laterThanTip(3, transactions: 4)
    case .laterThanTip: .beyondGap(transactions: 3)
    case .beyondGap: .olderThanBirthday
    case .olderThanBirthday: nil
    }
  }
}

extension WalletProblem: Walked {
  private static let node = SourcePlace(kind: "ethereum-rpc", server: "https://a.test")

  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .failed(.noSource)
    case .failed: .foundNothing(node, recorded: "3", .evm)
    case .foundNothing(_, _, .evm): .foundNothing(node, recorded: "3", .bitcoin)
    case .foundNothing(_, _, .bitcoin): .foundNothing(node, recorded: "3", .other("solana"))
    case .foundNothing: .partial(node, .longHistory)
    case .partial: nil
    }
  }

  static var everything: [Self] {
    let server = SourcePlace(kind: "esplora", server: "https://a.test")
    return all + SyncFailure.everything.map(Self.failed) + FindingsGap.all.map { .partial(server, $0) }
  }
}

extension WalletWarning: Walked {
  private static let server = SourcePlace(kind: "esplora", server: "https://a.test")

  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .failed(SourceAttempt(server, .rateLimited))
    case .failed: .behind(server, height: 3, known: 4)
    case .behind: .found(.bundlesUnlisted)
    case .found: nil
    }
  }

  static var everything: [Self] { all + FindingsWarning.all.map(Self.found) }
}
