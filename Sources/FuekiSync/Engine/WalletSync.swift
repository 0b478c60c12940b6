internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiWallet
internal import SwiftProtobuf

/// The resync of one wallet: through its sources in order, into the ledger.
struct WalletSync: Sendable {
  let wallet: Wallet
  let ledger: any WalletLedger
  let ladder: SourceLadder
  let start: SyncStart
  let now: @Sendable () -> Double

  /// Queries the sources until one is complete, and merges all findings.
  func run() async throws(SyncFailure) -> WalletOutcome {
    guard !ladder.rungs.isEmpty else {
      throw ladder.named.isEmpty ? .noSource : .notAllowed(ladder.named.map(\.place))
    }
    var outcome = WalletOutcome(wallet)
    var failed: [SourceAttempt] = []
    for rung in ladder.rungs {
      do throws(SyncError) {
        if Task.isCancelled { throw .cancelled }
        let asked = try query()
        let findings = try await rung.source.findings(for: asked)
        try take(findings, asked, rung, &outcome)
        if findings.partial == nil { break }
      } catch {
        failed.append(SourceAttempt(rung.place, error))
        if error == .cancelled { break }
      }
    }
    guard outcome.state == .fresh else { throw .allFailed(failed) }
    outcome.warnings += failed.map(WalletWarning.failed)
    return outcome
  }

  /// Returns the known state and its time; nil for a wallet never synchronised.
  func stored() -> (value: WalletOutcome, time: Double)? {
    guard let kept = (try? ledger.wallet(wallet.id)).flatMap({ $0 }), kept.hasLastSynced || kept.hasBalance
    else { return nil }
    var outcome = WalletOutcome(kept)
    outcome.state = .stale(seconds: 0)
    outcome.balance = kept.hasBalance ? kept.balance : nil
    outcome.height = kept.hasLastSynced ? kept.lastSynced.height : nil
    return (outcome, kept.hasUpdatedAt ? Double(kept.updatedAt) / 1_000_000 : 0)
  }

  private func query() throws(SyncError) -> WalletQuery {
    do {
      // An earlier source may have changed it.
      let wallet = try ledger.wallet(wallet.id) ?? wallet
      let assets = try ledger.assets(of: wallet.id)
      let height = try begin(of: wallet, assets).height(for: wallet)
      return WalletQuery(
        wallet: wallet, assets: assets, startHeight: height,
        open: try ledger.open(of: wallet.id, from: openHeight(wallet, height)))
    } catch {
      throw .store(.walletUnread)
    }
  }

  /// Returns the starting point.
  ///
  /// A wallet restored without its history must not start at its last sync, or older transactions would stay
  /// missing.
  private func begin(of wallet: Wallet, _ assets: [Asset]) throws -> SyncStart {
    guard start == .lastSynced, wallet.wasUsed || assets.contains(where: \.isHeld),
      try !ledger.hasTransactions(of: wallet.id)
    else { return start }
    return .birthday
  }

  /// Returns the lowest height to query again: below any reorganisation, stored transactions are final.
  private func openHeight(_ wallet: Wallet, _ height: UInt64) -> UInt64 {
    max(height, SyncStart.lastSynced.height(for: wallet))
  }

  private func take(
    _ findings: WalletFindings, _ asked: WalletQuery, _ rung: SourceLadder.Rung,
    _ outcome: inout WalletOutcome
  ) throws(SyncError) {
    let rules = ChainRules.of(wallet)
    let last = asked.wallet.hasLastSynced ? asked.wallet.lastSynced.height : 0
    // An explicit start may mean that the known state was wrong.
    guard
      findings.tip.height >= last || last - findings.tip.height <= rules.reorganisationMargin
        || start != .lastSynced
    else {
      throw .behind(height: findings.tip.height, known: last)
    }
    let recorded = asked.wallet.hasBalance ? Amount(asked.wallet.balance) : nil
    let found = findings.balance.flatMap(Amount.init)
    let findsNothing =
      findings.transactions.isEmpty && found?.isZero ?? true && !(recorded?.isZero ?? true)
    var update = ChainUpdate(walletID: wallet.id, time: Int64(now() * 1_000_000))
    if !findsNothing {
      update.balance = findings.balance
      update.nonce = findings.nonce
      update.assets = findings.assets
      update.keychains = findings.keychains
      update.synced = synced(findings, asked)
      update.transactions =
        findings.transactions.map(ChainUpdate.Entry.init)
        + UnfoundRecords(findings, asked).entries
    }
    let counts: ChainUpdateCounts
    do {
      // An answer that is not believed does not update the known state.
      counts = findsNothing ? ChainUpdateCounts() : try ledger.merge(update)
    } catch {
      throw .store(.findingsNotKept)
    }
    outcome.counts.added += counts.added
    outcome.counts.updated += counts.updated
    outcome.counts.dropped += counts.dropped
    outcome.counts.rowsRead += counts.rowsRead
    outcome.state = .fresh
    outcome.source = rung.place
    outcome.balance = findsNothing ? asked.wallet.balance : findings.balance ?? outcome.balance
    outcome.height = update.synced?.height ?? (asked.wallet.hasLastSynced ? last : nil)
    outcome.problems = problems(findings, recorded: findsNothing ? recorded : nil, rung.place)
    outcome.warnings += findings.warnings.map(WalletWarning.found)
    if findings.tip.height < last {
      outcome.warnings.append(.behind(rung.place, height: findings.tip.height, known: last))
    }
  }

  private func problems(
    _ findings: WalletFindings, recorded: Amount?, _ place: SourcePlace
  ) -> [WalletProblem] {
    let lost = recorded.map { WalletProblem.foundNothing(place, recorded: $0.text, wallet.family) }
    let open = findings.partial.map { WalletProblem.partial(place, $0) }
    return [lost, open].compactMap(\.self)
  }

  /// Returns the height up to which everything is known.
  ///
  /// A source that stopped at a limit does not lower it, unless it was to search below the known height: then
  /// the missing part is below, and the next resync must start there.
  private func synced(_ findings: WalletFindings, _ asked: WalletQuery) -> Checkpoint? {
    guard findings.partial != nil else {
      let reached = findings.reached ?? findings.tip
      // A program without heights has none.
      return reached.height == 0 && reached.hash.isEmpty ? nil : reached
    }
    let looksBelow = asked.startHeight < SyncStart.lastSynced.height(for: asked.wallet)
    guard let reached = findings.reached else {
      guard looksBelow, start == .lastSynced else { return nil }
      return Checkpoint.with { $0.height = asked.startHeight }
    }
    // 0 if it was never synchronised.
    return looksBelow || reached.height > asked.wallet.lastSynced.height ? reached : nil
  }
}

extension Wallet {
  /// Whether it must have had transactions.
  fileprivate var wasUsed: Bool {
    let holds = hasBalance && !(Amount(balance)?.isZero ?? true)
    return holds || hasNonce && nonce > 0 || keychains.contains(where: \.hasLastUsed)
  }
}

extension Asset {
  fileprivate var isHeld: Bool { hasBalance && !(Amount(balance)?.isZero ?? true) }
}

extension ChainUpdate.Entry {
  init(_ found: FoundTransaction) {
    self.init(found.transaction)
    receipt = found.receipt
    logIndex = found.logIndex
    contract = found.contract
    tokenID = found.tokenID
    trace = found.trace
  }
}
