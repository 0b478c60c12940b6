internal import FuekiBackup
internal import FoundationEssentials
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
    fileNames: WalletNames(exact: ["persist-root"]),
    recognises: {
      ($0.contains("KeyringController") || $0.contains("\"salt\"") && $0.contains("\"iv\""))
        && !$0.contains("kdf") && !$0.contains("\"encryptedKeyShares\"")
    },
    read: MetaMaskCollector.read)
}

/// Collects MetaMask's state: an extension's LevelDB directory, a vault or state as JSON, or the app's
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

  /// Reads the files.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system or of asking for the password.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    var records = ImportedRecords()
    let (path, isFolder) = (source.path, source.isFolder)
    // Checked first: a browser closed during the read has written in that time.
    let use = isFolder ? FilesInUse().use(of: path) : nil
    var database = LevelDBValues(of: Self.keys, work: request.work)
    var (states, hasTables, hasClearSeed) = ([(name: String, state: MetaMaskState)](), false, false)
    var tooLong: [String] = []
    func reading(_ name: String, _ body: () throws -> Void) throws {
      do {
        try body()
      } catch  where UnreadFiles.takes(error, request) {
        tooLong.append(name)
      }
    }
    try FileWalk(path: path).forEach(into: &records) { found, records in
      let name = found.nameText
      guard found.status.size <= UInt64(ImportLimits.walletByteCount) else {
        records.exclude(name, "too long to be read here. It is kept as it is", loss: .none)
        return try records.keepUnread(
          found, format: "", source: Self.kind, from: source.name, request)
      }
      let content = try found.file.readAll(limit: ImportLimits.walletByteCount)
      guard try content.count == Int(clamping: found.file.size()), found.status.size == UInt64(content.count)
      else { return records.exclude(name, "it was written while it was read", loss: .possible) }
      records.budget.read(content.count)
      let isClear = ClearSeed.isIn(content.span)
      if isClear { hasClearSeed = true }
      let kept = KeptFile(source: Self.kind, format: isFolder ? "" : Self.format, program: Self.kind)
      if isClear {
        try kept.keep(secret: try SecretBytes(copying: content.span), of: found, in: &records)
      } else {
        kept.keep(content, of: found, in: &records)
      }
      if name.hasSuffix(".log") {
        hasTables = true
        try reading(name) { try database.read(log: content) }
      } else if name.hasSuffix(".ldb") || name.hasSuffix(".sst") {
        hasTables = true
        try reading(name) { try database.read(table: content) }
      } else if let state = MetaMaskState(reading: content) {
        states.append((name, state))
      }
    }
    if hasTables {
      let folder = PathParts(path).name
      if let state = Self.state(of: database) { states.append((folder, state)) }
      if database["wallet-seed"]?.isEmpty == false { hasClearSeed = true }
      if states.isEmpty, database.damagedCount > 0 {
        records.findings.append(WalletFinding(kind: Self.kind, name: folder, .faulty(.checksum)))
      }
    }
    if let use {
      let who = use.name ?? "a browser"
      records.exclude(
        PathParts(path).name,
        "\(who) has it open: it is read anyway, and may be of two moments. Close the browser for a backup",
        loss: .possible)
    }
    records.findings += tooLong.map { WalletFinding(kind: Self.kind, name: $0, .notProved(.workLimit)) }
    try settle(states, hasClearSeed, source, request, &records)
    records.keepOnly(request)
    return try records.withinLimits()
  }

  private static func state(of database: LevelDBValues) -> MetaMaskState? {
    if let whole = database["data"], let state = MetaMaskState(reading: whole) { return state }
    let controllers = ["KeyringController", "PreferencesController", "AccountsController"]
    return MetaMaskState(controllers: controllers.compactMap { database[$0] })
  }

  private static func settle(
    _ states: [(name: String, state: MetaMaskState)], _ hasClearSeed: Bool, _ source: KindSource,
    _ request: CollectionRequest, _ records: inout ImportedRecords
  ) throws {
    let path = source.path
    let password = source.proofPassword(request)
    for (name, state) in states {
      Self.addWallets(of: state, &records)
      guard let vault = state.vault else { continue }
      records.findings.append(try Self.finding(vault, state, name, password, &records))
    }
    let isClear = hasClearSeed || states.contains { $0.state.hasClearSeed }
    if isClear {
      var problem = RecordProblem()
      problem.section = UInt32(Section.secretFiles.rawValue)
      problem.problem =
        "\(PathParts(path).name): a seed phrase is in it in the clear: anyone who reads the browser's files has "
        + "the money. Move it to a new wallet"
      records.problems.append(problem)
      records.findings.append(
        WalletFinding(
          kind: Self.kind, name: PathParts(path).name, .notProved(.nothingToCompare), isInClear: true))
    }
    if isClear { try records.takeFilesForSecrets() }
    guard records.findings.isEmpty else { return }
    guard states.isEmpty else {
      let shown = states.flatMap(\.state.addresses).first
      return records.findings.append(
        WalletFinding(
          kind: Self.kind, name: PathParts(path).name, .publicPart(), detail: shown?.description ?? ""))
    }
    records.findings.append(WalletFinding(kind: Self.kind, name: PathParts(path).name, .notProved(.notRead)))
    guard records.files.isEmpty || !source.isFolder else { return }
    throw ForeignFileError.notThisFormat(reason: "\(path): no vault of MetaMask is there")
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

extension ImportedRecords {
  /// Treats all files as secrets, because one of them contains in compressed form what was found.
  fileprivate mutating func takeFilesForSecrets() throws {
    for file in files {
      var part = SecretFilePart(
        id: [UInt8](file.id), source: file.source, path: [UInt8](file.path), offset: file.offset,
        total: file.total, content: SharedSecret(try SecretBytes(copying: [UInt8](file.content).span)))
      part.modifiedAt = file.hasModifiedAt ? file.modifiedAt : nil
      part.mode = file.hasMode ? file.mode : nil
      part.format = file.format
      part.place = file.hasPlace ? [UInt8](file.place) : nil
      (part.program, part.programVersion) = (file.program, file.programVersion)
      secretFiles.append(part)
    }
    files = []
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
