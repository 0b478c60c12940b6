internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  /// Wallets of Bitcoin Core and Litecoin Core.
  static let bitcoinCore = CollectorKind(
    BitcoinCoreCollector.kind, "wallets of Bitcoin Core and Litecoin Core", reach: .tree, guide: .bitcoinCore,
    programs: [
      .core(
        "bitcoin-core", "Bitcoin Core", ".bitcoin", flatpaks: ["org.bitcoincore.bitcoin-qt"],
        snaps: ["bitcoin-core"]),
      .core("litecoin-core", "Litecoin Core", ".litecoin", snaps: ["litecoin-core"]),
      .core("dogecoin-core", "Dogecoin Core", ".dogecoin"),
      .core("dash-core", "Dash Core", ".dashcore"),
      WalletProgram(
        id: "core-export", title: "Bitcoin Core wallet",
        places: [.export("wallet*.dat", kind: BitcoinCoreCollector.kind, .hidden, .laterKeys)]),
    ],
    formats: [FileFormat("bitcoin-core-wallet", fileNames: ["wallet.dat"])],
    fileNames: WalletNames(certain: ["wallet.dat"], possible: ["*.dat"]),
    limit: .max, what: "wallet of Bitcoin Core", recognises: { BitcoinCoreCollector.isLikely($0) },
    look: BitcoinCoreCollector.look)
}

extension WalletProgram {
  /// The networks whose directories have other files in addition to wallets.
  private static let testNetworks = ["testnet3", "testnet4", "signet", "regtest"]

  /// A program derived from Bitcoin Core.
  ///
  /// Its wallets are in the data directory or in `wallets`, and those of test networks below. A wallet's name
  /// may contain slashes, and thus be several directories deep. Older versions allowed any file name.
  fileprivate static func core(
    _ id: String, _ title: String, _ folder: String, kind: String = BitcoinCoreCollector.kind,
    flatpaks: [String] = [], snaps: [String] = []
  ) -> WalletProgram {
    let paths = [
      "wallet.dat", "wallets/wallet.dat", "wallets/*/wallet.dat", "wallets/**/wallet.dat", "*/wallet.dat",
      "*/wallets/*/wallet.dat", "*/wallets/**/wallet.dat",
    ]
    let files =
      ["*.dat"] + testNetworks.map { "\($0)/*.dat" } + ["wallets/**/*"]
      + testNetworks.map { "\($0)/wallets/**/*" }
    return WalletProgram(
      id: id, title: title, group: .node, folders: [folder], flatpaks: flatpaks, snaps: snaps,
      locks: [.held("\(folder)/.lock"), .held("\(folder)/*/.lock")],
      places: (paths.map { WalletPlace.one("\(folder)/\($0)", kind: kind, .hidden, .laterKeys) }
        + files.map {
          .content(
            "\(folder)/\($0)", kind: kind, .hidden, .laterKeys, beginning: BitcoinCoreCollector.isLikely)
        }).map { place in
          var place = place
          // Other folders have the node's own files, too.
          place.isOfFolder = place.path.utf8.starts(with: "\(folder)/wallets/*".utf8)
          return place
        },
      plainNamesIn: [folder] + testNetworks.map { "\(folder)/\($0)" })
  }
}

/// Wallet files of Bitcoin Core and Litecoin Core.
///
/// A file is kept byte for byte, from a consistent copy. The records of a descriptor wallet are also read and
/// its keys are proved. In a legacy wallet, only the pages are checked.
enum BitcoinCoreCollector {
  static let kind = "bitcoin-core"

  /// Whether a file's first bytes are those of a node's wallet.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    LegacyWallet.isLikely(beginning)
      || beginning.contains("SQLite format 3") && beginning.contains("CREATE TABLE main(key BLOB")
  }

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let name = name(of: found)
    let beginning = found.beginning(64)
    if LegacyWallet.isLikely(beginning.span) { return .wallet(try legacy(found, name, asked)) }
    guard beginning.span.contains("SQLite format 3") else {
      return .other(reason: "it is no wallet of Bitcoin Core")
    }
    // Programs of other kinds have databases, too.
    let isOne =
      try found.isNamed || asked.kind.fileNames.isWallet(FileName.text(found.lastName))
      || found.secretBeginning(64 << 10).withBytes { isLikely($0) }
    guard isOne else { return .other(reason: "it is a database, and no wallet of Bitcoin Core") }
    return .wallet(try database(found, name, asked))
  }

  private static func legacy(
    _ found: borrowing FoundFile, _ name: String, _ asked: Asked
  ) throws -> Kept {
    let whole = try found.whole()
    let isSecret = try ClearKeys.are(in: whole, work: asked.work)
    let result: WalletFinding.Result =
      switch try LegacyWallet.problem(of: whole, work: asked.work) {
      case .malformed: .faulty(.malformed)
      case .length: .faulty(.length)
      case nil: .notProved(.notRead)
      }
    var kept = Kept(format: "bitcoin-core-legacy", isSecret: isSecret, asked.finding(name, result))
    kept.program = program(found, isLitecoin: false)
    kept.records.note(
      "\(found.nameText): a wallet of the old kind, which newer versions of its program do not load: "
        + "make one with descriptors of it with migratewallet", .files, PackedText.pack(name))
    return kept
  }

  private static func database(
    _ found: borrowing FoundFile, _ name: String, _ asked: Asked
  ) throws -> Kept {
    let whole = try found.whole()
    let format = "bitcoin-core-wallet"
    let isSecret = try ClearKeys.are(in: whole, work: asked.work)
    let place = found.origin(program: nil).program
    do {
      let database = try SQLiteFile(whole, work: asked.work)
      guard try database.hasTable(CoreRecords.table) else { throw SQLiteFile.Damage() }
      let wallet = try CoreWallet(
        CoreRecords(database), applicationID: database.applicationID, name: name,
        isLitecoin: place == "litecoin-core", work: asked.work, password: asked.password.read)
      var kept = Kept(format: format)
      (kept.isSecret, kept.sharesAreAll) = (isSecret, false)
      kept.program = program(found, isLitecoin: wallet.network.hasPrefix("litecoin"))
      kept.records.budget.read(Int(clamping: whole.byteCount))
      var keys = SettingKeys()
      wallet.add(to: &kept.records, taken: &keys)
      kept.records.findings.append(wallet.finding)
      return kept
    } catch is SQLiteFile.Damage {
      var kept = Kept(format: format, isSecret: isSecret, asked.finding(name, .faulty(.malformed)))
      kept.program = program(found, isLitecoin: false)
      return kept
    }
  }

  /// Nil if the place already identifies the program.
  private static func program(_ found: borrowing FoundFile, isLitecoin: Bool) -> String? {
    guard found.origin(program: nil).program.isEmpty else { return nil }
    return isLitecoin ? "litecoin-core" : "bitcoin-core"
  }

  /// Returns the wallet's name: that of its program's directory for it, else the file's.
  private static func name(of found: borrowing FoundFile) -> String {
    let parts = found.path.split(separator: UInt8(ascii: "/")).map { FileName.text(Array($0)) }
    guard parts.count >= 3, parts.last == "wallet.dat", parts[parts.count - 3] == "wallets" else {
      return parts.last ?? FileName.text(found.name)
    }
    return parts[parts.count - 2]
  }
}
