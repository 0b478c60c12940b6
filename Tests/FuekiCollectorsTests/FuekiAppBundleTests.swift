import FoundationEssentials
import FuekiBackup
import FuekiCollectors
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

private func read(_ text: String) throws -> ImportedRecords {
  let folder = try TemporaryDirectory()
  try folder.write(Array(text.utf8), to: "backup-1.json")
  return try CollectorKind(named: "fueki-app").source(at: folder.path("backup-1.json")).read(
    CollectionRequest()
  ).holdingFiles()
}

/// Returns a bundle with one wallet, contact or transaction that has these members and an id.
private func bundle(wallet: String = "", contact: String = "", transaction: String = "") -> String {
  func list(_ members: String) -> String { members.isEmpty ? "" : "{\"id\":\"x\",\(members)}" }
  return """
    {"version":1,"wallets":[\(list(wallet))],"transactionHistory":[\(list(transaction))],
     "addressBook":[\(list(contact))]}
    """
}

private func extra(_ record: [Extra]) -> [String: String] {
  Dictionary(record.map { ($0.name, $0.json) }) { $1 }
}

private let large = "115792089237316195423570985008687907853269984665640564039457584007913129639935"

@Suite struct `Bundles of the Fueki app` {
  static let whole = #"""
    {
      "version": 1, "timestamp": 785000000.25, "checksum": "",
      "wallets": [{
        "id": "6F9619FF-8B86-D011-B42D-00C04FC964FF", "name": "Caf\u00e9 \ud83d\ude80 ε", "type": "TSS", "chainId": 1,
        "address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "balance": 115792089237316195423570985008687907853269984665640564039457584007913129639935,
        "createdAt": 785000000.123456, "updatedAt": -1000000000.5, "colour": {"r": 1.50, "tags": ["a", null]}
      }],
      "encryptedKeyShares": [{"id": "S1", "walletId": "6F9619FF-8B86-D011-B42D-00C04FC964FF", "data" : "AAEC"}, "AQID"],
      "transactionHistory": [{
        "id": "6F9619FF-8B86-D011-B42D-00C04FC964FE", "walletId": "6F9619FF-8B86-D011-B42D-00C04FC964FF",
        "hash": "0x00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
        "fromAddress": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "toAddress": "", "amount": 1234567890123456789012345678901234567890123456789012345678901234567890.12345678,
        "fee": 0.000021, "status": "confirmed", "timestamp": 0, "blockNumber": 18446744073709551615, "nonce": 0,
        "gasPrice": 30000000000, "gasLimit": 21000, "data": "qQWcuw==", "metadata": "line\nbreak \"q\"",
        "memo": null, "receipt": {
          "id": "R1", "txId": "6F9619FF-8B86-D011-B42D-00C04FC964FE", "gasUsed": 21000, "success": true, "root": "0x01",
          "logs": [{"address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "topics": ["0xddf252ad"], "data": "0x", "index": 3}]
        }
      }, {
        "id": "T2", "walletId": "other", "hash": "", "fromAddress": "ltc1q", "toAddress": "b", "amount": 0, "status": "odd",
        "timestamp": -978307201.000001, "receipt": {"id": "R2", "txId": "T9", "logs": [{"kind": 1}]}
      }],
      "addressBook": [{"id": "C1", "name": "e\u0301", "address": "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "chainId": "bitcoin", "notes": "\u0000"}],
      "settings": {"currency": "EUR", "limit": 1e400, "nested": {"a": [1, 2]}, "é": null, "timestamp": 3},
      "futurePart": [1, 2, 3]
    }
    """#

  @Test func `a whole bundle comes back the same`() throws {
    let records = try read(Self.whole)
    let original = try JSONDocument(Array(Self.whole.utf8), limit: 1 << 20).root
    let written = FuekiAppWriter.text(records)
    let copy = try JSONDocument(Array(written.utf8), limit: 1 << 20).root
    #expect(FuekiAppWriter.canonical(copy) == FuekiAppWriter.canonical(original))
    #expect(records.isComplete && records.excluded.isEmpty)
  }

  @Test func `fields hold what they say`() throws {
    let records = try read(Self.whole)
    let wallet = try #require(records.wallets.first)
    #expect(PackedText.text(wallet.id) == "6F9619FF-8B86-D011-B42D-00C04FC964FF")
    #expect(wallet.name == "Café 🚀 ε" && wallet.kind == "tss" && wallet.chainID == "1")
    #expect(wallet.chainFamily == "evm" && wallet.balance == large)
    #expect(wallet.createdAt == 1_763_307_200_123_456 && wallet.updatedAt == -21_692_800_500_000)
    // The app's files are version 0: its words are converted to this version's, and the originals kept in
    // `extra`.
    #expect(
      extra(wallet.extra) == ["colour": #"{"r": 1.50, "tags": ["a", null]}"#, "type": #""TSS""#])
    let transaction = records.transactions[0]
    #expect(
      transaction.amount.count == 79 && transaction.fee == "0.000021" && transaction.blockNumber == .max)
    #expect(
      transaction.timestamp == 978_307_200_000_000 && Array(transaction.data) == [0xA9, 0x05, 0x9C, 0xBB])
    #expect(transaction.hasNonce && transaction.nonce == 0 && transaction.metadata == "line\nbreak \"q\"")
    #expect(!records.transactions[1].hasFee && records.transactions[1].timestamp == -1_000_001)
    #expect(records.receipts[0].logs.count == 1 && records.receipts[0].logs[0].index == 3)
    #expect(records.receipts[1].logs.isEmpty && records.receipts[1].logsJson == #"[{"kind": 1}]"#)
    #expect(records.receipts[1].transactionID == records.transactions[1].id)
    #expect(records.problems.contains { $0.section == 33 && $0.problem.contains("a different transaction") })
    #expect(records.problems.contains { $0.section == 32 && $0.problem.contains("odd") })
    let shares = records.files.filter { $0.format == "fueki-app-key-share" }
    #expect(
      shares.map { String(decoding: $0.content, as: UTF8.self) } == [
        #"{"id": "S1", "walletId": "6F9619FF-8B86-D011-B42D-00C04FC964FF", "data" : "AAEC"}"#, #""AQID""#,
      ])
    #expect(records.files.allSatisfy { $0.source == "fueki-app" })
    let original = try #require(records.files.last)
    #expect(records.files.count == 3 && original.content == Data(Self.whole.utf8))
    #expect(original.hasPlace && original.program == "fueki" && original.hasMode && original.hasModifiedAt)
    #expect(
      Array(records.contacts[0].name.utf8) == Array("e\u{301}".utf8) && records.contacts[0].notes == "\0")
    let settings = Dictionary(records.settings.map { ($0.key, $0.value) }) { $1 }
    #expect(settings["limit"] == "1e400" && settings["currency"] == "\"EUR\"" && settings["timestamp"] == "3")
    #expect(settings["fueki-app.bundle.timestamp"] == "785000000.25")
    #expect(settings["fueki-app.bundle.futurePart"] == "[1, 2, 3]")
  }

  @Test(arguments: [
    ("0", 978_307_200_000_000, true), ("-978307200", 0, true), ("-978307200.000001", -1, true),
    ("1e0", 978_307_201_000_000, true), ("785000000.1234564", 1_763_307_200_123_456, false),
    ("785000000.12345650", 1_763_307_200_123_457, false), ("785000000.12345600", 1_763_307_200_123_456, true),
    ("1e-7", 978_307_200_000_000, false), ("\"1969-12-31T23:59:59.999999Z\"", -1, true),
    ("\"2026-11-21T06:30:00Z\"", 1_795_242_600_000_000, true),
    ("\"2026-11-21T07:30:00+01:00\"", 1_795_242_600_000_000, false),
    ("\"2026-11-21T06:30:00.0000001Z\"", 1_795_242_600_000_000, false),
    ("\"2026-11-21T06:30:00.1000000Z\"", 1_795_242_600_100_000, true),
  ])
  func `a time is exact or its source is kept`(source: String, microseconds: Int64, isExact: Bool) throws {
    let wallet = try read(bundle(wallet: "\"createdAt\":\(source)")).wallets[0]
    #expect(wallet.createdAt == microseconds)
    #expect(extra(wallet.extra) == (isExact ? [:] : ["createdAt": source]))
  }

  @Test(arguments: ["\"yesterday\"", "1e300", "-1e5000", "true", "{}", "\"2026-02-30T00:00:00Z\"", "\"\""])
  func `what is no time is kept as it is`(source: String) throws {
    let wallet = try read(bundle(wallet: "\"createdAt\":\(source)")).wallets[0]
    #expect(!wallet.hasCreatedAt && extra(wallet.extra) == ["createdAt": source])
  }

  @Test func `members of another type are kept as they are`() throws {
    let transaction = try read(
      bundle(
        transaction: #"""
          "hash":5,"nonce":-1,"blockNumber":1.0,"data":"0x00","amount":{"value":1},"status":null,"walletId":[1],
          "metadata":{"a" : 1},"receipt":"none","fee":null
          """#)
    ).transactions[0]
    #expect(
      extra(transaction.extra) == [
        "hash": "5", "nonce": "-1", "blockNumber": "1.0", "data": "\"0x00\"", "amount": #"{"value":1}"#,
        "status": "null", "walletId": "[1]", "receipt": "\"none\"",
      ])
    #expect(Array(transaction.data) == [0])
    #expect(transaction.metadata == #"{"a" : 1}"# && transaction.hash.isEmpty && !transaction.hasFee)
  }

  @Test func `text that looks like JSON is told from JSON`() throws {
    let transaction = try read(bundle(transaction: #""metadata":"{\"a\":1}""#)).transactions[0]
    #expect(transaction.metadata == #"{"a":1}"#)
    #expect(extra(transaction.extra) == ["metadata": #""{\"a\":1}""#])
  }

  @Test func `numbers may stand as text`() throws {
    let transaction = try read(bundle(transaction: "\"amount\":\"\(large)\",\"nonce\":\"7\"")).transactions[0]
    #expect(transaction.amount == large && transaction.nonce == 7 && transaction.extra.isEmpty)
    let padded = try read(bundle(transaction: #""nonce":"007""#)).transactions[0]
    #expect(padded.nonce == 7 && extra(padded.extra) == ["nonce": "\"007\""])
  }

  @Test func `an object without an id gets a stable id`() throws {
    let text = #"{"wallets":[{"name":"a"},{"name":"b"}]}"#
    let ids = try read(text).wallets.map(\.id)
    #expect(try read(text).wallets.map(\.id) == ids && Set(ids).count == 2)
  }

  @Test func `what is in a list without being an object becomes a setting`() throws {
    let settings = try read(#"{"wallets":[7],"transactionHistory":{"a":1},"settings":[1]}"#).settings
    #expect(
      settings.map(\.key) == ["wallets.0", "transactionHistory", "settings"].map { "fueki-app.bundle." + $0 })
    #expect(settings.map(\.value) == ["7", #"{"a":1}"#, "[1]"])
  }

  @Test func `no setting loses its key to the bundle's own`() throws {
    let settings = try read(#"{"version":2,"wallets":[],"settings":{"fueki-app.bundle.version":9}}"#).settings
    #expect(settings.map(\.key) == ["fueki-app.bundle.version", "fueki-app.bundle.version'"])
    #expect(settings.map(\.value) == ["9", "2"])
  }

  @Test(arguments: ["1": 0, #""1.0.0""#: 0, "2": 1, #""99""#: 1, "null": 1])
  func `a version that is not known is said so, and what is there is taken`(text: String, count: Int) throws {
    let records = try read("{\"version\":\(text),\"wallets\":[{\"name\":\"a\"}]}")
    #expect(records.problems.count { $0.problem.contains("1 is known here") } == count)
    #expect(records.wallets.count == 1 && records.settings.map(\.value) == [text])
  }

  @Test(arguments: [
    ("FUEK{\"version\":\"1.0.0\"}", "encrypted"), (#"{"wallets":[{"name":"a","backup":{}}]}"#, "encrypted"),
    ("{}", "not a bundle"), ("[]", "not a bundle"), (#"{"wallets":[],"wallets":[]}"#, "twice"),
    ("{", "too early"),
  ])
  func `what is no bundle is refused with its reason`(text: String, reason: String) {
    #expect {
      try read(text)
    } throws: { error in
      (error as? ForeignFileError)?.sentence.contains(reason) == true
    }
  }

  @Test func `problems stay few enough for a manifest`() throws {
    let odd = (0..<500).map { #"{"id":"\#($0)","status":"settled"}"# }
    let records = try read("{\"wallets\":[],\"transactionHistory\":[\(odd.joined(separator: ","))]}")
    #expect(records.transactions.count == 500 && records.problems.count == 201)
    #expect(records.problems.last?.problem == "300 more problems in transactions")
  }

  @Test func `only the chosen sections are read`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(Array(Self.whole.utf8), to: "b")
    let request = CollectionRequest(selection: try SectionSelection(only: ["wallets"], exclude: []))
    let records = try CollectorKind(named: "fueki-app").source(at: folder.path("b")).read(request)
      .holdingFiles()
    #expect(records.wallets.count == 1 && records.transactions.isEmpty && records.isComplete)
    #expect(!records.excluded.contains { !$0.byRequest })
    #expect(
      Set(records.excluded.map(\.what)) == ["contacts", "settings", "files", "transactions", "receipts"])
  }

  @Test func `no cut and no changed byte stops the reader`() throws {
    let whole = Array(Self.whole.utf8)
    let folder = try TemporaryDirectory()
    let file = try folder.open().createFile("b")
    let collector = try CollectorKind(named: "fueki-app").source(at: folder.path("b"))
    for end in whole.indices {
      try file.truncate(to: UInt64(0))
      try file.pwriteAll(Array(whole[..<end]), at: 0)
      #expect(throws: ForeignFileError.self) { try collector.read(CollectionRequest()).holdingFiles() }
    }
    for index in whole.indices {
      var changed = whole
      changed[index] ^= 1 << UInt8(index % 7)
      try file.truncate(to: 0)
      try file.pwriteAll(changed, at: 0)
      _ = try? collector.read(CollectionRequest()).holdingFiles()
    }
  }
}
