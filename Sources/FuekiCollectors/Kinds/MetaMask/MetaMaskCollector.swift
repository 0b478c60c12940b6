internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  /// MetaMask's vault.
  static let metamask = CollectorKind(
    MetaMaskCollector.kind, "MetaMask's vault: a browser's folder of it, its JSON, or the app's",
    reach: .tree, guide: .metamask,
    programs: [
      .browserExtension(
        MetaMaskCollector.kind, "MetaMask", kind: MetaMaskCollector.kind,
        ["nkbihfbeogaeaoehlefnkodbefgpgknn", "ejbalbakoplchlghecdalmeeeajnimhm"])
    ],
    fileNames: WalletNames(exact: ["persist-root"], possible: ["*.json"]), limit: .max, isInBrowser: true,
    what: "vault of MetaMask",
    recognises: {
      ($0.contains("KeyringController") || $0.contains("\"salt\"") && $0.contains("\"iv\""))
        && !$0.contains("kdf") && !$0.contains("\"encryptedKeyShares\"")
    },
    together: MetaMaskCollector.together, look: MetaMaskCollector.look)
}

/// MetaMask's state: an extension's LevelDB directory, a vault or state as JSON, or the app's
/// `persist-root`.
///
/// The files are kept byte for byte. The accounts in the state become watch-only wallets. With the vault's
/// password, its keys are checked to derive them.
enum MetaMaskCollector {
  static let kind = "metamask"
  static let format = "metamask-state"

  /// The keys of the state in the extension's database: complete, or by controller.
  private static let keys: Set<String> = [
    "data", "KeyringController", "PreferencesController", "AccountsController", "wallet-seed",
  ]

