internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto

extension FuzzTarget {
  /// A validator's keystore.
  static let eip2335 = FuzzTarget("eip2335") { bytes in
    let keystore = try EIP2335Keystore(reading: bytes)
    precondition(keystore.publicKey.map { $0.count == 48 } ?? true, "a key of another length was accepted")
  }

  /// A slashing record, of EIP-3076 or of Teku.
  static let eip3076 = FuzzTarget("eip3076") { bytes in
    if let teku = TekuRecord(bytes, name: Array("key.yml".utf8)) { _ = teku.record.highest }
    let record = try SlashingRecord(reading: bytes)
    let again = try? SlashingRecord(reading: record.fileContent)
    precondition(again.map { $0.keys.count == record.keys.count } ?? false, "a record does not read back")
    precondition(record.merged(with: record).map { $0.covers(record) } ?? true, "a merge forgets")
  }

  /// A LevelDB log or table, chosen by the first byte, and a vault's state in it.
  static let levelDB = FuzzTarget("leveldb") { input in
    guard let first = input.first else { return }
    let work = WorkBudget()
    var values = LevelDBValues(of: ["data"], work: work)
    defer { work.checkBounds(for: input.count) }
    if first & 1 == 0 {
      try values.read(log: Array(input[1...]))
    } else {
      try values.read(table: Array(input[1...]))
    }
    if let state = values["data"] { _ = MetaMaskState(reading: state) }
    if let plain = try Snappy.decompress(input[1...], limit: 1 << 20, work: WorkBudget()) {
      precondition(plain.count <= 1 << 20, "a block became longer than its limit")
    }
  }

  /// MetaMask's state or vault.
  static let metamask = FuzzTarget("metamask") { bytes in _ = MetaMaskState(reading: bytes) }

  /// A Solana key.
  static let solana = FuzzTarget("solana") { bytes in
    let key = try SolanaKey(reading: try SecretBytes(copying: bytes.span))
    _ = try key.derived()
  }

  /// A decrypted LND channel backup.
  static let lnd = FuzzTarget("lnd") { bytes in _ = try BackedUpChannels(reading: bytes) }

  /// A Monero wallet's decrypted keys, and the raw file.
  static let monero = FuzzTarget("monero") { bytes in
    _ = MoneroKeysFile(bytes)
    if let storage = PortableStorage(bytes.span) {
      precondition(storage.texts.values.allSatisfy { $0.upperBound <= bytes.count }, "a text beyond the end")
    }
    let account = try MoneroAccount(reading: try SecretBytes(copying: bytes.span))
    precondition(
      account.spend.count == 32 && account.view.count == 32, "a key of another length was accepted")
    _ = try account.spendsItsMoney()
  }
}
