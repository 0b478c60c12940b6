internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// A parsed Bitcoin Core wallet, and the value of its backup.
struct CoreWallet {
  private static let hasNoPrivateKeys: UInt64 = 1 << 32
  private static let indicesLookedAt: UInt32 = 20
  /// The networks by the application id in the database's header.
  private static let networks: [UInt32: String] = [
    0xf9be_b4d9: "bitcoin", 0x0b11_0907: "bitcoin-testnet", 0x1c16_3f28: "bitcoin-testnet",
    0x0a03_cf40: "bitcoin-testnet", 0xfabf_b5da: "bitcoin-regtest", 0xfbc0_b6db: "litecoin",
    0xfdd2_c8f1: "litecoin-testnet",
  ]

  let records: CoreRecords
  let network: String
  private let name: String
  private let masterKey: SharedSecret?
  private let passwordIsWrong: Bool
  private var descriptors: [(id: [UInt8], record: CoreRecords.Descriptor, read: CoreDescriptor)] = []

  /// Inspects a wallet.
  ///
  /// - Parameters:
  ///   - records: its database's records.
  ///   - applicationID: the application id in the database's header.
  ///   - name: the wallet's name for people.
  ///   - isLitecoin: whether its place is Litecoin Core's, whose test network shares Bitcoin's id.
  ///   - work: the source's budget.
  ///   - password: asks for an encrypted wallet's password; nil if unattended.
  /// - Throws: errors of asking for the password, or ``CryptoError``.
  init(
    _ records: CoreRecords, applicationID: UInt32, name: String, isLitecoin: Bool,
    work: WorkBudget, password: () throws -> SharedSecret?
  ) throws {
    self.records = records
    self.name = name
    let marked = Self.networks[applicationID] ?? "bitcoin-testnet"
    network = isLitecoin && marked == "bitcoin-regtest" ? "litecoin-regtest" : marked
    let given = try records.masterKeys.isEmpty ? nil : password()
    let keys =
      try given.map { given in try records.masterKeys.compactMap { try $0.open(given, work: work) } } ?? []
    let sample = records.order.lazy.compactMap { records.descriptors[$0]?.keys.first }.first
    // Judged by padding alone, one wrong password in 256 appears right.
    masterKey = try keys.first { key in try sample?.secret(key) != nil } ?? (sample == nil ? keys.first : nil)
    passwordIsWrong = given != nil && masterKey == nil
    for id in records.order {
      guard let record = records.descriptors[id] else { continue }
      try work.spend(1, on: .candidates)
      descriptors.append((id, record, try CoreDescriptor(record, id: id, masterKey: masterKey)))
    }
  }

  /// Whether it has unencrypted private keys.
  var hasClearKeys: Bool {
    records.descriptors.values.contains { descriptor in
      descriptor.keys.contains { if case .encrypted = $0.stored { false } else { true } }
    }
  }

  private var isEncrypted: Bool { !records.masterKeys.isEmpty }

  // MARK: value of the backup

  var finding: WalletFinding {
    WalletFinding(
      kind: BitcoinCoreCollector.kind, name: name, result, detail: firstAddress ?? "", isInClear: hasClearKeys
    )
  }

  private var result: WalletFinding.Result {
    if descriptors.contains(where: { !$0.read.isWhole }) { return .faulty(.checksum) }
    let keys = descriptors.flatMap(\.record.keys)
    if records.isMalformed || !isEncrypted && keys.contains(where: \.isEncrypted) {
      return .faulty(.malformed)
    }
    if keys.contains(where: \.isWrong) { return .faulty(.secretDiffers) }
    if descriptors.isEmpty { return .notProved(.nothingToCompare) }
    if keys.isEmpty {
      // A wallet that should have keys but has none.
      return records.flags & Self.hasNoPrivateKeys != 0 ? .publicPart() : .faulty(.malformed)
    }
    if descriptors.contains(where: { $0.record.keys.isEmpty }) { return .faulty(.malformed) }
    if isEncrypted, masterKey == nil {
      return .notProved(passwordIsWrong ? .wrongPassword : .needsPassword)
    }
    if records.isCut { return .notProved(.notRead) }
    guard descriptors.allSatisfy(\.read.hasKeys), descriptors.allSatisfy(\.read.notesAgree) else {
      return .faulty(.secretDiffers)
    }
    return .proved(isShown ? .address : .publicKey)
  }

