internal import FuekiArchive
internal import FuekiSources
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

/// The records of a Bitcoin Core wallet's database that this program reads.
///
/// The table `main` has keys and values in the program's own encoding: the key is a record's type and
/// subject, the value its content.
struct CoreRecords {
  struct Descriptor {
    var text: [UInt8] = []
    /// The earliest use of its first address, in seconds since 1970.
    var created: UInt64 = 0
    var next: Int64 = 0
    var range: (Int64, Int64) = (0, 0)
    var keys: [CoreKey] = []
    /// The keys cached below hardened steps, by the index of the key in the text.
    var parents: [Int: [UInt8]] = [:]
    var lastHardened: [Int: [UInt8]] = [:]
    /// Whether it provides new addresses, for receiving or for change.
    var isActive: (external: Bool, internal: Bool) = (false, false)
  }

  static let table = "main"
  /// Longer records are of no type that is read.
  private static let valueByteCount = 1 << 20
  private static let descriptorLimit = 20_000
  /// Each key occupies locked pages of its own.
  private static let keyLimit = 4000
  private static let nameLimit = 200_000

  private(set) var descriptors: [[UInt8]: Descriptor] = [:]
  /// The descriptors' ids in file order.
  private(set) var order: [[UInt8]] = []
  private(set) var masterKeys: [CoreMasterKey] = []
  private(set) var labels: [String: String] = [:]
  private(set) var purposes: [String: String] = [:]
  private(set) var flags: UInt64 = 0
  /// Whether a record cannot be parsed as its type.
  private(set) var isMalformed = false
  /// Whether there are more descriptors or keys than the limits.
  private(set) var isCut = false
  private var keyCount = 0
  private var activations: [(id: [UInt8], isInternal: Bool)] = []

  /// Reads a wallet's records.
  init(_ database: SQLiteFile) throws {
    try database.forEachRow(of: Self.table) { row in
      guard let length = row.length(0), length <= Self.valueByteCount, let key = try row.bytes(0) else {
        return
      }
      do {
        try take(row, ByteReader(key))
      } catch is ByteReader.Exhausted {
        isMalformed = true
      }
    }
    for (id, isInternal) in activations {
      if isInternal {
        descriptors[id]?.isActive.internal = true
      } else {
        descriptors[id]?.isActive.external = true
      }
    }
    // Keys and cached keys may precede the descriptor that they need.
    if descriptors.values.contains(where: \.text.isEmpty) { isMalformed = true }
  }

  private mutating func take(_ row: SQLiteRow, _ key: ByteReader) throws {
    var key = key
    func content() throws -> [UInt8] {
      guard let length = row.length(1), length <= Self.valueByteCount, let bytes = try row.bytes(1) else {
        throw ByteReader.Exhausted()
      }
      return bytes
    }
    func read() throws -> ByteReader { ByteReader(try content()) }
    switch try Self.text(&key) {
    case "walletdescriptor":
      let id = try key.bytes(32)
      var value = try read()
      try change(id) { (descriptor) throws(ByteReader.Exhausted) in
        descriptor.text = try value.counted()
        descriptor.created = try value.u64()
        descriptor.next = Int64(Int32(bitPattern: try value.u32()))
        descriptor.range.0 = Int64(Int32(bitPattern: try value.u32()))
        descriptor.range.1 = Int64(Int32(bitPattern: try value.u32()))
      }
    case "walletdescriptorkey":
      let id = try key.bytes(32)
      let publicKey = try key.counted()
      guard let length = row.length(1), length <= 1024, let secret = try row.secret(1) else {
        throw ByteReader.Exhausted()
      }
      try add(try CoreKey(publicKey: publicKey, clear: secret), to: id)
    case "walletdescriptorckey":
      let id = try key.bytes(32)
      let publicKey = try key.counted()
      var value = try read()
      try add(CoreKey(publicKey: publicKey, encrypted: try value.counted()), to: id)
    case "walletdescriptorcache":
      let id = try key.bytes(32)
      let place = Int(try key.u32())
      // It is followed by an address index if keys are hardened to the last step.
      guard key.remaining == 0 else { return }
      var value = try read()
      let noted = try value.counted()
      try change(id) { (descriptor) throws(ByteReader.Exhausted) in descriptor.parents[place] = noted }
    case "walletdescriptorlhcache":
      let id = try key.bytes(32)
      let place = Int(try key.u32())
      var value = try read()
      let noted = try value.counted()
      try change(id) { (descriptor) throws(ByteReader.Exhausted) in descriptor.lastHardened[place] = noted }
    case "activeexternalspk": activations.append((try content(), false))
    case "activeinternalspk": activations.append((try content(), true))
    case "mkey": masterKeys.append(try CoreMasterKey(try content()))
    case "flags":
      var value = try read()
      flags = try value.u64()
    case "name":
      var value = try read()
      if labels.count < Self.nameLimit { labels[try Self.text(&key)] = try Self.text(&value) }
    case "purpose":
      var value = try read()
      if purposes.count < Self.nameLimit { purposes[try Self.text(&key)] = try Self.text(&value) }
    default: return
    }
  }

  private static func text(_ reader: inout ByteReader) throws(ByteReader.Exhausted) -> String {
    String(decoding: try reader.counted(), as: UTF8.self)
  }

  private mutating func add(_ key: CoreKey, to id: [UInt8]) throws(ByteReader.Exhausted) {
    keyCount += 1
    guard keyCount <= Self.keyLimit else { return isCut = true }
    guard key.publicKey.count == 33 || key.publicKey.count == 65 else { throw ByteReader.Exhausted() }
    try change(id) { (descriptor) throws(ByteReader.Exhausted) in descriptor.keys.append(key) }
  }

  private mutating func change(
    _ id: [UInt8], _ body: (inout Descriptor) throws(ByteReader.Exhausted) -> Void
  ) throws(ByteReader.Exhausted) {
    if descriptors[id] == nil {
      guard order.count < Self.descriptorLimit else { return isCut = true }
      order.append(id)
    }
    var descriptor = descriptors[id] ?? Descriptor()
    try body(&descriptor)
    descriptors[id] = descriptor
  }
}
