internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet

/// Generates the sample's transactions and receipts in blocks, on any thread.
///
/// Each row depends only on the seed and its position, so that a million rows need no memory, and a receipt
/// can be generated long after its transaction.
struct SampleHistory: Sendable {
  /// The number of rows in each block except the last.
  static let blockLength = 2000
  private static let counterpartyCount = 400

  let seed: UInt64
  let count: Int
  private let walletIDs: [Data]
  private let addresses: [Data]
  private let counterparties: [[Data]]
  private let tokens: [Data]

  init(_ profile: SampleProfile, _ shares: SampleShares) throws {
    seed = profile.seed
    count = profile.transactionCount
    walletIDs = SampleChain.allCases.map(profile.id)
    addresses = try SampleChain.allCases.map { try profile.address(of: $0, shares) }
    let seed = seed
    counterparties = SampleChain.allCases.map { chain in
      var random = SampleRandom(seed: seed, place: 0xC0_0000 + UInt64(chain.rawValue))
      return (0..<Self.counterpartyCount).map { _ in chain.address(&random) }
    }
    var random = SampleRandom(seed: seed, place: 0x70CE)
    tokens = (0..<40).map { _ in random.packed(form: PackedText.Form.prefixedHex.rawValue, 20) }
  }

  var blockCount: Int { (count + Self.blockLength - 1) / Self.blockLength }

  /// Returns the wallet's counterparties on a chain.
  func counterparties(on chain: SampleChain) -> [Data] { counterparties[chain.rawValue] }

  /// Returns the number of transactions sent by the threshold wallet before a position.
  static func outgoingCount(before place: Int) -> UInt64 {
    let (rounds, rest) = place.quotientAndRemainder(dividingBy: 20)
    return UInt64(rounds * 9 + (min(rest, 17) + 1) / 2)
  }

  private func rows(ofBlock block: Int) -> Range<Int> {
    block * Self.blockLength..<min((block + 1) * Self.blockLength, count)
  }

  /// Returns a block's transactions, each preceded by its length.
  func transactions(ofBlock block: Int) throws(FramingError) -> [UInt8] {
    var framed: [UInt8] = []
    framed.reserveCapacity(Self.blockLength * 400)
    var writer = WireWriter(reserving: 1024)
    for place in rows(ofBlock: block) {
      writer.removeAll()
      append(Row(place, self), at: place, to: &writer)
      try RecordFraming.append(writer.bytes, to: &framed)
    }
    return framed
  }

  /// Returns the receipts of a block's transactions, each preceded by its length.
  func receipts(ofBlock block: Int) throws(FramingError) -> [UInt8] {
    var framed: [UInt8] = []
    framed.reserveCapacity(Self.blockLength * 500)
    var writer = WireWriter(reserving: 1024)
    for place in rows(ofBlock: block) {
      let row = Row(place, self)
      guard row.chain == .ethereum, row.isInBlock else { continue }
      writer.removeAll()
      appendReceipt(row, to: &writer)
      try RecordFraming.append(writer.bytes, to: &framed)
    }
    return framed
  }

  /// The values shared by a transaction and its receipt.
  private struct Row {
    let chain: SampleChain
    let isOutgoing: Bool
    let status: TransactionStatus
    let id: Data
    let counterparty: Data
    let amount: UInt64
    let time: Int64
    let height: UInt64
    let gasUsed: UInt64
    var random: SampleRandom

    var isInBlock: Bool { status == .confirmed || status == .failed }

    init(_ place: Int, _ history: SampleHistory) {
      var random = SampleRandom(seed: history.seed, place: UInt64(place))
      switch place % 20 {
      case ..<17: chain = .ethereum
      case 17, 18: chain = .bitcoin
      default: chain = .litecoin
      }
      isOutgoing = chain != .litecoin && place % 20 % 2 == 0
      if place >= history.count - 3 {
        status = .pending
      } else if place % 211 == 11, isOutgoing {
        status = .dropped
      } else {
        status = place % 53 == 7 && chain == .ethereum ? .failed : .confirmed
      }
      id = random.packed(form: PackedText.Form.upperCaseUUID.rawValue, 16)
      // Some counterparties are frequent, most are rare.
      let known = history.counterparties[chain.rawValue]
      counterparty = known[min(random.below(known.count), random.below(known.count))]
      amount = random.number(digits: chain == .ethereum ? 15 + random.below(6) : 4 + random.below(6))
      time = SampleTime.of(place, among: history.count)
      height = chain.height(at: time)
      gasUsed = 45_000 + random.next() % 180_000
      self.random = random
    }
  }