  /// Whether the keys derive an address that the wallet itself recorded.
  private var isShown: Bool {
    guard let network = BitcoinNetwork.named(network) else { return false }
    return descriptors.contains { _, record, read in
      guard !Interruption.wasRequested, let parsed = read.parsed else { return false }
      let last = parsed.isRanged ? UInt32(clamping: min(Int64(Self.indicesLookedAt), max(record.next, 1))) : 1
      return (0..<last).contains { index in
        guard let address = try? parsed.address(at: index, network: network) else { return false }
        return records.labels[address] != nil || records.purposes[address] != nil
      }
    }
  }

  /// Returns the first receiving address of the wallet's default descriptor.
  private var firstAddress: String? {
    guard let network = BitcoinNetwork.named(network) else { return nil }
    let active = descriptors.filter(\.record.isActive.external)
    let all = active.isEmpty ? descriptors : active
    let usual = all.first { $0.record.text.starts(with: Array("wpkh(".utf8)) } ?? all.first
    return usual?.read.parsed.flatMap { try? $0.address(at: 0, network: network) }
  }

  // MARK: records

  /// Adds the wallet, its labels and its contacts.
  func add(to records: inout ImportedRecords, taken keys: inout SettingKeys) {
    var wallet = Wallet()
    let ids = descriptors.map { Hex.encode($0.id) }.sorted().joined(separator: " ")
    wallet.id = ForeignNames.packed("bitcoin-core wallet", ids.isEmpty ? name : ids)
    wallet.name = name
    let hasKeys = descriptors.contains { !$0.record.keys.isEmpty }
    wallet.kind = (hasKeys ? WalletKind.hot : .watchOnly).rawValue
    wallet.chainFamily = ChainFamily.bitcoin.name
    wallet.chainID = network
    wallet.network = network
    wallet.address = PackedText.pack(firstAddress ?? "")
    for (_, record, read) in descriptors {
      guard let text = read.text else { continue }
      wallet.descriptors.append(text)
      guard record.next > 0 else { continue }
      var index = KeychainIndex()
      index.name = String(text.suffix(DescriptorChecksum.characterCount))
      index.lastRevealed = UInt32(clamping: record.next - 1)
      wallet.keychains.append(index)
    }
    if let created = descriptors.map(\.record.created).filter({ $0 > 1 }).min(),
      let time = Timestamp(seconds: String(created), since: .unix)
    {
      wallet.createdAt = time.microseconds
    }
    wallet.extra.append(Extra("bitcoin_core_descriptors", json: listing))
    records.add(wallet)
    addLabels(to: &records, taken: &keys)
  }

  /// The descriptors as in `listdescriptors`, with the wallet's own texts: a restored wallet needs the
  /// ranges.
  private var listing: String {
    let entries = descriptors.map { _, record, _ in
      "{\"desc\":\(JSONText.quoted(String(decoding: record.text, as: UTF8.self))),\"timestamp\":\(record.created),"
        + "\"active\":\(record.isActive.external || record.isActive.internal),"
        + "\"internal\":\(record.isActive.internal),\"range\":[\(record.range.0),\(record.range.1)],"
        + "\"next\":\(record.next)}"
    }
    return "[" + entries.joined(separator: ",") + "]"
  }

  private func addLabels(to imported: inout ImportedRecords, taken keys: inout SettingKeys) {
    var contacts: [Data: Contact] = [:]
    for (address, label) in records.labels.sorted(by: { $0.key < $1.key }) where !label.isEmpty {
      guard records.purposes[address] != "send" else {
        var contact = Contact()
        contact.id = ForeignNames.packed("bitcoin-core contact", address)
        contact.name = label
        contact.address = PackedText.pack(address)
        contact.chainFamily = ChainFamily.bitcoin.name
        contact.chainID = network
        imported.add(contact, besides: &contacts)
        continue
      }
      let object =
        "{\"type\":\"addr\",\"ref\":\(JSONText.quoted(address)),\"label\":\(JSONText.quoted(label))}"
      imported.add(setting: LabelLines.key("addr", address), object, taken: &keys)
    }
  }
}

