import FoundationEssentials
import FuekiWallet
import SwiftProtobuf

extension SeededGenerator {
  mutating func chance() -> Bool { next() & 1 == 0 }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  mutating func data(_ limit: Int = 40) -> Data { Data(bytes(below(limit))) }

  mutating func number() -> UInt64 { next() >> UInt64(below(64)) }

  mutating func signed() -> Int64 { Int64(bitPattern: number()) &* (chance() ? 1 : -1) }

  mutating func text(_ limit: Int = 20) -> String {
    let alphabet = Array("0123456789abcxyzABC .-é\u{301}\u{1f600}\0")
    return String((0..<below(limit)).map { _ in alphabet[below(alphabet.count)] })
  }

  mutating func transaction() -> Transaction {
    var record = Transaction()
    record.id = data()
    record.walletID = data()
    record.hash = data()
    record.from = data()
    record.to = data()
    record.amount = text()
    if chance() { record.fee = text() }
    record.status = text()
    if chance() { record.timestamp = signed() }
    if chance() { record.blockNumber = number() }
    if chance() { record.nonce = number() }
    if chance() { record.gasPrice = text() }
    if chance() { record.gasLimit = text() }
    if chance() { record.data = data(300) }
    if chance() { record.metadata = text(200) }
    return record
  }

  mutating func receipt() -> Receipt {
    var record = Receipt()
    record.id = data()
    record.transactionID = data()
    if chance() { record.gasUsed = text() }
    for _ in 0..<below(4) {
      var log = Log()
      log.address = data()
      log.topics = (0..<below(5)).map { _ in data() }
      log.data = data(200)
      if chance() { log.index = number() }
      record.logs.append(log)
    }
    if chance() { record.success = chance() }
    if chance() { record.logsJson = text(100) }
    return record
  }

  mutating func extras() -> [Extra] {
    (0..<below(4)).map { _ in
      var extra = Extra()
      extra.name = text()
      switch below(6) {
      case 0: extra.integer = signed()
      case 1: extra.real = Double(bitPattern: next() >> 2) * (chance() ? -1 : 0)
      case 2: extra.text = text()
      case 3: extra.blob = data()
      case 4: extra.json = text()
      default: break
      }
      return extra
    }
  }

  /// Returns the record with entries of field 15 and unknown fields.
  mutating func withTail(_ record: Transaction, _ extra: [Extra]) throws -> Transaction {
    var record = record
    record.extra = extra
    var unknown = WireWriter()
    unknown.append(900, text: text())
    unknown.append(17, varint: number())
    try record.merge(serializedBytes: unknown.bytes)
    return record
  }
}
