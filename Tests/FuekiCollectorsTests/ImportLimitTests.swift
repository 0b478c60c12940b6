import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiWallet
import TestSupport
import Testing

/// Small files that would expand to large ones, or keep the machine busy.
@Suite struct `Limits of imports` {
  private static func address(_ number: Int) -> String {
    let digits = String(number + 1, radix: 16)
    return "0x" + String(repeating: "0", count: 40 - digits.count) + digits
  }

  private static func list(_ count: Int, _ item: (Int) -> String) -> String {
    (0..<count).map(item).joined(separator: ",")
  }

  /// Files by their effect.
  static let files: [String: (kind: String, text: String)] = [
    // A note is repeated for every address of its card: 214 KB would become 116 MB.
    "a card of many addresses and a long note": (
      "vcard",
      "BEGIN:VCARD\nVERSION:4.0\nFN:Bob\nNOTE:" + String(repeating: "x", count: 100_000) + "\n"
        + (0..<1000).map { "X-ETH:\(address($0))\n" }.joined() + "END:VCARD\n"
    ),
    "a card of very many lines": (
      "vcard",
      "BEGIN:VCARD\nVERSION:4.0\nFN:Bob\n" + String(repeating: "TEL:1\n", count: 5000) + "END:VCARD\n"
    ),
    // A column's name is repeated for every row.
    "a table of long names of columns": (
      "csv-contacts",
      "address," + list(200) { String(repeating: "t", count: 400) + "\($0)" } + "\n"
        + (0..<300).map { address($0) + String(repeating: ",x", count: 200) + "\n" }.joined()
    ),
    "a table of very short rows": ("csv-contacts", "address\n" + (0..<20_000).map { "\($0)\n" }.joined()),
    "a bundle of empty wallets": (
      "fueki-app", "{\"wallets\": [" + list(30_000) { _ in "{}" } + "], \"transactionHistory\": []}"
    ),
    "a document of empty lists": (
      "fueki-app", "{\"wallets\": [], \"x\": [" + list(300_000) { _ in "[]" } + "]}"
    ),
    "changes to the front of a list": (
      "electrum",
      #"{"seed_version": 60, "wallet_type": "standard", "invoices": []}"# + ","
        + list(6000) { _ in #"{"op": "add", "path": "/invoices/0", "value": 1}"# } + ","
    ),
    "a wallet of very many transactions that say nothing": (
      "electrum",
      #"{"seed_version": 60, "wallet_type": "standard", "transactions": {"#
        + list(40_000) { "\"\($0)\":0" } + "}}"
    ),
    // Comparing such a text takes time that grows with the square of its length.
    "a table with very many marks on one letter": (
      "csv-contacts", "address,a" + String(repeating: "\u{301}\u{323}", count: 20_000) + "\n1,2\n"
    ),
    "a card with very many marks on one letter": (
      "vcard",
      "BEGIN:VCARD\nVERSION:4.0\nFN:a" + String(repeating: "\u{301}\u{323}", count: 20_000)
        + "\nX-ETH:\(address(1))\nEND:VCARD\n"
    ),
    "a wallet of very many secrets": (
      "electrum",
      #"{"seed_version": 60, "wallet_type": "imported", "keystore": {"type": "imported", "keypairs": {"#
        + list(BackupLimits.secrets + 1) { "\"\($0)\":\"v\"" } + "}}}"
    ),
  ]

  @Test(arguments: files.keys.sorted())
  func `what would become far more than it is, is refused as a whole`(name: String) throws {
    let (kind, text) = try #require(Self.files[name])
    let folder = try TemporaryDirectory()
    try folder.write(Array(text.utf8), to: "file")
    let source = try CollectorKind(named: kind).source(at: folder.path("file"), passphrase: nil)
    let error = #expect(throws: ForeignFileError.self) {
      try source.read(CollectionRequest(includesPrivateKeys: true)).holdingFiles()
    }
    guard case .overLimit(let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("file"))
  }

  @Test func `a record of more fields than any has is refused before it is read`() throws {
    let fields = [UInt8](repeating: 0, count: 10_000).indices.map { $0.isMultiple(of: 2) ? 0x60 : 1 as UInt8 }
    #expect(throws: OWNDStoreError.tooManyFields(record: 1)) {
      try OWNDStore(([0x0A, 0x90, 0x4E] + fields).span)
    }
  }

  @Test func `a card of many addresses is taken where it stays about as large as it was`() throws {
    let card =
      "BEGIN:VCARD\nVERSION:4.0\nFN:Bob\nNOTE:short\nTEL;TYPE=cell:+49 1\nADR:;;Way 1;;;;\n"
      + (0..<2000).map { "X-ETH:\(Self.address($0))\n" }.joined() + "END:VCARD\n"
    let records = try VCardContacts.records(Array(card.utf8))
    #expect(records.contacts.count == 2000 && records.isComplete)
    // Extra lines occur only once.
    #expect(records.contacts.count { !$0.extra.isEmpty } == 1)
    #expect(records.contacts[0].extra.map(\.json) == [#"["TEL;TYPE=cell:+49 1", "ADR:;;Way 1;;;;"]"#])
  }

  @Test func `of very many things that are not in, the first are named and the others counted`() throws {
    let rows = (0..<1000).map { ",\($0)\n" }.joined()
    let records = try CSVContacts.records(Array("address,name\n\(rows)\(Self.address(1)),A\n".utf8))
    let report = records.report(source: "x")
    #expect(report.excluded.count == 201 && report.excluded.last?.what == "800 more" && !report.complete)
  }

  @Test func `which addresses were used is found in a wallet of many`() throws {
    let folder = try TemporaryDirectory()
    let addresses = Self.list(20_000) { "\"\(Self.address($0))\"" }
    let history = Self.list(20_000) { "\"\(Self.address($0))\": \($0 < 15_000 ? "[[\"aa\", 1]]" : "[]")" }
    let wallet =
      #"{"seed_version": 60, "wallet_type": "standard", "addresses": {"receiving": [\#(addresses)], "change": []},"#
      + "\"addr_history\": {\(history)}}"
    try folder.write(Array(wallet.utf8), to: "wallet")
    let records = try CollectorKind(named: "electrum").source(at: folder.path("wallet")).read(
      CollectionRequest()
    ).holdingFiles()
    #expect(records.wallets.first?.keychains.first?.lastUsed == 14_999)
  }
}