extension CoreKey {
  fileprivate var isEncrypted: Bool { if case .encrypted = stored { true } else { false } }
  fileprivate var isWrong: Bool { if case .wrong = stored { true } else { false } }
}

/// A legacy wallet of Bitcoin Core: a B-tree of Berkeley DB.
///
/// Its pages are checked, but its records are not read.
enum LegacyWallet {
  private static let metadataByteCount = 72
  private static let pageHeadByteCount = 26

  /// Whether a file has the magic, in either byte order.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool { order(beginning) != nil }

  /// Checks that all pages are present and in place; nil if they are.
  ///
  /// Pages in a hole were never written.
  static func problem(of file: CopiedFile, work: WorkBudget) throws -> Problem? {
    let count = Int(clamping: min(file.byteCount, UInt64(metadataByteCount)))
    let head = try file.file.readExactly(count, at: 0)
    guard head.count == metadataByteCount, let isLittle = order(head.span) else { return .malformed }
    func number(_ bytes: [UInt8], _ place: Int) -> UInt64 {
      let part = bytes[place..<place + 4]
      return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | UInt64($1) }
    }
    let size = number(head, 20)
    let last = number(head, 32)
    // The page type must be 9, a B-tree's metadata.
    guard 512...65_536 ~= size, size & (size - 1) == 0, head[25] == 9 else { return .malformed }
    guard file.byteCount >= (last + 1) * size, file.byteCount % size == 0 else { return .length }
    work.admit(input: file.byteCount)
    var page: UInt64 = 1
    while let data = file.file.firstData(from: page * size), data < file.byteCount {
      page = max(page, data / size)
      defer { page += 1 }
      try work.spend(pageHeadByteCount, on: .bytesRead)
      let head = try file.file.readExactly(pageHeadByteCount, at: page * size)
      // A page that was never written is empty and has no number.
      guard number(head, 8) == page || head.allSatisfy({ $0 == 0 }) else { return .malformed }
    }
    return nil
  }

  enum Problem {
    case malformed
    case length
  }

  /// Whether numbers are little-endian; nil for another kind of file.
  private static func order(_ bytes: Span<UInt8>) -> Bool? {
    guard bytes.count > 16 else { return nil }
    switch (bytes[12], bytes[13], bytes[14], bytes[15]) {
    case (0x62, 0x31, 0x05, 0): return true
    case (0, 0x05, 0x31, 0x62): return false
    default: return nil
    }
  }
}

/// Searches a wallet file's bytes for unencrypted private keys, in records or in remains of deleted ones.
enum ClearKeys {
  /// The prefixes of records with such keys.
  private static let marks: [[UInt8]] = [
    [19] + Array("walletdescriptorkey".utf8), [3] + Array("key".utf8) + [33], [3] + Array("key".utf8) + [65],
    [4] + Array("wkey".utf8) + [33], [4] + Array("wkey".utf8) + [65],
  ]
  private static let pieceByteCount = 1 << 20
  private static let overlap = 32

  static func are(in file: CopiedFile, work: WorkBudget) throws -> Bool {
    work.admit(input: file.byteCount)
    var offset: UInt64 = 0
    while offset < file.byteCount, let data = file.file.firstData(from: offset), data < file.byteCount {
      // A hole has only zeros, and no prefix starts with zero.
      offset = max(offset, data)
      try work.spend(pieceByteCount, on: .bytesRead)
      let count = Int(clamping: min(UInt64(pieceByteCount + overlap), file.byteCount - offset))
      var piece = try SecretBytes(count: count)
      let read = try piece.withMutableBytes { (bytes: inout MutableSpan<UInt8>) throws(SystemError) in
        try file.file.pread(into: &bytes, at: offset)
      }
      if piece.withBytes({ has($0.extracting(0..<read)) }) { return true }
      offset += UInt64(pieceByteCount)
    }
    return false
  }

  private static func has(_ bytes: Span<UInt8>) -> Bool {
    var place = 0
    while place < bytes.count {
      // Most positions are excluded by this check.
      if bytes[place] == 19 || bytes[place] == 3 || bytes[place] == 4 {
        let rest = bytes.extracting(place...)
        if marks.contains(where: { mark in
          mark.count <= rest.count && mark.indices.allSatisfy { rest[$0] == mark[$0] }
        }) {
          return true
        }
      }
      place += 1
    }
    return false
  }
}