  private func append(_ row: Row, at place: Int, to writer: inout WireWriter) {
    var random = row.random
    let isEthereum = row.chain == .ethereum
    let own = addresses[row.chain.rawValue]
    let gasPrice = 1_000_000_000 + random.next() % 90_000_000_000
    let hash = row.chain.hash(&random)
    let fee = isEthereum ? row.gasUsed * gasPrice : 300 + random.next() % 30_000
    var nonce: UInt64?
    var data: Data?
    if isEthereum {
      nonce = row.isOutgoing ? Self.outgoingCount(before: place) : random.next() % 5000
      if row.isOutgoing { data = Self.transferCall(to: row.counterparty, row.amount) }
    }
    TransactionEncoder.append(
      id: row.id, walletID: walletIDs[row.chain.rawValue], hash: hash,
      from: row.isOutgoing ? own : row.counterparty, to: row.isOutgoing ? row.counterparty : own,
      amount: place == 5 ? SampleWallet.largestAmount : String(row.amount),
      fee: row.isInBlock ? String(fee) : nil, status: row.status.rawValue, timestamp: row.time,
      blockNumber: row.isInBlock ? row.height : nil, nonce: nonce,
      gasPrice: isEthereum ? String(gasPrice) : nil,
      gasLimit: isEthereum ? String(row.gasUsed * 5 / 4) : nil, data: data,
      metadata: place % 17 == 3 ? Self.notes[place / 17 % Self.notes.count] : nil,
      tail: place % 997 == 1 ? Self.unknownMember : nil, to: &writer)
  }

  private func appendReceipt(_ row: Row, to writer: inout WireWriter) {
    var random = row.random
    var logs = WireWriter(reserving: 600)
    let hasWorked = row.status == .confirmed
    if hasWorked {
      let own = addresses[SampleChain.ethereum.rawValue]
      let first = random.next() % 300
      for index in 0...UInt64(random.below(3)) {
        var log = WireWriter(reserving: 200)
        log.append(1, bytes: tokens[random.below(tokens.count)])
        log.append(2, bytes: Self.transferTopic)
        log.append(2, bytes: Self.topic(row.isOutgoing ? own : row.counterparty))
        log.append(2, bytes: Self.topic(row.isOutgoing ? row.counterparty : own))
        log.append(
          3,
          bytes: [PackedText.Form.prefixedHex.rawValue] + Self.word(index == 0 ? row.amount : random.next()))
        log.append(4, varint: first + index)
        logs.append(4, bytes: log.bytes)
      }
    }
    ReceiptEncoder.append(
      id: row.id, transactionID: row.id, gasUsed: String(row.gasUsed),
      logs: hasWorked ? Data(logs.bytes) : nil,
      success: hasWorked, logsJSON: nil, tail: nil, to: &writer)
  }
}

extension SampleHistory {
  private static let notes = [
    #"{"note":"Rent"}"#, #"{"note":"Kaffee ☕️ mit Zoë"}"#, #"{"note":"לחם","tags":["food"]}"#,
    "paid back, thanks!",
  ]

  /// An app-specific member without a field.
  private static let unknownMember: Data = {
    var entry = WireWriter()
    entry.append(1, text: "replacedBy")
    entry.append(6, text: #"{"hash": null, "tries": 2}"#)
    var writer = WireWriter()
    writer.append(15, bytes: entry.bytes)
    return Data(writer.bytes)
  }()

  /// Keccak-256 of "Transfer(address,address,uint256)", packed.
  private static let transferTopic: [UInt8] = [
    1, 0xDD, 0xF2, 0x52, 0xAD, 0x1B, 0xE2, 0xC8, 0x9B, 0x69, 0xC2, 0xB0, 0x68, 0xFC, 0x37, 0x8D, 0xAA, 0x95,
    0x2B, 0xA7,
    0xF1, 0x63, 0xC4, 0xA1, 0x16, 0x28, 0xF5, 0x5A, 0x4D, 0xF5, 0x23, 0xB3, 0xEF,
  ]

  /// Returns a packed address as a log topic.
  ///
  /// Both packed forms of an address end with its 20 bytes.
  private static func topic(_ address: Data) -> [UInt8] {
    [PackedText.Form.prefixedHex.rawValue] + [UInt8](repeating: 0, count: 12) + address.suffix(20)
  }

  /// Returns a number as 32 big-endian bytes.
  private static func word(_ number: UInt64) -> [UInt8] {
    var word = [UInt8](repeating: 0, count: 24)
    for shift in stride(from: 56, through: 0, by: -8) {
      word.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
    return word
  }

  /// Returns the call data of `transfer(address,uint256)`.
  private static func transferCall(to address: Data, _ amount: UInt64) -> Data {
    Data([0xA9, 0x05, 0x9C, 0xBB] + topic(address).dropFirst() + word(amount))
  }
}