  /// What one file adds to the state.
  private struct Part {
    /// The values of the keys in a database's file.
    var values: LevelDBValues?
    var state: MetaMaskState?
    var hasClearSeed = false
    /// Whether reading it takes more work than any wallet does.
    var isTooLong = false
  }

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let name = found.nameText
    var kept = Kept(format: asked.isFolder ? "" : format)
    (kept.isSecret, kept.program) = (false, kind)
    guard found.byteCount <= UInt64(ImportLimits.walletByteCount) else {
      kept.records.exclude(name, "too long to be read here. It is kept as it is", loss: .none)
      (kept.format, kept.isWallet) = ("", false)
      return .wallet(kept)
    }
    let content = try found.publicBytes()
    var part = Part()
    part.hasClearSeed = ClearSeed.isIn(content.span)
    kept.isSecret = part.hasClearSeed
    let (isLog, isTable) = (name.hasSuffix(".log"), name.hasSuffix(".ldb") || name.hasSuffix(".sst"))
    if asked.isFolder, isLog || isTable {
      var values = LevelDBValues(of: keys, work: asked.work)
      do {
        try isLog ? values.read(log: content) : values.read(table: content)
        part.values = values
      } catch  where UnreadFiles.takes(error, asked.request) {
        part.isTooLong = true
      }
    } else if let state = MetaMaskState(reading: content) {
      part.state = state
    } else if !asked.isFolder || !isOfDatabase(found.lastName) {
      return .other(reason: "it is no vault of MetaMask")
    }
    kept.other = part
    return .wallet(kept)
  }

  /// Whether a name is one of LevelDB's own files without values.
  private static func isOfDatabase(_ name: [UInt8]) -> Bool {
    ["CURRENT", "LOCK", "LOG", "LOG.old", "MANIFEST-*"].contains { NamePattern($0).matches(name) }
  }

  /// Puts the state of a database together, and judges each state.
  static func together(_ files: inout [Kept], _ asked: Asked) throws {
    let folder = PathParts(asked.path).name
    var database = LevelDBValues(of: keys, work: asked.work)
    var (states, hasClearSeed, hasTables) = ([(name: String, state: MetaMaskState)](), false, false)
    // What is found out belongs to no single file.
    var all = Kept(format: "")
    var tooLong: [WalletFinding] = []
    for file in files where file.isOfKind {
      guard let part = file.other as? Part else { continue }
      hasClearSeed = hasClearSeed || part.hasClearSeed
      if let state = part.state { states.append((file.name, state)) }
      if let values = part.values { database.add(values) }
      hasTables = hasTables || part.values != nil || part.isTooLong
      if part.isTooLong { tooLong.append(asked.finding(file.name, .notProved(.workLimit))) }
    }
    if hasTables {
      if let state = Self.state(of: database) { states.append((folder, state)) }
      if database["wallet-seed"]?.isEmpty == false { hasClearSeed = true }
      if states.isEmpty, database.damagedCount > 0 {
        all.records.findings.append(asked.finding(folder, .faulty(.checksum)))
      }
    }
    all.records.findings += tooLong
    all.records.budget.read(files.reduce(0) { $0 + $1.records.budget.bytesRead })
    guard files.contains(where: { $0.isOfKind && $0.findings.isEmpty }) else { return }
    if try settle(states, hasClearSeed, asked, &all.records) {
      for place in files.indices { files[place].isSecret = true }
    }
    files.append(all)
  }

  private static func state(of database: LevelDBValues) -> MetaMaskState? {
    if let whole = database["data"], let state = MetaMaskState(reading: whole) { return state }
    let controllers = ["KeyringController", "PreferencesController", "AccountsController"]
    return MetaMaskState(controllers: controllers.compactMap { database[$0] })
  }

  /// - Returns: whether a seed phrase is in the clear.
  private static func settle(
    _ states: [(name: String, state: MetaMaskState)], _ hasClearSeed: Bool, _ asked: Asked,
    _ records: inout ImportedRecords
  ) throws -> Bool {
    let name = PathParts(asked.path).name
    for (name, state) in states {
      addWallets(of: state, &records)
      guard let vault = state.vault else { continue }
      records.findings.append(try finding(vault, state, name, asked.proofPassword, &records))
    }
    let isClear = hasClearSeed || states.contains { $0.state.hasClearSeed }
    if isClear {
      var problem = RecordProblem()
      problem.section = UInt32(Section.secretFiles.rawValue)
      problem.problem =
        "\(name): a seed phrase is in it in the clear: anyone who reads the browser's files has "
        + "the money. Move it to a new wallet"
      records.problems.append(problem)
      records.findings.append(asked.finding(name, .notProved(.nothingToCompare), isInClear: true))
    }
    guard records.findings.isEmpty else { return isClear }
    let shown = states.flatMap(\.state.addresses).first
    records.findings.append(
      asked.finding(
        name, states.isEmpty ? .notProved(.notRead) : .publicPart(), detail: shown?.description ?? ""))
    return isClear
  }

  private static func addWallets(of state: MetaMaskState, _ records: inout ImportedRecords) {
    for address in state.addresses {
      var wallet = Wallet()
      wallet.id = ForeignNames.packed("metamask wallet", address.description)
      guard !records.wallets.contains(where: { $0.id == wallet.id }) else { continue }
      wallet.name = state.names[address] ?? ""
      wallet.kind = WalletKind.watchOnly.rawValue
      wallet.chainFamily = ChainFamily.evm.name
      wallet.chainID = "1"
      wallet.address = PackedText.pack(address.description)
      records.add(wallet)
    }
  }

  private static func finding(
    _ vault: MetaMaskVault, _ state: MetaMaskState, _ name: String, _ password: AskedPassword,
    _ records: inout ImportedRecords
  ) throws -> WalletFinding {
    var finding = WalletFinding(
      kind: kind, name: name, .notProved(.needsPassword), detail: state.addresses.first?.description ?? "")
    guard !vault.isMalformed else {
      finding.result = .faulty(.malformed)
      return finding
    }
    let opened: GuardedDocument?
    do {
      guard let typed = try password.read() else { return finding }
      opened = try vault.open(typed.bytes, work: password.work)
    } catch is WorkBudget.Exceeded {
      finding.result = .notProved(.workLimit)
      return finding
    }
    guard let opened else {
      finding.result = .notProved(.wrongPassword)
      return finding
    }
    let keys = try MetaMaskKeys(opened)
    finding.detail = keys.firsts.first?.description ?? finding.detail
    finding.result = result(keys, state)
    note(keys, state, name, &records)
    return finding
  }

  private static func result(_ keys: MetaMaskKeys, _ state: MetaMaskState) -> WalletFinding.Result {
    guard keys.unreadCount == 0 else { return .faulty(.malformed) }
    guard !keys.derived.isEmpty, !state.addresses.isEmpty else { return .proved(.opened) }
    let shown = Set(state.addresses)
    return keys.firsts.allSatisfy(shown.contains) && keys.derived.contains(where: shown.contains)
      ? .proved(.address) : .faulty(.otherAddress)
  }

  /// Reports accounts that the vault's keys derive but the wallet does not show, and those it shows without a
  /// key.
  private static func note(
    _ keys: MetaMaskKeys, _ state: MetaMaskState, _ name: String, _ records: inout ImportedRecords
  ) {
    guard !state.addresses.isEmpty, let id = records.wallets.first?.id else { return }
    let shown = Set(state.addresses)
    let hidden = keys.derived.filter { !shown.contains($0) }.count
    if hidden > 0 {
      records.note("\(name): \(hidden) accounts of its keys are not among those that it shows", .wallets, id)
    }
    let missing = shown.subtracting(keys.derived).subtracting(keys.elsewhere).count
    if missing > 0 {
      records.note("\(name): \(missing) accounts that it shows have no key in its vault", .wallets, id)
    }
  }
}

/// Detects an unencrypted seed phrase of old versions.
private enum ClearSeed {
  /// Whether a file contains the member followed by a text, with one or two bytes per character.
  static func isIn(_ file: Span<UInt8>) -> Bool {
    let name = Array("wallet-seed".utf8)
    return hasPhrase(behind: name, 1, in: file)
      || hasPhrase(behind: Array(name.flatMap { [$0, 0] }.dropLast()), 2, in: file)
  }

  /// Whether at least eleven words follow the name after a few punctuation marks.
  private static func hasPhrase(behind name: [UInt8], _ width: Int, in file: Span<UInt8>) -> Bool {
    guard file.count > name.count else { return false }
    for start in 0..<file.count - name.count where file[start] == name[0] {
      guard name.indices.allSatisfy({ file[start + $0] == name[$0] }) else { continue }
      var (place, spaces, marks) = (start + name.count, 0, 0)
      while place < file.count, marks < 24 {
        switch file[place] {
        case 0x61...0x7a: break
        case 0x20 where spaces > 0 || place > start + name.count: spaces += 1
        case 0 where width == 2: break
        default: marks += 1
        }
        if spaces >= 11 { return true }
        place += 1
      }
    }
    return false
  }
}
