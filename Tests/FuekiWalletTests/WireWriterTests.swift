import FoundationEssentials
import FuekiWallet
import SwiftProtobuf
import Testing

@Suite struct WireWriterTests {
  @Test func `transactions have the bytes that SwiftProtobuf gives`() throws {
    var random = SeededGenerator(seed: 10)
    var writer = WireWriter()
    for _ in 0..<5000 {
      let record = random.transaction()
      writer.removeAll()
      record.write(to: &writer, tail: nil)
      let expected: [UInt8] = try record.serializedBytes()
      #expect(writer.bytes == expected)
    }
  }

  @Test func `a transaction with a tail decodes to the same record`() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<500 {
      let record = try random.withTail(random.transaction(), random.extras())
      var writer = WireWriter()
      record.write(to: &writer, tail: try record.tail)
      #expect(try Transaction(serializedBytes: writer.bytes) == record)
      let tail = try Transaction(serializedBytes: record.tail)
      #expect(tail.extra == record.extra && tail.unknownFields == record.unknownFields)
    }
  }

  @Test func `receipts have the bytes that SwiftProtobuf gives`() throws {
    var random = SeededGenerator(seed: 12)
    var writer = WireWriter()
    for _ in 0..<2000 {
      var record = random.receipt()
      writer.removeAll()
      try record.write(to: &writer, tail: nil)
      let expected: [UInt8] = try record.serializedBytes()
      #expect(writer.bytes == expected)
      #expect(try Receipt(serializedBytes: record.logsOnWire).logs == record.logs)

      record.extra = random.extras()
      writer.removeAll()
      try record.write(to: &writer, tail: record.tail)
      #expect(try Receipt(serializedBytes: writer.bytes) == record)
    }
  }

  @Test func `extras of every kind have the bytes that SwiftProtobuf gives`() throws {
    var random = SeededGenerator(seed: 13)
    for extra in (0..<200).flatMap({ _ in random.extras() }) {
      var writer = WireWriter()
      writer.appendUnlessEmpty(1, text: extra.name)
      switch extra.value {
      case .integer(let value): writer.append(2, zigzag: value)
      case .real(let value): writer.append(3, real: value)
      case .text(let value): writer.append(4, text: value)
      case .blob(let value): writer.append(5, bytes: value)
      case .json(let value): writer.append(6, text: value)
      case nil: break
      }
      let expected: [UInt8] = try extra.serializedBytes()
      #expect(writer.bytes == expected)
    }
  }

  @Test(arguments: PackedTextTests.examples.map(\.text) + [""])
  func `a text packed in place is the text packed before`(text: String) {
    var inPlace = WireWriter()
    inPlace.append(3, packing: text)
    var before = WireWriter()
    before.append(3, bytes: PackedText.pack(text))
    #expect(inPlace.bytes == before.bytes)
  }
}

extension Transaction {
  func write(to writer: inout WireWriter, tail: Data?) {
    TransactionEncoder.append(
      id: id, walletID: walletID, hash: hash, from: from, to: to, amount: amount, fee: hasFee ? fee : nil,
      status: status, timestamp: hasTimestamp ? timestamp : nil,
      blockNumber: hasBlockNumber ? blockNumber : nil,
      nonce: hasNonce ? nonce : nil, gasPrice: hasGasPrice ? gasPrice : nil,
      gasLimit: hasGasLimit ? gasLimit : nil,
      data: hasData ? data : nil, metadata: hasMetadata ? metadata : nil, tail: tail, to: &writer)
  }
}

extension Receipt {
  func write(to writer: inout WireWriter, tail: Data?) throws {
    ReceiptEncoder.append(
      id: id, transactionID: transactionID, gasUsed: hasGasUsed ? gasUsed : nil, logs: try logsOnWire,
      success: hasSuccess ? success : nil, logsJSON: hasLogsJson ? logsJson : nil, tail: tail, to: &writer)
  }
}
