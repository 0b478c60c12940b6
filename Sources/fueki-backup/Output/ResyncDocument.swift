internal import FuekiBackup
internal import FuekiSync

/// `resync --json`.
struct ResyncDocument: Encodable {
  struct Wallet: Encodable {
    let id: String
    let name: String
    let chain: String
    let state: String
    let ageSeconds: Double?
    let complete: Bool
    let source: String?
    let balance: String?
    let height: UInt64?
    let added: Int
    let updated: Int
    let dropped: Int
    let problems: [String]
    let warnings: [String]

    init(_ outcome: WalletOutcome) {
      id = outcome.id
      name = outcome.name
      chain = outcome.chain
      (state, ageSeconds) =
        switch outcome.state {
        case .fresh: ("fresh", nil)
        case .stale(let seconds): ("stale", seconds)
        case .failed: ("failed", nil)
        }
      complete = outcome.isComplete
      source = outcome.source?.name
      balance = outcome.balance
      height = outcome.height
      added = outcome.counts.added
      updated = outcome.counts.updated
      dropped = outcome.counts.dropped
      problems = outcome.problems.map(\.sentence)
      warnings = outcome.warnings.map(\.sentence)
    }
  }

  struct Price: Encodable {
    let asset: String
    let currency: String
    let price: String?
    let ageSeconds: Double?
    let problem: String?
  }

  let schema = "fueki.resync/1"
  let policy: String
  let complete: Bool
  let wallets: [Wallet]
  let prices: [Price]
  let archiveEndpoints: [WalletEndpointDocument]

  init(_ report: ResyncReport, _ policy: CachePolicy, _ endpoints: [WalletEndpoint]) {
    archiveEndpoints = endpoints.map(WalletEndpointDocument.init)
    self.policy = policy.rawValue
    complete = report.isComplete
    wallets = report.wallets.map(Wallet.init)
    prices = report.prices.map {
      Price(
        asset: $0.asset, currency: $0.currency, price: $0.price, ageSeconds: $0.age,
        problem: $0.problem?.sentence)
    }
  }
}

/// The results of a resync, for display.
struct ResyncLines {
  let console: Console

  init(_ console: Console) { self.console = console }

  func print(_ report: ResyncReport) {
    for wallet in report.wallets { print(wallet) }
    for price in report.prices {
      if let value = price.price {
        let age = price.age.map { ", \(Readable.age(Int64($0))) old" } ?? ""
        console.report("\(price.asset): \(value) \(price.currency)\(age)")
      }
      if let problem = price.problem { console.warning("price of \(price.asset): \(problem.sentence)") }
    }
  }

  func print(_ wallet: WalletOutcome) {
    var parts = [wallet.balance.map { "balance \($0)" }, wallet.height.map { "block \($0)" }].compactMap {
      $0
    }
    switch wallet.state {
    case .fresh:
      parts.append("\(wallet.counts.added) new")
      if wallet.counts.updated > 0 { parts.append("\(wallet.counts.updated) changed") }
      if wallet.counts.dropped > 0 { parts.append("\(wallet.counts.dropped) dropped") }
      // The archive's author may have chosen the server.
      if let source = wallet.source { parts.append("says \(source.name)") }
    case .stale(let seconds): parts.append("NOT NEW: as known \(Readable.age(Int64(seconds))) ago")
    case .failed: parts = ["nothing is known"]
    }
    console.report("\(wallet.name) (\(wallet.chain)): \(parts.joined(separator: ", "))")
    for problem in wallet.problems { console.warning("\(wallet.name): \(problem.sentence)") }
    for warning in wallet.warnings { console.note("  \(wallet.name): \(warning.sentence)") }
  }
}
